//! How a node is connected with the topic, in words and as steps of a record.

use super::text::short;
use crate::assemble::notes::{NoteIndex, NoteStep, NoteWalk, RankedNode, ReachedNotes};
use crate::record::NodeNo;
use crate::record::brief::{AlsoReached, BriefStep};
use crate::record::lens::WalkWord;

pub struct Relations<'r> {
    pub index: &'r NoteIndex<'r>,
    pub reached: &'r ReachedNotes,
}

impl Relations<'_> {
    /// A few words: one edge is named with its other end, several by their kinds.
    pub fn words(&self, node: &RankedNode) -> String {
        let steps = self.reached.walks[node.topic].steps(node.node);
        match steps.as_slice() {
            [] if node.is_topic() => "topic".to_string(),
            [] => "matches the topic".to_string(),
            [(step, _)] => self.one_step(step),
            steps => {
                let words: Vec<String> = steps.iter().map(|(step, _)| self.kind(step)).collect();
                format!("{}: {} hops", words.join(", "), steps.len())
            }
        }
    }

    fn one_step(&self, step: &NoteStep) -> String {
        let from = short(self.index.name(step.from));
        let field = || self.field(step);
        match step.word {
            WalkWord::Child => format!("child of {from}"),
            WalkWord::Parent => format!("parent of {from}"),
            WalkWord::Reference => format!("linked from {from}"),
            WalkWord::Backlink => format!("links to {from}"),
            WalkWord::Field => format!("field {} of {from}", field()),
            WalkWord::FieldOf => format!("has {from} in {}", field()),
            WalkWord::Tag => format!("tag of {from}"),
            WalkWord::Tagged => format!("tagged {from}"),
            WalkWord::Doc => format!("code named by {from}"),
            WalkWord::DocOf => format!("names {from}"),
        }
    }

    fn kind(&self, step: &NoteStep) -> String {
        match step.word {
            WalkWord::Field | WalkWord::FieldOf => format!("{} {}", step.word.name(), self.field(step)),
            word => word.name().to_string(),
        }
    }

    fn field(&self, step: &NoteStep) -> String {
        short(self.index.graph.label(step.edge).unwrap_or_default())
    }

    /// The path from the nearest topic.
    pub fn path(&self, node: &RankedNode) -> Vec<BriefStep> {
        self.steps(&self.reached.walks[node.topic], node.node)
    }

    /// How the other topics reach it.
    pub fn also(&self, node: &RankedNode) -> Vec<AlsoReached> {
        let others = self.reached.walks.iter().enumerate().filter(|(topic, _)| *topic != node.topic);
        let also = others.filter_map(|(topic, walk)| {
            let distance = walk.reached.get(&node.node)?.distance;
            Some(AlsoReached { distance, path: self.steps(walk, node.node), topic: topic as u32 })
        });
        also.collect()
    }

    fn steps(&self, walk: &NoteWalk, node: NodeNo) -> Vec<BriefStep> {
        let step = |(step, to): (NoteStep, NodeNo)| BriefStep {
            direction: step.direction().into(),
            evidence_id: step.evidence_id,
            field: self.index.graph.label(step.edge).map(str::to_string),
            from: self.index.id(step.from).to_string(),
            to: self.index.id(to).to_string(),
            edge_type: step.word.edge_type(),
        };
        walk.steps(node).into_iter().map(step).collect()
    }
}
