//! Files of wires that fail, and those that are drawn.

use std::io::Write;

use super::*;

fn host() -> Dimensions {
    Dimensions::new(3).unwrap()
}

/// Bit times of the run.
const BIT_TIMES: u64 = 90;

fn read_text(text: &str) -> Result<Vec<Cut>, String> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let name = file.path().display().to_string();
    read(file.path(), host(), BIT_TIMES).map_err(|error| error.to_string().replace(&name, "FILE"))
}

/// A file as it is to be written.
fn text(cuts: &[Cut]) -> String {
    let rows = cuts.iter().map(|cut| {
        let Cut {
            node,
            dimension,
            from_bit_time,
            stuck,
        } = *cut;
        format!("{node},{dimension},{from_bit_time},{}\n", stuck.word())
    });
    "node,dimension,bit_time,stuck\n".to_owned() + &rows.collect::<String>()
}

fn cut(node: usize, dimension: usize, from_bit_time: u64, stuck: Stuck) -> Cut {
    Cut {
        node,
        dimension,
        from_bit_time,
        stuck,
    }
}

#[test]
fn wires_are_read_in_any_order_with_and_without_how_they_fail() {
    assert_eq!(
        read_text("node,dimension,bit_time\n7,2,12\n 0 , 0,0\r\n\n0,1,89"),
        Ok(vec![
            cut(7, 2, 12, Stuck::Cut),
            cut(0, 0, 0, Stuck::Cut),
            cut(0, 1, 89, Stuck::Cut),
        ])
    );
    assert_eq!(
        read_text("node,dimension,bit_time,stuck\n1,2,5,1\n1,1,5,0\n2,1,05,cut\n"),
        Ok(vec![
            cut(1, 2, 5, Stuck::At1),
            cut(1, 1, 5, Stuck::At0),
            cut(2, 1, 5, Stuck::Cut),
        ])
    );
    assert_eq!(read_text("node,dimension,bit_time\n"), Ok(vec![]));
}

#[test]
fn a_file_that_is_wrong_is_refused_with_its_line_and_column() {
    for (text, refusal) in [
        (
            "",
            "FILE, line 1: the file is empty: the first line must be `node,dimension,bit_time`, or that and `,stuck`, and a \
             wire stands in each line below it",
        ),
        (
            "node,wire,bit_time\n0,0,0\n",
            "FILE, line 1: the header is `node,wire,bit_time`: it must be `node,dimension,bit_time` or \
             `node,dimension,bit_time,stuck`, in lower case",
        ),
        (
            "node,dimension\n",
            "FILE, line 1: the header is `node,dimension`: it must be `node,dimension,bit_time` or \
             `node,dimension,bit_time,stuck`, in lower case",
        ),
        (
            "node,dimension,bit_time\n0,0,0,1\n",
            "FILE, line 2: fields in this line: 4; there must be 3, as the header has it",
        ),
        (
            "node,dimension,bit_time,stuck\n0,0,0\n",
            "FILE, line 2: fields in this line: 3; there must be 4, as the header has it",
        ),
        (
            "node,dimension,bit_time\n0,0,0\n8,0,0\n",
            "FILE, line 3, column 1 (node): node 8 is out of range: the cube has nodes 0 to 7",
        ),
        (
            "node,dimension,bit_time\n0,3,0\n",
            "FILE, line 2, column 2 (dimension): dimension 3 is out of range: the cube has dimensions 0 to 2",
        ),
        (
            "node,dimension,bit_time\n0,99999999999999999999,0\n",
            "FILE, line 2, column 2 (dimension): dimension 99999999999999999999 is out of range: the cube has dimensions 0 to 2",
        ),
        (
            "node,dimension,bit_time\n0,0,18446744073709551616\n",
            "FILE, line 2, column 3 (bit_time): bit time 18446744073709551616 is out of range: the run has bit times 0 to 89",
        ),
        (
            "node,dimension,bit_time\n0,0,90\n",
            "FILE, line 2, column 3 (bit_time): bit time 90 is out of range: the run has bit times 0 to 89",
        ),
        (
            "node,dimension,bit_time\n0,+1,0\n",
            "FILE, line 2, column 2 (dimension): `+1` is not a number: write it in decimal, counted from 0",
        ),
        (
            "node,dimension,bit_time\n0,1,\n",
            "FILE, line 2, column 3 (bit_time): `` is not a number: write it in decimal, counted from 0",
        ),
        (
            "node,dimension,bit_time,stuck\n0,1,4,Cut\n",
            "FILE, line 2, column 4 (stuck): `Cut` is no way to fail: write `cut` for a wire on which 0 is read, or what it is \
             stuck at, `0` or `1`",
        ),
        (
            "node,dimension,bit_time,stuck\n0,1,4,1\n1,0,4,0\n0,1,5,1\n",
            "FILE, line 4: the wire that node 0 drives across dimension 1 fails already (line 2): leave one of the two lines \
             out",
        ),
    ] {
        assert_eq!(read_text(text).unwrap_err(), refusal);
    }
    let missing = read(Path::new("/nonexistent/cuts.csv"), host(), BIT_TIMES);
    let missing = missing.unwrap_err().to_string();
    assert!(
        missing.starts_with("cannot read /nonexistent/cuts.csv: "),
        "{missing}"
    );
}

