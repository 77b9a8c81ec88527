//! Tables as Markdown and as JSON.

use serde_json::{Value, json};

/// A table.
pub struct Table {
    /// What it is called in the document.
    pub name: &'static str,
    /// What it shows.
    pub caption: String,
    /// The heads of its columns, the first of which is aligned to the left.
    pub columns: Vec<String>,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new(name: &'static str, caption: impl Into<String>, columns: &[&str]) -> Self {
        Table {
            name,
            caption: caption.into(),
            columns: columns.iter().map(|&column| column.to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let mut text = format!("{}\n\n", self.caption);
        text += &line(&self.columns);
        text += &format!("|---|{}\n", "--:|".repeat(self.columns.len() - 1));
        for row in &self.rows {
            text += &line(row);
        }
        text
    }
}

fn begin(table: &Table) -> String {
    format!("<!-- table {} -->", table.name)
}

fn end(table: &Table) -> String {
    format!("<!-- end of table {} -->", table.name)
}

/// All of them, each between its comments.
pub fn markdown(tables: &[Table]) -> String {
    let texts = tables
        .iter()
        .map(|table| format!("{}\n{}{}\n", begin(table), table.markdown(), end(table)));
    texts.collect::<Vec<_>>().join("\n")
}

/// The same for programs.
pub fn json(tables: &[Table]) -> Value {
    let table = |table: &Table| {
        json!({
            "name": table.name,
            "caption": table.caption,
            "columns": table.columns,
            "rows": table.rows,
        })
    };
    tables.iter().map(table).collect()
}

/// A document in which the tables take the place of those that it has.
///
/// # Errors
/// A table that it has no place for.
pub fn replaced(document: &str, tables: &[Table]) -> Result<String, String> {
    let mut document = document.to_owned();
    for table in tables {
        let (begin, end) = (begin(table), end(table));
        let from = document.find(&begin).map(|at| at + begin.len());
        let place = from.and_then(|from| Some(from..from + document[from..].find(&end)?));
        let place = place.ok_or_else(|| {
            format!("the document has no place for a table: add the lines `{begin}` and `{end}`")
        })?;
        document.replace_range(place, &format!("\n{}", table.markdown()));
    }
    Ok(document)
}
