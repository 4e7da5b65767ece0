use super::*;

/// The text with each break's depth in front of its line.
fn drawn(text: &str) -> String {
    let facts = parse(text, &Limits { max_chunk_bytes: 4096 }).expect("text is always read");
    let mut drawn = text.to_string();
    for at in facts.breaks.iter().rev() {
        drawn.insert_str(at.offset as usize, &at.depth.to_string());
    }
    drawn
}

#[test]
fn paragraphs_and_items_are_breaks() {
    assert_eq!(drawn("one\ntwo\n\n \nthree\n- a\n- b"), "0one\ntwo\n\n \n0three\n1- a\n1- b");
    assert_eq!(drawn("あ\r\n\r\n1. い\r\n2. う\r\n"), "0あ\r\n\r\n01. い\r\n12. う\r\n");
}

#[test]
fn nothing_is_in_an_empty_text() {
    for text in ["", "\n", " \n\t\r\n ", "\u{3000}"] {
        assert_eq!(drawn(text), text);
    }
}
