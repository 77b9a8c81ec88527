//! Pages of runs in which wires fail say which, and what became of messages.

use serde_json::Value;

use super::{cubewave, scene};

/// The wire from node 1 to node 5, and one that no share crosses any more.
const CUT: &str = "node,dimension,bit_time,stuck\n1,2,60,cut\n3,0,143,1\n";

fn strings(value: &Value) -> Vec<&str> {
    let all = value.as_array().unwrap().iter();
    all.map(|one| one.as_str().unwrap()).collect()
}

#[test]
fn a_page_says_which_wires_fail_and_who_loses_shares() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("cut.csv"), CUT).unwrap();
    for (needed, fate) in [
        (
            2,
            "Share 0 is damaged. 2 of 3 shares are sound, 2 are needed: the message is restored.",
        ),
        (
            3,
            "Share 0 is damaged. 2 of 3 shares are sound, 3 are needed: the message is lost.",
        ),
    ] {
        let bits = 8 * needed;
        let arguments =
            format!("dispersal --dims 4 --needed {needed} --message-bits {bits} --cut cut.csv");
        let scene = scene(folder.path(), &arguments);
        let failures = scene["failures"].as_array().unwrap();
        assert_eq!(failures.len(), 2);
        assert_eq!(failures[0]["sender"], 1);
        assert_eq!(failures[0]["receiver"], 5);
        assert_eq!(
            failures[0]["words"],
            "The wire from node 1 to node 5 is cut from bit time 60 on."
        );
        assert_eq!(
            failures[1]["words"],
            "The wire from node 3 to node 2 is stuck at 1 from bit time 143 on."
        );
        let harm = &scene["harm"];
        let shown = &scene["routes"][scene["shown"].as_u64().unwrap() as usize]["name"];
        let shown = shown.as_str().unwrap();
        assert_eq!(harm["fates"][shown], fate, "{shown}");

        let ran = cubewave(folder.path(), &format!("run {arguments} --format json"));
        let report: Value = serde_json::from_slice(&ran.stdout).unwrap();
        let (restored, lost) = (strings(&harm["restored"]), strings(&harm["lost"]));
        assert_eq!(report["survived"], restored.len());
        assert_eq!(report["lost"], lost.len());
        assert_eq!(report["messages"], harm["fates"].as_object().unwrap().len());
        assert!(restored.contains(&shown) != lost.contains(&shown));
    }
}

/// Where no wire fails, there is nothing to be said of it.
#[test]
fn a_page_of_sound_wires_has_no_failures() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene(folder.path(), "kuszmaul --dims 3");
    assert_eq!(scene["failures"], Value::Array(Vec::new()));
    assert!(scene["harm"].is_null());
}
