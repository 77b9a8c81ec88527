//! What the command line refuses, and why.

pub mod checkpoint;
pub mod cuts;
pub mod journals;
pub mod ranks;
pub mod shares;
pub mod viewing;

use std::io;
use std::path::{Path, PathBuf};

use rtl_model::csv_file::visible;
use rtl_model::error::Error as ModelError;
use rtl_model::error::reduced_hypercube::Problem;

use crate::interrupt;
use crate::near::nearest;
use crate::output::Stream;

/// A path, as messages have it: on a line.
pub(super) fn shown_path(path: &Path) -> String {
    visible(&path.display().to_string())
}

/// Bad usage or input: shown as it is, exit status 2.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The model refuses it.
    #[error(transparent)]
    Model(#[from] ModelError),

    /// A name that is not in a list.
    #[error("there is no {what} `{}`{}; there are: {}", visible(.name), nearest_hint(.name, .known), .known.join(", "))]
    Unknown {
        /// What the name should name.
        what: &'static str,
        /// As given.
        name: String,
        /// The list.
        known: Vec<&'static str>,
    },

    /// A testbench that there is not.
    #[error("there is no testbench `{}`{}; there are: {}; `cubewave list` says what each is for", visible(.name), did_you_mean(.meant), .known.join(", "))]
    NoTestbench {
        /// As given.
        name: String,
        /// What may have been meant: the nearest testbench, or command lines with an option that takes this name.
        meant: Vec<String>,
        /// All of them.
        known: Vec<&'static str>,
    },

    /// A list of numbers or names that cannot be read, or says nothing.
    #[error("{option}: {why}")]
    List {
        /// The option.
        option: &'static str,
        /// The item, and what is wrong with it.
        why: String,
    },

    /// A plot with nothing to compare.
    #[error(
        "--plot draws {what} against {against}: with {only} alone each curve would be a single point; measure at least \
         two, as in {example}"
    )]
    NothingVaries {
        /// What is drawn.
        what: &'static str,
        /// And against what.
        against: &'static str,
        /// What all points have in common.
        only: String,
        /// What to write.
        example: String,
    },

    /// A plot in which nobody could tell the series apart.
    #[error(
        "--plot would draw {series} series, of each {of}, and {most} are the most that \
         can be told apart: give fewer, or plot them one by one"
    )]
    TooManySeries {
        /// What each stands for.
        of: &'static str,
        /// As asked for.
        series: usize,
        /// The most that is drawn.
        most: usize,
    },

    /// What was met at a point of a sweep.
    #[error("{point}: {reason}")]
    AtPoint {
        /// Its machine and its traffic.
        point: String,
        /// What it was.
        reason: Box<Error>,
    },

    /// A plot in a format that is not written.
    #[error("cannot write {}: plots are SVG: give the file the ending .svg", shown_path(.path))]
    PlotFormat {
        /// As given.
        path: PathBuf,
    },

    /// A plot that could not be drawn.
    #[error("cannot draw the plot: {reason}")]
    Undrawable {
        /// What the drawing library says.
        reason: String,
    },

    /// Several ranks, without MPI.
    #[error(
        "{ranks} processes were started together, and this cubewave is built without MPI, by which they would meet: install \
         Open MPI (Debian: apt-get install libopenmpi-dev openmpi-bin libclang-dev) and build with `--features mpi`"
    )]
    NoMpi {
        /// As started.
        ranks: usize,
    },

    /// MPI does not begin.
    #[error(
        "the processes that were started together do not meet: MPI says that it had begun before"
    )]
    MpiDoesNotBegin,

    /// MPI does not let other threads than the main one call on it.
    #[error(
        "the processes that were started together cannot go on: this MPI provides {provided}, and needed is \
         MPI_THREAD_SERIALIZED, since threads call on it in turn: build with an MPI that supports threads, such as Open MPI \
         (Debian: apt-get install libopenmpi-dev openmpi-bin)"
    )]
    MpiWithoutThreads {
        /// As the standard calls it.
        provided: &'static str,
    },

    /// It is over, and the first rank says what came of it.
    #[error("the first rank reports")]
    ReportedElsewhere,

    /// What all ranks know of, and end because of: the first says it.
    #[error("{0}")]
    Agreed(#[source] Box<Error>),

    /// Another rank has met an error.
    #[error("on rank {rank}: {reason}")]
    OnRank {
        /// Which.
        rank: usize,
        /// What it says.
        reason: String,
    },

    /// What ranks have met together, as one process would say it.
    #[error("{said}")]
    OfAllRanks {
        /// What the rank says that has met it.
        said: String,
    },

    /// What is read once, for several ranks each of which has to read it.
    #[error(
        "{what} reaches {whom} of {ranks} ranks only: write what it has to a file that all ranks can read, and give its name"
    )]
    ReachesOneRank {
        /// What is to be read.
        what: String,
        /// Which rank it reaches.
        whom: &'static str,
        /// How many there are.
        ranks: usize,
    },

    /// A rank reads another file than the first.
    #[error(
        "{} is not there what the first rank reads: give all ranks the same file", shown_path(.path)
    )]
    OtherFile {
        /// Its name.
        path: PathBuf,
    },

    /// A run of which there are no checkpoints.
    #[error("{option}: this run cannot be written down in the middle, since {why}")]
    NoCheckpoints {
        /// The option that asks for it.
        option: &'static str,
        /// Why not.
        why: &'static str,
    },

    /// A checkpoint that cannot be taken up.
    #[error("the checkpoint in {} cannot be taken up: {problem}", shown_path(.folder))]
    Checkpoint {
        /// Where it is.
        folder: PathBuf,
        /// Why not.
        problem: checkpoint::Problem,
    },

    /// A folder for checkpoints that has one.
    #[error(
        "--checkpoint: there is a checkpoint in {} already: go on from it with --resume {}, or give another folder",
        shown_path(.folder), shown_path(.folder)
    )]
    CheckpointThere {
        /// The folder.
        folder: PathBuf,
    },

    /// What one rank alone can do.
    #[error("{what} cannot be had on {ranks} ranks: {why}; run it on one")]
    OneRankOnly {
        /// What was asked for.
        what: &'static str,
        /// How many there are.
        ranks: usize,
        /// Why not.
        why: &'static str,
    },

    /// The journal of a sweep that cannot go on in it.
    #[error("the journal {}: {problem}", shown_path(.path))]
    Journal {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: journals::Problem,
    },

    /// A rank was asked for something else than the first.
    #[error("rank {rank} {apart}")]
    AskedApart {
        /// Which.
        rank: usize,
        /// How it differs.
        apart: ranks::Apart,
    },

    /// Another rank has planned something else.
    #[error(
        "rank {rank} has planned another sweep than the first rank: all ranks must run the same cubewave, on the same files"
    )]
    OtherSweepOnRank {
        /// Which.
        rank: usize,
    },

    /// What another rank met at a point.
    #[error("{said}")]
    AtPointOnRank {
        /// What it says: the point and the reason.
        said: String,
    },

    /// The first rank is silent.
    #[error(
        "the first rank of the sweep is lost: begin again, with --journal if the rows that are done are to be kept"
    )]
    FirstRankLost,

    /// The system gives no threads.
    #[error("cannot begin: the system gives no threads: {reason}")]
    NoThreads {
        /// What it says.
        reason: String,
    },

    /// A grid of too many points.
    #[error(
        "the grid has {points} points, and {most} are the most: shorten the lists, or give fewer --seeds"
    )]
    GridTooLarge {
        /// As asked for.
        points: u128,
        /// The most that is measured.
        most: usize,
    },

    /// Work for hours.
    #[error(
        "this sweep of {points} points would take about {hours:.1} hours, {threads} at a time, going by a few \
         machines that were run just now: give --yes to run it all the same, or measure fewer or smaller ones"
    )]
    TakesHours {
        /// Points to measure.
        points: usize,
        /// The estimate.
        hours: f64,
        /// Points at a time.
        threads: usize,
    },

    /// A load so small that its messages are waited for for hours.
    #[error(
        "--offered-load {load:e}: a run that chooses its own length waits for messages of every node, here for about {hours:.1} \
         hours, going by a smaller one that was run just now: offer more, or give --warm-up and --measurement"
    )]
    LoadTakesHours {
        /// As asked for.
        load: f64,
        /// The estimate.
        hours: f64,
    },

    /// A load so small that a run that chooses its own length has no message to expect.
    #[error(
        "--offered-load {load:e}: in the longest run, {bit_times} bit times of {nodes} nodes, less than one message is to be \
         expected: offer {least:.1e} or more, or give --measurement"
    )]
    NoMessageToExpect {
        /// As asked for.
        load: f64,
        /// To the end of the longest measurement.
        bit_times: u64,
        /// Of the machine.
        nodes: usize,
        /// A load at which there is one.
        least: f64,
    },

    /// Names of which a testbench has none, where others have them.
    #[error("it has none of the {what}s {list}, only {}", .known.join(", "))]
    NoneOf {
        /// What they are names of.
        what: &'static str,
        /// As given.
        list: String,
        /// Those that it has.
        known: Vec<&'static str>,
    },

    /// Traffic in which a node sends nothing, for a schedule that cannot do without its message.
    #[error(
        "schedule {schedule} of {bench} carries full permutations only, and node {idle} sends nothing ({messages} \
         of {nodes} nodes send): sorted messages end in the nodes of their ranks, which are their destinations \
         only where every node sends one; give --load 1 or traffic from every node, or --schedule {other}"
    )]
    PartialTraffic {
        /// The testbench.
        bench: &'static str,
        /// Its schedule.
        schedule: &'static str,
        /// How many there are.
        messages: usize,
        /// Nodes of the cube.
        nodes: usize,
        /// The first that sends nothing.
        idle: usize,
        /// A schedule that carries such traffic.
        other: &'static str,
    },

    /// An option that means nothing to this network.
    #[error("network {network} takes no {option}: {why}")]
    NotOfNetwork {
        /// The network.
        network: &'static str,
        /// The option.
        option: &'static str,
        /// The reason.
        why: &'static str,
    },

    /// Virtual channels of which this network does not have so many.
    #[error(
        "network {network} takes {}, not {virtual_channels}: {why}; leave --virtual-channels out",
        match most {
            1 => "1 virtual channel".to_owned(),
            most => format!("1 to {most} virtual channels"),
        }
    )]
    ChannelsOfNetwork {
        /// The network.
        network: &'static str,
        /// As asked for.
        virtual_channels: usize,
        /// The most that it has.
        most: usize,
        /// The reason.
        why: &'static str,
    },

    /// An option that this network cannot do without.
    #[error("network {network} wants {option}: {why}")]
    MissingOfNetwork {
        /// The network.
        network: &'static str,
        /// The option.
        option: &'static str,
        /// What it is for.
        why: &'static str,
    },

    /// More copies than there are, or none.
    #[error("{used} copies in use are out of range: there are {copies}, choose 1 to {copies}")]
    CopiesInUse {
        /// As asked for.
        used: usize,
        /// How many there are.
        copies: usize,
    },

    /// A message that is too short or too long.
    #[error("a message of {bits} bits is out of range: choose 1 to {limit}")]
    MessageBits {
        /// As asked for.
        bits: usize,
        /// The largest that is accepted.
        limit: usize,
    },

    /// A packet that is empty, or longer than the message.
    #[error(
        "packets of {bits} bits are out of range: choose 1 to {most}{}",
        if .most == .message_bits { ", the bits of the message" } else { "" }
    )]
    PacketBits {
        /// As asked for.
        bits: usize,
        /// Bits of the message.
        message_bits: usize,
        /// The most that are accepted.
        most: usize,
    },

    /// Packets of a size that is not the broadcast's.
    #[error(
        "{algorithm} cuts a message of {message_bits} bits into {parts}: leave out --packet-bits, or give {bits}"
    )]
    PacketsOf {
        /// The broadcast.
        algorithm: &'static str,
        /// Into how many it cuts it.
        parts: usize,
        /// Bits of the message.
        message_bits: usize,
        /// Bits of a packet.
        bits: usize,
    },

    /// Something that an algorithm does not take, though others may.
    #[error("{by}: {why}")]
    Refused {
        /// What the algorithm is called.
        by: &'static str,
        /// What is wrong, and what it takes.
        why: String,
    },

    /// A file of values that cannot be used.
    #[error("{file}, line {line}: {why}")]
    Values {
        /// The file.
        file: String,
        /// The line.
        line: u64,
        /// What is wrong with it, and what to do.
        why: String,
    },

    /// A message that cannot be sent in such shares.
    #[error(transparent)]
    Shares(#[from] shares::Problem),

    /// A file of wires that fail, which cannot be used.
    #[error("{file}, line {line}{}: {problem}", cuts::place(*.column))]
    CutsFile {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The index of the column, from 0, if it is one field that is wrong.
        column: Option<usize>,
        /// What is wrong there.
        problem: Box<cuts::Problem>,
    },

    /// More wires that are to fail than there are.
    #[error(
        "{cuts} wires cannot fail: a cube of {dimensions} dimensions has {wires} directed wires, choose 0 to {wires}"
    )]
    TooManyCuts {
        /// As asked for.
        cuts: usize,
        /// Dimensions of the cube.
        dimensions: usize,
        /// Its directed wires.
        wires: usize,
    },

    /// No bit time in which a wire could fail.
    #[error(
        "wires cannot fail in bit times {from} to {to}, the last one not counted: there are none, choose a later end"
    )]
    NoBitTimeForCuts {
        /// The first bit time.
        from: u64,
        /// The one after the last.
        to: u64,
    },

    /// A phase of continuous injection in which more messages would be created than there is memory for.
    #[error(
        "{option} {bit_times}: about {messages} messages would be created, and there is no memory for more than {fit}: give \
         {most} bit times at the most"
    )]
    PhaseDoesNotFit {
        /// The option.
        option: &'static str,
        /// As given.
        bit_times: u64,
        /// Of all phases.
        messages: u64,
        /// How many there is memory for.
        fit: u64,
        /// The longest for which there is.
        most: u64,
    },

    /// A phase of continuous injection that is too short or too long.
    #[error("{option} {bit_times} is out of range: choose {least} to {most} bit times")]
    Phase {
        /// The option.
        option: &'static str,
        /// As given.
        bit_times: u64,
        /// The shortest that is accepted.
        least: u64,
        /// The longest.
        most: u64,
    },

    /// An option that means nothing to this testbench.
    #[error("testbench {bench} takes no {option}: {why}")]
    NotApplicable {
        /// The testbench.
        bench: &'static str,
        /// The option.
        option: &'static str,
        /// The reason.
        why: &'static str,
    },

    /// A testbench of which no run can be planned.
    #[error("no run of testbench {bench} can be planned: {why}")]
    NotPlanned {
        /// The testbench.
        bench: &'static str,
        /// The reason.
        why: &'static str,
    },

    /// A node to be traced that the cube does not have.
    #[error("--trace-nodes: node {node} is out of range: the cube has nodes 0 to {last}")]
    TraceNode {
        /// As given.
        node: usize,
        /// The highest node.
        last: usize,
    },

    /// A message to be followed that there is not.
    #[error(
        "--trace-message: there is no message `{text}`: {}",
        match .messages {
            0 => "none is sent".to_owned(),
            messages => format!(
                "give SOURCE->DESTINATION, as in \"{example}\", or a number in the order of traffic, 0 to {}",
                messages - 1
            ),
        }
    )]
    TraceMessage {
        /// As given.
        text: String,
        /// How many there are.
        messages: usize,
        /// What the first of them is called.
        example: String,
    },

    /// A message is to be followed among more than can be told apart.
    #[error(
        "--trace-message: messages are told apart in machines of up to {most} nodes, and this one has {nodes}: give fewer \
         dimensions, or look at some nodes in a waveform (--wave, --trace-nodes)"
    )]
    TooManyToFollow {
        /// Nodes of the machine.
        nodes: usize,
        /// The most that can be.
        most: usize,
    },

    /// A picture in a form that is not drawn.
    #[error(
        "cannot write {}: a picture of a run is a page or an image: give the file the ending .html or .svg",
        shown_path(.path)
    )]
    PictureForm {
        /// As given.
        path: PathBuf,
    },

    /// A picture of more nodes than are drawn.
    #[error(
        "--picture: machines of up to {most} nodes are drawn, and this one has {nodes}: give fewer dimensions, or look at \
         some nodes of it in a waveform (--wave)"
    )]
    PictureOfTooMany {
        /// Nodes of the machine.
        nodes: usize,
        /// The most that are drawn.
        most: usize,
    },

    /// A run that cannot be drawn.
    #[error("no picture: {reason}")]
    NoPicture {
        /// Why not.
        reason: waves::picture::Error,
    },

    /// A list of nodes that is none.
    #[error(
        "--trace-nodes: `{text}` is not a node number: give numbers with commas between, or all"
    )]
    TraceList {
        /// The item.
        text: String,
    },

    /// A node to be traced that a network with names of its own does not have.
    #[error(
        "--trace-nodes: there is no node `{text}`: the machine has nodes 0 to {last}, which by {fields} are \
         {first_name} to {last_name}; give either, with commas between, or all"
    )]
    TraceNodeName {
        /// As given.
        text: String,
        /// The highest node.
        last: usize,
        /// What the fields of names are.
        fields: &'static str,
        /// The name of node 0.
        first_name: String,
        /// The name of the highest node.
        last_name: String,
    },

    /// No bit time to trace of a run that has no known end.
    #[error("the trace window is empty: it begins with bit time {from} and ends before {to}")]
    EmptyOpenTraceWindow {
        /// First bit time.
        from: u64,
        /// The one after the last.
        to: u64,
    },

    /// No bit time to trace.
    #[error(
        "the trace window is empty: it begins with bit time {from} and ends before {to}; the waveform of \
         this run has bit times 0 to {last}"
    )]
    EmptyTraceWindow {
        /// First bit time.
        from: u64,
        /// The one after the last.
        to: u64,
        /// The bit time after the run, which shows what it leaves.
        last: u64,
    },

    /// A wave in a format that is not written.
    #[error("cannot write {}: waveforms are VCD or FST: give the file the ending .vcd or .fst", shown_path(.path))]
    WaveFormat {
        /// As given.
        path: PathBuf,
    },

    /// A Verilog project of too many nodes.
    #[error(
        "a Verilog project of {dimensions} dimensions would be unreasonable: its traffic.hex and \
         expected.hex have a line for each of the {nodes} nodes, and a Verilog simulator builds every \
         node from its gates: choose 1 to {most} dimensions (`cubewave run` goes further)"
    )]
    TooManyNodesForVerilog {
        /// As asked for.
        dimensions: usize,
        /// Nodes of such a cube.
        nodes: usize,
        /// The largest that is written.
        most: usize,
    },

    /// A Verilog project of a network of too many nodes.
    #[error(
        "a Verilog project of a {network} would be unreasonable: its traffic.hex and expected.hex have a line for each of \
         the {nodes} nodes, and a Verilog simulator builds every node from its gates: choose a network of {most} nodes at \
         the most (`cubewave run` goes further)"
    )]
    NetworkTooLargeForVerilog {
        /// What it is.
        network: String,
        /// Its nodes.
        nodes: usize,
        /// The most that are written.
        most: usize,
    },

    /// A port that is too wide, of a network that is no hypercube.
    #[error(
        "a Verilog project of such a {network} would be unreasonable: port {port} of its machine would have {bits} bits, all \
         nodes together, and Verilog tools need not take more than {most}: use fewer nodes or shorter words"
    )]
    NetworkPortTooWideForVerilog {
        /// What it is.
        network: String,
        /// The port's name.
        port: String,
        /// Its width.
        bits: usize,
        /// The most that is written.
        most: usize,
    },

    /// A port that is too wide.
    #[error(
        "a Verilog project of these dimensions and payload bits would be unreasonable: port {port} of \
         its cube would have {bits} bits, all nodes together, and Verilog tools need not take more than \
         {most}: use fewer dimensions or fewer payload bits"
    )]
    PortTooWideForVerilog {
        /// Its name.
        port: String,
        /// Its width.
        bits: usize,
        /// The most that is written.
        most: usize,
    },

    /// A Verilog project of too many wormhole switches.
    #[error(
        "a Verilog project of {nodes} nodes would be unreasonable: a Verilog simulator builds every switch from its \
         gates, {} all together, and {most} are the most: use fewer --dims{} (`cubewave run` goes further)",
        .nodes * .switches, if *.switches > 1 { " or --copies" } else { "" }
    )]
    TooManySwitchesForVerilog {
        /// Nodes of such a network.
        nodes: usize,
        /// Switches of a node.
        switches: usize,
        /// The most that are written, all nodes together.
        most: usize,
    },

    /// Worms that are too long for a Verilog testbench.
    #[error(
        "a Verilog project of these messages would be unreasonable: traffic.hex would have {lines} lines of {bits} bits \
         each, and its testbench takes lines of {widest} at the most, {most} bits in all: use fewer --message-bits, or fewer messages"
    )]
    WormsTooLongForVerilog {
        /// Switches of all nodes.
        lines: usize,
        /// Bits of the longest worm.
        bits: usize,
        /// Of one worm, at the most.
        widest: usize,
        /// Of all lines together, at the most.
        most: usize,
    },

    /// A Verilog project of too many nodes that have a host each.
    #[error(
        "a Verilog project of {dimensions} dimensions would be unreasonable: its testbench has a host for each of the \
         {nodes} nodes, and a Verilog simulator builds every node from its gates: choose 1 to {most} dimensions \
         (`cubewave run` goes further)"
    )]
    TooManyHostsForVerilog {
        /// As asked for.
        dimensions: usize,
        /// Nodes of such a cube.
        nodes: usize,
        /// The largest that is written.
        most: usize,
    },

    /// A message that is too long for a Verilog testbench.
    #[error(
        "a Verilog project of this message would be unreasonable: its packets have {bits} bits together, which its \
         testbench holds in a vector, and Verilog tools need not take more than {most}: use fewer --message-bits"
    )]
    MessageTooLongForVerilog {
        /// Bits of all packets.
        bits: usize,
        /// The most that is written.
        most: usize,
    },

    /// Nodes of a Verilog project that store too much.
    #[error(
        "a Verilog project of these packets would be unreasonable: {nodes} nodes of {bits} flip-flops have {}, and \
         {most} are the most: use fewer --dims or fewer --packet-bits (`cubewave run` goes further)",
        .nodes * .bits
    )]
    TooManyFlipFlopsForVerilog {
        /// Nodes.
        nodes: usize,
        /// Flip-flops of a node.
        bits: usize,
        /// The most that are written, all nodes together.
        most: usize,
    },

    /// A broadcast that takes too long for a Verilog simulator.
    #[error(
        "a Verilog project of this broadcast would be unreasonable: it takes {bit_times} bit times, and with a Verilog \
         simulator {most} are the most: use fewer --message-bits, a shorter --start-up or other --packet-bits \
         (`cubewave run` goes further)"
    )]
    TooManyBitTimesForVerilog {
        /// Bit times of a round.
        bit_times: u64,
        /// The most that are written.
        most: u64,
    },

    /// A router that the host neither writes nor reads.
    #[error(
        "testbench {bench} cannot be exported: its router has no port for the host, so nothing could be tested"
    )]
    NothingToTest {
        /// The testbench.
        bench: &'static str,
    },

    /// A folder with something in it.
    #[error("the folder {} is not empty: choose another, or write into it with --force", shown_path(.path))]
    FolderNotEmpty {
        /// As given.
        path: PathBuf,
    },

    /// One file for two purposes.
    #[error("{} cannot be both {first} and {second}", shown_path(.path))]
    SameFile {
        /// The file.
        path: PathBuf,
        /// One purpose.
        first: &'static str,
        /// The other.
        second: &'static str,
    },

    /// Something that needs a file of its own, and standard output.
    #[error("cannot write {what} to {}: that is {stream}, and a file of its own is needed", shown_path(.path))]
    NoFile {
        /// As given.
        path: PathBuf,
        /// What was to go there.
        what: &'static str,
        /// Where that leads.
        stream: Stream,
    },

    /// An output and the report in one stream.
    #[error(
        "{what} and the report would get mixed: standard output and standard error are the same file; send one of them \
         elsewhere, or name a file for {what}"
    )]
    Mixed {
        /// What was to go there.
        what: &'static str,
    },

    /// Ctrl-C, or the system's wish to end.
    #[error("interrupted: {}", interrupt::left())]
    Interrupted,

    /// The same on a rank beside the first.
    #[error(
        "rank {rank} was interrupted, and all others end with it: a sweep that has a journal goes on when the same command is \
         given again"
    )]
    RankInterrupted {
        /// Which.
        rank: usize,
    },

    /// A closed form that is not what the program of a planned machine has.
    #[error(
        "no plan is made: ranks send each other {counted} bits in the program of this machine, but {text} = {formula}: one of \
         the two is a mistake of its router"
    )]
    PlannedBits {
        /// Bits, counted in the program.
        counted: u64,
        /// The closed form.
        text: String,
        /// Its value, in bits.
        formula: u64,
    },

    /// What clap has to say of a command line: why it refuses it, or help.
    #[error("{0}")]
    CommandLine(#[from] clap::Error),

    /// A limit that leaves less memory, in bytes, than any command needs.
    #[error(
        "a command needs {} MiB of memory beside its program, and there are {}: raise the limit (`ulimit -v`, `ulimit -d`)",
        needed >> 20,
        available >> 20
    )]
    LittleMemory {
        /// At the least.
        needed: u64,
        /// What can be had.
        available: u64,
    },

    /// A report that could not be printed.
    #[error("cannot print the report: {reason}")]
    Unprintable {
        /// What the system says.
        reason: io::Error,
    },

    /// A dump that no viewer shows.
    #[error(transparent)]
    Viewing(#[from] viewing::Problem),

    /// A file that cannot be read.
    #[error("cannot read {}: {reason}", shown_path(.path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },

    /// A limit on open files that is too low.
    #[error(
        "a run has up to {most} files open at once, and so many are not allowed here: {reason}; allow more (ulimit -n)"
    )]
    FewFiles {
        /// How many there may be.
        most: usize,
        /// What the system says.
        reason: io::Error,
    },

    /// A file that cannot be written.
    #[error("cannot write {}: {reason}", shown_path(.path))]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
}

