#[test] fn todo() {}
