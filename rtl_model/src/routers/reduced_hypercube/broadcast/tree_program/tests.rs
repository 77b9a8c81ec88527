//! Trees as the hardware finds them.

use super::*;
use crate::language::strobes::Strobes;

/// Relations of all nodes, as the hardware finds them.
fn tree(ports: usize) -> Vec<TreeProgram<bool>> {
    let strobes = |set: fn(&mut TreeStrobes<bool>)| {
        let mut strobes = TreeStrobes::idle();
        set(&mut strobes);
        strobes
    };
    let rounds = ports.saturating_sub(FIXED);
    let mut schedule = Vec::new();
    if rounds > 0 {
        schedule.push(strobes(|strobes| strobes.load = true));
    }
    schedule.extend((0..rounds).map(|_| strobes(|strobes| strobes.prepare = true)));
    schedule.push(strobes(|strobes| strobes.begin = true));
    schedule.extend((0..rounds).map(|_| strobes(|strobes| strobes.merge = true)));
    assert_eq!(schedule.len(), bit_times(ports));
    let node = |node: usize| {
        let address: Vec<bool> = (0..ports).map(|bit| node >> bit & 1 == 1).collect();
        let mut tree = TreeProgram::new(ports);
        for strobes in &schedule {
            tree.clock(strobes, &address);
        }
        if rounds > 0 {
            let id = (0..ports).fold(0, |id, bit| id | usize::from(tree.id[bit]) << bit);
            assert_eq!(id, node, "the transformations cancel");
        }
        tree
    };
    (0..1 << ports).map(node).collect()
}

#[test]
fn every_node_but_the_root_has_one_parent_which_knows_it_and_all_hang_together() {
    for ports in 1..=12 {
        let tree = tree(ports);
        let mut depth = vec![None; tree.len()];
        depth[0] = Some(0);
        let mut reached = vec![0];
        while let Some(node) = reached.pop() {
            for port in (0..ports).filter(|port| tree[node].child(*port)) {
                let child = node ^ 1 << port;
                assert!(tree[child].parent(port) && depth[child].is_none());
                depth[child] = depth[node].map(|depth| depth + 1);
                reached.push(child);
            }
        }
        assert!(depth.iter().all(Option::is_some), "{ports}");
        let deepest = depth.iter().flatten().max();
        assert_eq!(deepest, Some(&ports), "{ports}");
        for (node, relations) in tree.iter().enumerate() {
            let count = |is: &dyn Fn(usize) -> bool| (0..ports).filter(|port| is(*port)).count();
            let parents = count(&|port| relations.parent(port));
            assert_eq!(parents, usize::from(node != 0));
            assert!(count(&|port| relations.child(port)) <= 2);
        }
        if ports >= 3 {
            let children = |node: usize| (0..ports).filter(|port| tree[node].child(*port)).count();
            assert_eq!((children(0), children(4)), (2, 1), "root and spacer");
        }
    }
}

#[test]
fn registers_are_as_many_as_they_are_said_to_be() {
    use crate::language::register::Registers;
    for ports in 0..=16 {
        let mut bits = 0;
        TreeProgram::<bool>::new(ports).visit_mut(&mut |_| bits += 1);
        assert_eq!(bits, storage_bits(ports));
    }
}
