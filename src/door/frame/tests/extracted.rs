//! What a model extracted: quotes, shapes, reasons.

use serde_json::{Value, json};

use super::{checked, framed};
use crate::door::frame::{EXTRACTION_SCHEMA, FrameFault, FrameOptions, frame, prompt};
use crate::record::frame::{FrameIntent, FrameLang, QueryFrame, RejectReason, RiskLevel, RiskRule, Slot};
use crate::record::{ErrorCode, Score};

/// Slot, reason and detail of each rejection.
fn rejected(frame: &QueryFrame) -> Vec<(&str, RejectReason, &str)> {
    frame.rejected.iter().map(|one| (one.slot.as_str(), one.reason, one.detail.as_str())).collect()
}

/// Why a quote of the target is rejected.
fn quote_fault(query: &str, quote: &str) -> Option<RejectReason> {
    let answer = checked(query, &json!({ "target_feature": { "value": "login", "quote": quote } }));
    answer.frame.rejected.first().map(|rejection| rejection.reason)
}

#[test]
fn what_the_quote_does_not_say_is_rejected_and_the_rest_stays() {
    let extraction = json!({
        "target_feature": { "value": "ログアウト", "quote": "ログイン" },
        "desired_action": { "value": "直して", "quote": "直して" },
    });
    let answer = checked("ログイン機能直して", &extraction);
    let frame = &answer.frame;
    assert_eq!(rejected(frame), [("target_feature", RejectReason::ValueAdds, "ログアウト")]);
    assert_eq!(frame.target_feature, None);
    assert_eq!(frame.desired_action.as_deref(), Some("直して"));
    assert_eq!(frame.missing_slots, [Slot::TargetFeature, Slot::TriggerCondition, Slot::ObservedIssue]);
    assert_eq!(answer.routing.risk_level, RiskLevel::High);
    assert_eq!(answer.routing.risk_rules, [RiskRule::R1, RiskRule::R2]);
}

#[test]
fn a_right_extraction_passes_whole() {
    let query = "ログイン機能でXXXを入力したときに、XXXの問題があるので、XXXするように修正する";
    let extraction = json!({
        "target_feature": { "value": "ログイン機能", "quote": "ログイン機能で" },
        "trigger_condition": { "value": "XXXを入力したとき", "quote": "XXXを入力したときに" },
        "observed_issue": { "value": "XXXの問題がある", "quote": "XXXの問題があるので" },
        "desired_action": { "value": "XXXするように修正", "quote": "XXXするように修正する" },
    });
    let answer = checked(query, &extraction);
    assert!(answer.frame.rejected.is_empty() && answer.frame.missing_slots.is_empty());
    assert_eq!(answer.frame.extraction_confidence, Score::ONE);
    assert!(answer.frame.slot_quotes.values().all(|quote| quote.rule == "llm"));
    assert_eq!((answer.intent, answer.routing.risk_level), (FrameIntent::Modify, RiskLevel::Low));
}

#[test]
fn a_value_of_scattered_words_is_less_sure() {
    let extraction = json!({ "observed_issue": { "value": "二重送信", "quote": "二重に送信される" } });
    let answer = checked("フォームが二重に送信される", &extraction);
    assert_eq!(answer.frame.slot_quotes[&Slot::ObservedIssue].confidence, Score::percent(80));
    assert_eq!(answer.frame.extraction_confidence, Score::percent(20));
}

#[test]
fn quotes_stand_letter_by_letter() {
    assert_eq!(quote_fault("fix the login page", "the login page"), None);
    assert_eq!(quote_fault("fix the login page", "the login  page"), Some(RejectReason::QuoteNotInQuery));
    assert_eq!(quote_fault("fix the login page", "The login page"), Some(RejectReason::QuoteNotInQuery));
    assert_eq!(quote_fault("fix the login\r\npage", "login\npage"), None);
    assert_eq!(quote_fault("fix, the login", ","), Some(RejectReason::NoQuote));
    assert_eq!(quote_fault("fix the login", ""), Some(RejectReason::NoQuote));
    let target = |query: &str, quote: &str| {
        let answer = checked(query, &json!({ "target_feature": { "value": "ログイン", "quote": quote } }));
        answer.frame.rejected.first().map(|rejection| rejection.reason)
    };
    assert_eq!(target("ログイン機能で落ちる", "ログイン 機能で"), Some(RejectReason::QuoteNotInQuery));
    assert_eq!(target("ログイン機能で落ちる", "ﾛｸﾞｲﾝ"), Some(RejectReason::QuoteNotInQuery));
    assert_eq!(target("ログイン機能が落ちる", "ログイン機能か\u{3099}"), None);
    assert_eq!(target("ログイン、落ちる", "、"), Some(RejectReason::NoQuote));
}

#[test]
fn quotes_may_stand_in_what_the_user_said_later() {
    let said = ["保存すると固まる".to_string()];
    let extraction = json!({ "observed_issue": { "value": "固まる", "quote": "固まる" } });
    let options = FrameOptions { said: &said, extraction: Some(&extraction), ..FrameOptions::default() };
    let answer = frame("エディタ直して", &options).unwrap();
    assert_eq!(answer.frame.observed_issue.as_deref(), Some("固まる"));
    let rules = frame("エディタ直して", &FrameOptions { said: &said, ..FrameOptions::default() }).unwrap();
    assert_eq!(rules.frame.trigger_condition.as_deref(), Some("保存すると"));
}

