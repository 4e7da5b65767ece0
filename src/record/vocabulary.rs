//! The words of the graph: edge types, roles of references, rules, sections and views.
//!
//! Each is declared on one line of a table. All differences between edge types are columns of that table, so a new
//! edge type needs one line here and a resolver in `graph`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::EvidenceKind;

/// Which end of an edge a node is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// Edges from it.
    Out,
    /// Edges to it.
    In,
}

macro_rules! edge_types {
    ($($(#[$doc:meta])* $type:ident $rule:ident $word:literal does($does:literal, $done:literal)
        in($in_section:tt, $in_view:tt $(, $in_help:literal)?)
        out($out_section:tt, $out_view:tt $(, $out_help:literal)?)
        unasked($unasked:literal);)+) => {
        /// What `from` does to `to`. New types come last: the order gives the codes in the adjacency.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum EdgeType {
            $($(#[$doc])* #[serde(rename = $word)] $type,)+
        }

        /// Why an item is in a pack. Rules that end in `-neighbor` name the edge type that leads to it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum Rule {
            /// The query found it.
            QueryMatch,
            /// The request named it.
            Focus,
            $($rule,)+
            /// It is in the file of a seed.
            SameFile,
        }

        const EDGE_TYPES: &[EdgeTypeRow] = &[$(EdgeTypeRow {
            edge_type: EdgeType::$type,
            word: $word,
            does: $does,
            done: $done,
            rule: Rule::$rule,
            incoming: Side { section: section!($in_section), view: view!($in_view $(, $in_help)?) },
            outgoing: Side { section: section!($out_section), view: view!($out_view $(, $out_help)?) },
            is_walked_unasked: $unasked,
        },)+];

        impl EdgeType {
            pub const ALL: &'static [EdgeType] = &[$(EdgeType::$type),+];
        }
    };
}

macro_rules! section {
    (-) => {
        None
    };
    ($section:ident) => {
        Some(SectionType::$section)
    };
}

macro_rules! view {
    (-) => {
        None
    };
    ($word:literal, $help:literal) => {
        Some(ViewRow { word: $word, help: $help })
    };
}

// For each edge type: the rule that adds a neighbour to a pack; its word; what `from` does to `to` and what is done to
// `to`, for sentences; for its incoming and its outgoing edges,
// the pack section of code that only they lead to, and the view of `show` with its help; whether packs walk incoming
// edges that the request does not ask for.
edge_types! {
    /// Calls it.
    Call CallNeighbor "call" does("calls", "called by")
        in(Callers, "callers", "Who calls it") out(Callees, "callees", "What it calls") unasked(false);
    /// Names it without calling it: reads it, passes it, inherits from it, has it as its type.
    Usage UsageNeighbor "usage" does("uses", "used by")
        in(Usages, "usages", "Who names it without calling it") out(Usages, -) unasked(false);
    /// Imports it.
    Import ImportNeighbor "import" does("imports", "imported by")
        in(Exports, -) out(Imports, "imports", "What the file imports") unasked(false);
    /// Gives it to other files.
    Export ExportNeighbor "export" does("exports", "exported by")
        in(Exports, -) out(Exports, "exports", "What the file gives to others") unasked(false);
    /// Gives a value to a call of it.
    Dataflow DataflowNeighbor "dataflow" does("passes a value to", "given a value by")
        in(Dataflow, -) out(Dataflow, "dataflow", "Which calls its values reach") unasked(false);
    /// Tests it.
    Test TestNeighbor "test" does("tests", "tested by")
        in(-, "tests", "Which tests call it") out(-, -) unasked(true);
    /// Names it in prose.
    Doc DocNeighbor "doc" does("mentions", "mentioned by")
        in(-, "docs", "Which prose names it") out(-, -) unasked(true);
    /// Traces to it, as a spec document does.
    Trace TraceNeighbor "trace" does("traces to", "traced from")
        in(-, "tracedBy", "Which spec documents trace to it") out(-, "traces", "What it traces to") unasked(true);
    /// Says to read it next, as a spec document does.
    ReadNext ReadNextNeighbor "readNext" does("says to read next", "named as next by")
        in(-, "readBefore", "Which documents say to read it next") out(-, "readNext", "What it says to read next")
        unasked(false);
    /// Holds it: a document its sections, an item the items in it.
    Child ChildNeighbor "child" does("contains", "contained in")
        in(-, "parents", "What holds it") out(-, "children", "What it holds") unasked(false);
    /// Links to it.
    Reference ReferenceNeighbor "reference" does("links to", "linked from")
        in(-, "backlinks", "Which items link to it") out(-, "references", "What it links to") unasked(false);
    /// Has it as the value of a field; the label is the field's name.
    Field FieldNeighbor "field" does("names in a field", "named in a field of")
        in(-, "fieldOf", "Which items have it in a field") out(-, "fields", "What its fields name") unasked(false);
    /// Has it as a tag; a tag the tags that it extends.
    Tag TagNeighbor "tag" does("is tagged", "a tag of")
        in(-, "tagged", "Which items have this tag") out(-, "tags", "Which tags it has") unasked(false);
}

/// What is known of one edge type.
struct EdgeTypeRow {
    edge_type: EdgeType,
    word: &'static str,
    does: &'static str,
    done: &'static str,
    rule: Rule,
    incoming: Side,
    outgoing: Side,
    is_walked_unasked: bool,
}

/// What is known of an edge type in one direction.
struct Side {
    section: Option<SectionType>,
    view: Option<ViewRow>,
}

struct ViewRow {
    word: &'static str,
    help: &'static str,
}

impl EdgeType {
    /// As it is written in JSON.
    pub fn name(self) -> &'static str {
        self.row().word
    }

    /// What a neighbour over an edge of the other end's direction does: `calls` if the edge comes in, `called by`.
    pub fn verb(self, direction: Direction) -> &'static str {
        match direction {
            Direction::In => self.row().does,
            Direction::Out => self.row().done,
        }
    }

    /// Why a neighbour over such an edge is in a pack.
    pub fn rule(self) -> Rule {
        self.row().rule
    }

    /// The section of code that is reached over such edges alone, all walked in one direction.
    pub fn section(self, direction: Direction) -> Option<SectionType> {
        self.side(direction).section
    }

    /// Whether a pack walks incoming edges of this type even if the request does not list it: tests, prose
    /// and specs are found by their own edges, whatever else is walked.
    pub fn is_walked_unasked(self) -> bool {
        self.row().is_walked_unasked
    }

    fn side(self, direction: Direction) -> &'static Side {
        match direction {
            Direction::In => &self.row().incoming,
            Direction::Out => &self.row().outgoing,
        }
    }

    fn row(self) -> &'static EdgeTypeRow {
        &EDGE_TYPES[self as usize]
    }
}

