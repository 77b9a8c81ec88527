//! What is refused: with exit status 2, a reason, and nothing written.

use crate::collectives::command::Folder;

#[test]
fn what_cannot_be_is_refused_before_anything_is_written() {
    let folder = Folder::new();
    folder.write("short.csv", "node,value\n0,1\n");
    folder.write("all.csv", "node,value\n0,1\n1,2\n2,3\n3,4\n");
    folder.write("wide.csv", "node,value\n0,1\n1,fff\n");
    folder.write("partial.csv", "source,destination\n0,1\n1,0\n2,3\n");
    folder.write("twice.csv", "source,destination\n0,1\n1,1\n");
    folder.write("three.csv", "1,2,3\n4,5,6\n7,8,9\n");
    folder.write("word.csv", "1,2\n3,four\n");
    folder.write("bins.csv", "node,value\n0,1\n1,9\n");
    for (line, why) in [
        (
            "inversion --dims 2 --algorithm inverson",
            "did you mean `inversion`?",
        ),
        (
            "scatter --dims 2 --algorithm collect",
            "there is no algorithm `collect`",
        ),
        (
            "inversion --dims 2 --ports one-way",
            "not defined for one-way ports",
        ),
        (
            "inversion --dims 2 --ports some",
            "there is no port model `some`",
        ),
        ("inversion --dims 17", "choose 1 to 16"),
        (
            "inversion --dims 2 --groups 3",
            "--groups: inversion has no groups",
        ),
        (
            "send --dims 3 --algorithm oc-send-2 --groups 2",
            "arbitrary-send-3",
        ),
        (
            "inversion --dims 2 --packet-bits 7",
            "--packet-bits: inversion cuts messages itself",
        ),
        ("inversion --dims 2 --message-bits 0", "choose 1 to 1048576"),
        (
            "scatter --dims 2 --source 4",
            "--source: 4 is out of range: choose 0 to 3",
        ),
        (
            "send --dims 2 --source 1 --destination 1",
            "node 1 is the source",
        ),
        (
            "permuted-send --dims 2 --permutation partial.csv",
            "node 3 sends nothing (3 of 4 nodes send)",
        ),
        ("permuted-send --dims 2 --permutation twice.csv", "line 3"),
        (
            "permuted-send --dims 2 --permutation bitrew",
            "did you mean `bitrev`?",
        ),
        (
            "permuted-send --dims 3 --permutation transpose",
            "transpose",
        ),
        (
            "inversion --dims 2 --values short.csv",
            "no row is of node 1",
        ),
        (
            "inversion --dims 2 --message-bits 8 --values wide.csv",
            "wide.csv, line 3, column 2 (value): the value `fff` does not fit into 8 bits",
        ),
        (
            "inversion --dims 2 --values nowhere.csv",
            "cannot read nowhere.csv",
        ),
        ("transpose --dims 1 --matrix three.csv", "choose 2 or 4"),
        (
            "transpose --dims 1 --matrix word.csv",
            "word.csv, line 2, column 2: `four` is no number",
        ),
        (
            "transpose --dims 3 --size 4",
            "--size: 4 rows are not taken",
        ),
        ("transpose --dims 3 --word-bits 40", "choose 64 for doubles"),
        ("transpose --dims 13", "--dims: by-rows takes at most 12"),
        (
            "transpose --dims 13 --size 4096",
            "--dims: by-rows takes at most 12",
        ),
        (
            "histogram --dims 16",
            "--dims: every node of 16 dimensions has a count of 23 bits for each bin",
        ),
        (
            "transpose --dims 3 --algorithm by-submatrices",
            "by-submatrices: ",
        ),
        (
            "histogram --dims 1 --bins 4 --values bins.csv",
            "bins.csv, line 3, column 2 (value): there is no bin `9`: they are 0 to 3",
        ),
        ("histogram --dims 1 --word-bits 2", "choose 8 to 32"),
        (
            "all-to-all --dims 16 --message-bits 1000",
            "a node would have 65536 messages",
        ),
        (
            "inversion --dims 2 --values all.csv --results all.csv",
            "cannot be both",
        ),
    ] {
        let said = folder.refusal(&format!("run {line} --wave run.vcd"));
        assert!(said.contains(why), "{line}: {said}");
    }
}

/// An operation takes its own options and no others.
#[test]
fn options_of_other_operations_are_not_taken() {
    let folder = Folder::new();
    for line in [
        "all-gather --source 1",
        "scatter --destination 1",
        "send --permutation bitrev",
        "inversion --matrix matrix.csv",
        "transpose --message-bits 8",
        "histogram --message-bits 8",
        "gather --bins 8",
    ] {
        let said = folder.refusal(&format!("run {line}"));
        assert!(said.contains("unexpected argument"), "{line}: {said}");
    }
}
