//! What `contextpack brief` reports on standard error, and how it lists lenses.

use std::path::Path;

use crate::door::brief::LensEntry;
use crate::record::brief::{BriefNode, ContextBrief, StepDirection};
use crate::record::lens::{Lens, WalkWord};
use crate::text::counted;

/// What was printed, what was left out, and what to do next. `size` is the number of tokens of the JSON form.
pub fn closing(brief: &ContextBrief, size: Option<usize>, index: &Path) -> String {
    let (counts, tokens) = (&brief.meta.counts, &brief.meta.tokens);
    let nodes = counted(counts.included as usize, "node");
    let named = brief.overflow.len();
    let mut text = format!(
        "brief: {nodes}, {named} more by name, {} of {} tokens, from the index in `{}`\n",
        tokens.used,
        tokens.budget,
        index.display()
    );
    text.extend(size.map(|size| format!("brief: as JSON it has {size} tokens\n")));
    text.extend(brief.meta.message.iter().map(|message| format!("brief: {message}\n")));
    text.extend(brief.meta.warnings.iter().map(|warning| format!("brief: {warning}\n")));
    for cap in &brief.meta.truncated {
        text += &format!("brief: {} of {} left out by {}: {}\n", cap.omitted, cap.observed, cap.cap, cap.scope);
    }
    if counts.included == 0 && named == 0 {
        return text;
    }
    text + "next: --lens NAME looks at it another way (--list-lenses), --explain shows how each node was reached\n"
}

/// One line per node: its score, and how it was reached.
pub fn explained(brief: &ContextBrief) -> String {
    brief.nodes.iter().map(|node| format!("{}. {}\n", node.rank, explained_node(node))).collect()
}

fn explained_node(node: &BriefNode) -> String {
    let parts = &node.score_parts;
    let steps: Vec<String> = node
        .path
        .iter()
        .map(|step| {
            let arrow = if step.direction == StepDirection::Out { "->" } else { "<-" };
            let field = step.field.as_ref().map(|field| format!(" {field}")).unwrap_or_default();
            format!("{} {arrow} {}{field} {arrow} {}", step.from, step.edge_type.name(), step.to)
        })
        .collect();
    let path = if steps.is_empty() { "a start".to_string() } else { steps.join(", ") };
    let boost = if node.score_parts.boost.in_millionths() > 0 { ", a boosted tag" } else { "" };
    format!(
        "{}: score {} of proximity {}, recency {}{boost}; {path}",
        node.name, node.score, parts.proximity, parts.recency
    )
}

/// All lenses for people.
pub fn lenses(all: &[LensEntry]) -> String {
    all.iter().map(|entry| format!("{}: {}\n{}\n", entry.lens.name, entry.about, values(&entry.lens))).collect()
}

fn values(lens: &Lens) -> String {
    let edges = WalkWord::ORDER.iter().filter_map(|word| Some(format!("{} {}", word.name(), lens.edges.get(word)?)));
    let list = |words: &[String]| if words.is_empty() { "none".to_string() } else { words.join(", ") };
    let siblings = if lens.siblings { "yes" } else { "no" };
    [
        format!("  edges         {}\n", edges.collect::<Vec<_>>().join(", ")),
        format!("  boost_tags    {}\n", list(&lens.boost_tags)),
        format!("  fields        {}\n", list(&lens.fields)),
        format!("  max_depth     {}\n", lens.max_depth),
        format!("  siblings      {siblings}\n"),
        format!("  max_children  {}\n", lens.max_children),
        format!("  recency_days  {}\n", lens.recency_days),
    ]
    .concat()
}
