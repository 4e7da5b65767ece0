//! What a request asks for, if nobody says.

use regex_automata::meta::Regex;

use super::script::is_japanese;
use super::words::WORDS;
use crate::record::frame::FrameIntent;

/// By the last verb of the action; without an action, a question asks and an issue wants a change.
pub fn intent(action: Option<&str>, has_issue: bool, is_question: bool) -> FrameIntent {
    match action {
        Some(action) => of_action(action),
        None if is_question => FrameIntent::Question,
        None if has_issue => FrameIntent::Modify,
        None => FrameIntent::Investigate,
    }
}

fn of_action(action: &str) -> FrameIntent {
    let words = &WORDS.intent;
    let all = [
        (FrameIntent::Investigate, &words.investigate),
        (FrameIntent::Implement, &words.implement),
        (FrameIntent::Modify, &words.modify),
    ];
    let last = |verbs: &Regex| {
        let ends = verbs.find_iter(action).filter(|found| is_verb(action, found.start())).map(|found| found.end());
        ends.max()
    };
    let found = all.into_iter().filter_map(|(intent, verbs)| Some((last(verbs)?, intent)));
    found.max_by_key(|(end, _)| *end).map_or(FrameIntent::Modify, |(_, intent)| intent)
}

/// Whether a word is used as a verb: in English only at the start of a clause, or behind a modal verb.
fn is_verb(action: &str, at: usize) -> bool {
    let starts_japanese = action[at..].chars().find(|c| c.is_alphabetic()).is_some_and(is_japanese);
    let before = action[..at].trim_end();
    let last = before.rsplit(char::is_whitespace).next().unwrap_or_default().to_lowercase();
    const LEADS: [&str; 9] = ["and", "then", "or", "should", "must", "please", "also", "would", "just"];
    starts_japanese || before.is_empty() || before.ends_with([',', ':']) || LEADS.contains(&last.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(action: &str, wanted: FrameIntent) {
        assert_eq!(intent(Some(action), true, false), wanted, "{action}");
    }

    #[test]
    fn the_last_verb_decides() {
        check("設定画面にダークモードを追加", FrameIntent::Implement);
        check("追加されたボタンを修正", FrameIntent::Modify);
        check("調べて", FrameIntent::Investigate);
        check("動作を直して", FrameIntent::Modify);
        check("操作できるように", FrameIntent::Modify);
        check("add dark mode", FrameIntent::Implement);
        check("find the cause and fix it", FrameIntent::Modify);
        check("it should show a validation error instead", FrameIntent::Modify);
        check("Make it retry", FrameIntent::Modify);
        check("explain how it works", FrameIntent::Investigate);
    }

    #[test]
    fn without_an_action_questions_ask_and_issues_want_a_change() {
        assert_eq!(intent(None, true, true), FrameIntent::Question);
        assert_eq!(intent(None, true, false), FrameIntent::Modify);
        assert_eq!(intent(None, false, false), FrameIntent::Investigate);
    }
}
