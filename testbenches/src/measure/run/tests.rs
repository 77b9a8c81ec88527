//! Sweeps over ranks that are threads, and meet by channels.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};

use rtl_model::error::Error as ModelError;

use super::first::{Begun, Others, run_all};
use super::other::serve;
use super::words::{ToFirst, ToOther, read, written};
use super::*;
use crate::error::refusal::Refusal;
use crate::measure::axes::Coordinate;
use crate::measure::duration::{Cost, Work};
use crate::measure::row::kept::Kept;
use crate::measure::row::values;
use crate::ranks::line::{Heard, Line};
use crate::report::{Date, Meta};

/// What is told of each run: the point, and whether another ran at the same time.
type Runs = Arc<Mutex<Vec<(usize, bool)>>>;

/// A point that takes as long as it is told to.
#[derive(Clone)]
struct Wait {
    number: usize,
    milliseconds: u64,
    runs: Runs,
    running: Arc<AtomicUsize>,
    /// What comes of it the first time, and ever after.
    outcomes: [fn(usize) -> Result<(), Error>; 2],
    has_run: Arc<AtomicBool>,
}

impl GridPoint for Wait {
    fn coordinates(&self) -> Vec<Coordinate> {
        vec![Coordinate::always(
            "number",
            format!("number {}", self.number),
        )]
    }

    fn with_seed(&self, _seed: u64) -> Self {
        self.clone()
    }

    fn nodes(&self) -> usize {
        1
    }

    fn bytes(&self) -> u64 {
        1
    }

    fn work(&self) -> Work {
        Work {
            bit_times: 0.0,
            sized: self.milliseconds as f64,
        }
    }

    fn kind_of_work(&self) -> String {
        String::new()
    }

    fn meta(&self, _date: Date) -> Meta {
        unreachable!("nobody prints its row");
    }

    fn cost(&self) -> Result<Cost, Error> {
        unreachable!("so little work is not asked for");
    }

    fn run(&self) -> Result<Row, Error> {
        let others = self.running.fetch_add(1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(self.milliseconds));
        self.running.fetch_sub(1, Ordering::SeqCst);
        self.runs.lock().unwrap().push((self.number, others > 0));
        let again = self.has_run.swap(true, Ordering::SeqCst);
        (self.outcomes[usize::from(again)])(self.number)?;
        Ok(Row::new(values! { number: self.number, }, &[]))
    }
}

const FINE: fn(usize) -> Result<(), Error> = |_| Ok(());

fn no_room(_number: usize) -> Result<(), Error> {
    Err(Error::Model(ModelError::DoesNotFit {
        what: "it".to_owned(),
        needed: String::new(),
        each: String::new(),
        available: String::new(),
    }))
}

/// Points that take so many milliseconds, and what is told of their runs.
fn waits(milliseconds: &[u64]) -> (Vec<Wait>, Runs) {
    let (runs, running) = (Runs::default(), Arc::default());
    let wait = |(number, milliseconds): (usize, &u64)| Wait {
        number,
        milliseconds: *milliseconds,
        runs: Arc::clone(&runs),
        running: Arc::clone(&running),
        outcomes: [FINE; 2],
        has_run: Arc::default(),
    };
    let points = milliseconds.iter().enumerate().map(wait).collect();
    (points, runs)
}

fn here(points: &[Wait], threads: usize) -> Here<'_, Wait> {
    Here {
        points,
        threads,
        available: 1 << 20,
    }
}

/// Lines between so many ranks, and what has each of them hear something.
fn lines(ranks: usize) -> (Vec<Line>, Vec<Sender<Heard>>) {
    let channels: Vec<(Sender<Heard>, Receiver<Heard>)> =
        (0..ranks).map(|_| mpsc::channel()).collect();
    let (to_all, from_all): (Vec<_>, Vec<_>) = channels.into_iter().unzip();
    let all = to_all.clone();
    let line = |(rank, incoming)| {
        let (outgoing, to_carry) = mpsc::channel::<(usize, String)>();
        let to_all = to_all.clone();
        std::thread::spawn(move || {
            for (to, words) in to_carry {
                // Who has gone hears nothing.
                let _ = to_all[to].send(Heard::Words(rank, words));
            }
        });
        Line {
            rank,
            ranks,
            outgoing,
            incoming,
            break_off: || (),
        }
    };
    (from_all.into_iter().enumerate().map(line).collect(), all)
}

