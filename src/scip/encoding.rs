//! What a document's columns count.

/// As declared. scip-typescript and scip-python declare nothing and count UTF-16 units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionEncoding {
    Unspecified,
    Utf8,
    Utf16,
    Utf32,
}

impl PositionEncoding {
    pub fn counts_utf16(self) -> bool {
        matches!(self, PositionEncoding::Unspecified | PositionEncoding::Utf16)
    }
}

/// A column of a line, recounted in UTF-16 units. None if the line has no character that starts there.
pub fn column_in_utf16(line_text: &str, column: u32, encoding: PositionEncoding) -> Option<u32> {
    let width = |character: char| match encoding {
        PositionEncoding::Utf8 => character.len_utf8(),
        PositionEncoding::Unspecified | PositionEncoding::Utf16 => character.len_utf16(),
        PositionEncoding::Utf32 => 1,
    };
    let (mut counted, mut utf16) = (0, 0);
    for character in line_text.chars() {
        if counted >= column {
            break;
        }
        counted += width(character) as u32;
        utf16 += character.len_utf16() as u32;
    }
    (counted == column).then_some(utf16)
}
