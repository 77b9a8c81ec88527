use super::*;

fn axes(algorithm: &str, ports: Option<&str>) -> OperationAxes {
    OperationAxes {
        machine: MachineAxes {
            algorithm: Some(algorithm.to_owned()),
            ports: ports.map(str::to_owned),
            ..MachineAxes::default()
        },
        ..OperationAxes::default()
    }
}

#[test]
fn pairs_that_there_are_not_are_left_out_of_all_and_refused_by_name() {
    let pairs = |algorithm, ports| axes(algorithm, ports).pairs(Operation::Scatter);
    let all = pairs("all", Some("all-models")).unwrap();
    assert!(all.contains(&("sbt", PortModel::OneWay)));
    assert!(all.contains(&("distribute-1", PortModel::All)));
    assert!(!all.contains(&("distribute-1", PortModel::OneWay)));
    let one_way = pairs("all", Some("one-way")).unwrap();
    assert_eq!(one_way[0], ("sbt", PortModel::OneWay));
    assert!(pairs("sbt,distribute-1", Some("one-way")).is_err());
    assert!(pairs("distribute-1", Some("one-way,all-models")).is_ok());
    // Without a list, every algorithm is on all ports.
    let default = pairs("sbt,bst", None).unwrap();
    assert_eq!(default, [("sbt", PortModel::All), ("bst", PortModel::All)]);
    assert!(
        axes("all", Some("one-way"))
            .pairs(Operation::AllToAll)
            .is_err()
    );
}

#[test]
fn the_optimum_stands_among_numbers() {
    let list = Some("8,optimum,4..5,8".to_owned());
    assert_eq!(
        or_optimum("--groups", &list).unwrap(),
        [Some(8), None, Some(4), Some(5)]
    );
    assert_eq!(or_optimum("--groups", &None).unwrap(), [None]);
    assert!(or_optimum("--groups", &Some("best".to_owned())).is_err());
}

#[test]
fn beside_routers_nothing_is_started_unless_asked() {
    let seeds = Seeds {
        first: 1,
        amount: 1,
    };
    let start_ups = |axes: &OperationAxes| -> Vec<usize> {
        let grids = axes.places(Operation::Transpose, &seeds).unwrap();
        let places = crate::measure::axes::points(&grids, &seeds).unwrap();
        places.iter().map(|place| place.start_up).collect()
    };
    let mut axes = axes("all", None);
    assert_eq!(start_ups(&axes), [DEFAULT_START_UP; 2]);
    axes.routers.against = Some("all".to_owned());
    assert!(start_ups(&axes).iter().all(|bits| *bits == 0));
    axes.machine.start_up = Some("5".to_owned());
    assert_eq!(start_ups(&axes)[..3], [5, 5, 0]);
    axes.routers.against = Some("routers".to_owned());
    assert!(axes.places(Operation::Transpose, &seeds).is_err());
}
