//! Equality with bpe-openai, which equals OpenAI's own: vocabularies, pieces and counts.

use std::path::Path;

use super::*;

fn peer(tokenizer: Tokenizer) -> &'static bpe_openai::Tokenizer {
    match tokenizer {
        O200kBase => bpe_openai::o200k_base(),
        Cl100kBase => bpe_openai::cl100k_base(),
    }
}

#[track_caller]
fn check_pieces(text: &str) {
    for tokenizer in Tokenizer::ALL {
        let (ours, theirs) = (tokenizer.pieces(text), peer(tokenizer).split(text));
        let differing = ours.zip(theirs).find(|(ours, theirs)| ours != theirs);
        assert_eq!(differing, None, "{} of {:?}", tokenizer.name(), text.chars().take(80).collect::<String>());
    }
}

#[track_caller]
fn check_count(text: &str) {
    for tokenizer in Tokenizer::ALL {
        let beginning: String = text.chars().take(80).collect();
        assert_eq!(tokenizer.count(text), peer(tokenizer).count(text), "{} of {beginning:?}", tokenizer.name());
    }
}

#[test]
fn every_token_has_its_rank() {
    for tokenizer in Tokenizer::ALL {
        let (ours, theirs) = (tokenizer.vocabulary(), &peer(tokenizer).bpe);
        for rank in 0..theirs.num_tokens() as u32 {
            assert_eq!(ours.rank(theirs.token_bytes(rank)), Some(rank));
        }
        assert_eq!(ours.len(), theirs.num_tokens());
    }
}

/// Why both spellings of cl100k_base's pattern count the same: nothing is merged across a text's last line break.
#[test]
fn no_token_ends_with_spaces_behind_a_line_break() {
    let vocabulary = &peer(Cl100kBase).bpe;
    for token in (0..vocabulary.num_tokens() as u32).map(|rank| vocabulary.token_bytes(rank)) {
        let Some(line_break) = token.iter().rposition(|byte| b"\r\n".contains(byte)) else { continue };
        let behind = &token[line_break + 1..];
        let may_be_space = |byte: &u8| !byte.is_ascii() || char::from(*byte).is_whitespace();
        assert!(behind.is_empty() || !behind.iter().all(may_be_space), "{token:?}");
    }
}

/// Every character up to where the scripts end, and some of the uniform rest.
#[test]
fn every_character_is_of_the_kind_that_the_patterns_take_it_for() {
    let scripts = (0..0x20000).chain(0xE0000..0xE0200);
    let rest = (0x20000..=0x10FFFF).step_by(251);
    let characters: Vec<char> = scripts.chain(rest).filter_map(char::from_u32).collect();
    for some in characters.chunks(1000) {
        let text: String = some.iter().map(|one| format!("x{one}Y{one}; {one}1")).collect();
        check_pieces(&text);
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "reads this repository")]
fn every_file_of_this_repository() {
    let mut walk = ignore::WalkBuilder::new(env!("CARGO_MANIFEST_DIR"));
    let files = walk.hidden(false).require_git(false).filter_entry(|entry| entry.file_name() != ".git").build();
    let texts = files.filter_map(|file| std::fs::read_to_string(file.ok()?.path()).ok());
    let counted = texts.inspect(|text| check_count(text)).count();
    assert!(counted > 300, "only {counted} files");
    let notes = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/text/input/notes.txt");
    assert!(std::fs::read_to_string(notes).unwrap().contains("\r\n"), "no file has CRLF any more");
}

#[test]
fn pieces_that_would_take_long_if_merging_were_quadratic() {
    for unit in ["a", " ", "=", "ab", "\n", "A", "日", "'s", "\u{301}", "x日A"] {
        check_count(&unit.repeat(100_000 / unit.len()));
    }
}

#[test]
fn a_megabyte_of_one_character() {
    for (tokenizer, character) in [(O200kBase, " "), (Cl100kBase, "=")] {
        let text = character.repeat(1 << 20);
        assert_eq!(tokenizer.count(&text), peer(tokenizer).count(&text), "{character:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn any_text(text: String) {
        check_pieces(&text);
        check_count(&text);
    }

    #[test]
    fn any_mixed_text(text in mixed_text()) {
        check_pieces(&text);
        check_count(&text);
    }

    #[test]
    fn any_code_like_text(text in r"([ \t\n]{0,3}[A-Za-z_']{0,9}[0-9]{0,4}[-+*/=<>(){};:.,!?#'\r\n ]{0,5}){0,20}") {
        check_pieces(&text);
        check_count(&text);
    }

    /// Long enough for the queue.
    #[test]
    fn any_long_word(text in "[a-zA-Zé日]{100,400}|[-=+*#. ]{100,400}|[ \t\n]{100,400}") {
        check_count(&text);
    }
}
