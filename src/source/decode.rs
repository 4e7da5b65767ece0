//! Decodes a file's bytes into text, or finds that they are not text. Pure.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::record::LineEnding;

/// A text in which more than one character out of so many is not for reading is no text.
const CHARACTERS_PER_STRANGE_ONE: usize = 32;

/// Fewer bytes show no pattern of NULs that could not be chance.
const MIN_UNMARKED_UTF16_BYTES: usize = 8;

/// How much of a file the pattern of NULs is looked for in.
const UTF16_SAMPLE_BYTES: usize = 8 << 10;

/// How formats begin that may hold no NUL at all, and so could pass for a legacy encoding.
const BINARY_BEGINNINGS: &[&[u8]] = &[
    b"\x89PNG\r\n\x1A\n",
    b"\xFF\xD8\xFF", // JPEG
    b"GIF87a",
    b"GIF89a",
    b"%PDF-",
    b"\x1F\x8B",   // gzip
    b"PK\x03\x04", // zip, and all that is packed as one: jar, docx, whl
    b"PK\x05\x06", // zip without entries
    b"BZh91AY&SY", // bzip2
    b"\xFD7zXZ\0",
    b"7z\xBC\xAF\x27\x1C",
    b"Rar!\x1A\x07",
    b"\x28\xB5\x2F\xFD", // zstd
    b"\x04\x22\x4D\x18", // lz4
    b"\x7FELF",
    b"\xCA\xFE\xBA\xBE", // Java class, Mach-O for several machines
    b"\xCE\xFA\xED\xFE", // Mach-O
    b"\xCF\xFA\xED\xFE", // Mach-O, 64 bit
    b"\0asm",
    b"BC\xC0\xDE", // LLVM bitcode
    b"!<arch>\n",  // static library
    b"wOFF\0\x01",
    b"wOF2\0\x01",
    b"OTTO\0",
    b"OggS\0",
    b"fLaC\0",
    b"SQLite format 3\0",
];

/// Decodes a whole file. UTF-8, which nearly all files are, is not copied.
pub fn decode(bytes: Vec<u8>) -> Decoded {
    if BINARY_BEGINNINGS.iter().any(|beginning| bytes.starts_with(beginning)) {
        return Decoded::Binary;
    }
    match Encoding::for_bom(&bytes) {
        Some((encoding, mark_bytes)) if encoding == UTF_8 => with_utf8_mark(bytes, mark_bytes),
        Some((encoding, mark_bytes)) => decode_as(encoding, &bytes[mark_bytes..]),
        None => without_mark(bytes),
    }
}

