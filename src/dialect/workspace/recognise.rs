//! Which files of a workspace are of which format.

use super::lines::{KEYS, without_mark};
use super::links::ENDS;
use super::tree::holds_tree;
use crate::dialect::export::head::{self, Head, HeadKey};
use crate::dialect::export::json;
use crate::dialect::note_tree::SNIFFED_BYTES;
use crate::record::{BlockType, SourceKind};
use crate::text::RepoPath;

/// The deepest object that can be a block of a tree is in the sixth object.
const TREE_DEPTH: usize = 6;

const PERMISSIONS: &str = "permissions.jsonl";
const MEMBERS: &str = "members.jsonl";
/// The names of files that say who may read what, in any directory, with small or capital letters.
pub const RIGHTS_FILES: [&str; 2] = [PERMISSIONS, MEMBERS];

/// Whether a file says who may read what.
pub fn holds_rights(path: &RepoPath) -> bool {
    RIGHTS_FILES.iter().any(|name| path.file_name().eq_ignore_ascii_case(name))
}

/// Decides by the name of a file, else by its text. What looks like blocks is never left to be read as a text: then it
/// would be shown to readers that its grants exclude. So a file is taken for what it may be, and [`super::read`] refuses
/// what it is not. Notion exports are not recognised here.
pub fn recognised(path: &RepoPath, text: &str) -> Option<SourceKind> {
    let path = path.as_str().to_ascii_lowercase();
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let head = &text[..text.floor_char_boundary(SNIFFED_BYTES)];
    match path.rsplit('/').next().unwrap_or_default() {
        PERMISSIONS => Some(SourceKind::Permissions),
        MEMBERS => Some(SourceKind::Members),
        name if name.ends_with(".jsonl") || name.ends_with(".ndjson") => {
            let of_first = Some(First::of(head)).filter(|_| head.starts_with('{')).and_then(|first| first.kind());
            of_first.or_else(|| text.lines().any(may_be_block).then_some(SourceKind::Blocks))
        }
        name if name.ends_with(".json") && head.starts_with('[') => First::in_list(head)?.in_json(),
        name if name.ends_with(".json") && head.starts_with('{') => may_be_tree(text).then_some(SourceKind::BlockTree),
        _ => None,
    }
}

/// Whether a line has the texts `id` and `type`, or says who may read it. It may be broken, or cut off.
fn may_be_block(row: &str) -> bool {
    let row = without_mark(row);
    row.starts_with('{') && First { keys: head::keys(row, 1).keys, is_cut: false }.is_block()
}

/// The first object of a file.
struct First<'t> {
    keys: Vec<HeadKey<'t>>,
    /// Whether it may have more keys than these.
    is_cut: bool,
}

impl<'t> First<'t> {
    fn of(text: &'t str) -> Self {
        let Head { keys, is_whole } = head::keys(text, 1);
        // A line that ends before its object does is broken, not cut.
        First { keys, is_cut: !is_whole && !text.trim_end().contains('\n') }
    }

    fn in_list(text: &'t str) -> Option<Self> {
        let inside = text.strip_prefix('[')?.trim_start();
        let Head { keys, is_whole } = head::keys(inside, 1);
        inside.starts_with('{').then_some(First { keys, is_cut: !is_whole })
    }

    fn kind(&self) -> Option<SourceKind> {
        self.notes().or_else(|| self.activity()).or_else(|| self.links()).or_else(|| self.blocks())
    }

    fn notes(&self) -> Option<SourceKind> {
        let has_content = self.has("contentMarkdown") || self.has("content_markdown");
        (has_content && (self.has("title") || self.is_cut)).then_some(SourceKind::Notes)
    }

    fn activity(&self) -> Option<SourceKind> {
        let either = |a: &str, b: &str| self.has(a) || self.has(b);
        let is_activity = either("user", "userId") && either("block", "blockId") && either("at", "timestamp");
        is_activity.then_some(SourceKind::Activity)
    }

    fn links(&self) -> Option<SourceKind> {
        ENDS.iter().any(|(from, to)| self.has(from) && self.has(to)).then_some(SourceKind::Links)
    }

    fn blocks(&self) -> Option<SourceKind> {
        let word = self.value("type").and_then(|value| value.strip_prefix('"'));
        let is_known = |word: &str| word.split('"').next().is_some_and(|word| BlockType::named(word).is_some());
        let is_block = self.value("id").is_some_and(|id| match id.as_bytes().first() {
            Some(b'"') => word.is_some(),
            Some(b'0'..=b'9') => word.is_some_and(is_known),
            _ => false,
        });
        let may_be = self.is_cut && !self.keys.is_empty() && self.keys.iter().all(|key| KEYS.contains(&key.name));
        (is_block || may_be).then_some(SourceKind::Blocks)
    }

    /// Of the first object of a list. A list of blocks is no file of a workspace, and must not be read as anything else.
    fn in_json(&self) -> Option<SourceKind> {
        let holds_tree = self.value("blocks").is_some_and(|value| value.starts_with('{'));
        self.notes().or_else(|| (self.is_block() || holds_tree).then_some(SourceKind::BlockTree))
    }

    fn is_block(&self) -> bool {
        let is_text = |name: &str| self.value(name).is_some_and(|value| value.starts_with('"'));
        is_text("id") && is_text("type") || self.value("read").is_some()
    }

    fn has(&self, name: &str) -> bool {
        self.value(name).is_some_and(|value| !value.starts_with("null"))
    }

    fn value(&self, name: &str) -> Option<&'t str> {
        // Letters may be written as their numbers.
        let is_it = |key: &&HeadKey| match key.name.contains('\\') {
            true => json::string(&format!("\"{}\"", key.name)).is_some_and(|unescaped| unescaped == name),
            false => key.name == name,
        };
        self.keys.iter().find(is_it).map(|key| key.value)
    }
}

fn may_be_tree(text: &str) -> bool {
    holds_tree(text).unwrap_or_else(|_| {
        let keys = head::keys(text, TREE_DEPTH).keys;
        let blocks = keys.windows(2).any(|pair| begins_blocks(&pair[0], &pair[1]));
        blocks || keys.iter().any(|key| key.name == "roots" && key.depth < TREE_DEPTH && key.value.starts_with('['))
    })
}

fn begins_blocks(key: &HeadKey, next: &HeadKey) -> bool {
    let holds_next = next.depth == key.depth + 1 && next.value.starts_with('{');
    key.name == "blocks" && key.value.starts_with('{') && holds_next
}