impl Rule {
    /// The edge type that leads to what is here by this rule.
    pub fn edge_type(self) -> Option<EdgeType> {
        EDGE_TYPES.iter().find(|row| row.rule == self).map(|row| row.edge_type)
    }
}

/// A way to look at a node's edges: those of one type, in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub struct View {
    edge_type: EdgeType,
    direction: Direction,
}

impl View {
    /// Every view, in the order of the edge types.
    pub fn all() -> Vec<View> {
        let both = |edge_type: EdgeType| [Direction::In, Direction::Out].map(|direction| View { edge_type, direction });
        EdgeType::ALL.iter().flat_map(|edge_type| both(*edge_type)).filter(|view| view.row().is_some()).collect()
    }

    pub fn edge_type(self) -> EdgeType {
        self.edge_type
    }

    pub fn direction(self) -> Direction {
        self.direction
    }

    /// As it is written in JSON.
    pub fn name(self) -> &'static str {
        self.row().map_or("", |row| row.word)
    }

    /// What it shows, for `--help`.
    pub fn help(self) -> &'static str {
        self.row().map_or("", |row| row.help)
    }

    fn row(self) -> Option<&'static ViewRow> {
        self.edge_type.side(self.direction).view.as_ref()
    }
}

impl From<View> for &'static str {
    fn from(view: View) -> Self {
        view.name()
    }
}

impl TryFrom<String> for View {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        View::all().into_iter().find(|view| view.name() == word).ok_or_else(|| format!("there is no view `{word}`"))
    }
}

macro_rules! section_types {
    ($($(#[$doc:meta])* $section:ident $word:literal $meaning:literal;)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum SectionType {
            $($(#[$doc])* #[serde(rename = $word)] $section,)+
        }

        impl SectionType {
            pub const ALL: &'static [SectionType] = &[$(SectionType::$section),+];

            /// As it is written in JSON.
            pub fn name(self) -> &'static str {
                match self {
                    $(SectionType::$section => $word,)+
                }
            }

            /// For a reader who has never seen a pack.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(SectionType::$section => $meaning,)+
                }
            }
        }
    };
}

section_types! {
    /// What the query found.
    Seeds "seeds" "what was asked for";
    Callers "callers" "who calls that";
    Callees "callees" "what that calls";
    Imports "imports" "what its files import";
    Exports "exports" "what its files give to others";
    Usages "usages" "who else names it";
    Dataflow "dataflow" "where its values go";
    Tests "tests" "what tests it";
    Docs "docs" "what is written of it";
    /// What is near and belongs to no other section.
    Related "related" "what else is near";
}

impl SectionType {
    /// The edge type that has to be asked for if something is to be here. None for a section that is filled by
    /// what a file is rather than by how it was reached.
    pub fn edge_type(self) -> Option<EdgeType> {
        let leads_here = |direction| EdgeType::ALL.iter().find(|one| one.section(direction) == Some(self));
        leads_here(Direction::Out).or_else(|| leads_here(Direction::In)).copied()
    }
}