fn numbers(rows: &[Row]) -> Vec<String> {
    rows.iter().map(|row| row.text("number")).collect()
}

fn counted(runs: &Runs) -> BTreeMap<usize, usize> {
    let mut counted = BTreeMap::new();
    for (number, _) in runs.lock().unwrap().iter() {
        *counted.entry(*number).or_default() += 1;
    }
    counted
}

/// What another rank does with its line, and with what the first hears of it otherwise.
type Other<'a> = Box<dyn FnOnce(Line, Sender<Heard>) + Send + 'a>;

/// One rank leads, with one thread, and the others do this; what comes of the first.
fn sweep(points: &[Wait], begun: Begun, others: Vec<Other<'_>>) -> Result<Vec<Row>, Error> {
    let (lines, to_all) = lines(others.len() + 1);
    let mut lines = lines.into_iter();
    let line = lines.next().unwrap();
    std::thread::scope(|scope| {
        for (other, line) in others.into_iter().zip(lines) {
            let to_first = to_all[0].clone();
            scope.spawn(move || {
                let _lost = LostInPanic(line.rank, to_first.clone());
                other(line, to_first);
            });
        }
        let leads = Others {
            line: &line,
            sweep: "this",
            is_silent: true,
        };
        let rows = run_all(&here(points, 1), begun, Some(&leads));
        if rows.is_err() {
            // As all ranks end when the first does.
            let over = written(&ToOther::Over { one_is_lost: false });
            (1..line.ranks).for_each(|rank| line.outgoing.send((rank, over.clone())).unwrap());
        }
        rows
    })
}

/// A test that fails on another rank does not keep the first one waiting.
struct LostInPanic(usize, Sender<Heard>);

impl Drop for LostInPanic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.1.send(Heard::Lost(self.0));
        }
    }
}

/// A rank that does what it should.
fn serves(points: &[Wait], threads: usize) -> Other<'_> {
    Box::new(move |line, _| serve(&here(points, threads), &line, "this").unwrap())
}

fn say(line: &Line, words: &ToFirst) {
    line.outgoing.send((0, written(words))).unwrap();
}

fn ready(line: &Line, threads: usize) {
    let sweep = "this".to_owned();
    say(line, &ToFirst::Ready { sweep, threads });
}

/// Waits for points.
fn given(line: &Line) -> Vec<usize> {
    let Heard::Words(0, words) = line.incoming.recv().unwrap() else {
        panic!("the first rank is not lost");
    };
    match read(&words).unwrap() {
        ToOther::Take { points } => points,
        ToOther::Over { .. } => Vec::new(),
    }
}

fn row(number: usize) -> Kept {
    Kept(Row::new(values! { number: number, }, &[]).with_seconds(0.0))
}

/// Gives rows for points, until all is over: how many.
fn answer(line: &Line) -> usize {
    let given = std::iter::from_fn(|| Some(given(line)).filter(|points| !points.is_empty()));
    given
        .flatten()
        .map(|point| {
            let row = row(point);
            say(line, &ToFirst::Row { point, row });
        })
        .count()
}

#[test]
fn every_point_runs_once_and_rows_are_in_the_order_of_the_grid() {
    let (points, runs) = waits(&[1, 30, 2, 20, 3, 40, 1, 1, 1, 1, 1, 1]);
    let expected: Vec<String> = (0..12).map(|number| number.to_string()).collect();
    let alone = run_all(&here(&points, 2), Begun::default(), None).unwrap();
    assert_eq!(numbers(&alone), expected);
    assert!(counted(&runs).values().all(|times| *times == 1) && counted(&runs).len() == 12);
    runs.lock().unwrap().clear();
    let others = vec![serves(&points, 1), serves(&points, 2), serves(&points, 1)];
    let rows = sweep(&points, Begun::default(), others).unwrap();
    assert_eq!(numbers(&rows), expected);
    assert!(counted(&runs).values().all(|times| *times == 1) && counted(&runs).len() == 12);
}

