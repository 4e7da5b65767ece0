//! Workspaces: pages, blocks, databases and tasks, in files of several formats. Each format is read into [`Block`]s.
//! A block holds only what it says itself and what it names, nothing that another block says. Pure.
//!
//! A file is [`recognised`] by its name and its beginning, and [`read`] as a whole. What one file cannot know is not
//! decided here: whether an id names a block, which blocks share an id, and who may read what in the end.

mod activity;
pub mod audiences;
/// Bodies of pages that are written in markdown.
pub mod body;
mod describe;
mod fields;
mod lines;
mod links;
mod media;
/// Notes as JSON.
pub mod notes;
/// Exports of Notion.
pub mod notion;
mod property;
mod recognise;
mod rights;
mod row;
mod rules;
mod text;
mod tree;
mod wikilinks;

#[cfg(test)]
mod tests;

pub use recognise::{RIGHTS_FILES, holds_rights, recognised};
pub use row::{LabelledRow, RowText, bare, labelled};
pub use rules::RowRules;
pub use wikilinks::{Wikilinks, folded_title, wikilinks};

use crate::dialect::export::{ExportFault, Trouble};
use crate::record::{BlockType, Date, SourceKind};
use crate::text::Span;

/// One block, as its file gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub id: String,
    /// Where its id is in the file.
    pub id_span: Span,
    /// Its JSON object, line, or piece of markdown.
    pub span: Span,
    pub block_type: BlockType,
    /// The id that it names as its parent.
    pub parent: Option<String>,
    /// The ids that it lists as its children, in order.
    pub children: Vec<String>,
    /// Its place among its siblings, from formats without lists of children.
    pub order: Option<f64>,
    /// Of containers and records.
    pub title: Option<String>,
    /// What it says, with its title. Empty if it says nothing. Of a row see [`Block::values`].
    pub text: String,
    pub created: Option<Date>,
    pub modified: Option<Date>,
    pub created_by: Option<String>,
    pub due: Option<Date>,
    /// Whether a task is done; absent if it is no task, or if another block decides.
    pub done: Option<bool>,
    pub priority: Option<String>,
    pub assignees: Vec<String>,
    pub tags: Vec<String>,
    pub archived: bool,
    pub template: bool,
    /// Of a kanban column: its cards are done.
    pub holds_done: bool,
    /// Of a list: its items are numbered.
    pub is_ordered: bool,
    /// Of code.
    pub language: Option<String>,
    /// Other names that links may use.
    pub aliases: Vec<String>,
    /// Of a database.
    pub properties: Vec<Property>,
    /// The database of a row. Absent: its parent.
    pub database: Option<String>,
    /// Of a row, by id of the property, in the order of these ids. Its text and title follow from them and from the
    /// properties of its database, unless it has a text or title of its own.
    pub values: Vec<(String, Value)>,
    /// By name of the property: what a reader of rows sees, of rows whose properties are already named.
    pub named_values: Vec<(String, Vec<String>)>,
    /// What its fields name. What its text names is found by [`wikilinks`].
    pub links: Vec<BlockLink>,
    pub grants: Vec<Grant>,
}

/// A column of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    pub id: String,
    pub name: String,
    /// `text`, `number`, `select`, `multi_select`, `date`, `checkbox`, `relation`, `rollup`, `formula`.
    pub kind: String,
    /// The ids of the options of a select, with what people see.
    pub options: Vec<(String, String)>,
}

/// What a row says of one property.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Text(String),
    /// As it is written in JSON.
    Number(String),
    Flag(bool),
    List(Vec<String>),
}

/// Something that a block names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockLink {
    pub to: LinkTarget,
    /// The property of a relation, the word of a link row, or the heading that a link in a text names.
    pub label: Option<String>,
    /// Whether it is a relation of a row or a link row, not a link in a text.
    pub is_relation: bool,
    /// In the file; of what [`wikilinks`] finds, in the text that it was given.
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkTarget {
    Id(String),
    /// As written, without heading and alias.
    Title(String),
}

/// Who may read a block, as one place says it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grant {
    /// As written; what is no principal admits nobody.
    pub read: Vec<String>,
    /// Whether what is granted around the block does not matter.
    pub replaces: bool,
}

/// What one file of a workspace holds.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkspaceFile {
    pub kind: SourceKind,
    /// In the order of the file.
    pub blocks: Vec<Block>,
    /// The ids that trees list as their roots.
    pub roots: Vec<String>,
    /// Links that are lines of their own, each with the id of the block that it starts at.
    pub links: Vec<(String, BlockLink)>,
    pub activity: Vec<Activity>,
    /// Grants that are lines of their own.
    pub grants: Vec<GivenGrant>,
    /// Who may read roots that nobody gives a grant. Several lines all count.
    pub default_grants: Vec<Grant>,
    pub members: Vec<Member>,
    pub troubles: Vec<Trouble>,
}

/// A grant that stands beside the block that it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenGrant {
    pub block: String,
    pub grant: Grant,
    /// Its line.
    pub span: Span,
}

/// Which teams and workspaces a user belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub user: String,
    pub teams: Vec<String>,
    pub workspaces: Vec<String>,
    /// Its line.
    pub span: Span,
}

/// That somebody did something to a block.
#[derive(Clone, Debug, PartialEq)]
pub struct Activity {
    pub user: String,
    pub block: String,
    pub action: Action,
    pub at: Date,
    /// Its line.
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    Edit,
    View,
    Create,
    Comment,
}

/// Reads a file of a workspace. It fails if the file is not what its kind promises. A block or line that cannot be read
/// is a trouble beside the others, but of permissions and members it fails the whole file.
pub fn read(kind: SourceKind, text: &str) -> Result<WorkspaceFile, ExportFault> {
    match kind {
        SourceKind::Activity => Ok(activity::read(text)),
        SourceKind::BlockTree => tree::read(text),
        SourceKind::Blocks => lines::read(text),
        SourceKind::Links => Ok(links::read(text)),
        SourceKind::Members => rights::members(text),
        SourceKind::Notes => notes::read(text),
        SourceKind::Permissions => rights::permissions(text),
        _ => Err(ExportFault("no file of a workspace".to_string())),
    }
}

impl Action {
    /// As it is written.
    pub fn word(self) -> &'static str {
        match self {
            Action::Edit => "edit",
            Action::View => "view",
            Action::Create => "create",
            Action::Comment => "comment",
        }
    }
}

impl Block {
    /// A block that says nothing.
    pub fn new(id: String, block_type: BlockType, span: Span) -> Self {
        Block {
            id,
            id_span: span,
            span,
            block_type,
            parent: None,
            children: Vec::new(),
            order: None,
            title: None,
            text: String::new(),
            created: None,
            modified: None,
            created_by: None,
            due: None,
            done: None,
            priority: None,
            assignees: Vec::new(),
            tags: Vec::new(),
            archived: false,
            template: false,
            holds_done: false,
            is_ordered: false,
            language: None,
            aliases: Vec::new(),
            properties: Vec::new(),
            database: None,
            values: Vec::new(),
            named_values: Vec::new(),
            links: Vec::new(),
            grants: Vec::new(),
        }
    }
}

impl WorkspaceFile {
    /// A file that holds nothing.
    pub fn new(kind: SourceKind) -> Self {
        WorkspaceFile {
            kind,
            blocks: Vec::new(),
            roots: Vec::new(),
            links: Vec::new(),
            activity: Vec::new(),
            grants: Vec::new(),
            default_grants: Vec::new(),
            members: Vec::new(),
            troubles: Vec::new(),
        }
    }
}
