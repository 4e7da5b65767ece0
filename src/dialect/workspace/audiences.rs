//! Who may read which block: what all files of a workspace say about it together. It has to be known before a file is
//! chunked, so that each record carries its own audience and can be judged alone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Block, Grant, WorkspaceFile};
use crate::dialect::export::Trouble;
use crate::record::{Audience, BlockType, Digest, Principal, ProblemCode};
use crate::text::{RepoPath, Span};

/// The files of a workspace, and who may read each of their blocks.
#[derive(Debug, Default)]
pub struct Workspace {
    /// In the order of their paths.
    files: Vec<(RepoPath, Arc<WorkspaceFile>)>,
    /// The number of each file's first block.
    starts: Vec<usize>,
    audiences: Vec<Audience>,
    /// Of what has no block: other files.
    root: Audience,
    by_id: FxHashMap<String, Vec<usize>>,
    /// The blocks that list an id as a child.
    listing: FxHashMap<String, Vec<usize>>,
    /// The ids whose blocks lines of their own share wider.
    replaced: BTreeSet<String>,
    troubles: BTreeMap<RepoPath, Vec<Trouble>>,
    /// What decides besides a file's own text how it is read.
    facts: String,
}

impl Workspace {
    /// `files` are in the order of their paths. `default_read` is for roots that nobody gives a grant.
    pub fn new(files: Vec<(RepoPath, Arc<WorkspaceFile>)>, default_read: &[String]) -> Self {
        let mut workspace = Workspace { starts: starts(&files), files, ..Workspace::default() };
        for at in 0..workspace.count() {
            let (id, children) = (workspace.block(at).id.clone(), workspace.block(at).children.clone());
            workspace.by_id.entry(id).or_default().push(at);
            children.into_iter().for_each(|child| workspace.listing.entry(child).or_default().push(at));
        }
        let replaced = workspace.files.iter().flat_map(|(_, file)| &file.grants).filter(|given| given.grant.replaces);
        workspace.replaced = replaced.map(|given| given.block.clone()).collect();
        workspace.root = workspace.root_audience(default_read);
        workspace.audiences = Inheritance::new(&workspace).audiences();
        workspace.find_troubles();
        workspace
    }

    /// With what decides besides a file's own text how it is read.
    pub fn with_facts(self, facts: String) -> Self {
        Workspace { facts, ..self }
    }

    pub fn file(&self, path: &RepoPath) -> Option<&Arc<WorkspaceFile>> {
        Some(&self.files[self.file_number(path)?].1)
    }

    /// Who may read the blocks of a file, in their order.
    pub fn audiences_of(&self, path: &RepoPath) -> &[Audience] {
        let number = self.file_number(path);
        number.map_or(&[], |number| &self.audiences[self.starts[number]..self.starts[number + 1]])
    }

    /// Who may read what is in no block.
    pub fn root(&self) -> &Audience {
        &self.root
    }

    /// Whether there is something that not everybody may read.
    pub fn is_restricted(&self) -> bool {
        !self.root.is_everyone() || self.audiences.iter().any(|audience| !audience.is_everyone())
    }

    /// Whether there are blocks, and nobody may read any of them.
    pub fn is_closed(&self) -> bool {
        !self.audiences.is_empty() && self.audiences.iter().all(|audience| *audience == Audience::nobody())
    }

    /// What is wrong with a file because of what other files say.
    pub fn troubles_of(&self, path: &RepoPath) -> &[Trouble] {
        self.troubles.get(path).map_or(&[], Vec::as_slice)
    }

