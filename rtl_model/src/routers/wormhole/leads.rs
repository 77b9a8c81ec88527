//! Where output channels and relays lead, read off a plan once.

use crate::routers::wormhole::plan::{End, NodePlan, Standing};

/// Where everything that sends leads: by its place ([`NodePlan::sender`]) and where it stands, the link and
/// the end at the other side.
#[derive(Clone, Debug)]
pub(super) struct Leads {
    leads: Vec<Vec<(Option<Standing>, usize, End)>>,
}

impl Leads {
    pub(super) fn of(plan: &NodePlan) -> Self {
        let senders = plan.switches() * plan.switch.outputs.len() + plan.relays.len();
        let mut leads = vec![Vec::new(); senders];
        for (link, channel) in plan
            .links
            .iter()
            .enumerate()
            .flat_map(|(link, plan)| plan.channels.iter().map(move |channel| (link, channel)))
        {
            for (sender, receiver) in channel.senders.iter().zip(&channel.receivers) {
                leads[plan.sender(sender.end)].push((sender.at, link, receiver.end));
            }
        }
        Leads { leads }
    }

    /// Of what has this place: where it stands, the link, and the end at the other side.
    pub(super) fn of_sender(&self, place: usize) -> &[(Option<Standing>, usize, End)] {
        &self.leads[place]
    }
}
