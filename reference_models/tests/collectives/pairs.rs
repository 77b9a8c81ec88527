//! Which collective of the model an ask of the hardware is.

use std::collections::BTreeMap;

use reference_models::collectives::{
    Algorithm as Of, Collective, Message, Ports, Run, Scatter, Send, Task, Tree, check,
};
use rtl_model::routers::collectives::algorithms::{
    Algorithm, Ask, Operation, OperationPlan, algorithm,
};
use rtl_model::routers::ports::algorithm::PortModel;

/// What the model says of an ask. Nodes are those of the hardware.
pub struct Expected {
    pub stages: usize,
    pub task: Task,
    pub sends: Vec<Send>,
    pub bit_times: u64,
    pub peak: u64,
}

/// What the model says of what a plan was made for.
pub fn expected(of: &dyn Algorithm, ask: &Ask, plan: &OperationPlan) -> Expected {
    if of.name() == "arbitrary-send-3" {
        return arbitrary_send_3(ask);
    }
    let collective = Collective {
        algorithm: counterpart(of, ask, plan),
        ports: ports(ask.ports),
        dims: ask.dims(),
        root: ask.source,
        message_bits: match of.operation() {
            Operation::Histogram => ask.bins * ask.message_bits,
            _ => ask.message_bits,
        } as u64,
        start_up: ask.start_up as u64,
    };
    let outcome = collective.run().unwrap();
    // BROADCAST 4 goes the same ways wherever the message is for, and all others but sends have no
    // destination.
    let dimensions = match (ask.destination, of.name()) {
        (Some(_), "arbitrary-send-2") | (None, _) => (0..ask.dims()).collect(),
        (Some(to), _) => dimensions(to ^ ask.source, ask.dims()),
    };
    let mut task = collective.task();
    task.messages = task
        .messages
        .iter()
        .map(|(message, bits)| match (message, ask.destination) {
            (Message::Flooded { source, .. }, Some(destination)) => {
                let source = *source;
                (
                    Message::Flooded {
                        source,
                        destination,
                    },
                    *bits,
                )
            }
            _ => (renamed(*message, ask.source, &dimensions), *bits),
        })
        .collect();
    let sends = collective.sends();
    Expected {
        stages: outcome.stages,
        bit_times: outcome.judgement.bit_times,
        peak: outcome.judgement.peak_forwarding_bits(),
        sends: sends
            .into_iter()
            .map(|send| moved(send, ask.source, &dimensions, 0))
            .collect(),
        task,
    }
}

/// The algorithm of the model.
fn counterpart(of: &dyn Algorithm, ask: &Ask, plan: &OperationPlan) -> Of {
    let distance = ask
        .destination
        .map_or(ask.dims(), |to| (to ^ ask.source).count_ones() as usize);
    let groups = plan.groups.map_or(1, |groups| groups.number);
    let packets = |tree| Scatter::Packets {
        tree,
        packet_bits: plan.packet_bits.unwrap() as u64,
    };
    let (name, operation) = (of.name(), of.operation());
    let scatter = match name {
        "sbt" => packets(Tree::Binomial),
        "bst" => packets(Tree::Balanced),
        "tcbt" => packets(Tree::TwoRooted),
        "sbt-halving" => Scatter::Subtrees(Tree::Binomial),
        "bst-subtrees" => Scatter::Subtrees(Tree::Balanced),
        "tcbt-subtrees" => Scatter::Subtrees(Tree::TwoRooted),
        "sbt-levels" => Scatter::Levels(Tree::Binomial),
        "bst-levels" => Scatter::Levels(Tree::Balanced),
        "tcbt-levels" => Scatter::Levels(Tree::TwoRooted),
        "tcbt-one-shot" => Scatter::OneShot(Tree::TwoRooted),
        "distribute-2" => Scatter::Distribute2,
        _ => Scatter::Distribute1,
    };
    match (operation, name) {
        (Operation::Scatter, "distribute-1") => Of::Scatter(scatter),
        (Operation::Scatter, _) if scatter != Scatter::Distribute1 => Of::Scatter(scatter),
        (Operation::Gather, "collect") => Of::Gather(scatter),
        (Operation::Gather, _) if scatter != Scatter::Distribute1 => Of::Gather(scatter),
        (Operation::AllGather, "complete-broadcast") => Of::CompleteBroadcast,
        (Operation::AllToAll, "complete-exchange") | (Operation::Transpose, "by-rows") => {
            Of::CompleteExchange
        }
        (Operation::Inversion, "inversion") => Of::Inversion,
        (Operation::PermutedSend, "permuted-send") => Of::PermutedSend {
            permutation: ask.permutation.clone().unwrap(),
        },
        (Operation::Transpose, "by-submatrices") => Of::TransposeBySubmatrices {
            sends: groups as u64,
        },
        (Operation::Histogram, "histogram") => Of::Histogram {
            value_bits: ask.message_bits as u64,
        },
        (Operation::Send, "oc-send-1") => Of::OcSend1,
        (Operation::Send, "oc-send-2") => Of::OcSend2,
        (Operation::Send, "oc-send-3") => Of::OcSend3,
        (Operation::Send, "oc-send-4") => Of::OcSend4 { groups },
        (Operation::Send, "arbitrary-send-1") => Of::ArbitrarySend1 { distance, groups },
        (Operation::Send, "arbitrary-send-2") => Of::ArbitrarySend2 { distance, groups },
        (Operation::Send, "xoc-send-1") => Of::XocSend1 { distance },
        (Operation::Send, "xoc-send-2") => Of::XocSend2 { distance, groups },
        _ => panic!("{operation} {name} is not held against the model"),
    }
}

