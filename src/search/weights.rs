//! Every number of the ranking, in one table. They are not tuned to one project.

use serde::Deserialize;

use super::terms::FileFlags;
use crate::record::request::SeedMode;

/// The table. `contextpack eval --weights FILE` evaluates other values: a TOML file with the fields that differ.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Weights {
    // BM25F over the fields of a chunk: how much an occurrence in a field counts, relative to one in the text.
    pub name_count: f64,
    pub signature_count: f64,
    pub doc_count: f64,
    pub path_count: f64,
    /// How soon further occurrences stop counting.
    pub saturation: f64,
    /// How much the length of a text reduces its score: 0 not at all, 1 in proportion.
    pub chunk_length: f64,
    pub file_length: f64,

    // The weight of a word of the query, by the zone that contains it.
    pub title: f64,
    pub body: f64,
    pub code: f64,
    pub trace: f64,
    pub heading: f64,
    /// The weight of two adjacent words as one name, relative to their weight as separate words.
    pub compound: f64,

    // Evidence of the query for a chunk; see [`Feature`].
    pub chunk_words: f64,
    pub file_words: f64,
    pub definition: f64,
    pub qualified: f64,
    pub path: f64,
    pub place: f64,
    pub quotation: f64,
    pub stem: f64,

    // Features of a file, as parts of its log odds; see [`FileFeature`].
    pub file_evidence: f64,
    pub file_rank: f64,
    pub file_further: f64,
    pub file_used_by: f64,
    pub file_uses: f64,
    pub test: f64,
    pub vendored: f64,
    pub generated: f64,
    pub prose: f64,
    pub data: f64,
    pub records: f64,
    pub example: f64,

    // Features of a chunk, as parts of its log odds; see [`ChunkFeature`].
    pub chunk_file: f64,
    pub chunk_order: f64,
    pub chunk_place: f64,
    pub chunk_evidence: f64,
    pub chunk_near: f64,
    pub chunk_callable: f64,
    pub chunk_size: f64,
    pub chunk_code: f64,

    // The order of a pack.
    /// The value of adding a file that is not in the pack yet, relative to adding a chunk that has to change.
    pub new_file: f64,
}

pub const WEIGHTS: Weights = Weights {
    name_count: 1.12,
    signature_count: 1.0,
    doc_count: 0.4,
    path_count: 2.20,
    saturation: 1.2,
    chunk_length: 0.25,
    file_length: 0.5,
    title: 2.48,
    body: 0.80,
    code: 0.43,
    trace: 0.2,
    heading: 0.2,
    compound: 0.3,
    chunk_words: 0.60,
    file_words: 0.40,
    definition: 0.25,
    qualified: 0.40,
    path: 1.00,
    place: 0.40,
    quotation: 0.50,
    stem: 0.15,
    file_evidence: 2.35,
    file_rank: -0.64,
    file_further: 2.84,
    file_used_by: 0.20,
    file_uses: 0.49,
    test: -3.41,
    vendored: -4.00,
    generated: -4.00,
    prose: -3.68,
    data: -2.15,
    records: -2.12,
    example: -1.59,
    chunk_file: 0.64,
    chunk_order: -0.93,
    chunk_place: 2.00,
    chunk_evidence: 1.96,
    chunk_near: 1.23,
    chunk_callable: 0.80,
    chunk_size: -0.39,
    chunk_code: 0.56,
    new_file: 0.8,
};

impl Default for Weights {
    fn default() -> Self {
        WEIGHTS
    }
}

/// A kind of evidence for a chunk, with a value from 0 to 1. The weighted sum of all values is the evidence of the
/// chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// The query's words occur in the chunk.
    Chunk,
    /// The query's words occur in the chunk's file.
    File,
    /// It defines a name that the query writes as code.
    Definition,
    /// The query contains `a.b`, and the chunk defines `b` inside `a`.
    Qualified,
    /// The query names its file.
    Path,
    /// A trace or a link in the query leads to its lines.
    Place,
    /// It contains a text that the query quotes.
    Quotation,
    /// The query mentions the name of its file.
    Stem,
}