impl Error {
    pub(crate) fn no_threads(says: impl std::fmt::Display) -> Self {
        let reason = says.to_string();
        Error::NoThreads { reason }
    }

    /// Whether one point of a sweep cannot be, though each of its coordinates can: a sweep goes without such points.
    pub fn concerns_one_point(&self) -> bool {
        matches!(
            self,
            Error::PartialTraffic { .. }
                | Error::NoMessageToExpect { .. }
                | Error::NoneOf { .. }
                | Error::CopiesInUse { used: 1.., .. }
                | Error::TooManyCuts { .. }
                | Error::PacketBits { bits: 1.., .. }
                | Error::PacketsOf { .. }
                | Error::Refused { .. }
                | Error::Model(
                    ModelError::CopiesOfLevels { levels: 2..=16 }
                        | ModelError::NoTransposeAtOddDimensions { .. }
                        | ModelError::NoAddressBits { .. }
                        | ModelError::NotASemiContraction { .. }
                        | ModelError::TooManyPackets { .. }
                        | ModelError::OperatorWidth { .. }
                        | ModelError::Keys { keys: 1.., .. }
                        | ModelError::NoEmbedding { .. }
                        | ModelError::ReducedHypercube {
                            problem: Problem::TooManySubblocks { .. },
                            ..
                        },
                )
        )
    }
}

/// ` (did you mean X?)` where a known name is near.
fn nearest_hint(name: &str, known: &[&'static str]) -> String {
    let nearest = nearest(name, known.iter().copied());
    did_you_mean(nearest.map(str::to_owned).as_slice())
}

/// ` (did you mean X or Y?)` where there is something.
fn did_you_mean(all: &[String]) -> String {
    let quoted: Vec<String> = all.iter().map(|one| format!("`{one}`")).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((last, [])) => format!(" (did you mean {last}?)"),
        Some((last, others)) => format!(" (did you mean {} or {last}?)", others.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_nearly_right_is_guessed() {
        let message = |name: &str| {
            Error::Unknown {
                what: "router",
                name: name.to_owned(),
                known: vec!["enumeration", "packing", "kuszmaul"],
            }
            .to_string()
        };
        assert_eq!(
            message("kuzmaul"),
            "there is no router `kuzmaul` (did you mean `kuszmaul`?); there are: enumeration, packing, kuszmaul"
        );
        assert_eq!(
            message("q"),
            "there is no router `q`; there are: enumeration, packing, kuszmaul"
        );
    }
}
