//! Texts that `rtl_model` reads.

use rtl_model::csv_file::{Rows, hexadecimal, shown, whole};
use rtl_model::machine::share::Share;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::ports::algorithm::{Algorithm, PortModel};
use rtl_model::routers::ports::broadcast::Broadcast;
use rtl_model::routers::ports::sends::read::read_sends;
use rtl_model::routers::wormhole::networks::irregular::TableRouted;
use rtl_model::routers::wormhole::networks::irregular::file::{read_network, read_routes};
use rtl_model::traffic::file::{
    read_batches, read_part, read_relation, read_set, read_timed, read_traffic,
};

use crate::fuzz::fuzz;

#[test]
fn csv() {
    fuzz("csv", |input| {
        let mut rows = Rows::of_long_lines(input, 100);
        _ = rows.headings().map(|row| row.map(|row| row.len()));
        while let Ok(Some(row)) = rows.next_row() {
            for (index, field) in row.fields().enumerate() {
                _ = (row.column(index), whole::<u16>(field), shown(field));
                _ = hexadecimal(field).map(|digits| digits.rev().count());
            }
            _ = row.shown();
        }
        let mut texts = Rows::new(input);
        while texts.next_text().is_ok_and(|there| there) {
            assert!(texts.text().len() <= input.len());
        }
    });
}

/// A network that can be had is routed both ways, if that takes no long.
#[test]
fn networks() {
    fuzz("networks", |input| {
        let read = || read_network("my.csv", input);
        match read() {
            Ok(network) if network.nodes() <= 32 => {
                _ = TableRouted::shortest("my.csv", network).map_err(|error| error.to_string());
                _ = TableRouted::up_down("my.csv", read().unwrap())
                    .map_err(|error| error.to_string());
            }
            Ok(_) => {}
            Err(error) => _ = error.to_string(),
        }
    });
}

#[test]
fn routes() {
    let ring = "from,to\n0,1\n1,2\n2,0\n1,0\n2,1\n0,2\n";
    let network = read_network("ring.csv", ring.as_bytes()).unwrap();
    fuzz("routes", move |input| {
        match read_routes("my.csv", input, &network) {
            Ok(routes) => _ = TableRouted::by_tables("my.csv", network.clone(), (routes, "my.csv")),
            Err(error) => _ = error.to_string(),
        }
    });
}

#[test]
fn sends() {
    let broadcast = |ports, packets| Broadcast {
        cube: Dimensions::new(2).unwrap(),
        algorithm: Algorithm::BinomialTree,
        ports,
        source: 0,
        packets,
        packet_bits: 8,
        start_up: 0,
    };
    fuzz("sends", move |input| {
        for broadcast in [
            broadcast(PortModel::OneWay, 1),
            broadcast(PortModel::TwoWay, 2),
        ] {
            _ = read_sends("my.csv", input, &broadcast).map_err(|error| error.to_string());
        }
    });
}

/// By all that read traffic: what each makes of it is held by other tests.
#[test]
fn traffic() {
    let cube = Dimensions::new(3).unwrap();
    let file = "my.csv";
    fuzz("traffic", move |input| {
        let errors = [
            read_traffic(file, input, &cube, 9, 1).err(),
            read_relation(file, input, &cube, 9, 1).err(),
            read_batches(file, input, (&cube, 4), 9, 1).err(),
            read_set(file, input, &cube).err(),
            read_timed(file, input, &cube, 9, 1, |_, _| Ok(())).err(),
            read_part(file, input, (cube, Share::WHOLE), 9, 1).err(),
        ];
        for error in errors.into_iter().flatten() {
            _ = error.to_string();
        }
    });
}