#[test]
fn no_rank_is_idle_while_points_are_open() {
    // Each rank has points of its own, so that they tell by whom they were run.
    let all: Vec<_> = (0..4).map(|_| waits(&[200; 8])).collect();
    let others = all[1..].iter().map(|(points, _)| serves(points, 1));
    sweep(&all[0].0, Begun::default(), others.collect()).unwrap();
    let runs: Vec<usize> = all
        .iter()
        .map(|(_, runs)| runs.lock().unwrap().len())
        .collect();
    assert!(runs.iter().all(|runs| *runs > 0), "{runs:?}");
    assert_eq!(runs.iter().sum::<usize>(), 8);
}

#[test]
fn what_is_done_is_not_run_again() {
    let (points, runs) = waits(&[1, 2, 3, 4]);
    let rows = vec![(2, row(20).0), (0, row(30).0)];
    let begun = Begun {
        rows,
        journal: None,
    };
    let rows = sweep(&points, begun, vec![serves(&points, 1)]).unwrap();
    assert_eq!(numbers(&rows), ["30", "1", "20", "3"]);
    assert_eq!(counted(&runs), BTreeMap::from([(1, 1), (3, 1)]));
}

#[test]
fn points_of_a_lost_rank_are_run_by_others() {
    let (points, runs) = waits(&[50, 40, 30, 20, 1, 1]);
    let dies: Other<'_> = Box::new(|line, to_first| {
        ready(&line, 2);
        assert!(!given(&line).is_empty());
        // The thread that carries words says this, when it has heard no sign of life for long.
        to_first.send(Heard::Lost(line.rank)).unwrap();
    });
    let rows = sweep(&points, Begun::default(), vec![dies, serves(&points, 1)]).unwrap();
    assert_eq!(numbers(&rows), ["0", "1", "2", "3", "4", "5"]);
    assert!(counted(&runs).values().all(|times| *times == 1) && counted(&runs).len() == 6);
}

/// The first rank has nothing else to do by then, and its threads wait.
#[test]
fn so_are_the_last_ones_and_by_the_first_rank_too() {
    let (points, runs) = waits(&[150, 150]);
    let dies: Other<'_> = Box::new(|line, to_first| {
        ready(&line, 1);
        assert_eq!(given(&line).len(), 1);
        std::thread::sleep(Duration::from_millis(400));
        to_first.send(Heard::Lost(line.rank)).unwrap();
    });
    let rows = sweep(&points, Begun::default(), vec![dies]).unwrap();
    assert_eq!(numbers(&rows), ["0", "1"]);
    assert_eq!(counted(&runs), BTreeMap::from([(0, 1), (1, 1)]));
}

/// A rank that was slow and not lost: its row comes when another has run the point too, or before.
#[test]
fn a_row_that_comes_twice_counts_once() {
    let (points, _) = waits(&[60, 50, 40]);
    let slow: Other<'_> = Box::new(|line, to_first| {
        ready(&line, 1);
        let points = given(&line);
        to_first.send(Heard::Lost(line.rank)).unwrap();
        for _ in 0..2 {
            for point in &points {
                let (point, row) = (*point, row(*point));
                say(&line, &ToFirst::Row { point, row });
            }
        }
        answer(&line);
    });
    let rows = sweep(&points, Begun::default(), vec![slow, serves(&points, 1)]).unwrap();
    assert_eq!(numbers(&rows), ["0", "1", "2"]);
}

/// It gets none while nothing is heard of it, and others once something is.
#[test]
fn a_rank_that_was_only_slow_gets_points_again() {
    let (points, _) = waits(&[100; 6]);
    let slow: Other<'_> = Box::new(|line, to_first| {
        ready(&line, 1);
        let points = given(&line);
        to_first.send(Heard::Lost(line.rank)).unwrap();
        std::thread::sleep(Duration::from_millis(50));
        assert!(line.heard(Duration::ZERO).is_none());
        for point in points {
            let row = row(point);
            say(&line, &ToFirst::Row { point, row });
        }
        assert!(answer(&line) > 0);
    });
    let rows = sweep(&points, Begun::default(), vec![slow]).unwrap();
    assert_eq!(numbers(&rows), ["0", "1", "2", "3", "4", "5"]);
}

