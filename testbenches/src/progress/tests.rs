use std::sync::Arc;

use indicatif::TermLike;

use super::*;

/// A terminal that keeps what is drawn on it.
#[derive(Clone, Debug, Default)]
struct Drawn(Arc<Mutex<String>>);

impl TermLike for Drawn {
    fn width(&self) -> u16 {
        90
    }
    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }
    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }
    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }
    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }
    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(text)
    }
    fn write_str(&self, text: &str) -> io::Result<()> {
        self.0.lock().unwrap().push_str(text);
        Ok(())
    }
    fn clear_line(&self) -> io::Result<()> {
        Ok(())
    }
    fn flush(&self) -> io::Result<()> {
        Ok(())
    }
}

/// What is drawn of work after so many seconds.
fn drawn(what: &'static str, [begin, done, total]: [u64; 3], seconds: u64) -> String {
    let began = Instant::now() - Duration::from_secs(seconds);
    let mut progress = Progress::new(total, what, false);
    progress.began = began;
    let drawn = Drawn::default();
    let target = ProgressDrawTarget::term_like(Box::new(drawn.clone()));
    let bar = progress.bar(target, (begin, began));
    bar.set_position(done);
    bar.abandon();
    let text = drawn.0.lock().unwrap();
    text.clone()
}

#[test]
fn a_bar_says_how_long_it_has_been_and_about_how_long_it_will_be() {
    for (what, steps, seconds, due) in [
        (
            "{percent} % of the work",
            [0, 25, 100],
            10,
            " 25 % of the work, after 10s, about 30 s left",
        ),
        (
            "{percent} %",
            [50, 60, 100],
            60,
            " 60 %, after 60s, about 4 minutes left",
        ),
        (
            "step {human_pos} of {human_len}",
            [7, 7, 2000],
            5,
            " step 7 of 2,000, after 5s",
        ),
        (
            "step {human_pos} of {human_len} at least",
            [0, 30, 20],
            5,
            " step 30 of 20 at least, after 5s",
        ),
    ] {
        let drawn = drawn(what, steps, seconds);
        assert!(drawn.trim_end().ends_with(due), "{drawn}");
        assert_eq!(drawn.contains(" left"), due.contains(" left"), "{drawn}");
    }
}

#[test]
fn long_work_is_foretold_by_its_beginning() {
    let two = Duration::from_secs(2);
    let of = |steps| foretold(steps, two).map(|all| all.as_secs());
    assert_eq!(of([0, 10, 1000]), Some(200));
    assert_eq!(of([10, 10, 1000]), None, "nothing is known yet");
    assert_eq!(of([900, 910, 1300]), Some(80), "one that was taken up");
    assert_eq!(of([0, 101, 1000]), None);
}
