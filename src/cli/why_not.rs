//! `contextpack why-not`.

use std::path::Path;

use clap::Args;

use super::pack::stored_pack;
use super::{DONE, Failure, RootArguments, index_failure, print, print_json};
use crate::door::pack::{Cap, Exclusion, Verdict, WhyNot};
use crate::pipeline::PackSource;
use crate::pipeline::service::{Opened, Root};
use crate::record::pack::{ContextPack, DropReason, TreeState};
use crate::record::{ErrorCode, Lines};
use crate::text::counted;

/// Explain why something is not in a pack
///
/// Makes the pack again and reports which step dropped it, how far its score was behind, and the token budget at which
/// it would be shown. It answers for each definition that has exactly that name, and says so if there is none.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack why-not pack.json src/main.rs\n  \
    contextpack why-not pack.json src/main.rs:120\n  \
    contextpack why-not pack:0123456789abcdef0123456789abcdef Order.cost --index index\n\n\
    Exit code: 0 done, 2 could not run.")]
pub struct WhyNotArguments {
    /// A pack as a JSON file, or the id of a stored pack
    #[arg(value_name = "PACK")]
    pack: String,
    /// A name (`Order.cost`), a path, PATH:LINE, PATH::NAME, or an id
    #[arg(value_name = "WHAT")]
    wanted: String,
    #[command(flatten)]
    root: RootArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &WhyNotArguments) -> Result<u8, Failure> {
    let root = arguments.root.find_for_reader("why-not")?;
    let pack = stored_pack(&arguments.pack, &root)?;
    let source = source_of(&root, &pack)?;
    let answer = source.why_not(&pack.request, &root.read_path(&arguments.wanted))?;
    match arguments.json {
        true => print_json(&answer)?,
        false => print(&all_said(&arguments.wanted, &answer))?,
    }
    Ok(DONE)
}

/// The index that a pack was made of, among those of its tree.
fn source_of(root: &Root, pack: &ContextPack) -> Result<PackSource, Failure> {
    let mut fault = None;
    for index in root.indexes() {
        match (Opened { index: index.clone(), tree: TreeState::Unchecked, access: root.access() }).packs() {
            Ok(source) if source.signature() == pack.index_signature => return Ok(source),
            Ok(source) => fault = Some(other_index(pack, &index, &source)),
            Err(error) if fault.is_none() => fault = Some(index_failure(root, error)),
            Err(_) => {}
        }
    }
    Err(fault.expect("there is a folder to look at"))
}

fn other_index(pack: &ContextPack, folder: &Path, source: &PackSource) -> Failure {
    let (wanted, found, folder) = (&pack.index_signature, source.signature(), folder.display());
    let cause = format!("the pack was made from the index {wanted} and `{folder}` is {found}");
    let hint = "the tree has changed since; make the pack again, or name its index by --index";
    Failure::coded(ErrorCode::ContractVersion, format!("{cause}\n  hint: {hint}"))
}

/// One line for each thing that has the name.
fn all_said(wanted: &str, answer: &WhyNot) -> String {
    let mut text = said(wanted, answer);
    text.extend(answer.also.iter().map(|other| said(wanted, other)));
    if answer.also_omitted > 0 {
        text += &format!("… and {} more with that name; PATH::NAME names one of them\n", answer.also_omitted);
    }
    text
}

/// What was asked about: the definition that was found, not the words that were typed.
fn subject(wanted: &str, answer: &WhyNot) -> String {
    let lines = answer.lines.filter(|_| answer.name.is_some()).map(|lines| format!(":{}", line_range(lines)));
    let path = answer.file_rel_path.as_deref().filter(|path| *path != wanted);
    let place = path.map(|path| format!(" ({path}{})", lines.unwrap_or_default()));
    let name = match (&answer.kind, &answer.name) {
        (Some(kind), Some(name)) => format!("{} {name}", word(kind)),
        _ => wanted.to_string(),
    };
    name + &place.unwrap_or_default()
}

fn line_range(Lines { start, end }: Lines) -> String {
    if start == end { start.to_string() } else { format!("{start}-{end}") }
}

fn said(wanted: &str, answer: &WhyNot) -> String {
    let verdict = match &answer.verdict {
        Verdict::Unknown { near } if near.is_empty() => "the index has nothing of that name".to_string(),
        Verdict::Unknown { near } => {
            let near: String = near.iter().map(|name| format!("\n    {name}")).collect();
            format!("the index has nothing of that name\n  hint: similar names are{near}")
        }
        Verdict::Partial { section, rank, shown, of } if shown.is_empty() => {
            let (section, of) = (word(section), line_range(*of));
            format!("what is around it is in the pack in section {section}, rank {rank}, but not its lines {of}")
        }
        Verdict::Partial { section, rank, shown, of } => {
            let shown = shown.iter().map(|lines| line_range(*lines)).collect::<Vec<_>>().join(", ");
            let (section, of) = (word(section), line_range(*of));
            format!("in part in the pack: lines {shown} of {of}, in section {section}, rank {rank}")
        }
        Verdict::Folder { files, first } => {
            let files = counted(*files as usize, "file");
            format!("it is a directory with {files} that packs can show; name one, such as {first}")
        }
        Verdict::NoText { code: Some(code), why } => format!("it was skipped when the tree was read ({code}): {why}"),
        Verdict::NoText { code: None, why } => why.clone(),
        Verdict::LeftOut { by: Exclusion::Filter } => "the filters of the request leave it out".to_string(),
        Verdict::LeftOut { by: Exclusion::NotIn } => "an earlier pack showed it (--not-in)".to_string(),
        Verdict::LeftOut { by: Exclusion::IncludeFocus } => {
            "it is the focus, and only what is around it is shown".to_string()
        }
        Verdict::NotReached => "not matched by the query and not reachable in the graph".to_string(),
        Verdict::Shown { section, rank } => {
            format!("it is in the pack, in section {}, rank {rank}", word(section))
        }
        Verdict::Dropped { reason, cap, section, rank, score, score_gap, enters_at_tokens, cap_beyond_tokens } => {
            let reached = |cap: &Option<Cap>| cap.as_ref().map(|Cap { cap, limit }| format!("{cap} of {limit}"));
            let why = match reason {
                DropReason::Budget => {
                    format!("{} was reached before it", reached(cap).unwrap_or_else(|| "the budget".to_string()))
                }
                DropReason::SectionFull => format!("section {} was full", word(section)),
                DropReason::BelowFloor => "the evidence ended before it: it has too little of the query".to_string(),
                DropReason::NoEvidence => "its path lacks the evidence that was required".to_string(),
            };
            let enters = match enters_at_tokens {
                Some(tokens) => format!("it enters at {tokens} tokens"),
                None => match reached(cap_beyond_tokens) {
                    Some(cap) => format!("no token budget would show it, for {cap} comes first"),
                    None => "no token budget would show it".to_string(),
                },
            };
            format!("{why}: candidate {rank} with score {score}, {score_gap} behind the last that is shown; {enters}")
        }
    };
    format!("{}: {verdict}\n", subject(wanted, answer))
}

fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|word| word.as_str().map(str::to_string)).unwrap_or_default()
}
