//! What a configuration does, cell by cell, with whole packets: also one that has a mistake.

use rtl_model::machine::topology::hypercube::neighbour;

use crate::embeddings::case::Hardware;
use crate::embeddings::phase::Configuration;

/// The cells of all nodes after the last step, with packets that nobody sends at 0.
pub fn carried_out(hardware: &Hardware, loaded: &Configuration) -> Vec<Vec<bool>> {
    let plan = hardware.machine.plan();
    let (ports, steps) = (plan.host().count(), plan.steps());
    let bits = hardware.machine.packet_bits();
    let mut held: Vec<Vec<Vec<bool>>> = loaded
        .cells
        .iter()
        .map(|cells| cells.chunks(bits).map(<[bool]>::to_vec).collect())
        .collect();
    let code = |codes: &[bool], port: usize, step: usize| {
        let width = plan.code_bits();
        let of = &codes[(port * steps + step) * width..][..width];
        of.iter()
            .rev()
            .fold(0, |code, &bit| code << 1 | usize::from(bit))
    };
    for step in 0..steps {
        let driven = |node: usize, port: usize| {
            let cell = code(&loaded.sends[node], port, step).checked_sub(1);
            cell.and_then(|cell| held[node].get(cell))
        };
        let mut next = held.clone();
        for (node, next) in next.iter_mut().enumerate() {
            for (cell, held) in next.iter_mut().enumerate() {
                let ports =
                    (0..ports).filter(|&port| code(&loaded.receives[node], port, step) == cell + 1);
                let came: Vec<_> = ports
                    .map(|port| driven(neighbour(node, port), port))
                    .collect();
                if came.is_empty() {
                    continue;
                }
                *held = (0..bits)
                    .map(|bit| came.iter().flatten().any(|packet| packet[bit]))
                    .collect();
            }
        }
        held = next;
    }
    held.into_iter().map(|cells| cells.concat()).collect()
}