impl Feature {
    pub const ALL: [Feature; 8] = [
        Feature::Chunk,
        Feature::File,
        Feature::Definition,
        Feature::Qualified,
        Feature::Path,
        Feature::Place,
        Feature::Quotation,
        Feature::Stem,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Feature::Chunk => "chunk words",
            Feature::File => "file words",
            Feature::Definition => "defines a named symbol",
            Feature::Qualified => "defines a qualified name",
            Feature::Path => "file is named",
            Feature::Place => "line is named",
            Feature::Quotation => "holds a quotation",
            Feature::Stem => "file is called so",
        }
    }
}

/// A feature of a file that has hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileFeature {
    /// The logarithm of the evidence of its best hit.
    Evidence,
    /// The logarithm of its rank among the files.
    Rank,
    /// The scores of its further hits for the query's words.
    Further,
    /// How strongly hits in other files use it.
    UsedBy,
    /// How strongly it uses hits in other files.
    Uses,
    Test,
    Vendored,
    Generated,
    Prose,
    Data,
    Records,
    Example,
}

impl FileFeature {
    pub const ALL: [FileFeature; 12] = [
        FileFeature::Evidence,
        FileFeature::Rank,
        FileFeature::Further,
        FileFeature::UsedBy,
        FileFeature::Uses,
        FileFeature::Test,
        FileFeature::Vendored,
        FileFeature::Generated,
        FileFeature::Prose,
        FileFeature::Data,
        FileFeature::Records,
        FileFeature::Example,
    ];
    pub const COUNT: usize = FileFeature::ALL.len();
    /// The features that are kinds of files.
    const KINDS: [(FileFeature, u8); 7] = [
        (FileFeature::Test, FileFlags::TEST),
        (FileFeature::Vendored, FileFlags::VENDORED),
        (FileFeature::Generated, FileFlags::GENERATED),
        (FileFeature::Prose, FileFlags::PROSE),
        (FileFeature::Data, FileFlags::DATA),
        (FileFeature::Records, FileFlags::RECORDS),
        (FileFeature::Example, FileFlags::EXAMPLE),
    ];

    /// The kinds of a file that reduce its score. Prose is not counted when the request asks for prose.
    pub fn kinds(flags: FileFlags, mode: SeedMode) -> impl Iterator<Item = FileFeature> {
        let is_wanted = move |flag: u8| flag == FileFlags::PROSE && mode == SeedMode::Prose;
        let kinds = FileFeature::KINDS.into_iter().filter(move |(_, flag)| flags.has(*flag) && !is_wanted(*flag));
        kinds.map(|(feature, _)| feature)
    }

    /// A description for a file with this value of the feature.
    pub fn name(self, value: f64) -> &'static str {
        match (self, value != 0.0) {
            (FileFeature::Evidence, _) => "evidence for its file",
            (FileFeature::Rank, _) => "its file's rank",
            (FileFeature::Further, _) => "further hits in its file",
            (FileFeature::UsedBy, _) => "other hits use its file",
            (FileFeature::Uses, _) => "its file uses other hits",
            (FileFeature::Test, true) => "is a test",
            (FileFeature::Test, false) => "is no test",
            (FileFeature::Vendored, true) => "is vendored",
            (FileFeature::Vendored, false) => "is not vendored",
            (FileFeature::Generated, true) => "is generated",
            (FileFeature::Generated, false) => "is not generated",
            (FileFeature::Prose, true) => "is prose",
            (FileFeature::Prose, false) => "is not prose",
            (FileFeature::Data, true) => "is data",
            (FileFeature::Data, false) => "is not data",
            (FileFeature::Records, true) => "records changes",
            (FileFeature::Records, false) => "records no changes",
            (FileFeature::Example, true) => "is an example",
            (FileFeature::Example, false) => "is no example",
        }
    }

    /// The name of its weight in the table.
    pub fn weight(self) -> &'static str {
        match self {
            FileFeature::Evidence => "file_evidence",
            FileFeature::Rank => "file_rank",
            FileFeature::Further => "file_further",
            FileFeature::UsedBy => "file_used_by",
            FileFeature::Uses => "file_uses",
            FileFeature::Test => "test",
            FileFeature::Vendored => "vendored",
            FileFeature::Generated => "generated",
            FileFeature::Prose => "prose",
            FileFeature::Data => "data",
            FileFeature::Records => "records",
            FileFeature::Example => "example",
        }
    }
}