    /// The databases that a row of a file may belong to: those of the file first.
    pub fn databases_of(&self, path: &RepoPath, row: &Block) -> Vec<(&Block, &Audience)> {
        let file = self.file_number(path);
        let id = row.database.as_deref().or(row.parent.as_deref());
        let listers = || self.listing.get(&row.id).map_or(&[][..], Vec::as_slice);
        let mut all: Vec<usize> = id.map_or_else(listers, |id| self.with_id(id)).to_vec();
        all.retain(|at| self.block(*at).block_type == BlockType::Database);
        all.sort_by_key(|at| Some(self.file_of(*at)) != file);
        all.into_iter().take(MAX_SAME).map(|at| (self.block(at), &self.audiences[at])).collect()
    }

    /// Whether a line of its own replaces what is granted around the blocks of an id.
    pub fn is_replaced(&self, id: &str) -> bool {
        self.replaced.contains(id)
    }

    /// Who may read every block with an id; nobody if there is none.
    pub fn audience_of_id(&self, id: &str) -> Audience {
        let all = self.with_id(id).iter().map(|at| &self.audiences[*at]);
        all.cloned().reduce(|a, b| a.and(&b)).unwrap_or_else(Audience::nobody)
    }

    /// Of everything outside a file that decides what its records are.
    pub fn digest(&self) -> Digest {
        let mut text = format!("{:?}\n{}\n", self.root, self.facts);
        for ((path, file), start) in self.files.iter().zip(&self.starts) {
            let audiences = &self.audiences[*start..*start + file.blocks.len()];
            let databases = file.blocks.iter().filter(|block| block.block_type == BlockType::Database);
            let databases = databases.map(|block| (&block.id, &block.title, &block.properties));
            text += &format!("{path} {audiences:?} {:?}\n", databases.collect::<Vec<_>>());
        }
        Digest::sha256(text.as_bytes())
    }

    fn count(&self) -> usize {
        self.starts.last().copied().unwrap_or_default()
    }

    fn block(&self, at: usize) -> &Block {
        let file = self.file_of(at);
        &self.files[file].1.blocks[at - self.starts[file]]
    }

    fn file_of(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at) - 1
    }

    fn file_number(&self, path: &RepoPath) -> Option<usize> {
        self.files.binary_search_by(|(other, _)| other.cmp(path)).ok()
    }

    fn with_id(&self, id: &str) -> &[usize] {
        self.by_id.get(id).map_or(&[], Vec::as_slice)
    }

    /// The blocks that an id means in a file: those of the file, or else all of that id.
    fn meant(&self, id: &str, file: usize) -> Vec<usize> {
        let all = self.with_id(id);
        let own: Vec<usize> = all.iter().copied().filter(|at| self.file_of(*at) == file).collect();
        if own.is_empty() { all.to_vec() } else { own }
    }

    fn root_audience(&self, default_read: &[String]) -> Audience {
        let mut clauses: Vec<Vec<Principal>> =
            self.files.iter().flat_map(|(_, file)| &file.default_grants).map(clause).collect();
        if clauses.is_empty() {
            clauses.push(clause(&Grant { read: default_read.to_vec(), replaces: false }));
        }
        Audience::new(clauses)
    }

    fn find_troubles(&mut self) {
        let mut found: Vec<(usize, Trouble)> = self.unknown_grants();
        for at in 0..self.count() {
            found.extend(self.trouble_of(at).into_iter().map(|trouble| (self.file_of(at), trouble)));
        }
        for (file, trouble) in found {
            self.troubles.entry(self.files[file].0.clone()).or_default().push(trouble);
        }
    }

    fn unknown_grants(&self) -> Vec<(usize, Trouble)> {
        let lines = self
            .files
            .iter()
            .enumerate()
            .flat_map(|(at, (_, file))| file.grants.iter().map(move |grant| (at, grant)).collect::<Vec<_>>());
        let unknown = lines.filter(|(_, grant)| self.with_id(&grant.block).is_empty());
        let trouble = |span| trouble(ProblemCode::Permission, span, "it grants a block that is not there".to_string());
        unknown.map(|(at, grant)| (at, trouble(grant.span))).collect()
    }

    fn trouble_of(&self, at: usize) -> Vec<Trouble> {
        let (block, mut troubles) = (self.block(at), Vec::new());
        let first = self.with_id(&block.id)[0];
        if first != at {
            let path = &self.files[self.file_of(first)].0;
            let message = format!("another block has its id `{}`: in {path}", block.id);
            troubles.push(trouble(ProblemCode::ItemDuplicate, block.span, message));
        }
        if block.grants.iter().any(|grant| grant.replaces) && !block.block_type.may_be_shared_wider() {
            let message = format!("a {} cannot replace what is granted around it", block.block_type.word());
            troubles.push(trouble(ProblemCode::Permission, block.span, message));
        }
        troubles
    }
}

