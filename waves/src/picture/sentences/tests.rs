use super::*;
use crate::picture::run::Stuck;

fn bins(nodes: usize, bit_times: u32) -> Bins {
    let run = Run {
        nodes: vec![String::new(); nodes],
        bit_times,
        ..Run::default()
    };
    Bins::of(&run, 512, 2048)
}

#[test]
fn what_shares_a_cell_is_said() {
    let said = |nodes, times| binned(&bins(nodes, times), Measure::Bits);
    assert_eq!(said(512, 2048), None);
    assert_eq!(
        said(8192, 2048).unwrap(),
        "Each row is 16 nodes; a cell is the most message bits at any of them."
    );
    assert_eq!(
        said(8, 8000).unwrap(),
        "Each column is 4 bit times; a cell is the most message bits in any of them."
    );
    assert_eq!(
        said(8192, 8000).unwrap(),
        "Each row is 16 nodes and each column 4 bit times; a cell is the most message bits at any of these nodes in any of \
         these bit times."
    );
    let nothing = binned(&bins(8192, 8000), Measure::Nothing);
    assert_eq!(
        nothing.unwrap(),
        "Each row is 16 nodes and each column 4 bit times."
    );
}

fn circle(messages: usize) -> (Run, Circle) {
    let run = Run {
        nodes: (0..messages).map(|node| format!("n{node}")).collect(),
        ..Run::default()
    };
    let circle = Circle {
        since: 40,
        nodes: (0..messages as u32).collect(),
        messages: (0..messages as u32)
            .map(|node| Stuck {
                name: format!("m{node}"),
                node,
            })
            .collect(),
    };
    (run, circle)
}

#[test]
fn a_deadlock_is_told_round_the_circle() {
    let told = |messages| {
        let (run, circle) = circle(messages);
        deadlock(&run, &circle)
    };
    assert_eq!(told(0), "Deadlock since bit time 40.");
    assert_eq!(
        told(1),
        "Deadlock since bit time 40: m0 at n0 waits for itself."
    );
    assert_eq!(
        told(2),
        "Deadlock since bit time 40: m0 at n0 waits for m1 at n1, which waits for m0 again."
    );
    let many = told(100);
    assert!(
        many.ends_with(
            "m7 at n7, which waits for the next, and so on: 100 messages wait in a circle."
        ),
        "{many}"
    );
}
