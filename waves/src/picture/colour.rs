//! Colours of cells: the more a cell stands for, the farther it is from the ground, in lightness above all, so that the order is
//! seen without telling hues apart. From yellow through green to blue, which all kinds of colour blindness leave different.

/// Steps of the scale. A cell of value 0 has none of them.
pub const LEVELS: u32 = 16;

/// Of the lightest.
const PALE: [f64; 3] = [248.0, 236.0, 168.0];
const MIDDLE: [f64; 3] = [66.0, 158.0, 152.0];
const DEEP: [f64; 3] = [28.0, 38.0, 98.0];

/// On a light ground, from little to much.
pub fn on_light() -> Vec<String> {
    (0..LEVELS).map(|level| hexadecimal(at(level))).collect()
}

/// On a dark ground: the same, the other way round, and nothing that is as dark as the ground.
pub fn on_dark() -> Vec<String> {
    (0..LEVELS)
        .map(|level| {
            // The first steps are lighter, each less so than the one before.
            let more = f64::from(4u32.saturating_sub(level)) / 4.0;
            let [red, green, blue] = at(LEVELS - 1 - level);
            hexadecimal([red + 14.0 * more, green + 22.0 * more, blue + 30.0 * more])
        })
        .collect()
}

fn at(level: u32) -> [f64; 3] {
    let place = 2.0 * f64::from(level) / f64::from(LEVELS - 1);
    let (from, to, share) = match place < 1.0 {
        true => (PALE, MIDDLE, place),
        false => (MIDDLE, DEEP, place - 1.0),
    };
    std::array::from_fn(|part| from[part] + (to[part] - from[part]) * share)
}

fn hexadecimal(parts: [f64; 3]) -> String {
    let [red, green, blue] = parts.map(|part| part.round() as u8);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The step of a value, from 0 on, if it has one: the largest value, and all beyond, have the last.
pub fn level(value: u32, most: u32) -> Option<u32> {
    let sixteenths = (u64::from(value) * u64::from(LEVELS)).div_ceil(u64::from(most.max(1)));
    let level = sixteenths.checked_sub(1)?;
    Some(level.min(u64::from(LEVELS - 1)) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn luminance(colour: &str) -> f64 {
        let part = |at: usize| {
            let byte = u8::from_str_radix(&colour[at..at + 2], 16).unwrap();
            (f64::from(byte) / 255.0).powf(2.2)
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    #[test]
    fn more_is_always_farther_from_the_ground() {
        let light: Vec<f64> = on_light().iter().map(|it| luminance(it)).collect();
        let dark: Vec<f64> = on_dark().iter().map(|it| luminance(it)).collect();
        assert_eq!((light.len(), dark.len()), (16, 16));
        assert!(light.is_sorted_by(|one, next| one > next), "{light:?}");
        assert!(dark.is_sorted_by(|one, next| one < next), "{dark:?}");
    }

    #[test]
    fn levels_begin_with_one_and_end_with_the_most() {
        assert_eq!(level(0, 32), None);
        assert_eq!(level(1, 32), Some(0));
        assert_eq!(level(2, 32), Some(0));
        assert_eq!(level(3, 32), Some(1));
        assert_eq!(level(32, 32), Some(15));
        assert_eq!(level(1, 1), Some(15));
        assert_eq!(level(u32::MAX, u32::MAX), Some(15));
    }
}