fn starts(files: &[(RepoPath, Arc<WorkspaceFile>)]) -> Vec<usize> {
    let mut starts = vec![0];
    starts.extend(files.iter().scan(0, |end, (_, file)| {
        *end += file.blocks.len();
        Some(*end)
    }));
    starts
}

fn trouble(code: ProblemCode, span: Span, message: String) -> Trouble {
    Trouble { code, span: Some(span), message }
}

/// What is no principal admits nobody.
fn clause(grant: &Grant) -> Vec<Principal> {
    grant.read.iter().filter_map(|text| Principal::try_from(text.clone()).ok()).collect()
}

/// What so many blocks claim to hold is for nobody.
const MAX_SAME: usize = 64;

/// Follows parents from the roots down.
struct Inheritance<'w> {
    workspace: &'w Workspace,
    /// By block: those that it inherits from, and those that inherit from it.
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
    /// Blocks that nobody may read, because a parent of them is not there or they are their own ancestors.
    is_lost: Vec<bool>,
    /// What is granted by lines of their own.
    given: Vec<Vec<&'w Grant>>,
}

impl<'w> Inheritance<'w> {
    fn new(workspace: &'w Workspace) -> Self {
        let count = workspace.count();
        let mut inheritance = Inheritance {
            workspace,
            above: vec![Vec::new(); count],
            below: vec![Vec::new(); count],
            is_lost: vec![false; count],
            given: vec![Vec::new(); count],
        };
        (0..count).for_each(|at| inheritance.link(at));
        for given in workspace.files.iter().flat_map(|(_, file)| &file.grants) {
            workspace.with_id(&given.block).iter().for_each(|at| inheritance.given[*at].push(&given.grant));
        }
        inheritance.above.iter_mut().for_each(|above| {
            above.sort_unstable();
            above.dedup();
        });
        for at in 0..count {
            inheritance.above[at].iter().for_each(|parent| inheritance.below[*parent].push(at));
        }
        inheritance.lose_cycles();
        inheritance
    }

    /// A block inherits from the parent that it names and from those that list it.
    fn link(&mut self, at: usize) {
        let (block, file) = (self.workspace.block(at), self.workspace.file_of(at));
        for child in block.children.iter().flat_map(|child| self.workspace.meant(child, file)) {
            self.above[child].push(at);
            self.is_lost[child] |= self.above[child].len() > MAX_SAME;
            self.above[child].truncate(MAX_SAME + 1);
        }
        let Some(parent) = &block.parent else { return };
        let parents = self.workspace.meant(parent, file);
        let too_many = parents.len() > MAX_SAME;
        let is_root = || self.workspace.files[file].1.roots.contains(&block.id);
        self.is_lost[at] |= too_many || parents.is_empty() && !is_root();
        self.above[at].extend(parents.into_iter().take(MAX_SAME));
    }

