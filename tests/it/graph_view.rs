//! A graph drawn under the source lines that show its edges, for people.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use contextpack::record::{
    Artifact, Coverage, Edge, EdgeStatus, Evidence, EvidenceId, EvidencePlace, File, Node, NodeId, NodeKind,
};
use contextpack::store::Index;

/// Draws every file that shows an edge, and below them what could not be resolved, counted.
pub fn draw(chunk: &Path, graph: &Path, source: &Path) -> String {
    let (chunk, graph) = (Index::open(chunk).expect("sound"), Index::open(graph).expect("sound"));
    let nodes: BTreeMap<NodeId, Node> =
        records::<Node>(&graph).into_iter().map(|node| (node.node_id.clone(), node)).collect();
    let mut shown: BTreeMap<EvidenceId, Vec<Edge>> = BTreeMap::new();
    for edge in records::<Edge>(&graph) {
        edge.evidence.iter().for_each(|id| shown.entry(*id).or_default().push(edge.clone()));
    }
    let evidence = records::<Evidence>(&graph);
    let mut view = String::new();
    for file in records::<File>(&chunk) {
        let own = evidence.iter().filter(|record| record.file_rel_path == file.file_rel_path);
        let mut own: Vec<&EvidencePlace> = own.flat_map(|record| &record.places).collect();
        own.sort_by_key(|place| (place.site.start, place.kind, place.evidence_id));
        let text = fs::read_to_string(source.join(file.file_rel_path.as_str())).unwrap_or_default();
        let _ = writeln!(view, "==== {}", file.file_rel_path);
        draw_file(&mut view, &text, &own, &shown, &nodes);
    }
    for coverage in records::<Coverage>(&graph) {
        let Coverage { ambiguous, external, language_id, resolved, role, unresolved } = coverage;
        let _ = writeln!(
            view,
            "{} {}: {resolved} resolved, {ambiguous} ambiguous, {external} external, {unresolved} unresolved",
            language_id.as_str(),
            word(&role),
        );
    }
    view
}

fn draw_file(
    view: &mut String,
    text: &str,
    evidence: &[&EvidencePlace],
    shown: &BTreeMap<EvidenceId, Vec<Edge>>,
    nodes: &BTreeMap<NodeId, Node>,
) {
    let mut start = 0u32;
    for (at, line) in text.split_inclusive('\n').enumerate() {
        let _ = writeln!(view, "{:4} │ {}", at + 1, line.trim_end().replace('\t', "→"));
        for one in evidence.iter().filter(|one| one.site.line == at as u32 + 1) {
            let column = one.site.start.saturating_sub(start) as usize;
            let width = (one.site.end - one.site.start).clamp(1, 40) as usize;
            for edge in shown.get(&one.evidence_id).into_iter().flatten() {
                let _ = writeln!(view, "     │ {}{} {}", " ".repeat(column), "^".repeat(width), words(edge, nodes));
            }
        }
        start += line.encode_utf16().count() as u32;
    }
    view.push('\n');
}

fn words(edge: &Edge, nodes: &BTreeMap<NodeId, Node>) -> String {
    let from = match &nodes[&edge.from] {
        node if node.kind == NodeKind::File => "file".to_string(),
        node if node.name.is_empty() => "module".to_string(),
        node => node.name.clone(),
    };
    let to = &nodes[&edge.to];
    let place = to.file_rel_path.as_ref().map(|path| format!("{path} ")).unwrap_or_default();
    let name = if to.kind == NodeKind::File { "(file)" } else { &to.name };
    let status = match edge.status {
        EdgeStatus::Ambiguous => format!(" · one of {}", edge.candidates.unwrap_or(1)),
        EdgeStatus::External => " · external".to_string(),
        EdgeStatus::Resolved => String::new(),
    };
    format!("{from} {} → {place}{name} · {} {}{status}", word(&edge.edge_type), word(&edge.tier), edge.confidence)
}

fn records<A: Artifact>(index: &Index) -> Vec<A> {
    index.records::<A>().expect("the artifact is there").map(|record| record.expect("it is sound")).collect()
}

fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).unwrap().as_str().unwrap_or_default().to_string()
}
