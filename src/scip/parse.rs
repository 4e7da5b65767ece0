//! A SCIP file's bytes become an index. One document at a time, so that what is not kept is never held whole.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use ::scip::types;
use protobuf::{CodedInputStream, rt};

use super::interner::Interner;
use super::{Document, Dropped, Occurrence, PositionEncoding, Relationship, ScipIndex};
use crate::text::RepoPath;

/// Reads an index whole, or says why it cannot be one.
pub fn parse(bytes: &[u8]) -> Result<ScipIndex, ScipFault> {
    if bytes.is_empty() {
        return Err(ScipFault::Empty);
    }
    let mut reader = Reader::default();
    let mut stream = CodedInputStream::from_bytes(bytes);
    // Without a limit a message that is cut short ends quietly where the bytes end.
    stream.push_limit(bytes.len() as u64)?;
    while let Some(tag) = stream.read_raw_tag_or_eof()? {
        match tag {
            METADATA => reader.metadata(stream.read_message()?),
            DOCUMENT => reader.document(stream.read_message()?)?,
            EXTERNAL_SYMBOL => reader.information(&stream.read_message()?, None)?,
            _ => rt::skip_field_for_tag(tag, &mut stream)?,
        }
    }
    reader.finish()
}

#[derive(Debug, thiserror::Error)]
pub enum ScipFault {
    #[error("it is empty")]
    Empty,
    /// Any bytes can look like fields that are not known, but an index says who made it.
    #[error("it is not a SCIP index: it has no metadata")]
    NoMetadata,
    #[error("it is cut short, damaged or not a SCIP index: {0}")]
    Damaged(#[from] protobuf::Error),
    #[error("it names more symbols than can be numbered")]
    TooManySymbols,
}

// A field's number in `scip.proto` with the wire type of a message.
const METADATA: u32 = 1 << 3 | 2;
const DOCUMENT: u32 = 2 << 3 | 2;
const EXTERNAL_SYMBOL: u32 = 3 << 3 | 2;

#[derive(Default)]
struct Reader {
    tool: Option<String>,
    documents: BTreeMap<RepoPath, Document>,
    interner: Interner,
    dropped: Dropped,
}

impl Reader {
    fn metadata(&mut self, metadata: types::Metadata) {
        let tool = metadata.tool_info.unwrap_or_default();
        self.tool = Some(format!("{} {}", tool.name, tool.version).trim().to_owned());
    }

    fn document(&mut self, document: types::Document) -> Result<(), ScipFault> {
        let Ok(path) = RepoPath::from_bytes(document.relative_path.as_bytes()) else {
            self.dropped.outside_documents += 1;
            return Ok(());
        };
        for information in &document.symbols {
            self.information(information, Some(&path))?;
        }
        let occurrences = self.occurrences(&document.occurrences, &path)?;
        self.keep(Document { encoding: encoding(&document), path, occurrences });
        Ok(())
    }

    fn keep(&mut self, document: Document) {
        match self.documents.entry(document.path.clone()) {
            Entry::Vacant(entry) => {
                entry.insert(document);
            }
            Entry::Occupied(mut entry) if same_columns(entry.get().encoding, document.encoding) => {
                entry.get_mut().occurrences.extend(document.occurrences);
            }
            Entry::Occupied(_) => self.dropped.conflicting_documents += 1,
        }
    }

    fn occurrences(&mut self, read: &[types::Occurrence], path: &RepoPath) -> Result<Vec<Occurrence>, ScipFault> {
        let mut kept = Vec::with_capacity(read.len());
        // One without a symbol only colours the text.
        for occurrence in read.iter().filter(|occurrence| !occurrence.symbol.is_empty()) {
            let Some((start, end)) = range(occurrence) else {
                self.dropped.misplaced_occurrences += 1;
                continue;
            };
            let symbol = self.interner.number(&occurrence.symbol, Some(path))?;
            kept.push(Occurrence { start, end, symbol, roles: occurrence.symbol_roles });
        }
        Ok(kept)
    }

    fn information(&mut self, read: &types::SymbolInformation, path: Option<&RepoPath>) -> Result<(), ScipFault> {
        if read.relationships.is_empty() {
            return Ok(());
        }
        let symbol = self.interner.number(&read.symbol, path)?;
        for relationship in &read.relationships {
            let relationship = Relationship {
                symbol: self.interner.number(&relationship.symbol, path)?,
                is_implementation: relationship.is_implementation,
                is_reference: relationship.is_reference,
                is_type_definition: relationship.is_type_definition,
                is_definition: relationship.is_definition,
            };
            self.interner.relate(symbol, relationship);
        }
        Ok(())
    }

    fn finish(self) -> Result<ScipIndex, ScipFault> {
        let tool = self.tool.ok_or(ScipFault::NoMetadata)?;
        let (symbols, renumbered) = self.interner.sorted();
        let mut documents: Vec<Document> = self.documents.into_values().collect();
        for document in &mut documents {
            for occurrence in &mut document.occurrences {
                occurrence.symbol = renumbered[occurrence.symbol as usize];
            }
            document.occurrences.sort_unstable();
            document.occurrences.dedup();
        }
        Ok(ScipIndex { tool, documents, symbols, dropped: self.dropped })
    }
}

fn encoding(document: &types::Document) -> PositionEncoding {
    match document.position_encoding.enum_value_or_default() {
        types::PositionEncoding::UnspecifiedPositionEncoding => PositionEncoding::Unspecified,
        types::PositionEncoding::UTF8CodeUnitOffsetFromLineStart => PositionEncoding::Utf8,
        types::PositionEncoding::UTF16CodeUnitOffsetFromLineStart => PositionEncoding::Utf16,
        types::PositionEncoding::UTF32CodeUnitOffsetFromLineStart => PositionEncoding::Utf32,
    }
}

fn same_columns(one: PositionEncoding, other: PositionEncoding) -> bool {
    one == other || one.counts_utf16() && other.counts_utf16()
}

type Position = (u32, u32);

fn range(occurrence: &types::Occurrence) -> Option<(Position, Position)> {
    use types::occurrence::Typed_range::{MultiLineRange, SingleLineRange};
    let numbers = match (&occurrence.typed_range, &occurrence.range[..]) {
        (Some(SingleLineRange(range)), _) => [range.line, range.start_character, range.line, range.end_character],
        (Some(MultiLineRange(range)), _) => {
            [range.start_line, range.start_character, range.end_line, range.end_character]
        }
        (None, [line, start, end]) => [*line, *start, *line, *end],
        (None, [line, start, end_line, end]) => [*line, *start, *end_line, *end],
        _ => return None,
    };
    let [line, start, end_line, end] = numbers.map(|number| u32::try_from(number).ok());
    let (start, end) = ((line?, start?), (end_line?, end?));
    (start <= end).then_some((start, end))
}