    /// Takes away blocks from both ends until only cycles, and what is between them, are left.
    fn lose_cycles(&mut self) {
        let mut is_left = vec![true; self.above.len()];
        for (from, to) in [(&self.above, &self.below), (&self.below, &self.above)] {
            let mut counts: Vec<usize> =
                from.iter().map(|ends| ends.iter().filter(|end| is_left[**end]).count()).collect();
            let mut free: Vec<usize> = (0..counts.len()).filter(|at| is_left[*at] && counts[*at] == 0).collect();
            while let Some(at) = free.pop() {
                is_left[at] = false;
                for end in to[at].iter().copied().filter(|end| is_left[*end]) {
                    counts[end] -= 1;
                    if counts[end] == 0 {
                        free.push(end);
                    }
                }
            }
        }
        self.is_lost.iter_mut().zip(is_left).for_each(|(is_lost, is_left)| *is_lost |= is_left);
    }

    fn audiences(&self) -> Vec<Audience> {
        let is_decided = |at: usize| self.is_lost[at];
        let waits = |at: usize| self.above[at].iter().filter(|parent| !is_decided(**parent)).count();
        let mut counts: Vec<usize> = (0..self.above.len()).map(waits).collect();
        let mut audiences = vec![Audience::nobody(); counts.len()];
        let mut free: Vec<usize> = (0..counts.len()).filter(|at| !is_decided(*at) && counts[*at] == 0).collect();
        while let Some(at) = free.pop() {
            audiences[at] = self.audience(at, &audiences);
            for child in self.below[at].iter().copied().filter(|child| !is_decided(*child)) {
                counts[child] -= 1;
                if counts[child] == 0 {
                    free.push(child);
                }
            }
        }
        audiences
    }