#[test]
fn what_is_no_text_is_refused() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(b"node,dimension,bit_time\n\xff,0,0\n")
        .unwrap();
    let error = read(file.path(), host(), BIT_TIMES)
        .unwrap_err()
        .to_string();
    assert!(
        error.ends_with(", line 2: the line is not UTF-8 text"),
        "{error}"
    );
}

#[test]
fn what_is_written_is_read_again() {
    let cuts = drawn(host(), 24, 5, 10..20).unwrap();
    assert_eq!(read_text(&text(&cuts)), Ok(cuts.clone()));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cuts.csv");
    let staged = crate::output::Staging::default().create_text(&path, "the cuts");
    write(staged.unwrap(), &cuts).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text(&cuts));
    assert_eq!(
        text(&[cut(1, 2, 3, Stuck::At1), cut(4, 0, 0, Stuck::Cut)]),
        "node,dimension,bit_time,stuck\n1,2,3,1\n4,0,0,cut\n"
    );
}

#[test]
fn drawn_wires_are_distinct_and_fail_in_time() {
    let cube = host();
    for count in 0..=cube.wires() {
        let cuts = drawn(cube, count, count as u64, 3..7).unwrap();
        let wires = cuts.iter().map(|cut| (cut.node, cut.dimension));
        let wires: Vec<(usize, usize)> = wires.collect();
        assert_eq!(wires.len(), count);
        assert!(wires.is_sorted_by(|one, next| one < next));
        assert!((wires.iter()).all(|(node, dimension)| *node < 8 && *dimension < 3));
        assert!(cuts.iter().all(|cut| (3..7).contains(&cut.from_bit_time)));
    }
    let all = |seed| drawn(cube, 12, seed, 3..7).unwrap();
    assert_eq!(all(1), all(1));
    assert_ne!(all(1), all(2));
    let many: Vec<Cut> = (0..40).flat_map(all).collect();
    for bit_time in 3..7 {
        assert!(many.iter().any(|cut| cut.from_bit_time == bit_time));
    }
    for stuck in Stuck::ALL {
        let share = many.iter().filter(|cut| cut.stuck == stuck).count();
        assert!((100..220).contains(&share), "{stuck:?}: {share} of 480");
    }
    for wire in 0..24 {
        let is_it = |cut: &&Cut| (cut.node, cut.dimension) == (wire / 3, wire % 3);
        let share = many.iter().filter(is_it).count();
        assert!((5..36).contains(&share), "wire {wire}: {share} of 40");
    }
}

#[test]
fn more_wires_than_there_are_and_no_bit_times_are_refused() {
    let refused = |count, at| drawn(host(), count, 1, at).unwrap_err().to_string();
    assert_eq!(
        refused(25, 0..9),
        "25 wires cannot fail: a cube of 3 dimensions has 24 directed wires: choose 0 to 24"
    );
    assert_eq!(
        refused(1, 9..9),
        "wires cannot fail in bit times 9 to 9, the last one not counted: there are none: choose a later end"
    );
    assert_eq!(drawn(host(), 0, 1, 9..9).unwrap(), []);
}

#[test]
fn a_cut_is_a_fault_of_the_wire_across_its_dimension() {
    for (stuck, value) in [(Stuck::Cut, false), (Stuck::At0, false), (Stuck::At1, true)] {
        let fault = WireFault {
            node: 5,
            wire: 2,
            from: 9,
            value,
            called: stuck.in_words(),
        };
        assert_eq!(WireFault::from(cut(5, 2, 9, stuck)), fault);
    }
}
