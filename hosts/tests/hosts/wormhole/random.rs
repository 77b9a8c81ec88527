//! Machines and messages that proptest draws and shrinks, beside the reference.

use proptest::prelude::ProptestConfig;
use proptest::test_runner::TestRunner;

use crate::wormhole::compare::compare;
use crate::wormhole::drawn::traffic;

#[test]
fn any_messages_on_any_machine_fare_as_the_reference_says() {
    let config = ProptestConfig {
        cases: 80,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let run = TestRunner::new(config).run(&traffic(), |(machine, messages)| {
        compare::<u64>(machine, &messages);
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
}
