//! Draws what `show` found as a graph for Mermaid or Graphviz.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::show::{Answer, Item, NodeView, Shown};
use super::show_path::{Course, PathShown};
use crate::record::{Direction, NodeId, NodeKind, View};
use crate::text::one_line;

/// The languages of drawings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawingFormat {
    Mermaid,
    Dot,
}

/// Nodes and edges in the order in which the text shows them.
#[derive(Debug, Default)]
pub struct Drawing {
    labels: Vec<Vec<String>>,
    by_id: BTreeMap<NodeId, usize>,
    edges: Vec<(usize, usize, String)>,
    known_edges: BTreeSet<(usize, usize, String)>,
}

impl Drawing {
    /// Draws the same nodes that the text shows. A directory has no edges to draw.
    pub fn of_answer(answer: &Answer) -> Option<Self> {
        let mut drawing = Drawing::default();
        match answer {
            Answer::One(shown) => drawing.add_shown(shown),
            Answer::All(all) => all.shown.iter().for_each(|shown| drawing.add_shown(shown)),
            Answer::Folder(_) => return None,
        }
        Some(drawing)
    }

    pub fn of_path(path: &PathShown) -> Self {
        let mut drawing = Drawing::default();
        let (first, second) = match path.course {
            Some(Course::Backward) => (&path.to, &path.from),
            _ => (&path.from, &path.to),
        };
        let mut at = drawing.node(path.start.as_ref().unwrap_or(first));
        for step in &path.steps {
            let next = drawing.node(&step.to);
            let (from, to) = if step.along { (at, next) } else { (next, at) };
            drawing.edge(from, to, step.edge_type.name());
            at = next;
        }
        if path.course.is_none() {
            drawing.node(second);
        }
        drawing
    }

    pub fn print(&self, format: DrawingFormat) -> String {
        match format {
            DrawingFormat::Mermaid => self.mermaid(),
            DrawingFormat::Dot => self.dot(),
        }
    }

    fn add_shown(&mut self, shown: &Shown) {
        let root = self.node(&shown.node);
        for view in &shown.views {
            self.add_items(root, &view.items, view.omitted, view.view);
        }
    }

    fn add_items(&mut self, root: usize, items: &[Item], omitted: usize, view: View) {
        for item in items {
            let node = self.node(&item.node);
            self.edge_of_view(root, node, view);
            self.add_items(node, &item.items, item.omitted, view);
        }
        if omitted > 0 {
            let more = self.labels.len();
            self.labels.push(vec![format!("… {omitted} more")]);
            self.edge_of_view(root, more, view);
        }
    }

    fn edge_of_view(&mut self, root: usize, node: usize, view: View) {
        let (from, to) = match view.direction() {
            Direction::In => (node, root),
            Direction::Out => (root, node),
        };
        self.edge(from, to, view.edge_type().name());
    }

    fn edge(&mut self, from: usize, to: usize, label: &str) {
        let edge = (from, to, label.to_string());
        if self.known_edges.insert(edge.clone()) {
            self.edges.push(edge);
        }
    }

    fn node(&mut self, node: &NodeView) -> usize {
        if let Some(known) = self.by_id.get(&node.node_id) {
            return *known;
        }
        let number = self.labels.len();
        self.by_id.insert(node.node_id.clone(), number);
        self.labels.push(label(node));
        number
    }

    fn mermaid(&self) -> String {
        let mut text = "graph LR\n".to_string();
        for (number, lines) in self.labels.iter().enumerate() {
            let lines: Vec<String> = lines.iter().map(|line| escape_mermaid(line)).collect();
            let _ = writeln!(text, "  n{number}[\"{}\"]", lines.join("<br/>"));
        }
        for (from, to, label) in &self.edges {
            let _ = writeln!(text, "  n{from} -->|{label}| n{to}");
        }
        text
    }

    fn dot(&self) -> String {
        let mut text = "digraph show {\n  rankdir=LR;\n  node [shape=box];\n".to_string();
        for (number, lines) in self.labels.iter().enumerate() {
            let lines: Vec<String> = lines.iter().map(|line| escape_dot(line)).collect();
            let _ = writeln!(text, "  n{number} [label=\"{}\"];", lines.join("\\n"));
        }
        for (from, to, label) in &self.edges {
            let _ = writeln!(text, "  n{from} -> n{to} [label=\"{label}\"];");
        }
        text + "}\n"
    }
}

/// The name, and below it the path.
fn label(node: &NodeView) -> Vec<String> {
    let path = node.file_rel_path.as_ref().map(ToString::to_string);
    let name = one_line(&node.name);
    match path {
        Some(path) if node.kind == NodeKind::File => vec![path],
        Some(path) if name.is_empty() => vec!["outside of definitions".to_string(), path],
        Some(path) => vec![name, path],
        None => vec![name],
    }
}

/// Mermaid reads `#…;` as a character's code. Names and paths are strangers' words, so everything that it could read as
/// markup is written so.
fn escape_mermaid(text: &str) -> String {
    let is_plain =
        |c: char| c.is_alphanumeric() || matches!(c, ' ' | '.' | ',' | '/' | '-' | '_' | ':' | '(' | ')' | '…');
    let escape = |c: char| if is_plain(c) { c.to_string() } else { format!("#{};", u32::from(c)) };
    text.chars().map(escape).collect()
}

fn escape_dot(text: &str) -> String {
    let escape = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => " ".to_string(),
        c => c.to_string(),
    };
    text.chars().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::{escape_dot, escape_mermaid};

    #[test]
    fn names_cannot_end_a_label() {
        assert_eq!(escape_mermaid("a\"]<b> `#1;"), "a#34;#93;#60;b#62; #96;#35;1#59;");
        assert_eq!(escape_mermaid("src/a.py"), "src/a.py");
        assert_eq!(escape_dot("a\"\\n\u{7}"), "a\\\"\\\\n ");
    }
}
