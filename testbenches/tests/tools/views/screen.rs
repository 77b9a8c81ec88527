//! What a save file has GTKWave show first.

use std::path::Path;

/// Rows that the window has room for.
const ROWS_OF_A_SCREEN: usize = 40;
/// Pixels of a character of a marker's name, which stands in the middle above the marker.
const CHARACTER: f64 = 6.5;
/// Pixels of the window's frame and scroll bar.
const FRAME: f64 = 40.0;

/// A save file.
#[derive(Debug, Default)]
pub struct View {
    /// Paths of the signals whose rows can be seen without scrolling or unfolding.
    pub in_sight: Vec<String>,
    /// All rows that GTKWave has, in order: flags and path of a signal, none for a heading.
    pub rows: Vec<Option<(String, String)>>,
    /// Of each of these, whether no group folds it away.
    pub is_open: Vec<bool>,
    /// Pixels that names and values take.
    pub names_width: f64,
    /// The time that the values beside the names are of.
    pub cursor: u64,
    /// Times and names.
    pub markers: Vec<(u64, String)>,
    /// Pixels that waves take.
    pub pixels: f64,
    /// The scope of the machine, with a dot.
    pub machine: String,
}

impl View {
    pub fn read(path: &Path) -> View {
        let (mut view, mut flags) = (View::default(), String::new());
        let (mut width, mut names, mut times) = (0.0, Vec::new(), Vec::new());
        let (mut folded, mut rows) = (0, 0);
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let number = |text: &str| text.split(' ').next().unwrap().parse::<f64>().unwrap();
            if let Some(new) = line.strip_prefix('@') {
                new.clone_into(&mut flags);
            } else if let Some(size) = line.strip_prefix("[size] ") {
                width = number(size);
            } else if let Some(size) = line.strip_prefix("[signals_width] ") {
                view.names_width = number(size);
            } else if let Some(machine) = line.strip_prefix("[treeopen] ") {
                machine.clone_into(&mut view.machine);
            } else if let Some(name) = line.strip_prefix("[markername] ") {
                names.push(name[1..].to_owned());
            } else if let Some(zoom) = line.strip_prefix('*') {
                let mut given = zoom.split(' ').skip(1);
                view.cursor = given.next().and_then(|time| time.parse().ok()).unwrap_or(0);
                times = given.map_while(|time| time.parse::<u64>().ok()).collect();
            } else if line.starts_with(['[', '^']) {
            } else if line.starts_with('-') {
                view.rows.push(None);
                view.is_open.push(folded == 0);
                rows += usize::from(folded == 0);
                match flags.as_str() {
                    "c00200" => folded += 1,
                    "1401200" => folded -= 1,
                    _ => {}
                }
            } else {
                let path = line.rsplit(' ').next().unwrap();
                let path = path.split('[').next().unwrap().to_owned();
                rows += usize::from(folded == 0);
                if folded == 0 && rows <= ROWS_OF_A_SCREEN {
                    view.in_sight.push(path.clone());
                }
                view.is_open.push(folded == 0);
                view.rows.push(Some((flags.clone(), path)));
            }
        }
        view.pixels = width - view.names_width - FRAME;
        assert_eq!(times.len(), names.len(), "{}", path.display());
        view.markers = times.into_iter().zip(names).collect();
        view
    }

    /// Markers that can be seen in a window of time.
    pub fn seen(&self, (from, to): (u64, u64)) -> Vec<&(u64, String)> {
        let markers = self.markers.iter();
        markers
            .filter(|(time, _)| (from..=to).contains(time))
            .collect()
    }

    /// Two markers in this window whose names overlap.
    pub fn collision(&self, (from, to): (u64, u64)) -> Option<[&str; 2]> {
        let mut seen = self.seen((from, to));
        seen.sort();
        let pixel = |time: u64| (time - from) as f64 / (to - from) as f64 * self.pixels;
        let half = |name: &str| name.chars().count() as f64 * CHARACTER / 2.0;
        let pairs = seen.windows(2).map(|pair| [pair[0], pair[1]]);
        let mut collide = pairs.filter(|[(first, name), (second, other)]| {
            pixel(*second) - pixel(*first) < half(name) + half(other)
        });
        collide
            .next()
            .map(|[(_, name), (_, other)]| [name.as_str(), other])
    }
}

/// The search itself, on a save file with a collision, a folded row and one below the screen.
#[test]
fn names_that_overlap_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("view.gtkw");
    let below: String = (0..40).map(|row| format!("cube.row_{row}\n")).collect();
    let save = format!(
        "[size] 1390 100\n*-1.0 7 100 200 205 900 -1\n[markername] Afar\n[markername] Bto_7\n[markername] Cto_14\n\
         [markername] Dend\n[treeopen] cube.\n[signals_width] 350\n@200\n-label\n@c00200\n-folded\n@28\ncube.hidden\n\
         @1401200\n-folded\n@22\n+{{bits}} cube.node_1.bits[7:0]\n{below}"
    );
    std::fs::write(&path, save).unwrap();
    let view = View::read(&path);
    assert_eq!((view.pixels, view.machine.as_str()), (1000.0, "cube."));
    assert_eq!(view.in_sight[..2], ["cube.node_1.bits", "cube.row_0"]);
    assert_eq!(view.in_sight.len(), 38);
    assert_eq!(view.seen((0, 500)).len(), 3);
    assert_eq!(view.collision((0, 1000)), Some(["to_7", "to_14"]));
    assert_eq!(view.collision((150, 250)), None);
    assert_eq!(view.collision((0, 1_000_000)).unwrap()[0], "far");
}
