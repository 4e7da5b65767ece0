//! The types of blocks in a workspace.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! block_types {
    ($($variant:ident = $word:literal: $class:ident,)*) => {
        /// What a block of a workspace is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum BlockType { $(#[serde(rename = $word)] $variant,)* }

        impl BlockType {
            pub const ALL: &[BlockType] = &[$(BlockType::$variant,)*];

            /// As exports and payloads spell it.
            pub const fn word(self) -> &'static str {
                match self { $(BlockType::$variant => $word,)* }
            }

            pub const fn class(self) -> BlockClass {
                match self { $(BlockType::$variant => BlockClass::$class,)* }
            }
        }
    };
}

/// How a block is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockClass {
    /// Has a title and holds other blocks. It is shown by itself, or as a summary.
    Container,
    /// A row or a card, shown with the parts below it.
    Record,
    /// A piece of text, shown with the parts below it.
    Part,
    /// Only arranges other blocks: they count as blocks of its parent.
    Transparent,
}

block_types! {
    Text = "text": Part,
    Heading = "heading": Part,
    Todo = "todo": Part,
    Image = "image": Part,
    Embed = "embed": Part,
    Page = "page": Container,
    Row = "row": Transparent,
    Column = "column": Transparent,
    KanbanBoard = "kanban_board": Container,
    KanbanColumn = "kanban_column": Container,
    KanbanSwimlane = "kanban_swimlane": Container,
    KanbanCard = "kanban_card": Record,
    Table = "table": Part,
    TableRow = "table_row": Part,
    TableCell = "table_cell": Part,
    AiBlock = "ai_block": Part,
    AiChat = "ai_chat": Part,
    AiSuggestion = "ai_suggestion": Part,
    Divider = "divider": Transparent,
    Quote = "quote": Part,
    Code = "code": Part,
    List = "list": Part,
    ListItem = "list_item": Part,
    Database = "database": Container,
    DbRow = "db_row": Record,
}

impl BlockType {
    pub fn named(word: &str) -> Option<BlockType> {
        Self::ALL.iter().copied().find(|block_type| block_type.word() == word)
    }

    /// Whether other blocks stand on it as on a page: its title is that of their page.
    pub fn is_page(self) -> bool {
        use BlockType::*;
        matches!(self, Page | Database | KanbanBoard)
    }

    /// Whether it is a place of its own, which may be shared with more people than what is around it.
    pub fn may_be_shared_wider(self) -> bool {
        use BlockType::*;
        matches!(self, Page | Database | DbRow | KanbanBoard | KanbanCard)
    }
}
