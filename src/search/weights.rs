//! Every number of the ranking, in one table. They are not tuned to a project: each says what a reader of
//! an issue would say too.

use serde::Deserialize;

/// The table. `contextpack eval --weights FILE` measures another one, as TOML with the fields that differ.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Weights {
    // BM25F over the fields of a chunk: how many times an occurrence in the text one in a field counts.
    pub name_count: f64,
    pub signature_count: f64,
    pub doc_count: f64,
    pub path_count: f64,
    /// How soon more of the same stops to count.
    pub saturation: f64,
    /// How much the length of a text takes away: 0 nothing, 1 all of it.
    pub chunk_length: f64,
    pub file_length: f64,

    // What a word of the query weighs by where it stands.
    pub title: f64,
    pub body: f64,
    pub code: f64,
    pub trace: f64,
    pub heading: f64,

    // What speaks for a chunk; see [`Feature`].
    pub chunk_words: f64,
    pub file_words: f64,
    pub definition: f64,
    pub qualified: f64,
    pub path: f64,
    pub place: f64,
    pub quotation: f64,
    pub neighbour: f64,
    pub stem: f64,
    pub name: f64,

    // What is left of a chunk's score when its file is one of these and the query does not ask for it.
    pub test: f64,
    pub vendored: f64,
    pub generated: f64,
    pub prose: f64,
    pub data: f64,
    pub records: f64,
    pub example: f64,
    /// Code that defines nothing: imports, calls at the top of a file.
    pub loose: f64,
    /// A skeleton repeats the names of its members, which are chunks of their own.
    pub skeleton: f64,
    /// How much of its score a long chunk pays for the room it takes: the power of its length.
    pub length_price: f64,
    /// What all chunks of a file but its best lose, so that the best of other files come first.
    pub again: f64,
    /// What each further chunk of a file loses beside that.
    pub repeated: f64,
}

pub const WEIGHTS: Weights = Weights {
    name_count: 1.5,
    signature_count: 1.0,
    doc_count: 0.4,
    path_count: 1.1,
    saturation: 1.2,
    chunk_length: 0.25,
    file_length: 0.5,
    title: 3.3,
    body: 0.4,
    code: 0.65,
    trace: 0.2,
    heading: 0.2,
    chunk_words: 0.60,
    file_words: 0.40,
    definition: 0.25,
    qualified: 0.20,
    path: 1.00,
    place: 0.40,
    quotation: 0.25,
    neighbour: 0.14,
    stem: 0.15,
    name: 0.03,
    test: 0.3,
    vendored: 0.3,
    generated: 0.3,
    prose: 0.2,
    data: 0.25,
    records: 0.1,
    example: 0.5,
    loose: 0.75,
    skeleton: 0.6,
    length_price: 0.05,
    again: 0.1,
    repeated: 0.03,
};

impl Default for Weights {
    fn default() -> Self {
        WEIGHTS
    }
}

/// What speaks for a chunk. What each is worth times its weight adds up to the score before what the
/// chunk's file takes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// The query's words in the chunk.
    Chunk,
    /// The query's words in the chunk's file.
    File,
    /// It defines a name that the query writes as code.
    Definition,
    /// It defines `b` of an `a.b` in the query, inside `a`.
    Qualified,
    /// The query names its file.
    Path,
    /// A trace or a link in the query leads to its lines.
    Place,
    /// It holds a text that the query quotes.
    Quotation,
    /// It is close in the graph to others that are found.
    Neighbour,
    /// The query speaks of what its file is called.
    Stem,
    /// The query speaks of what it defines.
    Name,
}

impl Feature {
    pub const ALL: [Feature; 10] = [
        Feature::Chunk,
        Feature::File,
        Feature::Definition,
        Feature::Qualified,
        Feature::Path,
        Feature::Place,
        Feature::Quotation,
        Feature::Neighbour,
        Feature::Stem,
        Feature::Name,
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
            Feature::Neighbour => "graph neighbour of hits",
            Feature::Stem => "file is called so",
            Feature::Name => "is called so",
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
            Feature::Neighbour => self.neighbour,
            Feature::Stem => self.stem,
            Feature::Name => self.name,
        }
    }
}
