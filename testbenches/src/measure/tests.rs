//! A family as small as can be, measured.

use super::*;
use crate::error::Error;
use crate::error::refusal::not_by;
use crate::measure::plot::{Look, Scale, curves};
use crate::measure::row::values;
use crate::report::{Check, Heading};

/// Squares of numbers; those of 13 cannot be, and those above 100 are wrong.
struct Squares {
    numbers: Vec<usize>,
    bytes: u64,
}

#[derive(Clone)]
struct Square {
    number: usize,
    seed: u64,
    bytes: u64,
}

impl GridPoint for Square {
    fn coordinates(&self) -> Vec<Coordinate> {
        vec![
            Coordinate::always("number", format!("number {}", self.number)),
            Coordinate::of_none("seed", format!("seed {}", self.seed)),
        ]
    }

    fn with_seed(&self, seed: u64) -> Self {
        Square {
            seed,
            ..self.clone()
        }
    }

    fn nodes(&self) -> usize {
        1
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn work(&self) -> Work {
        Work {
            bit_times: 1.0,
            sized: self.number as f64,
        }
    }

    fn kind_of_work(&self) -> String {
        String::new()
    }

    fn meta(&self, date: Date) -> Meta {
        Meta::new(Some(format!("square {}", self.number)), date)
    }

    fn cost(&self) -> Result<Cost, Error> {
        unreachable!("so little work is not asked for");
    }

    fn run(&self) -> Result<Row, Error> {
        let square = self.number * self.number;
        let values = values! { number: self.number, seed: self.seed, square: square, };
        let check = Check::new("small", square <= 100, format!("it is {square}"));
        Ok(Row::new(values, &[check]))
    }
}

impl Grid for Squares {
    type Point = Square;

    fn points(&self, seeds: &Seeds, left_out: &mut LeftOut) -> Result<Vec<Square>, Error> {
        let point = |number: &usize| Square {
            number: *number,
            seed: seeds.first,
            bytes: self.bytes,
        };
        left_out.kept(
            self.numbers.iter().map(point).collect(),
            |point| match point.number {
                13 => Err(not_by("squares", "13 has none")),
                _ => Ok(()),
            },
        )
    }

    fn columns(&self) -> &[Column] {
        const COLUMNS: [Column; 4] = [
            Column::new(Heading::of("number"), "number"),
            Column::new(Heading::of("seed").or_in_words("seed {}"), "seed"),
            Column::new(Heading::of("square"), "square"),
            Column::checks(table::verdict),
        ];
        &COLUMNS
    }

    fn title(&self, _points: &[Self::Point], in_words: &str) -> String {
        format!("squares, {in_words}")
    }

    fn below(&self, points: &[Square], _rows: &[Row]) -> String {
        format!("of {} numbers\n", points.len())
    }

    fn against(&self, _points: &[Square]) -> Result<Against, Error> {
        Ok(Against {
            axis: "number",
            label: "number",
            scale: Scale::Whole,
            series_of: "nothing",
        })
    }

    fn panels(
        &self,
        _points: &[Square],
        rows: &[Row],
        series: &Series,
    ) -> Result<Vec<Panel>, Error> {
        Ok(vec![Panel {
            title: "Squares",
            unit: "square",
            scale: Scale::FromZero(1.05),
            curves: curves(
                (series, rows),
                "number",
                |row| row.number("square"),
                |_| Look::Filled,
            ),
            has_diagonal: false,
        }])
    }
}

fn options(seeds: u64) -> SweepOptions {
    SweepOptions {
        seeds,
        command: "measure",
        seed: 7,
        ..SweepOptions::default()
    }
}

fn squares(numbers: &[usize], seeds: u64) -> Result<Sweep, Error> {
    let grid = Squares {
        numbers: numbers.to_vec(),
        bytes: 1000,
    };
    grid.sweep(&options(seeds), None)
}

#[test]
fn a_check_that_fails_is_told_and_the_sweep_has_not_passed() {
    let sweep = squares(&[3, 12, 13], 1).unwrap();
    assert!(!sweep.passed());
    assert_eq!(
        sweep.formatted(RowFormat::Table).unwrap(),
        "squares, seed 7\n\n  number  square  checks\n       3       9    pass\n      12     144    FAIL\n\nof 2 numbers\n\
         \nFAIL  number 12, seed 7: small: it is 144\n"
    );
    let values = sweep.formatted(RowFormat::Csv).unwrap();
    assert!(values.starts_with("number,seed,square,passed,failed,wall_seconds,meta.schema,"));
    assert!(values.contains("\n3,7,9,true,,") && values.contains(",square 3,cubewave measure "));
    assert!(values.contains("\n12,7,144,false,small: it is 144,"));
    assert!(squares(&[3, 10], 1).unwrap().passed());
}

#[test]
fn rows_come_in_the_order_of_the_grid_with_each_seed() {
    let sweep = squares(&[9, 2, 5], 2).unwrap();
    let rows = sweep.rows.iter();
    let rows: Vec<_> = rows
        .map(|row| row.text("number") + "," + &row.text("seed"))
        .collect();
    assert_eq!(rows, ["9,7", "9,8", "2,7", "2,8", "5,7", "5,8"]);
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let refused = |sweep: Result<Sweep, Error>| sweep.unwrap_err().to_string();
    assert_eq!(
        refused(squares(&[13], 1)),
        "number 13, seed 7: squares: 13 has none"
    );
    assert!(refused(squares(&[3], 0)).contains("0 seeds leave nothing to measure"));
    assert!(refused(squares(&[3], 200_000)).contains("the grid has 200000 points"));
    let large = Squares {
        numbers: vec![3],
        bytes: 1 << 60,
    };
    assert!(refused(large.sweep(&options(1), None)).contains("the point number 3, seed 7 needs"));
}

#[test]
fn a_plot_has_a_mark_a_point() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("drawn.svg");
    let with_plot = |numbers: Vec<usize>, path: &std::path::Path| {
        let options = SweepOptions {
            plot: Some(path.to_owned()),
            ..options(1)
        };
        let bytes = 1000;
        Squares { numbers, bytes }.sweep(&options, None)
    };
    let sweep = with_plot((1..=8).collect(), &path).unwrap();
    assert!(
        sweep
            .formatted(RowFormat::Table)
            .unwrap()
            .ends_with("drawn.svg\n")
    );
    let svg = std::fs::read_to_string(&path).unwrap();
    // Numbers are against what is drawn, so all are one series: its marks, and that of the legend.
    assert_eq!(svg.matches("<circle").count(), 8 + 1);
    let refused = with_plot(vec![1], &path.with_extension("png")).unwrap_err();
    let ending = "plots are SVG: give the file the ending .svg";
    assert!(refused.to_string().ends_with(ending), "{refused}");
}
