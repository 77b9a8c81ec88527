//! GTKWave opens the view of wormhole routers, as VCD and as FST: every signal that the save file shows is
//! found, and worms show by name. Needs `gtkwave` and a virtual display; without them it fails.

use crate::common::gtkwave;
use std::path::Path;

use bitvec::vec::BitVec;
use rtl_model::embedding::copies::Copies;
use rtl_model::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::network::{Network, Parameters, Trip};
use testbenches::families::wormhole::engine::Engine;
use testbenches::families::wormhole::message::Message;
use testbenches::families::wormhole::wave::{HeadMarkers, Observed};
use testbenches::output::Staging;
use testbenches::wave::{Request, Wave};

/// All nodes send to the node as far on as `distance`; the first worm's nodes are traced.
fn write(network: &Network, distance: usize, dump: &Path) {
    let parameters = Parameters {
        virtual_channels: 3,
        buffer_bits: 2,
        weak_switch: false,
    };
    let nodes = network.nodes();
    let machine = WormholeMachine::new(network.clone(), parameters).unwrap();
    let request = Request {
        path: Some(dump),
        ..Request::default()
    };
    let mut staging = Staging::default();
    let wave = Wave::plan_open(request, &mut staging, &machine, |_| {
        Ok(machine.path(0, Trip::direct(0, distance)))
    });
    let mut wave = wave.unwrap().unwrap();
    let mut engine = Engine::<u64>::new(machine, 1).unwrap();
    for source in 0..nodes {
        engine.send(
            0,
            Message {
                source,
                destination: (source + distance) % nodes,
                created: 0,
                bits: (0..40)
                    .map(|bit| (source + bit) % 3 == 0)
                    .collect::<BitVec<u64>>(),
            },
        );
    }
    let mut probe = wave.attach(&Observed(&engine)).unwrap();
    let mut heads = HeadMarkers::of(0);
    while engine.in_flight() > 0 {
        engine
            .tick(|engine| {
                heads.watch(engine);
                probe.sample(&Observed(engine))
            })
            .unwrap();
    }
    let mut recording = probe.finish().unwrap();
    heads.mark(&mut recording, &engine);
    wave.commit(&recording).unwrap();
}

#[test]
fn the_path_of_a_worm() {
    let cycles = Network::CubeConnectedCycles(CubeConnectedCycles::new(3).unwrap());
    let copies = Network::Copies {
        copies: Copies::new(4).unwrap(),
        used: 4,
    };
    for (network, distance, dump, machine, worm) in [
        (&cycles, 21, "worms.vcd", "ccc.", "0_0->2_5"),
        (&cycles, 21, "worms.fst", "ccc.", "0_0->2_5"),
        (&copies, 37, "worms.vcd", "cube.", "0->37/0"),
        (&copies, 37, "worms.fst", "cube.", "0->37/0"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let dump = folder.path().join(dump);
        write(network, distance, &dump);
        let traces = gtkwave::shows_all(&dump, (machine, 100), &[]);

        // The cursor stands where the head comes to the third node: then the worm is in the first one's injection channel.
        let row = traces.iter().find(|trace| trace.contains("injection worm"));
        let row = row.unwrap();
        assert!(row.ends_with(&format!("= {worm}")), "{row}");
    }
}
