//! Reads indexes of other tools, and compares our analysis with them.

#![expect(clippy::disallowed_methods, reason = "the door to the SCIP files a user names")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::graph::{self, Claim, Input, Target};
use crate::language::Languages;
use crate::record::{Digest, Score};
use crate::scip::compare::{self, Comparison, Settings};
use crate::scip::{Location, ScipIndex};
use crate::store::{Index, StoreError};
use crate::text::RepoPath;

use super::graph_input::{InputLines, text};
use super::{Access, ChunkSettings, PipelineError};

/// The bytes of a SCIP index, not yet parsed.
pub struct ScipFile {
    path: PathBuf,
    bytes: Vec<u8>,
    digest: Digest,
}

impl ScipFile {
    pub fn read(path: &Path) -> Result<Self, PipelineError> {
        let unreadable = |error: std::io::Error| PipelineError::ScipUnreadable {
            path: path.to_path_buf(),
            reason: error.to_string(),
        };
        let bytes = std::fs::read(path).map_err(unreadable)?;
        Ok(ScipFile { path: path.to_path_buf(), digest: Digest::blake3(&bytes), bytes })
    }

    pub fn digest(&self) -> &Digest {
        &self.digest
    }

    /// Parses the index and converts its columns to UTF-16. Refuses an index of another tree.
    pub fn index(self, chunks: &Index, input: &Input) -> Result<ScipIndex, PipelineError> {
        let index =
            crate::scip::parse(&self.bytes).map_err(|fault| PipelineError::Scip { path: self.path.clone(), fault })?;
        let known = index.documents.iter().any(|document| input.file(document.path.as_str()).is_some());
        if !known {
            return Err(PipelineError::ScipOfOtherTree { path: self.path, documents: index.documents.len() });
        }
        if index.counts_utf16() {
            return Ok(index);
        }
        let texts = index.documents.iter().filter(|document| !document.encoding.counts_utf16());
        let texts = texts.map(|document| Ok((document.path.clone(), text(chunks, document.path.as_str())?)));
        let texts = texts.collect::<Result<BTreeMap<RepoPath, String>, StoreError>>()?;
        let lines: BTreeMap<&RepoPath, Vec<&str>> =
            texts.iter().map(|(path, text)| (path, text.lines().collect())).collect();
        Ok(index.in_utf16(|path, line| lines.get(path)?.get(line as usize).copied()))
    }
}

/// Compares the built-in analysis with a SCIP index of the same tree. Claims below the threshold do not count.
pub fn compare_scip(
    chunk_index: &Path,
    scip: &Path,
    threshold: Score,
    max_examples: usize,
    access: Access,
) -> Result<Comparison, PipelineError> {
    let index = Index::open(chunk_index)?;
    access.check(&index)?;
    let mut lines = InputLines::open(&index)?;
    let input = lines.input(&index)?;
    let scip_index = ScipFile::read(scip)?.index(&index, &input)?;
    let languages = Languages::with_rules(&ChunkSettings::of(&index)?.languages)?;
    let claims: Vec<compare::Claim> =
        graph::claims(&input, &languages).iter().map(|claim| to_comparable(&input, claim)).collect();
    let definitions = input.symbols.iter().filter_map(|symbol| {
        let file = input.file(&symbol.file_rel_path)?;
        Some(Location::of_site(&input.files[file].file_rel_path, &symbol.site))
    });
    Ok(compare::compare(&scip_index, &claims, definitions, &Settings { threshold, max_examples }))
}

fn to_comparable(input: &Input, claim: &Claim) -> compare::Claim {
    let places = |target: &Target| match target {
        Target::Symbol(symbol) => {
            let row = &input.symbols[*symbol as usize];
            let file = input.file(&row.file_rel_path).expect("a symbol's file is listed");
            Some(vec![Location::of_site(&input.files[file].file_rel_path, &row.site)])
        }
        Target::File(file) => Some(vec![Location::of_file(&input.files[*file as usize].file_rel_path)]),
        Target::Package(_) | Target::Outside { .. } => None,
    };
    let targets = claim.targets.iter().filter_map(|(target, confidence)| {
        Some(compare::ClaimedTarget { places: places(target)?, confidence: *confidence })
    });
    let targets: Vec<compare::ClaimedTarget> = targets.collect();
    let cause = match (claim.targets.len(), targets.len(), claim.candidates) {
        (0, _, 0) => "no candidate".to_string(),
        (0, _, count) => format!("{count} candidates"),
        (_, 0, _) => "held to be outside".to_string(),
        _ => String::new(),
    };
    compare::Claim {
        place: Location::of_site(&input.files[claim.file as usize].file_rel_path, &claim.site),
        name: claim.name.clone(),
        role: claim.role,
        targets,
        cause,
    }
}
