//! What pages ask for, as others than pages may ask.

use crate::cli::serve::asked::Asked;
use crate::fuzz::{fuzz, is_of_many_nodes};

#[test]
fn queries() {
    fuzz("queries", |query| {
        let query = String::from_utf8_lossy(query);
        if is_of_many_nodes(&query) {
            return;
        }
        let asked = Asked::of(&query);
        _ = asked
            .map(|asked| asked.words())
            .map_err(|error| error.to_string());
    });
}
