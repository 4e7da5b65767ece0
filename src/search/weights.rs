//! Every number of the ranking, in one table. They are not tuned to a project: each says what a reader of
//! an issue would say too.

/// BM25F over the fields of a chunk: how many times an occurrence in the text one in a field counts.
pub const NAME_COUNT: f64 = 3.0;
pub const SIGNATURE_COUNT: f64 = 1.0;
pub const DOC_COUNT: f64 = 1.0;
pub const PATH_COUNT: f64 = 1.5;
/// How soon more of the same stops to count.
pub const SATURATION: f64 = 1.2;
/// How much the length of a text takes away: 0 nothing, 1 all of it.
pub const CHUNK_LENGTH: f64 = 0.6;
pub const FILE_LENGTH: f64 = 0.5;

/// What speaks for a chunk. Their weights add up to the score before what its file takes away.
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

    pub fn weight(self) -> f64 {
        match self {
            Feature::Chunk => 0.45,
            Feature::File => 0.40,
            Feature::Definition => 0.25,
            Feature::Qualified => 0.20,
            Feature::Path => 0.50,
            Feature::Place => 0.40,
            Feature::Quotation => 0.25,
            Feature::Neighbour => 0.10,
            Feature::Stem => 0.20,
            Feature::Name => 0.10,
        }
    }
}

/// What is left of a chunk's score when its file is one of these and the query does not ask for it.
pub const TEST: f64 = 0.45;
pub const VENDORED: f64 = 0.3;
pub const GENERATED: f64 = 0.3;
pub const PROSE: f64 = 0.4;
pub const DATA: f64 = 0.5;
pub const RECORDS: f64 = 0.1;
/// A skeleton repeats the names of its members, which are chunks of their own.
pub const SKELETON: f64 = 0.6;
/// What each further chunk of a file loses, so that others are seen too.
pub const REPEATED: f64 = 0.12;
