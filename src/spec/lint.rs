//! What is wrong with spec documents.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde::Serialize;

use super::catalog::Catalog;
use crate::dialect::spec::Document;
use crate::dialect::spec::SectionSchema;
use crate::dialect::spec::sections;
use crate::dialect::spec::{LinkKind, REQUIRED};
use crate::document::spec_id::is_id;
use crate::record::Severity;

/// Kinds that a document may be of where the schema does not list them.
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

/// The worst first, then by rule, file and line.
pub fn lint(catalog: &Catalog, schema: &SectionSchema) -> Vec<Finding> {
    let mut findings = Findings { all: Vec::new() };
    for document in &catalog.documents {
        findings.of_front_matter(document, schema);
        findings.of_sections(document, schema);
    }
    for (double, first) in catalog.duplicate_ids() {
        let (double, first) = (&catalog.documents[double], &catalog.documents[first].path);
        let line = double.field("id").map_or(1, |id| id.line);
        findings.push(double, line, "ID-002", format!("its id `{}` is that of {first}", double.word("id")));
    }
    for broken in &catalog.broken_links {
        let rule = if broken.kind == LinkKind::Trace { "TR-001" } else { "TR-002" };
        findings.push(&catalog.documents[broken.from], broken.line, rule, broken.message());
    }
    findings.all.sort_by(|a, b| {
        let order = |finding: &Finding| (Reverse(finding.severity), finding.rule);
        order(a).cmp(&order(b)).then_with(|| (&a.file, a.line, &a.message).cmp(&(&b.file, b.line, &b.message)))
    });
    findings.all
}

/// A document that says less than it should is still of use; one that misleads is not.
fn severity(rule: &str) -> Severity {
    match rule {
        "FM-002" | "SEC-002" | "TR-002" => Severity::Warning,
        _ => Severity::Error,
    }
}

struct Findings {
    all: Vec<Finding>,
}

impl Findings {
    fn push(&mut self, document: &Document, line: u32, rule: &'static str, message: String) {
        let file = document.path.to_string();
        self.all.push(Finding { severity: severity(rule), rule, file, line, message });
    }

    fn of_front_matter(&mut self, document: &Document, schema: &SectionSchema) {
        if let Err(fault) = &document.front {
            let message = format!("its front matter cannot be read: {}", fault.reason);
            return self.push(document, fault.line, "FM-000", message);
        }
        for key in REQUIRED {
            let Some(value) = document.field(key) else {
                self.push(document, document.front_lines.start, "FM-001", format!("it has no `{key}`"));
                continue;
            };
            let text = value.text.as_str();
            let rule = match key {
                "kind" if !is_known_kind(schema, text) => "FM-002",
                "scope" if schema.scopes.as_ref().is_some_and(|scopes| !scopes.iter().any(|one| one == text)) => {
                    "FM-002"
                }
                "status" if !STATUSES.contains(&text) => "FM-003",
                "id" if !is_id(text) => "ID-001",
                _ => continue,
            };
            self.push(document, value.line, rule, format!("`{text}` is no {key} that is known"));
        }
    }

    fn of_sections(&mut self, document: &Document, schema: &SectionSchema) {
        if document.front.is_err() {
            return;
        }
        let found = sections(document, schema);
        for section in found.iter().filter(|section| section.again) {
            let message = format!("`{}` is there more than once", section.rule.id);
            self.push(document, section.head.line, "SEC-002", message);
        }
        let there: BTreeSet<&str> = found.iter().map(|section| section.rule.id.as_str()).collect();
        for rule in schema.rules_of(document.word("kind")) {
            if rule.required && !there.contains(rule.id.as_str()) {
                let message = format!("it has no section `{}` ({})", rule.texts[0], rule.id);
                self.push(document, document.front_lines.end, "SEC-001", message);
            }
        }
    }
}

fn is_known_kind(schema: &SectionSchema, kind: &str) -> bool {
    match &schema.kinds {
        Some(kinds) => kinds.iter().any(|known| known == kind),
        None => KINDS.contains(&kind) || schema.rules.iter().any(|rule| rule.names(kind)),
    }
}
