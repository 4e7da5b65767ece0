//! `contextpack schema`.

use clap::Args;

use super::{DONE, Failure};
use crate::record::{ALL, ArtifactType};

/// Print the JSON Schema of a record type, or list the types there are
#[derive(Args)]
#[command(after_help = "Example:\n  contextpack schema chunk_meta")]
pub struct SchemaArguments {
    #[arg(value_name = "ARTIFACT")]
    artifact: Option<String>,
}

pub fn run(arguments: &SchemaArguments) -> Result<u8, Failure> {
    let Some(name) = &arguments.artifact else {
        ALL.iter().for_each(|artifact| println!("{} v{}", artifact.name, artifact.version));
        return Ok(DONE);
    };
    let Some(artifact) = ArtifactType::named(name) else {
        let known = ALL.iter().map(|artifact| artifact.name).collect::<Vec<_>>().join(", ");
        return Err(Failure::new("schema", format!("there is no artifact `{name}`\n  known are {known}")));
    };
    print!("{}", artifact.schema_text());
    Ok(DONE)
}
