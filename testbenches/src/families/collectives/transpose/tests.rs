use std::io::Write;

use super::*;
use crate::families::collectives::job::Job;
use crate::families::collectives::testbench::TRANSPOSE;
use crate::testbench::bench::asked;

fn chosen(algorithm: &str, dims: usize, words: &str) -> Chosen {
    let words = format!("--algorithm {algorithm} --dims {dims} {words}");
    asked(&TRANSPOSE, &words)
}

#[test]
fn entries_are_at_home_where_the_drawing_has_them() {
    let rows = shape(&chosen("by-rows", 2, "--size 8")).unwrap();
    assert_eq!((rows.blocks.block, rows.extent().message_bits), (2, 256));
    assert_eq!(rows.blocks.home(3, 6), ([1, 3], 2));
    let submatrices = shape(&chosen("by-submatrices", 4, "--size 8")).unwrap();
    assert_eq!(
        (submatrices.blocks.block, submatrices.extent().message_bits),
        (2, 256)
    );
    // Row 3 and column 6 are in submatrix (1,3).
    assert_eq!(submatrices.blocks.home(3, 6), ([7, 13], 2));
}

#[test]
fn sizes_that_are_not_taken_are_refused_with_the_nearest() {
    let of =
        |algorithm, dims, size: usize| shape(&chosen(algorithm, dims, &format!("--size {size}")));
    let refusal = |algorithm, dims, size| of(algorithm, dims, size).unwrap_err().to_string();
    assert_eq!(
        refusal("by-rows", 3, 4),
        "--size: 4 rows are not taken: by-rows of a cube of 3 dimensions takes a power of two, 8 to 1024 with entries of 64 bits; choose 8"
    );
    assert!(refusal("by-rows", 3, 12).ends_with("choose 8 or 16"));
    assert!(refusal("by-rows", 3, 9000).ends_with("choose 1024"));
    assert!(refusal("by-submatrices", 4, 3).ends_with("choose 4"));
    assert!(refusal("by-rows", 3, usize::MAX).ends_with("choose 1024"));
    assert!(of("by-submatrices", 4, 4).is_ok());
}

#[test]
fn what_is_refused_is_told_of_what_is_taken() {
    for words in ["", "--size 4096", "--size 8192"] {
        let refused = shape(&chosen("by-rows", 13, words)).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "--dims: by-rows takes at most 12 dimensions, and not 13: every node has a row, and 4096 rows are the most"
        );
    }
    for (algorithm, dims) in [
        ("by-rows", 12),
        ("by-submatrices", 14),
        ("by-submatrices", 16),
    ] {
        let shape = shape(&chosen(algorithm, dims, "")).unwrap();
        assert_eq!(shape.blocks.side, 4096, "{algorithm} {dims}");
    }
    for (algorithm, all_dims) in [("by-rows", 1..=8), ("by-submatrices", 2..=8)] {
        for dims in all_dims.step_by(2) {
            for word_bits in [1, 31, 64] {
                let of_size = |size: usize| {
                    let words = format!("--word-bits {word_bits} --size {size}");
                    chosen(algorithm, dims, &words)
                };
                let told = shape(&of_size(5000)).unwrap_err().to_string();
                let most = told.rsplit(' ').next().unwrap().parse().unwrap();
                assert!(Job::new(&of_size(most)).is_ok(), "{told}");
            }
        }
    }
}

fn read_text(text: &str) -> Result<usize, String> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let name = file.path().display().to_string();
    let matrix = Matrix::read(&chosen("by-rows", 1, "--word-bits 4"), file.path());
    matrix
        .map(|matrix| matrix.shape().blocks.side)
        .map_err(|error| error.to_string().replace(&name, "FILE"))
}

#[test]
fn a_file_that_is_no_square_of_numbers_is_refused_with_its_line_and_column() {
    assert_eq!(read_text("1,2\n3, 15\n"), Ok(2));
    for (text, refusal) in [
        (
            "1,2\n3,x\n",
            "FILE, line 2, column 2: `x` is no whole number, 0 or more",
        ),
        (
            "1,16\n3,4\n",
            "FILE, line 1, column 2: `16` does not fit into 4 bits",
        ),
        (
            "1,2\n3\n",
            "FILE, line 2: the row has 1 entries, and the first one has 2: all have to have as many",
        ),
        (
            "1,2\n",
            "FILE, line 1: the matrix has 1 rows and 2 columns: it has to be square",
        ),
        (
            "1,2\n3,4\n5,6\n",
            "FILE, line 3: the matrix has 2 columns, and this is a row more: it has to be square",
        ),
        (
            "1,2,3\n4,5,6\n7,8,9\n",
            "FILE, line 3: 3 rows are not taken: by-rows of a cube of 1 dimensions takes a power of two, 2 to 2048 with entries of 4 bits; choose 2 or 4",
        ),
        (
            "",
            "FILE, line 1: 0 rows are not taken: by-rows of a cube of 1 dimensions takes a power of two, 2 to 2048 with entries of 4 bits; choose 2",
        ),
    ] {
        assert_eq!(read_text(text).unwrap_err(), refusal);
    }
}
