//! `contextpack spec prompt`.

use clap::Args;

use super::context::{WalkArguments, outcome};
use super::{json, json_flag};
use crate::cli::words::words;
use crate::cli::{Failure, print};
use crate::door::spec::{Preset, bundle, prompt};

/// Print a bundle as one text with the place of every section in it, as JSON
///
/// Offsets are half-open and in characters of `context_markdown`. The preset sets what comes first, and which links
/// are followed where --direction does not say.
#[derive(Args)]
#[command(arg = json_flag(), after_help = "Example:\n  \
    contextpack spec prompt IF-200 --preset implement --max-tokens 4000 | jq -r .context_markdown\n\n\
    Exit code: 0 done, 1 no document has any of the ids, 2 could not run.")]
pub struct PromptArguments {
    #[command(flatten)]
    walk: WalkArguments,
    /// What the text is for
    #[arg(long, value_name = "NAME", default_value = "default", value_parser = words::<Preset>())]
    preset: Preset,
}

pub fn run(arguments: &PromptArguments) -> Result<u8, Failure> {
    let preset = arguments.preset;
    let (strategy, direction) = preset.defaults();
    let request = arguments.walk.request(strategy, direction);
    let bundle = arguments.walk.tree.open()?.with(|library| bundle(library, &request))?;
    print(&json(&prompt(&bundle, preset)))?;
    Ok(outcome(&arguments.walk.tree, &bundle))
}
