//! What the `data` of a block say of it, besides its text. One reader for all formats that have such data.

use super::fields::{Faults, Fields};
use super::property::{properties, values};
use super::{Block, text};
use crate::dialect::export::json;
use crate::record::{BlockClass, BlockType};

/// Fills in what a block of a known type says.
pub fn describe(block: &mut Block, data: &Fields, faults: &mut Faults) {
    take_title(block, data, faults);
    take_task(block, data, faults);
    block.tags = data.words("tags", faults);
    block.archived = data.flag("archived", faults).unwrap_or_default();
    block.template = data.flag("template", faults).unwrap_or_default();
    block.aliases = data.words("aliases", faults);
    match block.block_type {
        BlockType::Code => block.language = data.word("language", faults),
        BlockType::Database => block.properties = properties(data, faults),
        BlockType::DbRow => take_row(block, data, faults),
        BlockType::KanbanColumn => block.holds_done = data.flag("isDone", faults).unwrap_or_default(),
        BlockType::List => block.is_ordered = data.flag("ordered", faults).unwrap_or_default(),
        _ => {}
    }
    block.text = text::own_text(block, data, faults);
}

/// Fills in a block of an unknown type: it says what its data hold in strings. `given` is what is known of any block.
pub fn describe_unknown(block: &mut Block, given: &Fields, data: &Fields, faults: &mut Faults) {
    describe(block, given, faults);
    let pairs = data.sorted();
    let strings: Vec<_> = pairs.iter().filter_map(|(_, value)| json::string(value)).collect();
    block.text = text::lines(strings);
}

fn take_title(block: &mut Block, data: &Fields, faults: &mut Faults) {
    if matches!(block.block_type.class(), BlockClass::Container | BlockClass::Record) {
        block.title = data.word("title", faults).or_else(|| data.word("name", faults));
    }
}

fn take_task(block: &mut Block, data: &Fields, faults: &mut Faults) {
    block.due = data.date("dueDate", faults);
    block.priority = data.word("priority", faults);
    block.assignees = data.ids("assignedTo", faults);
    let done = data.flag("completed", faults);
    block.done = match block.block_type {
        BlockType::Todo => Some(done.unwrap_or_default()),
        // The column of a card may say that it is done.
        BlockType::KanbanCard => done.or(data.date("completedAt", faults).map(|_| true)),
        _ => done,
    };
}

fn take_row(block: &mut Block, data: &Fields, faults: &mut Faults) {
    block.database = data.id("databaseId", faults);
    block.values = values(data, faults);
}