/// Whether a text's lines end in one way. A lone `\r` ends nothing.
pub fn line_ending(text: &str) -> Option<LineEnding> {
    let (mut lf, mut crlf) = (false, false);
    let bytes = text.as_bytes();
    for at in memchr::memchr_iter(b'\n', bytes) {
        let after_cr = bytes[..at].ends_with(b"\r");
        crlf |= after_cr;
        lf |= !after_cr;
        if lf && crlf {
            return Some(LineEnding::Mixed);
        }
    }
    match (lf, crlf) {
        (true, _) => Some(LineEnding::Lf),
        (_, true) => Some(LineEnding::Crlf),
        _ => None,
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decoded {
    Text {
        /// Without a byte order mark.
        text: String,
        /// `utf-8`, `utf-8-bom`, or the WHATWG name.
        encoding: String,
        /// Bytes that the encoding does not know were replaced by U+FFFD.
        replaced: bool,
    },
    Binary,
}

fn with_utf8_mark(mut bytes: Vec<u8>, mark_bytes: usize) -> Decoded {
    bytes.drain(..mark_bytes);
    if bytes.contains(&0) {
        return Decoded::Binary;
    }
    match utf8(bytes).unwrap_or_else(|bytes| decode_as(UTF_8, &bytes)) {
        Decoded::Text { text, replaced, .. } => Decoded::Text { text, encoding: "utf-8-bom".to_string(), replaced },
        Decoded::Binary => Decoded::Binary,
    }
}

fn without_mark(bytes: Vec<u8>) -> Decoded {
    if bytes.contains(&0) {
        return unmarked_utf16(&bytes);
    }
    utf8(bytes).unwrap_or_else(|bytes| decode_as(likely_encoding(&bytes), &bytes))
}

/// Gives the bytes back when they are not UTF-8.
fn utf8(bytes: Vec<u8>) -> Result<Decoded, Vec<u8>> {
    let text = String::from_utf8(bytes).map_err(|error| error.into_bytes())?;
    let strange = text.bytes().filter(|byte| is_strange_byte(*byte)).count();
    if is_too_strange(strange, text.len()) {
        return Ok(Decoded::Binary);
    }
    Ok(Decoded::Text { text, encoding: "utf-8".to_string(), replaced: false })
}

fn decode_as(encoding: &'static Encoding, bytes: &[u8]) -> Decoded {
    let (text, replaced) = encoding.decode_without_bom_handling(bytes);
    let strange = text.chars().filter(|character| is_strange(*character)).count();
    if text.contains('\0') || is_too_strange(strange, text.chars().count()) {
        return Decoded::Binary;
    }
    let encoding = if encoding == UTF_8 { "utf-8" } else { encoding.name() };
    Decoded::Text { text: text.into_owned(), encoding: encoding.to_string(), replaced }
}

/// Text in UTF-16 that is mostly ASCII has a NUL in every other byte; what else has one is binary.
/// A wrong guess must decode without a fault and read like text, which tables of numbers do not.
fn unmarked_utf16(bytes: &[u8]) -> Decoded {
    let Some(encoding) = utf16_by_nuls(bytes) else { return Decoded::Binary };
    match decode_as(encoding, bytes) {
        Decoded::Text { replaced: true, .. } => Decoded::Binary,
        decoded => decoded,
    }
}

fn utf16_by_nuls(bytes: &[u8]) -> Option<&'static Encoding> {
    if bytes.len() < MIN_UNMARKED_UTF16_BYTES || !bytes.len().is_multiple_of(2) {
        return None;
    }
    let sample = &bytes[..bytes.len().min(UTF16_SAMPLE_BYTES)];
    let nuls_at = |offset: usize| sample.iter().skip(offset).step_by(2).filter(|byte| **byte == 0).count();
    let (first, second, pairs) = (nuls_at(0), nuls_at(1), sample.len() / 2);
    // Some characters, such as U+3000, have their NUL on the other side.
    let is_pattern = |many: usize, few: usize| many * 2 >= pairs && few * 20 <= pairs;
    if is_pattern(second, first) {
        Some(UTF_16LE)
    } else if is_pattern(first, second) {
        Some(UTF_16BE)
    } else {
        None
    }
}

fn likely_encoding(bytes: &[u8]) -> &'static Encoding {
    if is_nearly_utf8(bytes) {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Deny)
}

/// UTF-8 with a broken place, such as a cut end, is better read as that than as another encoding,
/// which would turn all its letters into others. In other encodings few byte sequences are UTF-8.
fn is_nearly_utf8(bytes: &[u8]) -> bool {
    let (mut whole, mut broken) = (0, 0);
    for piece in bytes.utf8_chunks() {
        whole += piece.valid().chars().filter(|character| !character.is_ascii()).count();
        broken += usize::from(!piece.invalid().is_empty());
    }
    whole >= broken * 4
}

fn is_too_strange(strange: usize, total: usize) -> bool {
    strange * CHARACTERS_PER_STRANGE_ONE > total
}

/// Control characters but for those that texts do hold: white space, the backspace of printed
/// manuals, the end mark of DOS, the escapes of terminals.
fn is_strange_byte(byte: u8) -> bool {
    byte < b' ' && !matches!(byte, b'\t' | b'\n' | 0x0B | 0x0C | b'\r' | 0x08 | 0x1A | 0x1B) || byte == 0x7F
}

fn is_strange(character: char) -> bool {
    match u8::try_from(character) {
        Ok(byte) => is_strange_byte(byte) || (0x80..0xA0).contains(&byte),
        Err(_) => character == '\u{FFFD}',
    }
}