/// A feature of a hit within its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChunkFeature {
    /// The logarithm of its file's odds.
    File,
    /// The logarithm of its rank among the hits of its file, by words.
    Order,
    /// A trace or a link in the query leads to its lines.
    Place,
    /// The logarithm of its evidence.
    Evidence,
    /// The strongest connection to another hit that uses it or is used by it.
    Near,
    /// It is a function, method or macro.
    Callable,
    /// The logarithm of its length in bytes.
    Length,
    /// The logarithm of its lines of code.
    Code,
}

impl ChunkFeature {
    pub const ALL: [ChunkFeature; 8] = [
        ChunkFeature::File,
        ChunkFeature::Order,
        ChunkFeature::Place,
        ChunkFeature::Evidence,
        ChunkFeature::Near,
        ChunkFeature::Callable,
        ChunkFeature::Length,
        ChunkFeature::Code,
    ];
    pub const COUNT: usize = ChunkFeature::ALL.len();

    /// A description for a hit with this value of the feature.
    pub fn name(self, value: f64) -> &'static str {
        match (self, value != 0.0) {
            (ChunkFeature::File, _) => "its file",
            (ChunkFeature::Order, _) => "place in its file",
            (ChunkFeature::Place, true) => "its lines are named",
            (ChunkFeature::Place, false) => "its lines are not named",
            (ChunkFeature::Evidence, _) => "evidence for it",
            (ChunkFeature::Near, true) => "another hit is next to it",
            (ChunkFeature::Near, false) => "no other hit is next to it",
            (ChunkFeature::Callable, true) => "has a body that runs",
            (ChunkFeature::Callable, false) => "has no body that runs",
            (ChunkFeature::Length, _) => "length",
            (ChunkFeature::Code, _) => "lines of code",
        }
    }

    /// The name of its weight in the table.
    pub fn weight(self) -> &'static str {
        match self {
            ChunkFeature::File => "chunk_file",
            ChunkFeature::Order => "chunk_order",
            ChunkFeature::Place => "chunk_place",
            ChunkFeature::Evidence => "chunk_evidence",
            ChunkFeature::Near => "chunk_near",
            ChunkFeature::Callable => "chunk_callable",
            ChunkFeature::Length => "chunk_size",
            ChunkFeature::Code => "chunk_code",
        }
    }
}

impl Weights {
    pub fn of(&self, feature: Feature) -> f64 {
        match feature {
            Feature::Chunk => self.chunk_words,
            Feature::File => self.file_words,
            Feature::Definition => self.definition,
            Feature::Qualified => self.qualified,
            Feature::Path => self.path,
            Feature::Place => self.place,
            Feature::Quotation => self.quotation,
            Feature::Stem => self.stem,
        }
    }

    pub fn of_file(&self, feature: FileFeature) -> f64 {
        match feature {
            FileFeature::Evidence => self.file_evidence,
            FileFeature::Rank => self.file_rank,
            FileFeature::Further => self.file_further,
            FileFeature::UsedBy => self.file_used_by,
            FileFeature::Uses => self.file_uses,
            FileFeature::Test => self.test,
            FileFeature::Vendored => self.vendored,
            FileFeature::Generated => self.generated,
            FileFeature::Prose => self.prose,
            FileFeature::Data => self.data,
            FileFeature::Records => self.records,
            FileFeature::Example => self.example,
        }
    }

    pub fn of_chunk(&self, feature: ChunkFeature) -> f64 {
        match feature {
            ChunkFeature::File => self.chunk_file,
            ChunkFeature::Order => self.chunk_order,
            ChunkFeature::Place => self.chunk_place,
            ChunkFeature::Evidence => self.chunk_evidence,
            ChunkFeature::Near => self.chunk_near,
            ChunkFeature::Callable => self.chunk_callable,
            ChunkFeature::Length => self.chunk_size,
            ChunkFeature::Code => self.chunk_code,
        }
    }
}
