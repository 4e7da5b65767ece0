//! Reports problems of spec documents.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde::Serialize;

use super::library::Library;
use crate::assemble::Document;
use crate::dialect::spec::{Link, REQUIRED, SectionSchema, links};
use crate::document::spec_id::{is_id, link_target};
use crate::language::Modules;
use crate::language::modules::Located;
use crate::record::{Field, Role, Severity};

/// The known kinds of documents, if the schema does not list any.
const KINDS: [&str; 8] =
    ["requirements", "interfaces", "data_contracts", "tests", "tasks", "architecture", "reference", "steering"];

const STATUSES: [&str; 4] = ["draft", "review", "stable", "deprecated"];

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub severity: Severity,
    pub rule: &'static str,
    pub file: String,
    pub line: u32,
    pub message: String,
}

/// Sorted by severity, the worst first, then by rule, file and line.
pub fn lint(library: &Library) -> Vec<Finding> {
    let mut findings: Vec<Finding> = library.documents.iter().flat_map(|document| check(library, document)).collect();
    for (id, same) in library.documents.duplicates() {
        let first = library.documents[same[0]].file();
        for document in same[1..].iter().map(|document| &library.documents[*document]) {
            let line = Field::value(&document.item.fields, "id").map_or(1, |value| value.line_or_first());
            findings.push(finding(document, line, "ID-002", format!("duplicate id `{id}`: {first} has it too")));
        }
    }
    findings.sort_by(|a, b| {
        let order = |finding: &Finding| (Reverse(finding.severity), finding.rule);
        order(a).cmp(&order(b)).then_with(|| (&a.file, a.line, &a.message).cmp(&(&b.file, b.line, &b.message)))
    });
    findings
}

fn finding(document: &Document, line: u32, rule: &'static str, message: String) -> Finding {
    // A document that lacks details is still useful; one that misleads is not.
    let severity = match rule {
        "FM-002" | "SEC-002" | "TR-002" => Severity::Warning,
        _ => Severity::Error,
    };
    Finding { severity, rule, file: document.file().to_string(), line, message }
}

/// The findings that one document gives, sorted by line within each rule.
pub fn check<'v>(library: &Library<'v>, document: &Document<'v>) -> Vec<Finding> {
    if let Some(error) = Field::value(&document.item.fields, Field::FRONT_MATTER_ERROR) {
        let message = format!("its front matter cannot be read: {}", error.as_str());
        return vec![finding(document, error.line_or_first(), "FM-000", message)];
    }
    let links = links(&document.item.fields);
    let broken_links = links.iter().filter_map(|link| {
        let rule = if link.role == Role::Trace { "TR-001" } else { "TR-002" };
        Some(finding(document, link.line, rule, link_fault(library, document.file(), link)?))
    });
    let fields = REQUIRED.iter().filter_map(|key| check_field(library.schema, document, key));
    fields.chain(check_sections(library, document)).chain(broken_links).collect()
}

fn check_field(schema: &SectionSchema, document: &Document, key: &str) -> Option<Finding> {
    let Some(value) = Field::value(&document.item.fields, key) else {
        let line = document.item.head_lines().start;
        return Some(finding(document, line, "FM-001", format!("it has no `{key}`")));
    };
    let text = value.as_str();
    let is_listed = |list: &Vec<String>| list.iter().any(|one| one == text);
    let (is_known, rule) = match key {
        "kind" => (is_known_kind(schema, text), "FM-002"),
        "scope" => (schema.scopes.as_ref().is_none_or(is_listed), "FM-002"),
        "status" => (STATUSES.contains(&text), "FM-003"),
        "id" => (is_id(text), "ID-001"),
        _ => return None,
    };
    (!is_known).then(|| finding(document, value.line_or_first(), rule, format!("`{text}` is not a known {key}")))
}

fn is_known_kind(schema: &SectionSchema, kind: &str) -> bool {
    match &schema.kinds {
        Some(kinds) => kinds.iter().any(|known| known == kind),
        None => KINDS.contains(&kind) || schema.rules.iter().any(|rule| rule.names(kind)),
    }
}

fn check_sections<'v>(library: &Library<'v>, document: &Document<'v>) -> Vec<Finding> {
    let sections = library.sections(document);
    let again = sections.iter().filter(|section| section.again).map(|section| {
        let message = format!("`{}` is there more than once", section.rule.id);
        finding(document, section.item.head_lines().start, "SEC-002", message)
    });
    let present: BTreeSet<&str> = sections.iter().map(|section| section.rule.id.as_str()).collect();
    let rules = library.schema.rules_of(document.item.word("kind")).into_iter();
    let missing = rules.filter(|rule| rule.required && !present.contains(rule.id.as_str())).map(|rule| {
        let message = format!("it has no section `{}` ({})", rule.texts[0], rule.id);
        finding(document, document.item.head_lines().end, "SEC-001", message)
    });
    again.chain(missing).collect()
}

/// Why a link in a file does not lead to a document that can be shown. Paths are resolved as in the graph.
fn link_fault(library: &Library, file: &str, link: &Link) -> Option<String> {
    let (text, target, paths) = (link.text, link_target(link.text), &library.modules.paths);
    if library.documents.has_id(target) {
        return None;
    }
    if link.role == Role::Trace {
        return Some(format!("trace to an unknown id: `{text}`"));
    }
    let here = paths.file(file).filter(|_| !is_id(target));
    if let Some(Located::Files(found, _)) = here.map(|here| library.modules.locate(Modules::Prose, here, target)) {
        let document = found.first().and_then(|file| library.documents.in_file(paths.path(*file)));
        let nameless = document.filter(|document| document.id.is_empty());
        let hint = "(see `contextpack spec lint`)";
        return nameless.map(|_| format!("read_next leads to a document without an id: `{text}` {hint}"));
    }
    let meant = [target.to_string(), format!("{target}.md")].map(|name| paths.all_ending(&name));
    let meant = meant.iter().find(|files| here.is_some() && files.len() > 1).map(|files| {
        let files: Vec<&str> = files.iter().map(|file| paths.path(*file)).collect();
        format!("read_next `{text}` could be {}", files.join(" or "))
    });
    Some(meant.unwrap_or_else(|| format!("read_next leads to nothing: `{text}`")))
}
