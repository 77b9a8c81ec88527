use std::io::Write;

use rtl_model::routers::collectives::algorithms::Operation;

use super::*;
use crate::families::collectives::stimulus::job;

fn setup(algorithm: &str, dims: usize, size: Option<usize>) -> Setup {
    Setup {
        algorithm: Some(algorithm.to_owned()),
        dims: Some(dims),
        size,
        ..Setup::of(Operation::Transpose)
    }
}

#[test]
fn entries_are_at_home_where_the_drawing_has_them() {
    let rows = shape(&setup("by-rows", 2, Some(8)), None).unwrap();
    assert_eq!((rows.block, rows.extent().message_bits), (2, 256));
    let home = rows.home(3, 6);
    assert_eq!((home.from, home.to, home.place), (1, 3, 2));
    let submatrices = shape(&setup("by-submatrices", 4, Some(8)), None).unwrap();
    assert_eq!(
        (submatrices.block, submatrices.extent().message_bits),
        (2, 256)
    );
    // Row 3 and column 6 are in submatrix (1,3).
    let home = submatrices.home(3, 6);
    assert_eq!((home.from, home.to, home.place), (7, 13, 2));
}

#[test]
fn sizes_that_are_not_taken_are_refused_with_the_nearest() {
    let refusal = |algorithm, dims, size| {
        let refused = shape(&setup(algorithm, dims, Some(size)), None);
        refused.unwrap_err().to_string()
    };
    assert_eq!(
        refusal("by-rows", 3, 4),
        "--size: 4 rows are not taken: by-rows of a cube of 3 dimensions takes a power of two, 8 to 1024 with entries of 64 bits; choose 8"
    );
    assert!(refusal("by-rows", 3, 12).ends_with("choose 8 or 16"));
    assert!(refusal("by-rows", 3, 9000).ends_with("choose 1024"));
    assert!(refusal("by-submatrices", 4, 3).ends_with("choose 4"));
    assert!(refusal("by-rows", 3, usize::MAX).ends_with("choose 1024"));
    assert!(shape(&setup("by-submatrices", 4, Some(4)), None).is_ok());
}

#[test]
fn what_is_refused_is_told_of_what_is_taken() {
    for size in [None, Some(4096), Some(8192)] {
        let refused = shape(&setup("by-rows", 13, size), None).unwrap_err();
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
        let shape = shape(&setup(algorithm, dims, None), None).unwrap();
        assert_eq!(shape.side, 4096, "{algorithm} {dims}");
    }
    for (algorithm, all_dims) in [("by-rows", 1..=8), ("by-submatrices", 2..=8)] {
        for dims in all_dims.step_by(2) {
            for word_bits in [1, 31, 64] {
                let setup = |size| Setup {
                    word_bits: Some(word_bits),
                    ..setup(algorithm, dims, Some(size))
                };
                let told = shape(&setup(5000), None).unwrap_err().to_string();
                let most = told.rsplit(' ').next().unwrap().parse().unwrap();
                assert!(job(&setup(most)).is_ok(), "{told}");
            }
        }
    }
}

fn read_text(text: &str) -> Result<usize, String> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let name = file.path().display().to_string();
    let setup = Setup {
        word_bits: Some(4),
        ..setup("by-rows", 1, None)
    };
    let matrix = Matrix::read(&setup, file.path());
    matrix
        .map(|matrix| matrix.shape().side)
        .map_err(|error| error.to_string().replace(&name, "FILE"))
}

#[test]
fn a_file_that_is_no_square_of_numbers_is_refused_with_its_line_and_column() {
    assert_eq!(read_text("1,2\n3, 15\n"), Ok(2));
    for (text, refusal) in [
        (
            "1,2\n3,x\n",
            "FILE, line 2: column 2: `x` is no whole number, 0 or more",
        ),
        (
            "1,16\n3,4\n",
            "FILE, line 1: column 2: `16` does not fit into 4 bits",
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
