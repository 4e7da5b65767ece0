//! `contextpack spec impact`.

use clap::Args;

use super::{TreeArguments, json, json_flag};
use crate::cli::words::words;
use crate::cli::{DONE, Failure, REFUSED, print};
use crate::door::spec::{ImpactMode, ImpactRequest, impact};
use crate::record::SpecRole;

/// Print which documents a change of some may touch, as JSON
///
/// Forward is what the changed documents name (downstream), backward is what names them (upstream).
#[derive(Args)]
#[command(arg = json_flag(), after_help = "Example:\n  \
    contextpack spec impact DATA-101 --repo . --mode backward --max-distance 2\n\n\
    Exit code: 0 done, 1 no document has any of the ids, 2 could not run.")]
pub struct ImpactArguments {
    /// The documents that change
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,
    #[command(flatten)]
    tree: TreeArguments,
    /// Where to look
    #[arg(long, value_name = "MODE", default_value = "both", value_parser = words::<ImpactMode>())]
    mode: ImpactMode,
    /// How many links to follow
    #[arg(long, value_name = "N", default_value_t = 2)]
    max_distance: u32,
    /// Only documents of these roles
    #[arg(long, value_name = "ROLES", value_delimiter = ',', value_parser = words::<SpecRole>())]
    roles: Option<Vec<SpecRole>>,
    /// Follow `read_next` too, and not only `trace`
    #[arg(long)]
    include_doc_links: bool,
}

pub fn run(arguments: &ImpactArguments) -> Result<u8, Failure> {
    let request = ImpactRequest {
        changed_ids: arguments.ids.clone(),
        mode: arguments.mode,
        max_distance: arguments.max_distance,
        roles: arguments.roles.clone(),
        include_doc_links: arguments.include_doc_links,
    };
    let (text, unknown_ids) = arguments.tree.open()?.with(|library| {
        let impact = impact(library, &request);
        Ok((json(&impact), impact.unknown_ids))
    })?;
    unknown_ids.iter().for_each(|id| arguments.tree.warn(&format!("no document has the id `{id}`")));
    print(&text)?;
    let is_known = |id: &String| !unknown_ids.contains(id);
    Ok(if request.changed_ids.iter().any(is_known) { DONE } else { REFUSED })
}