    fn audience(&self, at: usize, audiences: &[Audience]) -> Audience {
        let block = self.workspace.block(at);
        let grants: Vec<&Grant> = block.grants.iter().chain(self.given[at].iter().copied()).collect();
        let own = Audience::new(grants.iter().map(|grant| clause(grant)).collect());
        let replaces = block.block_type.may_be_shared_wider() && grants.iter().any(|grant| grant.replaces);
        match (self.above[at].as_slice(), grants.is_empty()) {
            (_, false) if replaces => own,
            ([], true) => self.workspace.root.clone(),
            (above, _) => above.iter().fold(own, |own, parent| own.and(&audiences[*parent])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::SourceKind;

    /// Blocks as `id type parent grants`, where grants are `narrow=a|b` or `replace=a`; `-` for nothing.
    fn file(lines: &[&str]) -> Arc<WorkspaceFile> {
        let mut file = WorkspaceFile::new(SourceKind::Blocks);
        for line in lines {
            let words: Vec<&str> = line.split(' ').collect();
            let mut block = Block::new(words[0].into(), BlockType::named(words[1]).unwrap(), Span::new(0, 0));
            block.parent = Some(words[2].to_string()).filter(|parent| parent != "-");
            block.grants = words[3..].iter().map(|grant| grant_of(grant)).collect();
            file.blocks.push(block);
        }
        Arc::new(file)
    }

    fn grant_of(word: &str) -> Grant {
        let (mode, names) = word.split_once('=').unwrap();
        let read = names.split('|').filter(|name| !name.is_empty()).map(str::to_string).collect();
        Grant { read, replaces: mode == "replace" }
    }

    fn workspace(lines: &[&str], default_read: &[&str]) -> Workspace {
        let path = RepoPath::try_from("a.jsonl".to_string()).unwrap();
        let default_read: Vec<String> = default_read.iter().map(|one| one.to_string()).collect();
        Workspace::new(vec![(path, file(lines))], &default_read)
    }

    fn audiences(lines: &[&str], default_read: &[&str]) -> Vec<String> {
        let workspace = workspace(lines, default_read);
        workspace.audiences.iter().map(|audience| serde_json::to_string(audience).unwrap()).collect()
    }

    #[test]
    fn grants_narrow_from_the_root_down() {
        let lines = ["r page - ", "p page r narrow=team:a|user:1", "t text p", "u text r narrow=public"];
        let lines = lines.map(str::trim_end);
        let team = r#"[["team:a","user:1"],["workspace:w"]]"#;
        assert_eq!(audiences(&lines, &["workspace:w"]), [r#"[["workspace:w"]]"#, team, team, r#"[["workspace:w"]]"#]);
    }

    #[test]
    fn nothing_is_granted_by_default() {
        assert_eq!(audiences(&["r page -", "p page r narrow=user:1"], &[]), ["[[]]", "[[]]"]);
        assert_eq!(audiences(&["r page - narrow="], &["public"]), ["[[]]"], "an empty grant is for nobody");
        assert_eq!(
            audiences(&["r page - narrow=group:1"], &["public"]),
            ["[[]]"],
            "what is no principal admits nobody"
        );
        assert!(workspace(&["r page -"], &[]).is_closed());
    }

    #[test]
    fn a_page_may_replace_what_is_around_it_and_a_text_may_not() {
        let lines = ["r page - narrow=user:1", "p page r replace=public", "t text p", "u text r replace=public"];
        assert_eq!(audiences(&lines, &[]), [r#"[["user:1"]]"#, "[]", "[]", r#"[["user:1"]]"#]);
        let workspace = workspace(&lines, &[]);
        let troubles: Vec<_> = workspace.troubles.values().flatten().map(|trouble| trouble.code).collect();
        assert_eq!(troubles, [ProblemCode::Permission]);
    }

    #[test]
    fn nobody_reads_a_cycle_or_what_has_lost_its_parent() {
        let lines = ["a page b", "b page a", "c page b", "d page c replace=user:1", "e page gone", "f text e"];
        assert_eq!(audiences(&lines, &["public"]), ["[[]]", "[[]]", "[[]]", r#"[["user:1"]]"#, "[[]]", "[[]]"]);
    }

    #[test]
    fn both_chains_count() {
        let path = |name: &str| RepoPath::try_from(name.to_string()).unwrap();
        let mut listing =
            WorkspaceFile::clone(&file(&["p page - narrow=user:1", "q page - narrow=user:2", "t text p"]));
        listing.blocks[1].children = vec!["t".into()];
        let workspace = Workspace::new(vec![(path("a.jsonl"), Arc::new(listing))], &[]);
        assert_eq!(serde_json::to_string(&workspace.audiences[2]).unwrap(), r#"[["user:1"],["user:2"]]"#);
    }

    #[test]
    fn an_id_means_the_block_of_its_own_file_or_else_all() {
        let path = |name: &str| RepoPath::try_from(name.to_string()).unwrap();
        let files = vec![
            (path("a.jsonl"), file(&["p page - narrow=user:1", "t text p"])),
            (path("b.jsonl"), file(&["p page - narrow=user:2"])),
            (path("c.jsonl"), file(&["u text p"])),
        ];
        let workspace = Workspace::new(files, &[]);
        assert_eq!(
            serde_json::to_string(workspace.audiences_of(&path("a.jsonl"))).unwrap(),
            r#"[[["user:1"]],[["user:1"]]]"#
        );
        assert_eq!(
            serde_json::to_string(workspace.audiences_of(&path("c.jsonl"))).unwrap(),
            r#"[[["user:1"],["user:2"]]]"#
        );
        assert_eq!(workspace.troubles_of(&path("b.jsonl")).len(), 1);
    }

    #[test]
    fn long_chains_take_no_stack() {
        let mut blocks = WorkspaceFile::new(SourceKind::Blocks);
        for at in 0..100_000 {
            let mut block = Block::new(at.to_string(), BlockType::Page, Span::new(0, 0));
            block.parent = (at > 0).then(|| (at - 1).to_string());
            blocks.blocks.push(block);
        }
        let path = RepoPath::try_from("a.jsonl".to_string()).unwrap();
        let workspace = Workspace::new(vec![(path, Arc::new(blocks))], &["user:1".to_string()]);
        assert_eq!(serde_json::to_string(&workspace.audiences[99_999]).unwrap(), r#"[["user:1"]]"#);
    }
}
