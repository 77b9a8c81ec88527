//! Which messages are for a node, and whether it holds them when all is over: each in the slot that it began in, or in any
//! order.

use crate::circuit::verilog::properties::stated::Stated;
use crate::circuit::verilog::properties::subject::{Subject, digits};
use crate::circuit::verilog::text::word_range;
use crate::machine::host::Field;

/// In the slot of the node that is due, in which there is one at the most.
pub(super) fn in_slots(subject: &Subject<'_>) -> Stated {
    let (nodes, (valid, slots)) = (subject.nodes(), subject.written(Field::VALID));
    let (places, last) = (nodes * slots, nodes * slots - 1);
    let address = subject.written(Field::DESTINATION).1 / slots;
    let bits = subject.written(Field::PAYLOAD).1 / slots;
    let (destination, payload) = (
        subject.written(Field::DESTINATION).0,
        subject.written(Field::PAYLOAD).0,
    );
    let (arrived, arrived_payload) = (subject.read(Field::VALID).0, subject.read(Field::PAYLOAD).0);
    // A place is a slot of a node; where there is one slot, a node.
    let is_for_place = |place: &str| format!("{destination}[{place} * {address} +: {address}]");
    let [place, is_for, comment] = match slots {
        1 => [
            "from".to_owned(),
            is_for_place("from") + " == n",
            String::new(),
        ],
        _ => [
            format!("(from * {slots} + n % {slots})"),
            format!(
                "{{{}'d0, {}}} == n / {slots}",
                32 - address,
                is_for_place(&format!("(from * {slots} + n % {slots})"))
            ),
            format!("    // slot n % {slots} of node n / {slots}\n"),
        ],
    };
    let from = place.trim_matches(['(', ')']);
    let declared = format!(
        "  wire [{last}:0] at_most_one_is_for;\n\
         \x20 reg [{last}:0] due;\n\
         \x20 wire [{last}:0] payload_is_due;\n\
         \x20 generate\n\
         \x20   for (n = 0; n < {places}; n = n + 1) begin : destination\n\
         {comment}\
         \x20     // the nodes whose message is for this one, and the payload\n\
         \x20     integer from;\n\
         \x20     reg [{top}:0] senders;\n\
         \x20     reg {range}payload;\n\
         \x20     reg {range}due_payload;\n\
         \x20     always @* begin\n\
         \x20       payload = {bits}'d0;\n\
         \x20       for (from = 0; from < {nodes}; from = from + 1) begin\n\
         \x20         senders[from] = {valid}[{from}] && {is_for};\n\
         \x20         payload = payload | ({payload}[{place} * {bits} +: {bits}] & {{{bits}{{senders[from]}}}});\n\
         \x20       end\n\
         \x20     end\n\
         \x20     assign at_most_one_is_for[n] = (senders & (senders - {nodes}'d1)) == {nodes}'d0;\n\
         \x20     always @(posedge clk) begin\n\
         \x20       if (reset) begin\n\
         \x20         due[n] <= |senders;\n\
         \x20         due_payload <= payload;\n\
         \x20       end\n\
         \x20     end\n\
         \x20     assign payload_is_due[n] = {arrived_payload}[n * {bits} +: {bits}] == due_payload;\n\
         \x20   end\n\
         \x20 endgenerate\n\n",
        range = word_range(bits),
        top = nodes - 1,
    );
    Stated {
        declared,
        assumed: "      for_every_node_at_most_one: assume (&at_most_one_is_for);\n".to_owned(),
        asserted: format!(
            "      delivery_valid: assert (!is_over || {arrived} == due);\n\
             \x20     delivery_payload: assert (!is_over || &(payload_is_due | ~due));\n"
        ),
        ..Stated::default()
    }
}

