//! The closed forms of a node's storage.
//!
//! All have `(3LV+2)b` of buffers and credits, in `L` links of `V` channels; of a hypercube `L = k`, of a grid `2n`. The rest is what
//! input channels know of their worms, and arbiters. Classes have channels of their own: `A`, `B` (and of a torus with Valiant's phases
//! `C`, `D`) of each link.

use crate::closed_form::Letter;
use crate::routers::wormhole::networks::direct::Routing;
use crate::routers::wormhole::networks::direct::channels::Channels;
use crate::routers::wormhole::space::Space;

/// The text, in `b` bits of a buffer, and what it is in beside.
pub(super) fn bits(channels: Channels, wire_bits: usize) -> (String, Vec<Letter<'static>>) {
    let is_cube = matches!(channels.space(), Space::Hypercube(_));
    let is_valiant = matches!(channels.network.routing, Routing::Valiant { .. });
    let text = match (channels.network.routing, is_cube, channels.classes()) {
        (Routing::Adaptive, ..) => "b(3LV+2)+(LV+1)(2a+2)+4LV-L+1+2L(L-1)V^2",
        (Routing::Order, true, _) => "b(3kV+2)+V(V+1)k(k-1)/2+(k-1)V^2+4kV+V+2",
        (Routing::Valiant { .. }, true, 1) => "3kb+2b+2k^2+5k+3",
        (Routing::Valiant { .. }, true, _) => {
            "b(3kV+2)+(3k^2-k)A/2+(B+A^2+B^2)k(k-1)/2+ABk^2+(k-1)(A^2+B^2+B)+A(k+B+1)+B+3kV+k+2"
        }
        (Routing::Valiant { .. }, false, 1) => "b(6n+2)+8n^2+10n+3",
        (_, false, 1) => "b(6nV+2)+2V(V+1)n^2+2nV^2+8nV+V+2",
        (Routing::Valiant { .. }, false, 2) => "b(6nV+2)+2n^2V^2+(6A+2B)n^2+2n(A^2+B^2)+8nV+2n+A+2",
        (_, false, 2) => "b(6nV+2)+2Vn^2+2AVn(n-1)+4nA^2+2AB(n-1)+2B^2+2nB(V-1)+8nV+A+2",
        _ => {
            "b(6nV+2)+(6A+6B+2C+2D)n^2+A+2nA^2+2B((n-1)A+B)+2nC^2+2D((n-1)C+D)+2A((A+B)n(n-1)+nA)+2nB(A+B-1)+\
             2C(2n^2(A+B)+(C+D)n(n-1)+nC)+2nD(C+D-1)+8nV+2n+2"
        }
    };
    let dimensions = channels.space().dimensions();
    let mut letters = vec![
        (if is_cube { "k" } else { "n" }, dimensions),
        ("V", channels.count),
    ];
    if channels.network.routing == Routing::Adaptive {
        letters[0] = ("L", channels.per_node());
        // In flits.
        let address = channels.space().address_bits().div_ceil(wire_bits);
        letters.push(("a", address));
    }
    let classes = channels.classes();
    if classes > 1 {
        let of_class = |class: usize| (class..channels.count).step_by(classes).count();
        let names = ["A", "B", "C", "D"].into_iter().take(classes).enumerate();
        letters.extend(names.map(|(class, name)| (name, of_class(class))));
    }
    if is_valiant && is_cube && classes == 1 {
        letters.retain(|(letter, _)| *letter != "V");
    }
    let letters = letters
        .into_iter()
        .map(|(letter, size)| (letter, size as u64));
    (text.to_owned(), letters.collect())
}
