//! `contextpack schema`.

use clap::Args;

use super::{DONE, Failure, print};
use crate::record::{ALL, ArtifactType, NoteInput, schema_page};

/// Print the JSON Schema of a record type, or list the types there are
///
/// `note_input` is the schema of the lines of `nodes.jsonl`, which is read and not written.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack schema\n  \
    contextpack schema chunk_meta\n  \
    contextpack schema --markdown > artifacts.md\n\n\
    Exit code: 0 done, 2 could not run.")]
pub struct SchemaArguments {
    /// The type
    #[arg(value_name = "ARTIFACT")]
    artifact: Option<String>,
    /// Print all of them as one page for people
    #[arg(long, conflicts_with = "artifact")]
    markdown: bool,
}

pub fn run(arguments: &SchemaArguments) -> Result<u8, Failure> {
    if arguments.markdown {
        print(&schema_page())?;
        return Ok(DONE);
    }
    let Some(name) = &arguments.artifact else {
        print(&ALL.iter().map(|artifact| format!("{} v{}\n", artifact.name, artifact.version)).collect::<String>())?;
        return Ok(DONE);
    };
    if name == NoteInput::NAME {
        print(&NoteInput::schema_text())?;
        return Ok(DONE);
    }
    let Some(artifact) = ArtifactType::named(name) else {
        let known = ALL.iter().map(|artifact| artifact.name).collect::<Vec<_>>().join(", ");
        return Err(Failure::other(format!("there is no artifact `{name}`\n  known are {known}")));
    };
    print(&artifact.schema_text())?;
    Ok(DONE)
}
