//! One page of an export: a page, a row of a database or a template of its rows.

use std::collections::BTreeSet;

use super::head::Head;
use super::links::{is_file, target_id};
use super::{FileFacts, FileRole, NotionExport, values};
use crate::dialect::workspace::body::{Body, BodyBlocks, BodyPlace, Target};
use crate::dialect::workspace::{Block, WorkspaceFile};
use crate::record::BlockType;

impl NotionExport {
    pub(super) fn read_page(&self, facts: &FileFacts, text: &str, read: &mut WorkspaceFile) {
        let is_page = facts.role == FileRole::Page;
        let database = facts.parent.as_ref().filter(|_| !is_page).and_then(|parent| self.databases.get(parent));
        let columns = database.map_or(&[][..], |database| &database.columns);
        let head = Head::read(text, columns.get(1..).unwrap_or_default());
        let body = Body { text: &text[head.end..], page: &facts.id, place: BodyPlace::From(head.end as u32) };
        let body = body.read(&|target| self.target(&facts.id, target));
        let block_type = if is_page { BlockType::Page } else { BlockType::DbRow };
        let mut page = Block::new(facts.id.clone(), block_type, head.span);
        let title = head.title.filter(|title| !title.is_empty()).unwrap_or_else(|| facts.title.clone());
        page.parent = facts.parent.clone();
        if is_page {
            page.text = title.clone();
        } else {
            page.database = facts.parent.clone();
            page.template = facts.role == FileRole::Template;
            values::fill(&mut page, &head.values);
        }
        page.title = Some(title);
        page.children = self.children_in_order(&facts.id, &body);
        read.blocks.push(page);
        read.blocks.extend(body.blocks);
    }

    fn target(&self, page: &str, target: &str) -> Target {
        let is_child = |id: &str| self.children.get(page).is_some_and(|children| children.contains(id));
        match target_id(target) {
            Some(id) if is_child(id) => Target::Child(id.to_string()),
            Some(id) => Target::Page(id.to_string()),
            None if is_file(target) => Target::File,
            None => Target::Other,
        }
    }

    /// Blocks and linked pages as the body has them, then pages that only its words link to, then the rest by id.
    fn children_in_order(&self, page: &str, body: &BodyBlocks) -> Vec<String> {
        let rest = self.children.get(page).into_iter().flatten();
        let pages = body.mentioned.iter().chain(rest);
        let mut seen: BTreeSet<&String> = body.children.iter().collect();
        let pages: Vec<&String> = pages.filter(|id| seen.insert(id)).collect();
        body.children.iter().chain(pages).cloned().collect()
    }
}
