//! `cubewave view` opens a window of GTKWave that shows the view, and returns while it is open. Needs `gtkwave`, a virtual display and
//! `xwininfo`; without them it fails.

use std::process::Command;

/// On a display of its own: views, waits for a window, says its title, and ends.
const WATCH: &str = r#"
"$CUBEWAVE" view packing --dims 3 > report || exit 1
for look in $(seq 300); do
    xwininfo -root -tree > windows
    if grep -q 'GTKWave - ' windows; then
        grep 'GTKWave - ' windows
        exit 0
    fi
    sleep 0.1
done
cat windows
exit 1
"#;

#[test]
fn gtkwave_comes_up_with_the_view() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new("timeout")
        .args(["90", "xvfb-run", "-a", "sh", "-c", WATCH])
        .env("CUBEWAVE", env!("CARGO_BIN_EXE_cubewave"))
        .current_dir(folder.path())
        .output()
        .unwrap_or_else(|error| panic!("timeout and xvfb-run are needed here: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (windows, said) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{windows}\n{said}");
    assert!(windows.contains("packing.vcd"), "{windows}");
    assert!(
        said.contains("opened: gtkwave packing.vcd packing.gtkw"),
        "{said}"
    );
    let report = std::fs::read_to_string(folder.path().join("report")).unwrap();
    assert!(report.contains("pass  delivered"), "{report}");
}