macro_rules! roles {
    ($($(#[$doc:meta])* $role:ident $word:literal: $edge_type:ident $evidence:ident from $from:ident in $in:ident;)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum Role {
            $($(#[$doc])* #[serde(rename = $word)] $role,)+
        }

        impl Role {
            /// As it is written in JSON.
            pub fn name(self) -> &'static str {
                match self {
                    $(Role::$role => $word,)+
                }
            }

            /// The edge that a reference of this role becomes, and what it rests on.
            pub fn edge(self) -> (EdgeType, EvidenceKind) {
                match self {
                    $(Role::$role => (EdgeType::$edge_type, EvidenceKind::$evidence),)+
                }
            }

            /// Where the edge starts.
            pub fn origin(self) -> Origin {
                match self {
                    $(Role::$role => Origin::$from,)+
                }
            }

            /// What a reference of this role is written in. Prose that uses a role of code only talks about that
            /// code.
            pub fn medium(self) -> Medium {
                match self {
                    $(Role::$role => Medium::$in,)+
                }
            }
        }
    };
}

impl Role {
    /// Whether notes use it. Such references are resolved by the names and ids of notes.
    pub fn is_of_notes(self) -> bool {
        matches!(self, Role::Link | Role::Embed | Role::Field | Role::Tag)
    }
}

/// The node from which the edge of a reference starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// What the reference is written in: a symbol, or a chunk that defines none.
    Host,
    File,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    Code,
    Document,
}

// For each role: its word, the type and evidence kind of its edges, where they start, and the medium it is written
// in.
roles! {
    Call "call": Call Callsite from Host in Code;
    /// A name that is read, passed or assigned, but not called.
    Use "use": Usage Identifier from Host in Code;
    /// A name in a type's place.
    Type "type": Usage Identifier from Host in Code;
    /// A base class, interface, trait or mixin.
    Inherit "inherit": Usage Identifier from Host in Code;
    Import "import": Import ImportStmt from File in Code;
    Export "export": Export ImportStmt from File in Code;
    /// A value that reaches an argument or the receiver of the call that `name` names.
    Flow "flow": Dataflow Span from Host in Code;
    /// An id that a spec document traces to, or that code names.
    Trace "trace": Trace Span from Host in Document;
    /// What a spec document says to read next: an id, a path or the name of a file.
    ReadNext "readNext": ReadNext Span from Host in Document;
    /// An item inside another one.
    Child "child": Child Identifier from Host in Document;
    /// A link to an item.
    Link "link": Reference Span from Host in Document;
    /// A link that shows what it leads to in its place.
    Embed "embed": Reference Span from Host in Document;
    /// An item in a field; `receiver` is the field's name.
    Field "field": Field Span from Host in Document;
    /// A tag of an item.
    Tag "tag": Tag Span from Host in Document;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_their_types() {
        assert!(EdgeType::ALL.iter().all(|edge_type| edge_type.row().edge_type == *edge_type));
    }

    #[test]
    fn json_uses_the_words_of_the_tables() {
        let word = |value: serde_json::Value| value.as_str().map(str::to_string);
        for edge_type in EdgeType::ALL {
            assert_eq!(word(serde_json::to_value(edge_type).unwrap()).as_deref(), Some(edge_type.name()));
        }
        for section in SectionType::ALL {
            assert_eq!(word(serde_json::to_value(section).unwrap()).as_deref(), Some(section.name()));
        }
        assert_eq!(serde_json::to_value(Role::ReadNext).unwrap(), "readNext");
        assert_eq!(serde_json::to_value(Rule::ReadNextNeighbor).unwrap(), "read-next-neighbor");
    }

    #[test]
    fn every_edge_type_has_a_rule_and_a_view_of_its_own() {
        for edge_type in EdgeType::ALL {
            assert_eq!(edge_type.rule().edge_type(), Some(*edge_type));
            assert!(View::all().iter().any(|view| view.edge_type() == *edge_type), "{edge_type:?}");
        }
        assert_eq!(Rule::SameFile.edge_type(), None);
    }

    #[test]
    fn a_view_is_read_from_its_word() {
        let all = View::all();
        for view in &all {
            let json = serde_json::to_value(view).unwrap();
            assert_eq!(serde_json::from_value::<View>(json).unwrap(), *view);
            assert_eq!(all.iter().filter(|other| other.name() == view.name()).count(), 1, "{}", view.name());
        }
        assert!(serde_json::from_str::<View>("\"nonsense\"").is_err());
    }

    #[test]
    fn a_section_asks_for_the_edges_that_it_is_named_after() {
        assert_eq!(SectionType::Exports.edge_type(), Some(EdgeType::Export), "though importers stand there too");
        assert_eq!(SectionType::Callers.edge_type(), Some(EdgeType::Call));
        assert_eq!(SectionType::Tests.edge_type(), None);
        assert_eq!(SectionType::Related.edge_type(), None);
    }
}
