//! Reports problems of spec documents.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde::Serialize;

use super::library::{DocNo, Library};
use super::template::first_line;
use crate::dialect::spec::{LinkKind, REQUIRED, SectionSchema};
use crate::document::spec_id::is_id;
use crate::record::Severity;

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
    let mut findings = Findings { library, all: Vec::new() };
    for document in 0..library.documents.len() {
        findings.check_front_matter(document);
        findings.check_sections(document);
        for link in library.broken_links(document) {
            let rule = if link.kind == LinkKind::Trace { "TR-001" } else { "TR-002" };
            findings.push(document, link.line, rule, link.message());
        }
    }
    for (id, same) in library.duplicates() {
        let first = library.documents[same[0]].file();
        for document in &same[1..] {
            let line = library.documents[*document].value("id").and_then(|value| value.line).unwrap_or(1);
            findings.push(*document, line, "ID-002", format!("duplicate id `{id}`: {first} has it too"));
        }
    }
    findings.all.sort_by(|a, b| {
        let order = |finding: &Finding| (Reverse(finding.severity), finding.rule);
        order(a).cmp(&order(b)).then_with(|| (&a.file, a.line, &a.message).cmp(&(&b.file, b.line, &b.message)))
    });
    findings.all
}

/// A document that lacks details is still useful; one that misleads is not.
fn severity(rule: &str) -> Severity {
    match rule {
        "FM-002" | "SEC-002" | "TR-002" => Severity::Warning,
        _ => Severity::Error,
    }
}

struct Findings<'l> {
    library: &'l Library<'l>,
    all: Vec<Finding>,
}

impl Findings<'_> {
    fn push(&mut self, document: DocNo, line: u32, rule: &'static str, message: String) {
        let file = self.library.documents[document].file().to_string();
        self.all.push(Finding { severity: severity(rule), rule, file, line, message });
    }

    fn check_front_matter(&mut self, number: DocNo) {
        let document = &self.library.documents[number];
        if let Some((line, reason)) = document.front_matter_error() {
            return self.push(number, line, "FM-000", format!("its front matter cannot be read: {reason}"));
        }
        for key in REQUIRED {
            let Some(value) = document.value(key) else {
                self.push(number, document.front_lines().start, "FM-001", format!("it has no `{key}`"));
                continue;
            };
            let text = document.word(key);
            if let Some(rule) = wrong_value(self.library.schema, key, text) {
                self.push(number, value.line.unwrap_or(1), rule, format!("`{text}` is not a known {key}"));
            }
        }
    }

    fn check_sections(&mut self, number: DocNo) {
        let (library, document) = (self.library, &self.library.documents[number]);
        if document.front_matter_error().is_some() {
            return;
        }
        let matched = library.matched_sections(number);
        for section in matched.iter().filter(|section| section.again) {
            let message = format!("`{}` is there more than once", section.rule.id);
            self.push(number, first_line(document.sections[section.heading]), "SEC-002", message);
        }
        let present: BTreeSet<&str> = matched.iter().map(|section| section.rule.id.as_str()).collect();
        for rule in library.schema.rules_of(document.word("kind")) {
            if rule.required && !present.contains(rule.id.as_str()) {
                let message = format!("it has no section `{}` ({})", rule.texts[0], rule.id);
                self.push(number, document.front_lines().end, "SEC-001", message);
            }
        }
    }
}

/// The rule that a value of the front matter breaks.
fn wrong_value(schema: &SectionSchema, key: &str, text: &str) -> Option<&'static str> {
    let is_listed = |list: &Vec<String>| list.iter().any(|one| one == text);
    match key {
        "kind" => (!is_known_kind(schema, text)).then_some("FM-002"),
        "scope" => schema.scopes.as_ref().is_some_and(|scopes| !is_listed(scopes)).then_some("FM-002"),
        "status" => (!STATUSES.contains(&text)).then_some("FM-003"),
        "id" => (!is_id(text)).then_some("ID-001"),
        _ => None,
    }
}

fn is_known_kind(schema: &SectionSchema, kind: &str) -> bool {
    match &schema.kinds {
        Some(kinds) => kinds.iter().any(|known| known == kind),
        None => KINDS.contains(&kind) || schema.rules.iter().any(|rule| rule.names(kind)),
    }
}