/// In the lowest slots of the node, in any order: as many as there are for it, and of any payload, which tools choose, as many
/// as carry it.
pub(super) fn in_any_order(subject: &Subject<'_>) -> Stated {
    let (nodes, (valid, slots)) = (subject.nodes(), subject.written(Field::VALID));
    let (destination, address) = subject.written(Field::DESTINATION);
    let (payload, bits) = subject.written(Field::PAYLOAD);
    let (address, bits) = (address / slots, bits / slots);
    let (arrived, arrived_payload) = (subject.read(Field::VALID).0, subject.read(Field::PAYLOAD).0);
    let (last, places) = (nodes - 1, nodes * slots);
    let width = digits(places as u64);
    let declared = format!(
        "  // the payload that messages are counted of\n\
         \x20 reg {of_payload}counted;\n\
         \x20 wire [{last}:0] few_are_for;\n\
         \x20 wire [{last}:0] all_came;\n\
         \x20 wire [{last}:0] all_payloads_came;\n\
         \x20 wire [{last}:0] in_lowest_slots;\n\
         \x20 always @(posedge clk) if (reset) counted <= any_payload;\n\
         \x20 generate\n\
         \x20   for (n = 0; n < {nodes}; n = n + 1) begin : destination\n\
         \x20     // the messages that are for this node, and those that are there; of each, those of that payload\n\
         \x20     integer at;\n\
         \x20     reg is_for;\n\
         \x20     reg {range}for_node;\n\
         \x20     reg {range}alike_for_node;\n\
         \x20     reg {range}due;\n\
         \x20     reg {range}alike_due;\n\
         \x20     reg {range}come;\n\
         \x20     reg {range}alike_come;\n\
         \x20     wire [{slots}:0] held = {{1'b0, {arrived}[n * {slots} +: {slots}]}};\n\
         \x20     always @* begin\n\
         \x20       for_node = {width}'d0;\n\
         \x20       alike_for_node = {width}'d0;\n\
         \x20       for (at = 0; at < {places}; at = at + 1) begin\n\
         \x20         is_for = {valid}[at] && {destination}[at * {address} +: {address}] == n;\n\
         \x20         for_node = for_node + {{{zeros}is_for}};\n\
         \x20         alike_for_node = alike_for_node\n\
         \x20           + {{{zeros}is_for && {payload}[at * {bits} +: {bits}] == any_payload}};\n\
         \x20       end\n\
         \x20       come = {width}'d0;\n\
         \x20       alike_come = {width}'d0;\n\
         \x20       for (at = 0; at < {slots}; at = at + 1) begin\n\
         \x20         come = come + {{{zeros}held[at]}};\n\
         \x20         alike_come = alike_come\n\
         \x20           + {{{zeros}held[at] && {arrived_payload}[(n * {slots} + at) * {bits} +: {bits}] == counted}};\n\
         \x20       end\n\
         \x20     end\n\
         \x20     always @(posedge clk) begin\n\
         \x20       if (reset) begin\n\
         \x20         due <= for_node;\n\
         \x20         alike_due <= alike_for_node;\n\
         \x20       end\n\
         \x20     end\n\
         \x20     assign few_are_for[n] = for_node <= {width}'d{slots};\n\
         \x20     assign all_came[n] = come == due;\n\
         \x20     assign all_payloads_came[n] = alike_come == alike_due;\n\
         \x20     assign in_lowest_slots[n] = (held & (held + {more}'d1)) == {more}'d0;\n\
         \x20   end\n\
         \x20 endgenerate\n\n",
        of_payload = word_range(bits),
        range = word_range(width),
        more = slots + 1,
        zeros = match width {
            1 => String::new(),
            _ => format!("{{{}{{1'b0}}}}, ", width - 1),
        },
    );
    Stated {
        free: vec![("any_payload".to_owned(), bits)],
        declared,
        assumed: format!("      for_every_node_at_most_{slots}: assume (&few_are_for);\n"),
        asserted: "      delivery_valid: assert (!is_over || &all_came);\n\
                   \x20     delivery_payload: assert (!is_over || &all_payloads_came);\n\
                   \x20     delivery_lowest: assert (!is_over || &in_lowest_slots);\n"
            .to_owned(),
        ..Stated::default()
    }
}
