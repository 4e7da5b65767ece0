//! Tana exports: finds the notes and tags in them. An export is a flat list of documents: each line of an outline is
//! one, and so is each tag, field, value and setting.

mod classes;
mod docs;
mod fields;
mod name;
mod names;
mod notes;
mod owners;
mod system;

use super::export::{Export, ExportFault, OpenNotes, Troubles, Workspace};
use crate::record::ProblemCode;
use crate::text::counted;

use classes::Classes;
use docs::Docs;
use names::ShortNames;
use notes::Notes;
use owners::Owners;

/// Reads an export. It fails if the file is not JSON to its end, or has no documents.
pub fn read(text: &str) -> Result<Export<'_>, ExportFault> {
    let mut troubles = Troubles::default();
    let docs = Docs::read(text, &mut troubles)?;
    let owners = Owners::new(&docs, &mut troubles);
    let classes = Classes::new(&docs, &owners);
    report(&docs, &classes, &owners, &mut troubles);
    let workspace = Workspace::new("tana", owners.workspace.as_deref().unwrap_or_default());
    let notes = Notes::new(docs, owners, classes, workspace.clone());
    let (mut open, mut names) = (OpenNotes::default(), ShortNames::default());
    let order = notes.order();
    let notes = order.into_iter().map(move |doc| notes.note(doc, &mut open, &mut names));
    Ok(Export { workspace, notes: Box::new(notes), troubles: troubles.finish() })
}

/// Says what is true of the export as a whole.
fn report(docs: &Docs, classes: &Classes, owners: &Owners, troubles: &mut Troubles) {
    let mut say = |count: usize, noun: &str, what: &str| {
        if count > 0 {
            troubles.of_all(ProblemCode::ItemData, format!("{} {what}", counted(count, noun)));
        }
    };
    say(classes.trashed, "trashed note", "left out");
    say(classes.orphans(docs, owners), "note", "without a parent");
    say(docs.unknown_children(), "id", "among children that no document has");
    say(classes.undated(docs), "date", "that cannot be read, or not between 1970 and 2199");
}

#[cfg(test)]
mod tests;
