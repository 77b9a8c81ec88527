//! Where a dump, a view or a picture comes from, as it says so itself.

/// Where something that is written comes from. What nobody says is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Provenance {
    /// The command that asks for the run again, and who ran it.
    pub command: String,
    /// When it was made, if that is to be said.
    pub date: Option<String>,
    /// All that is known of it, for scripts: a line of JSON.
    pub meta: String,
}

impl Provenance {
    /// What it says in lines, for a file that has comments. A name of a file with a line break in it breaks none: JSON writes it
    /// otherwise, and for people it is a blank.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        let command = self.command.replace(char::is_control, " ");
        let all = [command, self.meta.clone()];
        all.into_iter().filter(|line| !line.is_empty())
    }
}
