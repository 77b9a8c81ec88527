//! How a project speaks of its rounds: in the files that they are read from, and of how to make them again.

/// What the first round sends.
pub(crate) const FIRST_ROUND: &str = "as asked for";

/// What all rounds have in one of these files: of each, behind a line that names it, if there are several.
pub(crate) fn of_rounds(names: &[String], texts: Vec<String>) -> String {
    let of = names.len();
    let all = names.iter().zip(texts).enumerate();
    let all = all.map(|(number, (name, text))| match of {
        1 => text,
        _ => format!("// round {} of {of}: {name}\n{text}", number + 1),
    });
    all.collect()
}

/// The file of a project that has the traffic of its first round
/// ([`traffic_file`](crate::lockstep::Stimulus::traffic_file)), and how it is asked for again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstRound {
    /// The file's name.
    pub file: &'static str,
    /// The option that reads the file, with its dashes. None where traffic is always drawn: the command and the seed then say
    /// what, and the file is there to be looked at.
    pub option: Option<&'static str>,
}

impl FirstRound {
    /// Of what has traffic.
    pub const TRAFFIC: Self = FirstRound {
        file: "traffic.csv",
        option: Some("--traffic-file"),
    };
    /// Of what has values.
    pub const VALUES: Self = FirstRound {
        file: "values.csv",
        option: Some("--values"),
    };

    /// As it stands on a command line behind the machine, of that seed.
    pub(crate) fn words(self, seed: Option<u64>) -> String {
        match self.option {
            Some(option) => format!(" {option} {}", self.file),
            None => seed.map_or(String::new(), |seed| format!(" --seed {seed}")),
        }
    }

    /// The same with so many rounds, the later ones of that seed too: one round of a file draws nothing.
    pub(crate) fn words_of_rounds(self, rounds: usize, seed: Option<u64>) -> String {
        let words = self.words(seed);
        match (self.option, seed) {
            (Some(_), Some(seed)) if rounds > 1 => {
                format!("{words} --seed {seed} --rounds {rounds}")
            }
            _ => format!("{words} --rounds {rounds}"),
        }
    }
}
