//! What files are read, and what is refused of others.

mod refused;

use super::*;
use proptest::prelude::*;

fn network(text: &str) -> Result<Irregular, Error> {
    read_network("net.txt", text.as_bytes())
}

fn links(text: &str) -> (usize, Vec<(usize, usize)>) {
    let network = network(text).unwrap();
    let mut links: Vec<_> = network.links().collect();
    links.sort_unstable();
    (network.nodes(), links)
}

/// A ring of four nodes.
fn ring() -> Irregular {
    network("from,to\n0,1\n1,2\n2,3\n3,0\n1,0\n2,1\n3,2\n0,3\n").unwrap()
}

fn routes(text: &str) -> Result<Routes, Error> {
    read_routes("routes.csv", text.as_bytes(), &ring())
}

#[test]
fn links_are_read_from_rows() {
    assert_eq!(
        links("from,to\n0,1\n1,2\n2,0\n"),
        (3, vec![(0, 1), (1, 2), (2, 0)])
    );
    assert_eq!(
        links("\u{feff}\r\n to , from \r\n1,\"0\"\r\r0,01"),
        (2, vec![(0, 1), (1, 0)])
    );
    // That node 2 is reached by nobody is said where there are to be routes.
    assert_eq!(links("from,to\n0,3\n").0, 4);
}

#[test]
fn files_of_booksim_are_read() {
    let both = |pairs: &[(usize, usize)]| {
        let mut links: Vec<_> = (pairs.iter())
            .flat_map(|&(one, other)| [(one, other), (other, one)])
            .collect();
        links.sort_unstable();
        links
    };
    let triangle = both(&[(0, 1), (1, 2), (2, 0)]);
    assert_eq!(
        links("router 0 node 0 router 1 router 2\nrouter 1 node 1 router 2\nnode 2 router 2\n"),
        (3, triangle.clone())
    );
    assert_eq!(
        links(
            "\n \t\nrouter 0 router 1 1\trouter 2 1 node 0 1\r\n\r\n  router  1 node 1 router 0 router 2 \nrouter 2 router 1\nnode 2 \
             router 2 1\nrouter 2 node 2"
        ),
        (3, triangle)
    );
    // Nodes go by the numbers of nodes, not of routers.
    assert_eq!(
        links(
            "node 2 router 7\nnode 0 router 18446744073709551615\nnode 1 router 3\nrouter 7 router 3 router 18446744073709551615\n"
        ),
        (3, both(&[(2, 1), (2, 0)]))
    );
}

#[test]
fn routes_are_read() {
    let shortest = Routes::shortest(&ring()).unwrap();
    let text = "node,destination,next\n0,1,1\n0,2,1\n0,3,3\n1,0,0\n1,2,2\n1,3,2\n2,0,1\n2,1,1\n2,3,3\n3,0,0\n3,1,2\n3,2,2\n";
    assert_eq!(routes(text).unwrap(), shortest);
    let text = text
        .replace("next\n", "next, class\n")
        .replace("0,2,1\n", "0,2,1,7\n");
    let text: Vec<String> = (text.lines())
        .map(|line| match line.matches(',').count() {
            2 => format!("{line},"),
            _ => line.to_owned(),
        })
        .collect();
    let read = routes(&text.join("\r\n")).unwrap();
    assert_eq!(read.classes(), 8);
    assert_eq!(read.next(0, 2).unwrap().class, 7);
    assert_eq!(read.next(0, 1), shortest.next(0, 1));
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,200}", bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for bytes in [text.as_bytes(), &bytes] {
            let _ = read_network("net.txt", bytes);
            let _ = read_routes("routes.csv", bytes, &ring());
        }
    }

    #[test]
    fn any_words_are_read_or_refused(
        words in prop::collection::vec(prop::sample::select(WORDS), 0..60),
        header in prop::sample::select(HEADERS),
    ) {
        let text = format!("{header}{}", words.concat());
        let _ = network(&text).map(|network| {
            let _ = (Routes::shortest(&network), Routes::up_down(&network));
            read_routes("routes.csv", text.as_bytes(), &network)
        });
        let _ = routes(&text);
    }

    #[test]
    fn any_network_is_read_as_it_is_written(drawn in prop::collection::hash_set((0usize..30, 0usize..30), 1..60), last in 0usize..40) {
        let ends = drawn.iter().flat_map(|(one, other)| [*one, *other]);
        let nodes = 1 + ends.max().unwrap().max(last).max(1);
        let mut pairs: Vec<_> = drawn.into_iter().filter(|(one, other)| one != other).collect();
        prop_assume!(!pairs.is_empty());
        let hosts: String = (0..nodes).map(|node| format!("node {node} router {}\n", 1000 - node)).collect();
        let lines: String = (pairs.iter())
            .map(|(one, other)| format!("router {} router {}\n", 1000 - one, 1000 - other))
            .collect();
        pairs.extend(pairs.clone().iter().map(|(one, other)| (*other, *one)));
        pairs.sort_unstable();
        pairs.dedup();
        prop_assert_eq!(links(&(hosts + &lines)), (nodes, pairs.clone()));
        let rows: String = pairs.iter().map(|(from, to)| format!("{from},{to}\n")).collect();
        let greatest = pairs.iter().map(|pair| pair.0).max().unwrap();
        prop_assert_eq!(links(&format!("from,to\n{rows}")), (greatest + 1, pairs));
    }
}

const HEADERS: &[&str] = &[
    "",
    "from,to\n",
    "node,destination,next,class\n",
    "router 0 node 0 router 1 node 1\n",
];

const WORDS: &[&str] = &[
    "router ",
    "node ",
    "router 0 ",
    "node 0 ",
    "router 1 ",
    "node 1 ",
    "0",
    "1",
    "2",
    "3",
    "1023",
    "99999999999999999999",
    ",",
    ",",
    " ",
    "\n",
    "\n",
    "\r",
    "\"",
    "\u{e9}",
    "from",
    "to",
    "0,1\n",
    "1,0\n",
    "0,1,1\n",
    "-",
];
