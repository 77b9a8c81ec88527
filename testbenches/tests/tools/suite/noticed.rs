//! A testbench that is written notices what is wrong, where it is, and nothing else: a word of its files, another time, wires that are
//! stuck, files that are missing. Needs Icarus; without it it fails.

use crate::suite::{Exported, each_smallest as each};

const ROUNDS: usize = 3;

/// A bit of a file of words.
#[derive(Clone, Copy, Debug)]
struct Bit {
    /// From 1.
    round: usize,
    /// The word's place in the text, and its digits.
    word: (usize, usize),
    number: usize,
    is_one: bool,
    /// What is compared with it differs, if it does.
    matters: bool,
}

/// Whether a bit of a hexadecimal word is 1.
fn is_one(word: &str, bit: usize) -> bool {
    let place = word.len() - 1 - bit / 4;
    let digit = u8::from_str_radix(&word[place..=place], 16).unwrap();
    digit >> (bit % 4) & 1 == 1
}

/// All bits of what is loaded, or is due, in all rounds. In a line of it stand the message, the word of a node, the word and then
/// which of its bits matter, or that of a worm behind its length.
fn bits(text: &str, message_bits: usize) -> Vec<Bit> {
    let (mut bits, mut round, mut start) = (Vec::new(), 1, 0);
    for line in text.split_inclusive('\n') {
        let number = line.strip_prefix("// round ");
        if let Some(number) = number.and_then(|line| line.split(' ').next()) {
            round = number.parse().unwrap();
        }
        let words = line.split("//").next().unwrap_or_default();
        let words: Vec<&str> = words.split_whitespace().collect();
        let word = match words[..] {
            [] => &line[..0],
            [word] | [word, _] => word,
            [.., word] => word,
        };
        let matters = |bit: usize| match words[..] {
            [_] => bit < message_bits,
            [_, matter] => is_one(matter, bit),
            [.., length, _] => bit < usize::from_str_radix(length, 16).unwrap(),
            [] => false,
        };
        let place = start + word.as_ptr().addr() - line.as_ptr().addr();
        bits.extend((0..4 * word.len()).map(|number| Bit {
            round,
            word: (place, word.len()),
            number,
            is_one: is_one(word, number),
            matters: matters(number),
        }));
        start += line.len();
    }
    bits
}

impl Bit {
    /// The text with the bit turned round.
    fn turned(self, text: &str) -> String {
        let (place, digits) = self.word;
        let place = place + digits - 1 - self.number / 4;
        let digit = u8::from_str_radix(&text[place..=place], 16).unwrap();
        let mut text = text.to_owned();
        text.replace_range(
            place..=place,
            &format!("{:x}", digit ^ 1 << (self.number % 4)),
        );
        text
    }
}

/// In every round something of either kind; and what does not matter is left alone.
#[test]
fn a_bit_that_is_due_and_is_another_is_noticed_in_its_round() {
    each(|chosen, report| {
        let exported = Exported::of(chosen, ROUNDS);
        exported.compile();
        exported.run("").passes(report, ROUNDS);
        let sound = exported.read("expected.hex");
        let message_bits = report.payload_bits;
        let all = bits(&sound, message_bits);
        let judged = |bit: &Bit| {
            exported.write("expected.hex", &bit.turned(&sound));
            exported.run("")
        };
        let mut kinds = [false; 2];
        for round in 1..=ROUNDS {
            for is_one in [false, true] {
                let is_wanted =
                    |bit: &&Bit| bit.matters && bit.round == round && bit.is_one == is_one;
                // The last one: what is compared is so to the end.
                let Some(bit) = all.iter().rfind(is_wanted) else {
                    continue;
                };
                let verdict = format!("FAIL: round {round} of {ROUNDS}: done after ");
                judged(bit).fails(&verdict, &format!("{bit:?}"));
                kinds[usize::from(is_one)] = true;
            }
        }
        assert_eq!(kinds, [true; 2], "{}: {sound}", exported.name);
        // Whether a digit's highest bits are there at all is not said where all bits matter.
        let has_mask = sound
            .lines()
            .any(|line| line.split(" //").next().unwrap().split(' ').count() == 2);
        if let Some(bit) = all.iter().find(|bit| has_mask && !bit.matters) {
            judged(bit).passes(report, ROUNDS);
        }
    });
}

/// What each round loads is its own: some bit that is another is noticed there.
#[test]
fn a_bit_that_is_loaded_and_is_another_is_noticed_in_its_round() {
    each(|chosen, _| {
        let exported = Exported::of(chosen, ROUNDS);
        exported.compile();
        let sound = exported.read("traffic.hex");
        let all = bits(&sound, usize::MAX);
        for round in 1..=ROUNDS {
            let of_round = all.iter().filter(|bit| bit.round == round && bit.matters);
            let noticed = of_round.clone().find_map(|bit| {
                exported.write("traffic.hex", &bit.turned(&sound));
                let verdict = exported.run("");
                (verdict.status != Some(0)).then_some((bit, verdict))
            });
            let (bit, verdict) =
                noticed.unwrap_or_else(|| panic!("{}: round {round}", exported.name));
            let failed = format!("FAIL: round {round} of {ROUNDS}: ");
            verdict.fails(&failed, &format!("{bit:?}"));
        }
    });
}

/// The text of `tb.v` that says how long the first round takes.
fn time(exported: &Exported, bit_times: u64) -> String {
    let tb = exported.read("tb.v");
    let known = ["BIT_TIMES", "bit_times"].map(|name| format!("{name} = {bit_times};"));
    let mut known = known.into_iter().filter(|text| tb.contains(text));
    known.next().unwrap()
}

/// Right messages at the wrong time, or no end at all; wires that are stuck; files that are not there.
#[test]
fn what_is_not_as_it_should_be_fails() {
    each(|chosen, report| {
        let exported = Exported::of(chosen, 2);
        let bit_times = report.bit_times;
        let is = time(&exported, bit_times);
        for other in [bit_times - 1, bit_times + 1] {
            let should = is.replace(&bit_times.to_string(), &other.to_string());
            let verdict = format!(
                "FAIL: round 1 of 2: done after {bit_times} bit times, it should take {other}; 0 of "
            );
            exported.with("tb.v", &is, &should).fails(&verdict, &should);
        }
        let never = format!(
            "FAIL: round 1 of 2: not done after {} bit times, it should take {bit_times}; ",
            bit_times + 100
        );
        if exported
            .project
            .files
            .iter()
            .any(|file| file == "sequencer.v")
        {
            let stands = exported.with("sequencer.v", "assign done =", "assign done = 1'b0 &");
            stands.fails(&never, "no end");
        }
        let missing = exported.with(
            "tb.v",
            "$readmemh(\"traffic.hex\"",
            "$readmemh(\"missing.hex\"",
        );
        missing.fails(" are not here: run in the folder of tb.v", "missing.hex");
        // What a node receives is always 0.
        let stuck = ".rx(received & ~received)";
        let stuck = exported.with(exported.network_file(), ".rx(received)", stuck);
        stuck.fails("FAIL: round ", "wires that are stuck");
    });
}

/// Of any round, in the middle of it.
#[test]
fn a_machine_can_be_reset_at_any_time() {
    each(|chosen, report| {
        let exported = Exported::of(chosen, 2);
        let begin = "#(round == 1 ? 15 : 10) reset = 1'b0;";
        let middle = 10 * (report.bit_times / 2);
        let again = format!("{begin} #{middle} reset = 1'b1; #10 reset = 1'b0;");
        exported.with("tb.v", begin, &again).passes(report, 2);
    });
}
