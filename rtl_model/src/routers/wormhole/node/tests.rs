use crate::embedding::copies::Copies;
use crate::machine::meter::Storage;
use crate::machine::router::Machine;
use crate::machine::topology::Topology;
use crate::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use crate::routers::wormhole::levels::Levels;
use crate::routers::wormhole::machine::WormholeMachine;
use crate::routers::wormhole::network::Network;
use crate::routers::wormhole::networks::butterflies::vertices::{Butterflies, Line};
use crate::routers::wormhole::networks::direct::Routing;
use crate::routers::wormhole::parameters::Parameters;
use crate::routers::wormhole::plan::{End, Port, Standing};

fn storage(network: &Network, virtual_channels: usize, buffer_bits: usize) -> [usize; 2] {
    [false, true].map(|weak_switch| {
        let parameters = Parameters {
            virtual_channels,
            buffer_bits,
            wire_bits: 1,
            weak_switch,
        };
        let machine = WormholeMachine::new(network.clone(), parameters).unwrap();
        Storage::of(&machine.node::<bool>()).total
    })
}

/// An input channel of `b` places and `c` candidates: `2b` for the buffer, `c - 1` declined, one
/// each for the tail, for connected and, if `c > 1`, for taken. An arbiter of which `m` can ask at one
/// address: `m - 1`.
#[test]
fn registers_are_as_many_as_counted_by_hand() {
    let cycles = Network::CubeConnectedCycles(CubeConnectedCycles::new(3).unwrap());
    // Injection and straight of 3 candidates, cross of 2.
    let inputs = 2 * (2 + 2 + 3) + (2 + 1 + 3);
    // A credit each for straight and cross; straight has 3 requesters, cross 2, eject 3.
    let outputs = (1 + 2) + (1 + 1) + 2;
    // The weak switch chooses among 3 output channels.
    assert_eq!(
        storage(&cycles, 1, 1),
        [inputs + outputs, inputs + outputs + 2]
    );

    let inputs = 4 * (4 + 2 + 3) + 2 * (4 + 1 + 3);
    // Straight 3, 2 and 2 at one address, though 3 requesters of the second exclude each other; cross 2, and 1 of
    // 2; eject 6; wires of 3 channels and of 2.
    let outputs = 5 * 2 + (2 + 1 + 1) + 1 + 5;
    let all = inputs + outputs + 2 + 1;
    assert_eq!(storage(&cycles, 3, 2), [all, all + 5]);

    // Two switches as the first one above; three wires, of two channels where two meet, that is dimension 1; 6 output
    // channels.
    let copies = Copies::new(2).unwrap();
    let two = Network::Copies {
        copies: copies.clone(),
        used: 2,
    };
    let all = 2 * 27 + 1;
    assert_eq!(storage(&two, 1, 1), [all, all + 5]);

    // Of 3 dimensions: injection has 4 candidates, then one fewer each, and the last has nothing to
    // choose.
    let inputs = (4 + 3 + 3) + (4 + 2 + 3) + (4 + 1 + 3) + (4 + 2);
    let outputs = 3 * 2 + (1 + 2 + 3);
    let e_cube = Network::direct(copies.dimensions(), Routing::Order);
    assert_eq!(
        storage(&e_cube, 1, 2),
        [inputs + outputs, inputs + outputs + 3]
    );
}

#[test]
fn levels_are_decoded_from_the_address() {
    for levels in [2, 4, 8] {
        let copies = Copies::new(levels).unwrap();
        let network = Network::Copies {
            copies: copies.clone(),
            used: levels,
        };
        let parameters = Parameters {
            virtual_channels: 1,
            buffer_bits: 1,
            wire_bits: 1,
            weak_switch: false,
        };
        let machine = WormholeMachine::new(network, parameters).unwrap();
        for node in 0..copies.dimensions().nodes() {
            let address: Vec<bool> = machine.wiring().address_of(node);
            let decoded = Levels::of(machine.plan(), &address);
            for switch in 0..levels {
                let (expected, _) = copies.unmap(switch, node);
                assert_eq!(decoded.here(switch).at_level_0, [expected == 0]);
                for level in 0..levels {
                    let port = Port {
                        end: End::Switch { switch, channel: 0 },
                        at: Some(Standing {
                            code: switch,
                            level,
                        }),
                    };
                    assert_eq!(decoded.holds(&port), level == expected);
                }
            }
        }
    }
}

/// In its row and in its column, and of all codes of a line's neighbours by lane one level of one copy.
#[test]
fn levels_of_rows_and_columns_are_decoded_from_the_address() {
    for levels in [2, 4] {
        let butterflies = Butterflies::new(levels).unwrap();
        let parameters = Parameters {
            virtual_channels: 1,
            buffer_bits: 1,
            wire_bits: 1,
            weak_switch: false,
        };
        let machine =
            WormholeMachine::new(Network::Butterflies(butterflies.clone()), parameters).unwrap();
        for node in 0..butterflies.host().nodes() {
            let address: Vec<bool> = machine.wiring().address_of(node);
            let decoded = Levels::of(machine.plan(), &address);
            let own = Line::ALL.map(|line| butterflies.vertex(line, node).0 == 0);
            assert_eq!(decoded.here(0).at_level_0, own);
            let standpoint = machine.standpoint::<bool>(node, 0);
            assert_eq!(standpoint.here().at_level_0, own);
            let holds = |code: usize, level: usize| {
                decoded.holds(&Port {
                    end: End::Relay(0),
                    at: Some(Standing { code, level }),
                })
            };
            for (code, plan) in machine.plan().levels.iter().enumerate() {
                for level in 0..levels {
                    assert_eq!(holds(code, level), plan.level(node) == Some(level));
                }
            }
            // By line and difference of labels: one.
            for codes in (0..machine.plan().levels.len()).step_by(levels) {
                let all =
                    (codes..codes + levels).flat_map(|code| (0..levels).map(move |l| (code, l)));
                assert_eq!(all.filter(|&(code, level)| holds(code, level)).count(), 1);
            }
        }
    }
}
