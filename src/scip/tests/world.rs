//! A small index, written as an indexer writes it.

use ::scip::types;
use protobuf::{EnumOrUnknown, Message, MessageField};

use crate::scip::{ScipIndex, parse};
use crate::text::RepoPath;

pub const DEFINITION: i32 = 1;
pub const REFERENCE: i32 = 0;

pub fn path(text: &str) -> RepoPath {
    RepoPath::try_from(text.to_owned()).unwrap()
}

/// A symbol of the package that the index is of.
pub fn own(descriptors: &str) -> String {
    format!("test npm app 1.0.0 {descriptors}")
}

pub fn occurrence(line: i32, start: i32, end: i32, symbol: &str, roles: i32) -> types::Occurrence {
    types::Occurrence {
        range: vec![line, start, end],
        symbol: symbol.to_owned(),
        symbol_roles: roles,
        ..Default::default()
    }
}

pub fn document(path: &str, occurrences: Vec<types::Occurrence>) -> types::Document {
    types::Document { relative_path: path.to_owned(), occurrences, ..Default::default() }
}

pub fn encoded(mut document: types::Document, encoding: types::PositionEncoding) -> types::Document {
    document.position_encoding = EnumOrUnknown::new(encoding);
    document
}

pub fn bytes(documents: Vec<types::Document>) -> Vec<u8> {
    let tool = types::ToolInfo { name: "test".into(), version: "1".into(), ..Default::default() };
    let metadata = types::Metadata { tool_info: MessageField::some(tool), ..Default::default() };
    let index = types::Index { metadata: MessageField::some(metadata), documents, ..Default::default() };
    index.write_to_bytes().unwrap()
}

pub fn index(documents: Vec<types::Document>) -> ScipIndex {
    parse(&bytes(documents)).unwrap()
}
