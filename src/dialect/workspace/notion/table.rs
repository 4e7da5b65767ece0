//! The file of a database: the database itself, and rows that have no page.

use super::csv::{Record, Sheet};
use super::database;
use super::{FileFacts, NotionExport, values};
use crate::dialect::export::Troubles;
use crate::dialect::workspace::{Block, Property, WorkspaceFile};
use crate::record::{BlockType, ProblemCode};

impl NotionExport {
    pub(super) fn read_table(&self, facts: &FileFacts, text: &str, read: &mut WorkspaceFile) {
        let Some(found) = self.databases.get(&facts.id) else { return };
        let sheet = Sheet::read(text).with_first(found.title_column);
        let mut block = Block::new(facts.id.clone(), BlockType::Database, sheet.header.span);
        block.parent = facts.parent.clone();
        block.title = Some(facts.title.clone());
        block.properties = properties(&sheet);
        block.text = text_of(&facts.title, &block.properties);
        let mut rows = Vec::new();
        for (at, record) in sheet.records.iter().enumerate() {
            if let Some(page) = found.pages.get(at).and_then(Option::as_ref) {
                block.children.push(page.clone());
                continue;
            }
            let row = row(&facts.id, at + 1, record, &found.columns);
            block.children.push(row.id.clone());
            rows.push(row);
        }
        block.children.extend(found.templates.iter().cloned());
        read.blocks.push(block);
        read.blocks.append(&mut rows);
        read.troubles = troubles(&sheet).finish();
    }
}

/// The columns. Names are their ids: an export has no others.
fn properties(sheet: &Sheet) -> Vec<Property> {
    let property = |(at, name): (usize, &str)| {
        let values = sheet.records.iter().map(|record| record.field(at));
        let kind = if at == 0 { "text" } else { values::kind(values) };
        Property { id: name.to_string(), name: name.to_string(), kind: kind.to_string(), options: Vec::new() }
    };
    sheet.columns().enumerate().map(property).collect()
}

fn text_of(title: &str, properties: &[Property]) -> String {
    let properties: Vec<String> = properties.iter().map(|each| format!("{} ({})", each.name, each.kind)).collect();
    format!("{title}\nProperties: {}", properties.join(", "))
}

/// A row without a page, by its place in the table.
fn row(database: &str, number: usize, record: &Record, columns: &[String]) -> Block {
    let mut row = Block::new(format!("{database}:{number}"), BlockType::DbRow, record.span);
    row.parent = Some(database.to_string());
    row.database = Some(database.to_string());
    row.title = Some(record.field(0).to_string()).filter(|title| !title.is_empty());
    values::fill(&mut row, &database::values(record, columns));
    row
}

fn troubles(sheet: &Sheet) -> Troubles {
    let mut troubles = Troubles::default();
    let columns = sheet.header.fields.len();
    for record in sheet.records.iter().filter(|record| record.fields.len() > columns) {
        let message = format!("a row with {} fields in a table with {columns} columns", record.fields.len());
        troubles.add(ProblemCode::ItemData, record.span, message);
    }
    if sheet.is_unclosed {
        let span = sheet.records.last().unwrap_or(&sheet.header).span;
        troubles.add(ProblemCode::ItemData, span, "a quote that nothing closes; the rest of the table is one field");
    }
    troubles
}