#[test]
fn what_has_no_room_beside_others_runs_alone_at_the_end() {
    for ranks in [1, 3] {
        let (mut points, runs) = waits(&[40, 30, 20, 20, 20, 20]);
        for point in [0, 1] {
            points[point].outcomes = [no_room, FINE];
        }
        let others = (1..ranks).map(|_| serves(&points, 1)).collect();
        let rows = match ranks {
            1 => run_all(&here(&points, 2), Begun::default(), None),
            _ => sweep(&points, Begun::default(), others),
        };
        assert_eq!(numbers(&rows.unwrap()), ["0", "1", "2", "3", "4", "5"]);
        let runs = runs.lock().unwrap();
        let (before, last) = runs.split_last_chunk::<2>().unwrap();
        assert_eq!((last, before.len()), (&[(0, false), (1, false)], 6));
    }
}

#[test]
fn what_has_no_room_even_alone_ends_the_sweep() {
    let (mut points, _) = waits(&[5, 4]);
    points[1].outcomes = [no_room; 2];
    for others in [vec![], vec![serves(&points, 1)]] {
        let refused = sweep(&points, Begun::default(), others).unwrap_err();
        assert!(
            refused.to_string().starts_with("number 1: it needs"),
            "{refused}"
        );
    }
}

#[test]
fn an_error_at_a_point_ends_the_sweep_wherever_it_runs() {
    fn fails(number: usize) -> Result<(), Error> {
        let why = format!("{number} is wrong");
        Err(Refusal::of("--number").because(why).into())
    }
    let (points, runs) = waits(&[60; 8]);
    let failing = |which: &dyn Fn(usize) -> bool| {
        let mut points = points.clone();
        for point in points.iter_mut().filter(|point| which(point.number)) {
            point.outcomes = [fails; 2];
        }
        points
    };
    let one = failing(&|number| number == 1);
    let alone = run_all(&here(&one, 2), Begun::default(), None).unwrap_err();
    assert_eq!(alone.to_string(), "number 1: --number: 1 is wrong");
    runs.lock().unwrap().clear();
    // Whatever the other rank is given.
    let all = failing(&|_| true);
    let elsewhere = sweep(&points, Begun::default(), vec![serves(&all, 1)]).unwrap_err();
    let said = elsewhere.to_string();
    let expected = |number: usize| format!("number {number}: --number: {number} is wrong");
    assert!(matches!(elsewhere, Error::AtPointOnRank { .. }));
    assert!((0..8).any(|number| said == expected(number)), "{said}");
    assert!(runs.lock().unwrap().len() < 8);
}

#[test]
fn a_rank_that_has_planned_another_sweep_is_found_out() {
    let (points, _) = waits(&[5, 4]);
    let other: Other<'_> = Box::new(|line, _| {
        let sweep = "that".to_owned();
        say(&line, &ToFirst::Ready { sweep, threads: 1 });
        assert!(given(&line).is_empty());
    });
    let refused = sweep(&points, Begun::default(), vec![other]).unwrap_err();
    let other = "rank 1 has planned another sweep than the first rank: ";
    assert!(refused.to_string().starts_with(other), "{refused}");
}

#[test]
fn other_ranks_end_when_the_first_is_lost() {
    let (points, _) = waits(&[5]);
    let (mut lines, to_all) = lines(2);
    to_all[1].send(Heard::Lost(0)).unwrap();
    let lost = serve(&here(&points, 2), &lines.remove(1), "this").unwrap_err();
    let expected = "the first rank of the sweep is lost: begin again, ";
    assert!(lost.to_string().starts_with(expected), "{lost}");
}

/// A point that panics is not waited for.
#[test]
fn a_panic_ends_the_sweep() {
    let (mut points, _) = waits(&[5, 4, 3]);
    points[0].outcomes = [|_| panic!("as it is told to"); 2];
    let run = || run_all(&here(&points, 2), Begun::default(), None);
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
}
