//! `cubewave new-router`: what it writes is the example, and builds outside of the workspace.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use toml::de::DeTable;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn new_router(current: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .arg("new-router")
        .args(arguments)
        .current_dir(current)
        .output()
        .unwrap()
}

#[test]
fn the_files_are_those_of_the_example_and_the_manifest_names_the_clone() {
    let folder = tempfile::tempdir().unwrap();
    // One that is there and empty is as good as a new one.
    fs::create_dir(folder.path().join("empty")).unwrap();
    for name in ["mine", "empty"] {
        let written = new_router(folder.path(), &[name, "--cubewave", ROOT]);
        assert!(written.status.success(), "{written:?}");
        let said = String::from_utf8(written.stdout).unwrap();
        assert!(
            said.starts_with(&format!(
                "8 files in {name}: crate {name}, built with the clone "
            )),
            "{said}"
        );
        let read = |file: &str| fs::read_to_string(folder.path().join(name).join(file)).unwrap();
        for file in [
            "src/main.rs",
            "src/router.rs",
            "src/testbench.rs",
            "tests/gossip.rs",
            "tests/program/mod.rs",
        ] {
            let example = Path::new(ROOT).join("examples/own_router").join(file);
            let example = fs::read_to_string(example).unwrap();
            assert_eq!(read(file), example.replace("own_router", name), "{file}");
        }
        let manifest = read("Cargo.toml");
        let manifest = DeTable::parse(&manifest).unwrap();
        let path = |dependency: &str| {
            let dependencies = manifest.get_ref()["dependencies"].get_ref();
            let path = dependencies[dependency].get_ref()["path"].get_ref();
            Path::new(path.as_str().unwrap()).canonicalize().unwrap()
        };
        let root = Path::new(ROOT).canonicalize().unwrap();
        assert_eq!(path("testbenches"), root);
        assert_eq!(path("rtl_model"), root.join("rtl_model"));
    }
}

/// In a clone it is the clone, elsewhere what is published.
#[test]
fn without_a_clone_that_is_named_the_current_folder_decides() {
    let folder = tempfile::tempdir().unwrap();
    let mine = folder.path().join("mine");
    let read = || fs::read_to_string(mine.join("Cargo.toml")).unwrap();
    let written = new_router(folder.path(), &["mine"]);
    assert!(written.status.success(), "{written:?}");
    let version = env!("CARGO_PKG_VERSION");
    assert!(read().contains(&format!("package = \"cubewave\", version = \"{version}\"")));
    fs::remove_dir_all(&mine).unwrap();
    let written = new_router(Path::new(ROOT), &[mine.to_str().unwrap()]);
    assert!(written.status.success(), "{written:?}");
    assert!(read().contains("package = \"cubewave\", path = "));
}

#[test]
fn what_is_refused_is_left_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let full = folder.path().join("full");
    fs::create_dir(&full).unwrap();
    fs::write(full.join("kept"), "kept").unwrap();
    for arguments in [
        &["full"][..],
        &["2d"],
        &["mine", "--cubewave", "full"],
        &["no/such"],
    ] {
        let refused = new_router(folder.path(), arguments);
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        let said = String::from_utf8(refused.stderr).unwrap();
        assert!(said.starts_with("error: "), "{said}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert_eq!(fs::read_dir(&full).unwrap().count(), 1);
    }
}

/// The page shows the profile that is written.
#[test]
fn the_profile_on_the_page_is_the_one_that_is_written() {
    let read = |file: &str| fs::read_to_string(Path::new(ROOT).join(file)).unwrap();
    let page = read("docs/own-router.md");
    let shown = page.split("```toml\n").nth(1).unwrap();
    let shown = shown.split("```").next().unwrap();
    assert_eq!(shown, read("testbenches/template/profile.toml"));
}

#[test]
#[ignore = "long: builds a crate outside of the workspace, with all that it depends on"]
fn a_crate_that_is_written_builds_and_passes_its_tests() {
    let folder = tempfile::tempdir().unwrap();
    let written = new_router(folder.path(), &["my-router", "--cubewave", ROOT]);
    assert!(written.status.success(), "{written:?}");
    let mine = folder.path().join("my-router");
    // The versions that are tested here, which are on this computer.
    fs::copy(Path::new(ROOT).join("Cargo.lock"), mine.join("Cargo.lock")).unwrap();
    let cargo = |arguments: &[&str]| {
        let cargo = Command::new(env!("CARGO"))
            .args(arguments)
            .env("CARGO_NET_OFFLINE", "true")
            .env(
                "CARGO_TARGET_DIR",
                concat!(env!("CARGO_TARGET_TMPDIR"), "/new-router"),
            )
            // Of what runs these tests: packages that are built would find another compiler.
            .env_remove("RUSTC_BOOTSTRAP")
            .current_dir(&mine)
            .output()
            .unwrap();
        assert!(cargo.status.success(), "{cargo:?}");
        String::from_utf8(cargo.stdout).unwrap()
    };
    let tested = cargo(&["test"]);
    assert!(tested.contains("test result: ok. 3 passed"), "{tested}");
    assert!(cargo(&["run", "--", "list"]).contains("gossip"));
}
