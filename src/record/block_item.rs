//! The items that come from a workspace, besides the blocks themselves.

use super::Item;

/// What a link is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkKind {
    /// Between rows, or a link that is a line of its own.
    Relation,
    /// In a text, by id.
    Reference,
    /// In a text, by title.
    Mention,
}

impl LinkKind {
    pub const ALL: [LinkKind; 3] = [LinkKind::Relation, LinkKind::Reference, LinkKind::Mention];

    pub fn name(self) -> &'static str {
        match self {
            LinkKind::Relation => "relation",
            LinkKind::Reference => "reference",
            LinkKind::Mention => "mention",
        }
    }
}

impl Item {
    /// Where a block belongs and what it names. It follows the block's own item, and nobody may read it: it names
    /// blocks that a reader of the block may not know.
    pub const STRUCTURE: &'static str = "structure";
    /// The field of a structure that says that its block is a root, whatever parent it names.
    pub const IS_ROOT: &'static str = "root";
    /// A row with the labels of its database. It follows the row's own item, one for each database that the row may
    /// belong to.
    pub const ROW_LABELS: &'static str = "row_labels";
    /// A link on a line of its own.
    pub const LINK: &'static str = "link";
    /// A line of activity.
    pub const ACTIVITY: &'static str = "activity";
    /// A line of permissions.
    pub const GRANT: &'static str = "grant";
    /// The fields that grant: what is granted around the block counts, too; or it does not; or the block is any root.
    pub const NARROW: &'static str = "narrow";
    pub const REPLACE: &'static str = "replace";
    pub const DEFAULT: &'static str = "default";
    /// A line of members.
    pub const MEMBER: &'static str = "member";
}
