use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GBK, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252};

use super::*;
use crate::record::LineEnding;
use crate::source::decode::{Decoded, decode};

fn check(bytes: &[u8], encoding: &str, expected: &str) {
    let expected = Decoded::Text { text: expected.to_string(), encoding: encoding.to_string(), replaced: false };
    assert_eq!(decode(bytes.to_vec()), expected);
}

fn check_binary(bytes: &[u8]) {
    assert_eq!(decode(bytes.to_vec()), Decoded::Binary, "{:?}", &bytes[..bytes.len().min(80)]);
}

/// A text as a legacy encoding writes it is read back as that.
fn check_legacy(encoding: &'static Encoding, text: &str) {
    let (bytes, _, unknown) = encoding.encode(text);
    assert!(!unknown);
    check(&bytes, encoding.name(), text);
}

fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(to_bytes).collect()
}

/// Bytes that look like chance and are the same each time.
fn noise(seed: u64, count: usize) -> Vec<u8> {
    (0..count as u64).map(|at| xxhash_rust::xxh64::xxh64(&at.to_le_bytes(), seed) as u8).collect()
}

#[test]
fn utf8_is_itself() {
    for text in ["", "a", "日本語\r\n😀", "\u{1B}[31mred\u{1B}[0m\n", "page\u{0C}\n", "end\u{1A}", "\u{FFFD}\n"] {
        check(text.as_bytes(), "utf-8", text);
    }
}

#[test]
fn utf8_is_not_copied() {
    let bytes = b"text".to_vec();
    let place = bytes.as_ptr();
    let Decoded::Text { text, .. } = decode(bytes) else { panic!("it is text") };
    assert_eq!(text.as_ptr(), place);
}

#[test]
fn byte_order_marks_are_taken_off() {
    check("\u{FEFF}a日".as_bytes(), "utf-8-bom", "a日");
    check(&utf16("\u{FEFF}a日😀\n", u16::to_le_bytes), "UTF-16LE", "a日😀\n");
    check(&utf16("\u{FEFF}a日😀\n", u16::to_be_bytes), "UTF-16BE", "a日😀\n");
    check("\u{FEFF}".as_bytes(), "utf-8-bom", "");
    check(b"\xFF\xFE", "UTF-16LE", "");
}

#[test]
fn utf16_without_a_mark_is_known_by_its_nuls() {
    let text = "int main() { return 0; } // 全角\u{3000}空白\r\n";
    check(&utf16(text, u16::to_le_bytes), "UTF-16LE", text);
    check(&utf16(text, u16::to_be_bytes), "UTF-16BE", text);
    check_binary(&utf16("abc", u16::to_le_bytes));
    check_binary(&[&utf16(text, u16::to_le_bytes)[..], b"x"].concat());
    check_binary(&utf16("some text\0and more of it", u16::to_le_bytes));
}

#[test]
fn numbers_are_no_utf16() {
    let table = |numbers: std::ops::Range<u16>| numbers.flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    check_binary(&table(0..256));
    check_binary(&table(1..60));
    check_binary(&[&utf16("mostly text, and then half a pair", u16::to_le_bytes)[..], b"\x00\xD8"].concat());
}

#[test]
fn legacy_encodings_are_guessed() {
    check_legacy(SHIFT_JIS, "// 設定ファイルを読み込む。\nint x; // カタカナとひらがな\n");
    check_legacy(EUC_JP, "# 設定ファイルを読み込む。日本語の説明です。\n");
    check_legacy(GBK, "// 读取配置文件，然后返回结果。\nint x;\n");
    check_legacy(BIG5, "// 讀取設定檔案，然後傳回結果。這是註解。\n");
    check_legacy(EUC_KR, "// 설정 파일을 읽고 결과를 돌려준다.\n");
    check_legacy(WINDOWS_1251, "// Читает файл настроек и возвращает результат.\n");
    check_legacy(WINDOWS_1252, "/* Größe des Fensters, façade déjà vue */\n");
    check_legacy(WINDOWS_1252, "# café\n");
}

#[test]
fn utf8_with_a_broken_place_stays_utf8() {
    let cut = &"日本語の説明".as_bytes()[..16];
    let text = "日本語の説\u{FFFD}\nand more text, long enough for one strange letter\n";
    let bytes = [cut, b"\nand more text, long enough for one strange letter\n"].concat();
    assert_eq!(decode(bytes), Decoded::Text { text: text.to_string(), encoding: "utf-8".to_string(), replaced: true });
}

#[test]
fn a_nul_makes_it_binary() {
    check_binary(b"\0");
    check_binary(b"text with a\0few\0NULs");
    check_binary(&[&b"text\n".repeat(4000)[..], b"\0"].concat());
    check_binary("\u{FEFF}a\0b".as_bytes());
    check_binary(b"\xFF\xFE\x00\x00a\x00\x00\x00");
}

#[test]
fn control_characters_make_it_binary() {
    check_binary(b"\x01\x02\x03abc");
    check_binary(&[b"caf\xE9 ".to_vec(), (1..9).collect()].concat());
    check_binary(b"\xFF\xFE\x01\x00\x02\x00a\x00");
}

#[test]
fn chance_is_never_text() {
    for seed in 0..300 {
        let bytes: Vec<u8> = noise(seed, 1000).into_iter().filter(|byte| *byte != 0).collect();
        check_binary(&bytes);
    }
}

#[test]
fn well_known_beginnings_are_binary() {
    for beginning in [&b"%PDF-1.4\ntext"[..], b"GIF89a", b"\x89PNG\r\n\x1A\n", b"\x1F\x8B\x08", b"PK\x03\x04"] {
        check_binary(beginning);
        check_binary(&[beginning, b" and text that goes on for long enough to look like it"].concat());
    }
    check(b"PKG=1\n", "utf-8", "PKG=1\n");
}

#[test]
fn line_endings() {
    assert_eq!(line_ending(""), None);
    assert_eq!(line_ending("a\rb"), None);
    assert_eq!(line_ending("a\nb\n"), Some(LineEnding::Lf));
    assert_eq!(line_ending("a\r\nb\r\n"), Some(LineEnding::Crlf));
    assert_eq!(line_ending("\n"), Some(LineEnding::Lf));
    assert_eq!(line_ending("a\r\nb\n"), Some(LineEnding::Mixed));
}
