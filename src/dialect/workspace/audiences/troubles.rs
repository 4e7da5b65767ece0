//! What is wrong with a file because of what other files, or other blocks, say. Messages name ids and rules, never what a
//! block says.

use std::collections::BTreeMap;

use super::Workspace;
use crate::dialect::export::Trouble;
use crate::dialect::workspace::GivenGrant;
use crate::record::ProblemCode;
use crate::text::{RepoPath, Span};

/// By file. `lost` are the blocks that nobody may read because of what is around them.
pub(super) fn find(workspace: &Workspace, lost: &[usize]) -> BTreeMap<RepoPath, Vec<Trouble>> {
    let mut found: BTreeMap<RepoPath, Vec<Trouble>> = BTreeMap::new();
    for (path, file) in &workspace.files {
        let troubles: Vec<Trouble> = file.grants.iter().filter_map(|given| of_grant(workspace, given)).collect();
        found.entry(path.clone()).or_default().extend(troubles);
    }
    for at in 0..workspace.count() {
        let all = [of_id(workspace, at), of_mode(workspace, at), of_parent(workspace, at, lost)];
        let path = &workspace.files[workspace.file_of(at)].0;
        found.entry(path.clone()).or_default().extend(all.into_iter().flatten());
    }
    found.retain(|_, troubles| !troubles.is_empty());
    found
}

fn of_grant(workspace: &Workspace, given: &GivenGrant) -> Option<Trouble> {
    let blocks = workspace.with_id(&given.block);
    let is_wide = || blocks.iter().all(|at| workspace.block(*at).block_type.may_be_shared_wider());
    let message = match blocks {
        [] => "it grants a block that is not there",
        _ if given.grant.replaces && !is_wide() => "its block cannot replace what is granted around it; it narrows",
        _ => return None,
    };
    Some(trouble(ProblemCode::Permission, given.span, message.to_string()))
}

fn of_id(workspace: &Workspace, at: usize) -> Option<Trouble> {
    let block = workspace.block(at);
    let first = workspace.with_id(&block.id)[0];
    let path = &workspace.files[workspace.file_of(first)].0;
    let message = format!("another block has its id `{}`: in {path}", block.id);
    (first != at).then(|| trouble(ProblemCode::ItemDuplicate, block.span, message))
}

fn of_mode(workspace: &Workspace, at: usize) -> Option<Trouble> {
    let block = workspace.block(at);
    let replaces = block.grants.iter().any(|grant| grant.replaces);
    let message = format!("a {} cannot replace what is granted around it", block.block_type.word());
    let is_wrong = replaces && !block.block_type.may_be_shared_wider();
    is_wrong.then(|| trouble(ProblemCode::Permission, block.span, message))
}

fn of_parent(workspace: &Workspace, at: usize, lost: &[usize]) -> Option<Trouble> {
    let (block, file) = (workspace.block(at), workspace.file_of(at));
    let (id, parent) = (&block.id, block.parent.as_deref().unwrap_or_default());
    let lister = || workspace.listing.get(id)?.iter().map(|at| workspace.block(*at)).find(|it| it.id != parent);
    let message = if lost.binary_search(&at).is_err() {
        let lister = lister().filter(|_| block.parent.is_some())?;
        format!("block `{id}`: its parent is `{parent}`, and `{}` lists it; who reads it may read both", lister.id)
    } else if block.parent.is_some() && workspace.meant(parent, file).is_empty() {
        format!("block `{id}`: its parent `{parent}` is not there; nobody may read it")
    } else {
        format!("block `{id}`: it is in a loop of blocks, or has too many parents; nobody may read it")
    };
    Some(trouble(ProblemCode::ItemParent, block.span, message))
}

fn trouble(code: ProblemCode, span: Span, message: String) -> Trouble {
    Trouble { code, span: Some(span), message }
}
