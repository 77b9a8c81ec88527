//! What a view opens on, and where its cursor stands: tests.

use std::ops::Range;

use super::*;
use crate::trace::TextForm;

/// A machine without signals, of 60 bit times, with a mark in each of these.
fn marked(bit_times: &[u64], opens_on: Option<Range<u64>>) -> Recording {
    let mut recording = Recording {
        ticks: 100..600,
        opens_on,
        ..Recording::empty(TextForm::Strings)
    };
    for bit_time in bit_times {
        recording.mark(*bit_time, &bit_time.to_string());
    }
    recording
}

/// Where a save file begins, the cursor and the markers, in bit times.
fn told(save: &str) -> (u64, Vec<u64>) {
    let picoseconds = |text: &str| text.parse::<u64>().unwrap() / 1000;
    let line = |begin: &str| {
        let mut lines = save.lines();
        lines.find_map(|line| line.strip_prefix(begin)).unwrap()
    };
    let times = line("*").split(' ').skip(1);
    let times = times.take_while(|time| *time != "-1").map(picoseconds);
    (picoseconds(line("[timestart] ")), times.collect())
}

fn of_dump(recording: &Recording) -> (u64, Vec<u64>) {
    told(&view("run.vcd", &FileNames::of("run.vcd"), recording).save)
}

/// At the edge of the screen nothing has happened yet, and the name of a marker would be cut.
#[test]
fn the_cursor_stands_where_what_is_followed_first_gets_on_after_the_edge() {
    let asked = |bit_times: &[u64]| of_dump(&marked(bit_times, Some(200..500)));
    assert_eq!(asked(&[12, 20, 26, 33, 40]), (20, vec![26, 12, 26, 33, 40]));
    assert_eq!(asked(&[22, 30, 45]).1[0], 22);
    // Else where the third thing begins, as in a view that nobody asked to open somewhere.
    assert_eq!(of_dump(&marked(&[22, 30, 45], None)).1[0], 45);
}

/// Where something is decided there it stands; else it stands nowhere behind where what is followed has arrived.
#[test]
fn the_cursor_stands_where_something_is_decided() {
    let mut recording = marked(&[20, 30, 45], Some(200..500));
    recording.arrived = Some(300);
    assert_eq!(of_dump(&recording).1[0], 30);
    recording.arrived = Some(290);
    assert_eq!(of_dump(&recording).1[0], 20, "nothing else has happened");
    recording.decided = Some(410);
    assert_eq!(of_dump(&recording).1[0], 41);
    recording.decided = Some(510);
    assert_eq!(of_dump(&recording).1[0], 20, "that is not on the screen");
}

/// What lies before the recording is not shown.
#[test]
fn a_view_begins_with_the_recording_at_the_earliest() {
    assert_eq!(of_dump(&marked(&[22], Some(50..400))), (10, vec![22, 22]));
}

/// Markers of iterations have their numbers where one step goes on.
#[test]
fn iterations_are_marked_by_their_number() {
    let mut recording = marked(&[], Some(100..600));
    recording.step_names = &["", "1_sort", "done"];
    recording.steps = [20, 40]
        .map(|bit_time| Begun {
            tick: bit_time * TICKS_PER_BIT_TIME,
            iteration: bit_time as u32 / 20,
            step: 1,
        })
        .to_vec();
    let save = view("run.vcd", &FileNames::of("run.vcd"), &recording).save;
    let names = save
        .lines()
        .filter_map(|line| line.strip_prefix("[markername] "));
    assert_eq!(names.collect::<Vec<_>>(), ["Asort_1", "Bsort_2"]);
}

/// All of it is one bit time later there.
#[test]
fn a_view_of_verilog_opens_on_the_same_bit_times_after_the_reset() {
    let recording = marked(&[26, 33], Some(200..400));
    let names = FileNames::of("tb.vcd");
    let save = view_of_verilog("tb.vcd", &names, &recording, Links::Named).save;
    assert_eq!(told(&save), (21, vec![27, 27, 34]));
}
