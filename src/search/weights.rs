//! Every number of the ranking, in one table. They are not tuned to one project.

use serde::Deserialize;

use super::terms::FileFlags;
use crate::record::request::SeedMode;

macro_rules! weights {
    (numbers { $($(#[$number_doc:meta])* $number:ident = $number_value:literal;)+ }
     $($(#[$enum_doc:meta])* $features:ident by $lookup:ident {
        $($(#[$doc:meta])* $feature:ident $weight:ident = $value:literal, $name:literal $(or $name_of_zero:literal)?;)+
    })+) => {
        /// The table. `contextpack eval --weights FILE` evaluates other values: a TOML file with the fields that
        /// differ.
        #[derive(Clone, Debug, PartialEq, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct Weights {
            $($(#[$number_doc])* pub $number: f64,)+
            $($($(#[$doc])* pub $weight: f64,)+)+
        }

        pub const WEIGHTS: Weights = Weights { $($number: $number_value,)+ $($($weight: $value,)+)+ };

        impl Weights {
            $(pub fn $lookup(&self, feature: $features) -> f64 {
                match feature { $($features::$feature => self.$weight),+ }
            })+
        }

        $($(#[$enum_doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $features {
            $($(#[$doc])* $feature,)+
        }

        impl $features {
            pub const ALL: [$features; $features::COUNT] = [$($features::$feature),+];
            pub const COUNT: usize = [$($features::$feature),+].len();

            /// A description for something with this value of the feature.
            pub fn name(self, value: f64) -> &'static str {
                match (self, value == 0.0) {
                    $($(($features::$feature, true) => $name_of_zero,)? ($features::$feature, _) => $name,)+
                }
            }

            /// The name of its weight in the table.
            pub fn weight(self) -> &'static str {
                match self { $($features::$feature => stringify!($weight)),+ }
            }
        })+
    };
}

// A line of a feature: its name in the code, the name and the default of its weight, how explanations call it, and how
// they call it where its value is zero.
weights! {
    numbers {
        // BM25F over the fields of a chunk: how much an occurrence in a field counts, relative to one in the text.
        name_count = 1.12;
        signature_count = 1.0;
        doc_count = 0.4;
        path_count = 2.20;
        /// How soon further occurrences stop counting.
        saturation = 1.2;
        /// How much the length of a text reduces its score: 0 not at all, 1 in proportion.
        chunk_length = 0.25;
        file_length = 0.5;

        // The weight of a word of the query, by the zone that contains it.
        title = 2.48;
        body = 0.80;
        code = 0.43;
        trace = 0.2;
        heading = 0.2;
        /// The weight of two adjacent words as one name, relative to their weight as separate words.
        compound = 0.3;
        /// The weight of another word for the same thing, relative to the word of the query.
        synonym = 0.2;

        /// How much of its weight a kind of file takes from the evidence of its chunks, before the best chunks are chosen.
        kind_in_evidence = 0.42;

        // The order of a pack.
        /// The value of adding a file that is not in the pack yet, relative to adding a chunk that has to change.
        new_file = 0.45;
    }

    /// A kind of evidence for a chunk, with a value from 0 to 1. The weighted sum of all values is the evidence of the
    /// chunk.
    Feature by of {
        /// The query's words occur in the chunk.
        Chunk chunk_words = 0.60, "chunk words";
        /// The query's words occur in the chunk's file.
        File file_words = 0.40, "file words";
        /// It defines a name that the query writes as code.
        Definition definition = 0.25, "defines a named symbol";
        /// The query contains `a.b`, and the chunk defines `b` inside `a`.
        Qualified qualified = 0.40, "defines a qualified name";
        /// The query names its file.
        Path path = 1.00, "file is named";
        /// A trace or a link in the query leads to its lines.
        Place place = 0.40, "line is named";
        /// It contains a text that the query quotes.
        Quotation quotation = 0.50, "holds a quotation";
        /// It contains adjacent words of the query side by side, most likely in a string.
        Literal literal = 0.80, "holds a text of the query";
        /// The query mentions the name of its file.
        Stem stem = 0.15, "file is called so";
    }

    /// A feature of a file that has hits. The weighted values add up to its log odds.
    FileFeature by of_file {
        /// The logarithm of the evidence of its best hit.
        Evidence file_evidence = 1.32, "evidence for its file";
        /// The logarithm of its rank among the files.
        Rank file_rank = -0.51, "its file's rank";
        /// The scores of its further hits for the query's words.
        Further file_further = 1.85, "further hits in its file";
        /// How strongly hits in other files use it.
        UsedBy file_used_by = 0.27, "other hits use its file";
        /// How strongly it uses hits in other files.
        Uses file_uses = 0.42, "its file uses other hits";
        /// The best share of the query's words in one of its chunks, relative to the best of all.
        ChunkWords file_chunk_words = 1.34, "words in its best chunk";
        /// The share of the query's words that its path contains.
        InPath file_in_path = 6.13, "words in its path" or "no words in its path";
        Declares file_declares = -1.36, "declares what is elsewhere" or "is no header";
        Test test = -3.41, "is a test" or "is no test";
        Vendored vendored = -4.00, "is vendored" or "is not vendored";
        Generated generated = -4.00, "is generated" or "is not generated";
        Prose prose = -3.68, "is prose" or "is not prose";
        Data data = -2.15, "is data" or "is not data";
        Records records = -2.12, "records changes" or "records no changes";
        Example example = -1.59, "is an example" or "is no example";
    }

    /// A feature of a hit within its file. The weighted values add up to its log odds.
    ChunkFeature by of_chunk {
        /// The logarithm of its file's odds.
        File chunk_file = 0.54, "its file";
        /// The logarithm of its rank among the hits of its file, by words.
        Order chunk_order = -0.48, "place in its file";
        /// A trace or a link in the query leads to its lines.
        Place chunk_place = 3.00, "its lines are named" or "its lines are not named";
        /// The strongest connection to another hit that uses it or is used by it.
        Near chunk_near = 1.22, "another hit is next to it" or "no other hit is next to it";
        /// It is a function, method or macro.
        Callable chunk_callable = 0.26, "has a body that runs" or "has no body that runs";
        /// The logarithm of its length in bytes.
        Length chunk_size = -0.04, "length";
        /// The logarithm of its lines of code.
        Code chunk_code = 0.15, "lines of code";
        /// Its score for the query's words, relative to the best chunk.
        Words chunk_own_words = 0.61, "chunk words";
        Definition chunk_definition = 2.67, "defines a named symbol";
        Qualified chunk_qualified = 2.29, "defines a qualified name";
        /// The shares of the query's words in names that it defines, in its comment, and in it.
        Names chunk_names = 2.21, "words in its names" or "no words in its names";
        Doc chunk_doc = -3.38, "words in its comment" or "no words in its comment";
        Covered chunk_covered = 1.29, "share of the words";
        /// Its words relative to the best chunk of its file.
        WordsInFile chunk_words_in_file = 0.72, "words relative to its file";
        /// The logarithm of its rank by evidence, and of the rank of its file by odds.
        Rank chunk_rank = -0.24, "its rank";
        FileRank chunk_file_rank = -0.16, "its file's place";
        /// The logarithm of how many chunks its file has.
        Siblings chunk_siblings = -0.31, "chunks in its file";
        /// The logarithm of how many edges lead to it.
        Users chunk_users = -0.10, "how much it is used";
    }
}

impl Default for Weights {
    fn default() -> Self {
        WEIGHTS
    }
}

impl FileFeature {
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
}