#[test]
fn every_wrong_shape_rejects_its_slot_alone() {
    let long = "x".repeat(501);
    let shapes = [
        (json!("login"), RejectReason::NoQuote),
        (json!(7), RejectReason::BadShape),
        (json!(["login", "login"]), RejectReason::BadShape),
        (json!({ "value": 7, "quote": "login" }), RejectReason::BadShape),
        (json!({ "value": "login", "quote": "login", "offset": 4 }), RejectReason::BadShape),
        (json!({ "value": "login" }), RejectReason::NoQuote),
        (json!({ "quote": "login" }), RejectReason::EmptyValue),
        (json!({ "value": " ", "quote": "login" }), RejectReason::EmptyValue),
        (json!({ "value": long, "quote": "login" }), RejectReason::TooLong),
        (json!({ "value": "login", "quote": "login".repeat(401) }), RejectReason::TooLong),
    ];
    for (shape, reason) in shapes {
        let extraction =
            json!({ "target_feature": shape, "desired_action": { "value": "fix", "quote": "fix the login" } });
        let frame = checked("fix the login", &extraction).frame;
        assert_eq!(frame.rejected.len(), 1, "{shape}");
        assert_eq!((frame.rejected[0].slot.as_str(), frame.rejected[0].reason), ("target_feature", reason), "{shape}");
        assert_eq!(frame.desired_action.as_deref(), Some("fix"), "{shape}");
        assert!(frame.rejected[0].value.as_ref().is_none_or(|value| value.chars().count() <= 500));
    }
}

#[test]
fn unknown_slots_are_named_and_null_is_no_fault() {
    let frame = checked("fix the login", &json!({ "module": null, "target_feature": null })).frame;
    assert_eq!(rejected(&frame), [("module", RejectReason::UnknownSlot, "")]);
    assert!(checked("fix the login", &json!({})).frame.rejected.is_empty());
    assert_eq!(checked("fix the login", &json!({})).frame.missing_slots, Slot::ALL);
}

#[test]
fn an_extraction_is_an_object() {
    for wrong in [json!([]), json!("x"), json!(null)] {
        let options = FrameOptions { extraction: Some(&wrong), ..FrameOptions::default() };
        let fault = frame("fix the login", &options).unwrap_err();
        assert!(matches!(fault, FrameFault::Extraction(_)), "{wrong}");
        assert_eq!(fault.code(), ErrorCode::BadRequest);
    }
}

#[test]
fn rules_fill_only_what_the_model_left() {
    let extraction = json!({ "target_feature": { "value": "export", "quote": "export button" } });
    let query = "The export button does nothing after a failed upload";
    let options = FrameOptions { extraction: Some(&extraction), fill: true, ..FrameOptions::default() };
    let frame = frame(query, &options).unwrap().frame;
    assert_eq!(frame.target_feature.as_deref(), Some("export"));
    assert_eq!(frame.observed_issue.as_deref(), Some("The export button does nothing"));
    assert_eq!(frame.slot_quotes[&Slot::ObservedIssue].rule, "E-I");
    assert_eq!(checked(query, &extraction).frame.observed_issue, None);
}

#[test]
fn requests_have_limits() {
    let answer = |query: &str| frame(query, &FrameOptions::default());
    assert_eq!(answer(" \n"), Err(FrameFault::Empty));
    assert!(answer(&"a ".repeat(QueryFrame::MAX_QUERY_BYTES / 2)).is_ok());
    let fault = answer(&"a".repeat(QueryFrame::MAX_QUERY_BYTES + 1)).unwrap_err();
    assert_eq!(fault.code(), ErrorCode::BudgetExceeded);
}

#[test]
fn the_schema_allows_what_is_checked() {
    let schema: Value = serde_json::from_str(EXTRACTION_SCHEMA).unwrap();
    let names: Vec<&str> = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
    let mut slots = Slot::ALL.map(Slot::name);
    slots.sort_unstable();
    let mut sorted = names;
    sorted.sort_unstable();
    assert_eq!(sorted, slots);
    assert_eq!(schema["$defs"]["slot"]["properties"]["value"]["maxLength"], 500);
    assert_eq!(schema["$defs"]["slot"]["properties"]["quote"]["maxLength"], 2000);
}

#[test]
fn prompts_ask_in_the_language_of_the_request() {
    assert!(prompt("ログイン{query}", FrameLang::Ja).ends_with("クエリ: ログイン{query}\n"));
    assert!(prompt("fix it", FrameLang::En).ends_with("Query: fix it\n"));
    assert_eq!(framed("`設定` is broken").frame.lang, FrameLang::En);
    assert_eq!(framed("login が壊れた").frame.lang, FrameLang::Ja);
    assert_eq!(framed("It fails\n```\nログ\n```\n").frame.lang, FrameLang::En);
}
