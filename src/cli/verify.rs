//! `contextpack verify`.

use std::path::PathBuf;

use clap::Args;

use super::{DONE, Failure, REFUSED, print, print_json, say};
use crate::pipeline::{open_stage, verify};

/// Check that an index is what its manifest says
///
/// Recomputes every digest. With --deep it also reads every record: canonical form, schema, order,
/// counts, and that no id points nowhere; and it makes every accelerator again and compares.
#[derive(Args)]
#[command(after_help = "Example:\n  contextpack verify index/chunk --deep\n\n\
    Exit code: 0 sound, 1 not sound (the first bad piece is named), 2 could not run.")]
pub struct VerifyArguments {
    /// The directory of one stage, such as index/chunk
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Read every record too, and make accelerators again
    #[arg(long)]
    deep: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print nothing but the result and errors
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(arguments: &VerifyArguments) -> Result<u8, Failure> {
    if let Err(error) = open_stage(&arguments.folder)
        && error.is_missing()
    {
        return Err(error.into());
    }
    match verify(&arguments.folder, arguments.deep) {
        Ok(report) if arguments.json => {
            print_json(&serde_json::json!({
                "sound": true,
                "pieces": report.pieces,
                "records": report.records,
                "bytes": report.bytes,
                "manifest": report.manifest,
                "notes": report.notes,
            }))?;
            Ok(DONE)
        }
        Err(fault) if arguments.json => {
            print_json(&serde_json::json!({ "sound": false, "fault": fault.to_string() }))?;
            Ok(REFUSED)
        }
        Ok(report) => {
            let notes = report.notes.iter().filter(|_| !arguments.quiet);
            notes.for_each(|note| say(&format!("verify: {note}")));
            print(&format!(
                "sound: {} pieces, {} records, {} bytes, {}\n",
                report.pieces, report.records, report.bytes, report.manifest
            ))?;
            Ok(DONE)
        }
        Err(fault) => {
            print(&format!("not sound: {fault}\n"))?;
            Ok(REFUSED)
        }
    }
}
