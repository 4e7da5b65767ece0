//! Parts of a counted text have the tokens that they have by themselves.

use super::*;

#[track_caller]
fn check_part(text: &str, before: &str, part: std::ops::Range<usize>, after: &str) {
    for tokenizer in Tokenizer::ALL {
        let joined = [before, &text[part.clone()], after].concat();
        let counted = CountedText::new(tokenizer, text);
        assert_eq!(counted.count_part(before, part.clone(), after), tokenizer.count(&joined), "{joined:?} of {text:?}");
        assert_eq!(counted.tokens(), tokenizer.count(text));
    }
}

#[test]
fn a_part_may_cut_pieces_at_both_ends() {
    let text = "parseXMLHttpRequest(\"we'll see\");\n\n// 1234567 ABC日DEF … 日本語、です。\n    done";
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    for (at, start) in places.iter().enumerate() {
        for end in &places[at..] {
            for (before, after) in [("", ""), ("… ", " …"), ("```rust\n", "\n```\n\n"), (" ", "\n\n"), ("a", "'ll")]
            {
                check_part(text, before, *start..*end, after);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_part_counts_as_by_itself(
        text in mixed_text(),
        ends in (0.0..=1.0, 0.0..=1.0),
        before in mixed_text(),
        after in mixed_text(),
    ) {
        let place = |share: f64| text.floor_char_boundary((share * text.len() as f64) as usize);
        let (one, other) = (place(ends.0), place(ends.1));
        check_part(&text, &before, one.min(other)..one.max(other), &after);
    }
}
