//! A checksum in the first line of a file, a comment: so that it can be told whether somebody
//! edited the file.
//!
//! GTKWave writes a head of its own when it saves a view, so what it saved counts as edited too.

const SAYS: &str = "Written by cubewave, which replaces this file only while its checksum holds:";

/// The text behind a line that says what its checksum is.
pub(super) fn sealed(comment: &str, text: &str) -> String {
    format!(
        "{comment} {SAYS} {:016x}\n{text}",
        checksum(text.as_bytes())
    )
}

/// Whether a file is as it was sealed.
pub(super) fn is_intact(file: &[u8]) -> bool {
    let Some(end) = file.iter().position(|&byte| byte == b'\n') else {
        return false;
    };
    let (line, text) = (&file[..end], &file[end + 1..]);
    line.ends_with(format!(" {SAYS} {:016x}", checksum(text)).as_bytes())
}

/// FNV-1a: enough to see a change that nobody made in order to hide it.
fn checksum(text: &[u8]) -> u64 {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    text.iter().fold(BASIS, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(PRIME)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_fnv_1a() {
        assert_eq!(checksum(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(checksum(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(checksum(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn any_edit_is_seen() {
        let file = sealed("#", "1 1_cross\n2 done\n");
        assert!(is_intact(file.as_bytes()));
        for place in 0..file.len() {
            let mut edited = file.clone().into_bytes();
            edited[place] ^= 1;
            // A comment may begin with anything.
            assert_eq!(is_intact(&edited), place == 0, "{place}");
            edited.remove(place);
            assert_eq!(is_intact(&edited), place == 0, "{place}");
        }
        for edited in [format!("{file}\n"), format!("\n{file}"), String::new()] {
            assert!(!is_intact(edited.as_bytes()));
        }
    }
}
