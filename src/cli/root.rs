//! The tree and its index, as every command names them.

use std::path::{Path, PathBuf};

use clap::Args;

use super::progress::Bar;
use super::{Failure, say, waiting};
use crate::pipeline::service::{self, Freshness, Refresh, Root, Secrets, read_pipeline};
use crate::pipeline::{Access, DatesFrom, NoteRoot, PackSource, Pipeline, PipelineError, StoreError};
use crate::record::{Principal, Reader};

#[derive(Args)]
pub struct NoteArguments {
    /// What a directory holds: auto, code, vault (Obsidian), logseq, tana, nodes or workspace; may be given several
    /// times [default: what the tree itself shows]
    #[arg(long, value_name = "KIND[:PATH]")]
    pub source_kind: Vec<NoteRoot>,
    /// Take dates of notes that give none from the commits of the repository; by default such notes have no date
    #[arg(long, value_name = "git", value_parser = ["git"])]
    pub dates: Option<String>,
}

/// Who reads. An index in which something is not for everybody is read only by somebody.
#[derive(Args, Default)]
pub struct ReaderArguments {
    /// Read only what somebody may read: user:ID, team:ID, workspace:ID or public; several times for all that they are
    #[arg(long = "as", value_name = "PRINCIPAL", value_parser = principal)]
    pub principals: Vec<Principal>,
    /// Read everything, also what not everybody may read
    #[arg(long, conflicts_with = "principals")]
    pub operator: bool,
}

pub fn principal(text: &str) -> Result<Principal, String> {
    Principal::try_from(text.to_string()).map_err(|error| error.to_string())
}

impl ReaderArguments {
    pub fn reader(&self) -> Option<Reader> {
        match (self.operator, self.principals.is_empty()) {
            (true, _) => Some(Reader::Operator),
            (false, true) => None,
            (false, false) => Some(Reader::As(self.principals.iter().cloned().collect())),
        }
    }

    /// An operator is told on standard error that nothing is hidden, so that nobody takes the result for that of a user.
    pub fn announce(&self, command: &str) {
        if self.operator {
            say(&format!("{command}: --operator reads everything, also what not everybody may read"));
        }
    }

    /// What may be opened of an index that [`ReaderArguments::index`] names.
    pub fn access(&self) -> Access {
        match self.reader() {
            None => Access::Everyone,
            Some(Reader::As(_)) => Access::View,
            Some(Reader::Operator) => Access::Operator,
        }
    }

    /// The directory of an index, or that of the view which the reader gets instead.
    pub fn index(&self, folder: &Path) -> Result<PathBuf, Failure> {
        let root = Root::find(None, Some(folder))?;
        let seen = service::seen_by(root, self.reader().as_ref(), Freshness::AsIs);
        Ok(seen?.index().to_path_buf())
    }
}

#[derive(Args)]
pub struct RootArguments {
    /// The tree [default: the nearest directory upwards that has contextpack.toml or .git, else the current one]
    #[arg(long, aliases = ["source", "root"], value_name = "DIR")]
    pub repo: Option<PathBuf>,
    /// The directory that holds `chunk/` and `graph/` [default: that of contextpack.toml; else `index` in the tree if it
    /// holds an index; else one below the user's cache directory]
    #[arg(long, value_name = "DIR")]
    pub index: Option<PathBuf>,
    #[command(flatten)]
    pub reader: ReaderArguments,
    /// Print nothing but the result and errors
    #[arg(long, short)]
    pub quiet: bool,
}

impl NoteArguments {
    /// The same tree and index, read as these arguments say.
    pub fn on(&self, root: Root) -> Root {
        root.with_notes(&self.source_kind, self.dates.as_ref().map(|_| DatesFrom::Git))
    }

    /// Overrides what a pipeline says.
    pub fn apply(&self, pipeline: &mut Pipeline) {
        if !self.source_kind.is_empty() {
            pipeline.notes.roots.clone_from(&self.source_kind);
        }
        if self.dates.is_some() {
            pipeline.notes.dates = Some(DatesFrom::Git);
        }
    }
}

impl RootArguments {
    /// The tree and the index, or an index alone.
    pub fn find(&self, command: &str) -> Result<Root, Failure> {
        let root = Root::find(self.repo.as_deref(), self.index.as_deref());
        self.announce(command);
        named(command, root, self.quiet)
    }

    fn announce(&self, command: &str) {
        if !self.quiet {
            self.reader.announce(command);
        }
    }

    /// The tree and the index, for commands that need both.
    pub fn find_tree(&self, command: &str) -> Result<Root, Failure> {
        let root = Root::of_tree(self.repo.as_deref(), self.index.as_deref());
        self.announce(command);
        named(command, root, self.quiet)
    }

    /// The tree and the index as their reader sees them. The index is used as it is, unless somebody reads: their rights may
    /// have changed.
    pub fn find_for_reader(&self, command: &str) -> Result<Root, Failure> {
        self.seen(self.find(command)?, false)
    }

    /// The same, but first brought up to date where that is allowed.
    pub fn find_fresh_for_reader(&self, command: &str, no_refresh: bool) -> Result<Root, Failure> {
        self.seen(self.find(command)?, no_refresh)
    }

    /// A tree and its index as their reader sees them. What a view is made from is brought up to date without a word:
    /// it would tell how much there is.
    pub fn seen(&self, root: Root, no_refresh: bool) -> Result<Root, Failure> {
        let freshness = if no_refresh { Freshness::AsIs } else { Freshness::Refresh(&Refresh::QUIET) };
        Ok(service::seen_by(root, self.reader.reader().as_ref(), freshness)?)
    }

    /// The source of packs: the index, built or brought up to date where a tree is given.
    pub fn packs(
        &self,
        command: &'static str,
        root: &Root,
        jobs: usize,
        secrets: Secrets,
        no_refresh: bool,
    ) -> Result<PackSource, Failure> {
        let bar = Bar::new(self.quiet);
        let refresh = Refresh {
            jobs,
            secrets,
            waiting: &waiting(command, root.index(), self.quiet),
            watch: &|progress| bar.show(progress),
        };
        let freshness = if no_refresh { Freshness::Compare } else { Freshness::Refresh(&refresh) };
        let opened = service::open(root, freshness);
        bar.finish();
        opened?.packs().map_err(|error| Failure::from(error).with_code())
    }
}

/// Says which tree is used if it is not the one that a reader expects.
pub fn named(command: &str, root: Result<Root, PipelineError>, quiet: bool) -> Result<Root, Failure> {
    let root = root?;
    if let Some(above) = root.found_above().filter(|_| !quiet) {
        say(&format!("{command}: using the tree `{}`", above.display()));
    }
    Ok(root)
}

/// The pipeline that is named, or that of the tree, or the defaults for the tree.
pub fn pipeline(command: &str, file: Option<&Path>, quiet: bool) -> Result<Pipeline, Failure> {
    if let Some(file) = file {
        return Ok(read_pipeline(file)?);
    }
    named(command, Root::to_build(), quiet).map(Root::into_pipeline)
}

/// The index cannot be used; if there is none, with the command that builds it.
pub fn index_failure(root: &Root, error: StoreError) -> Failure {
    root.explain(error.into()).into()
}
