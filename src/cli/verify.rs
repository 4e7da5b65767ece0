//! `contextpack verify`.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Map, Value, json};

use super::{DONE, Failure, REFUSED, print, print_json, say};
use crate::pipeline::{Fault, Report, stages, verify};
use crate::text::counted;

/// Check that an index is what its manifest says
///
/// Recomputes every digest. With --deep it also reads every record: canonical form, schema, order,
/// counts, and that no id points nowhere; and it makes every accelerator again and compares.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack verify index                 all stages of an index\n  \
    contextpack verify index/chunk --deep    one stage, with every record\n\n\
    Exit code: 0 sound, 1 not sound (the first bad piece is named), 2 could not run.")]
pub struct VerifyArguments {
    /// The directory of an index, or of one stage such as index/chunk
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
    let stages = stages(&arguments.folder)?;
    let checked: Vec<Checked> = stages.iter().map(|folder| Checked::new(folder, arguments.deep)).collect();
    let is_sound = checked.iter().all(|stage| stage.outcome.is_ok());
    let is_stage = stages == [arguments.folder.clone()];
    if arguments.json {
        print_json(&all_json(&checked, is_stage, is_sound))?;
    } else {
        if !arguments.quiet {
            let reports = checked.iter().filter_map(|stage| stage.outcome.as_ref().ok());
            reports.flat_map(|report| &report.notes).for_each(|note| say(&format!("verify: {note}")));
        }
        print(&checked.iter().map(|stage| stage.line(is_stage)).collect::<String>())?;
    }
    Ok(if is_sound { DONE } else { REFUSED })
}

/// A stage and what was found.
struct Checked {
    name: String,
    outcome: Result<Report, Fault>,
}

impl Checked {
    fn new(folder: &Path, deep: bool) -> Self {
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        Checked { name: name.unwrap_or_default(), outcome: verify(folder, deep) }
    }

    /// The result as a line; the stage is named if it is one of several.
    fn line(&self, is_only: bool) -> String {
        let name = if is_only { String::new() } else { format!("{}: ", self.name) };
        match &self.outcome {
            Ok(report) => {
                let pieces = counted(report.pieces as usize, "piece");
                let records = counted(report.records as usize, "record");
                let bytes = counted(report.bytes as usize, "byte");
                format!("{name}sound: {pieces}, {records}, {bytes}, {}\n", report.manifest)
            }
            Err(fault) => format!("{name}not sound: {fault}\n"),
        }
    }

    fn json(&self) -> Value {
        match &self.outcome {
            Ok(report) => json!({
                "sound": true,
                "pieces": report.pieces,
                "records": report.records,
                "bytes": report.bytes,
                "manifest": report.manifest,
                "notes": report.notes,
            }),
            Err(fault) => json!({ "sound": false, "fault": fault.to_string() }),
        }
    }
}

/// The report of the stage that was named, or the reports of all stages by name.
fn all_json(checked: &[Checked], is_stage: bool, is_sound: bool) -> Value {
    if let ([only], true) = (checked, is_stage) {
        return only.json();
    }
    let stages: Map<String, Value> = checked.iter().map(|stage| (stage.name.clone(), stage.json())).collect();
    json!({ "sound": is_sound, "stages": stages })
}