/// ARBITRARY SEND 3 of the hardware: where `d` does not divide the message, it rounds the shares of the
/// subcubes beside down and sends the rest straight, and the model rounds all shares up. So it is held
/// against the two sends of the model that it is made of, with the hardware's shares.
fn arbitrary_send_3(ask: &Ask) -> Expected {
    let (dims, all) = (ask.dims(), ask.message_bits);
    let to = ask.destination.unwrap() ^ ask.source;
    let distance = to.count_ones() as usize;
    let share = all / dims;
    let rest = all - (dims - distance) * share;
    let of = |name: &str, message_bits: usize| {
        let of = algorithm(Operation::Send, name).unwrap();
        let ask = Ask {
            message_bits,
            ..ask.clone()
        };
        let plan = of.plan(&ask).unwrap();
        Collective {
            algorithm: counterpart(of, &ask, &plan),
            ports: Ports::All,
            dims,
            root: ask.source,
            message_bits: message_bits as u64,
            start_up: ask.start_up as u64,
        }
    };
    let straight = of("arbitrary-send-1", rest);
    let ascending = dimensions(to, dims);
    let longest = |collective: &Collective| {
        let outcome = collective.run().unwrap();
        (outcome.judgement.bit_times, outcome.stages)
    };
    let (mut bit_times, mut stages) = longest(&straight);
    let mut sends: Vec<Send> = straight.sends();
    sends = sends
        .into_iter()
        .map(|send| moved(send, ask.source, &ascending, 0))
        .collect();
    if distance < dims && share > 0 {
        let beside = of("xoc-send-2", share);
        if longest(&beside).0 > bit_times {
            (bit_times, stages) = longest(&beside);
        }
        for (number, across) in (distance..dims).enumerate() {
            let mut swapped = ascending.clone();
            swapped.swap(distance, across);
            let bit = (rest + number * share) as u64;
            let of_share = beside.sends().into_iter();
            sends.extend(of_share.map(|send| moved(send, ask.source, &swapped, bit)));
        }
    }
    let task = Task {
        messages: vec![(
            Message::Personal {
                source: ask.source,
                destination: ask.source ^ to,
            },
            all as u64,
        )],
        ..straight.task()
    };
    let judgement = check(&task, &sends).unwrap();
    assert_eq!(judgement.bit_times, bit_times);
    Expected {
        stages,
        bit_times,
        peak: judgement.peak_forwarding_bits(),
        sends,
        task,
    }
}

/// The hardware sends to any node, and the model to the one that differs in the lowest dimensions: by
/// dimension of the model that of the hardware. Those in which the nodes differ come first, ascending.
fn dimensions(to: usize, dims: usize) -> Vec<usize> {
    let mut all: Vec<usize> = (0..dims).collect();
    all.sort_by_key(|dimension| (to >> dimension & 1 == 0, *dimension));
    all
}

/// The hardware's node of a node of the model.
fn renamed_node(node: usize, root: usize, dimensions: &[usize]) -> usize {
    let places = dimensions.iter().enumerate();
    places.fold(root, |found, (place, dimension)| {
        found ^ ((node ^ root) >> place & 1) << dimension
    })
}

fn renamed(message: Message, root: usize, dimensions: &[usize]) -> Message {
    let node = |node| renamed_node(node, root, dimensions);
    match message {
        Message::Personal {
            source,
            destination,
        } => Message::Personal {
            source: node(source),
            destination: node(destination),
        },
        other => other,
    }
}

/// A packet with the hardware's nodes, and of bits of the message from `bit` on.
fn moved(send: Send, root: usize, dimensions: &[usize], bit: u64) -> Send {
    let run = |run: Run| Run {
        message: renamed(run.message, root, dimensions),
        bits: run.bits.start + bit..run.bits.end + bit,
        ..run
    };
    Send {
        from: renamed_node(send.from, root, dimensions),
        to: renamed_node(send.to, root, dimensions),
        items: send.items.into_iter().map(run).collect(),
        ..send
    }
}

fn ports(ports: PortModel) -> Ports {
    match ports {
        PortModel::OneWay => Ports::OneWay,
        PortModel::TwoWay => Ports::TwoWay,
        PortModel::All => Ports::All,
    }
}

/// How many bits cross each wire, by its two nodes.
pub fn by_wire(sends: &[Send]) -> BTreeMap<(usize, usize), u64> {
    let mut wires = BTreeMap::new();
    for send in sends.iter().filter(|send| send.units > 0) {
        *wires.entry((send.from, send.to)).or_default() += send.units;
    }
    wires
}
