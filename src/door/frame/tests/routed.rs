//! Priorities, operations, risk and requirements.

use super::framed;
use crate::door::frame::{Risk, RiskFacts, TreeCounts, by_priority, guidance, requirements, risk, route, within};
use crate::record::frame::{CodeOp, FrameIntent, FrameLang, RiskLevel, RiskRule, Slot};
use crate::record::write_line;

const NOTHING: RiskFacts<'static> = RiskFacts {
    intent: FrameIntent::Modify,
    target_feature: Some("login"),
    trigger_condition: None,
    observed_issue: Some("the login page is empty"),
    desired_action: None,
    had_hypothesis: false,
    is_widely_used: false,
};

fn routed(missing: &[Slot], intent: FrameIntent) -> (Vec<CodeOp>, Vec<CodeOp>) {
    let low = Risk { level: RiskLevel::Low, rules: Vec::new() };
    let routing = route("x", missing, intent, FrameLang::En, low);
    (routing.initial_tools, routing.recommended_tools)
}

#[test]
fn the_vague_request_is_answered_to_the_byte() {
    let answer = framed("ログイン機能直して");
    let mut line = Vec::new();
    write_line(&answer, &mut line);
    let line = String::from_utf8(line).unwrap();
    let frame = concat!(
        r#"{"frame":{"confirmed_symbols":null,"desired_action":"直して","extraction_confidence":0.4,"lang":"ja","#,
        r#""mapped_symbols":[],"missing_slots":["trigger_condition","observed_issue"],"observed_issue":null,"#,
        r#""raw_query":"ログイン機能直して","rejected":[],"said":[],"slot_evidence":{},"slot_quotes":{"#,
        r#""desired_action":{"confidence":0.9,"quote":"直して","rule":"J-D"},"#,
        r#""target_feature":{"confidence":0.7,"quote":"ログイン機能","rule":"J-T4"}},"#,
        r#""slot_source":{"desired_action":"STATED","target_feature":"STATED"},"#,
        r#""target_feature":"ログイン機能","trigger_condition":null},"#,
        r#""intent":"MODIFY","intent_source":"rule","routing":{"category":null,"#,
    );
    assert!(line.starts_with(frame), "{line}");
    let routing = r#""initial_phase":"EXPLORATION","initial_tools":["search_text","query","find_definitions"],"priority_slots":["observed_issue","trigger_condition"],"recommended_tools":["search_text","query"],"#;
    assert!(line.contains(routing), "{line}");
    assert!(line.ends_with("\"risk_level\":\"HIGH\",\"risk_rules\":[\"R1\"]}}\n"), "{line}");
}

#[test]
fn the_detailed_request_misses_nothing() {
    let answer = framed("XXXのときにXXXというエラーが出るので、XXXを修正して");
    assert!(answer.frame.missing_slots.is_empty());
    assert_eq!(answer.routing.risk_level, RiskLevel::Low);
    assert_eq!(answer.routing.recommended_tools, [CodeOp::FindDefinitions, CodeOp::FindReferences]);
}

#[test]
fn each_missing_slot_has_its_operations() {
    use CodeOp::{AnalyzeStructure, FindDefinitions, FindReferences, GetSymbols, Query, SearchText};
    let of = |slot| routed(&[slot], FrameIntent::Modify).0;
    assert_eq!(of(Slot::TargetFeature), [Query, GetSymbols, AnalyzeStructure]);
    assert_eq!(of(Slot::TriggerCondition), [SearchText, FindDefinitions]);
    assert_eq!(of(Slot::ObservedIssue), [SearchText, Query]);
    assert_eq!(of(Slot::DesiredAction), [FindReferences, AnalyzeStructure]);
    let (initial, recommended) = routed(&Slot::ALL, FrameIntent::Modify);
    assert_eq!(initial, [Query, GetSymbols, AnalyzeStructure, SearchText]);
    assert_eq!(recommended, [Query, GetSymbols, AnalyzeStructure]);
    assert_eq!(
        routed(&[], FrameIntent::Modify),
        (vec![FindDefinitions, FindReferences], vec![FindDefinitions, FindReferences])
    );
}

#[test]
fn a_category_moves_one_operation_to_the_front() {
    let low = || Risk { level: RiskLevel::Low, rules: Vec::new() };
    let tools =
        |query: &str, missing: &[Slot]| route(query, missing, FrameIntent::Modify, FrameLang::En, low()).initial_tools;
    assert_eq!(tools("why is it so", &[Slot::ObservedIssue]), [CodeOp::Query, CodeOp::SearchText]);
    assert_eq!(tools("who calls it", &[]), [CodeOp::FindReferences, CodeOp::FindDefinitions]);
    assert_eq!(tools("影響を知りたい", &[]), [CodeOp::FindReferences, CodeOp::FindDefinitions]);
    assert_eq!(tools("who calls it", &[Slot::ObservedIssue]), [CodeOp::SearchText, CodeOp::Query]);
}

#[test]
fn every_set_of_missing_slots_has_its_hints_in_order() {
    for set in 0..16_usize {
        let missing: Vec<Slot> = Slot::ALL.into_iter().filter(|slot| set >> (*slot as usize) & 1 == 1).collect();
        for intent in [FrameIntent::Implement, FrameIntent::Modify, FrameIntent::Investigate, FrameIntent::Question] {
            let order = by_priority(&missing, intent);
            let place = |slot| order.iter().position(|one| *one == slot);
            assert_eq!(order.len(), missing.len());
            assert!(place(Slot::TargetFeature).is_none_or(|at| at == 0));
            if let (Some(issue), Some(trigger)) = (place(Slot::ObservedIssue), place(Slot::TriggerCondition)) {
                assert_eq!(issue < trigger, intent.writes());
            }
            for lang in [FrameLang::Ja, FrameLang::En] {
                let hints = guidance(&order, lang).hints;
                assert_eq!(hints.iter().map(|hint| hint.slot).collect::<Vec<_>>(), order);
                let is_japanese = |text: &str| text.contains('。');
                assert!(hints.iter().all(|hint| is_japanese(&hint.hint) == (lang == FrameLang::Ja)));
            }
        }
    }
}

#[test]
fn hints_are_the_texts_of_the_specification() {
    let texts = |lang| {
        let hints = guidance(&by_priority(&Slot::ALL, FrameIntent::Modify), lang).hints;
        hints.into_iter().map(|hint| format!("{} {}", hint.hint, hint.action)).collect::<Vec<_>>()
    };
    let japanese = [
        "対象となる機能やモジュールが特定できません。 get_symbols や query を使用して、関連しそうなコードの全体像を把握してください。",
        "修正の動機となる『現状の問題』が不明です。 search_text でエラー文言やログを確認してください。",
        "問題が発生する再現条件が特定されていません。 コード内の if 文や例外処理の条件を探索してください。",
        "期待する修正方針が不明です。 find_references で影響範囲を把握してください。",
    ];
    let english = [
        "Which feature or module is meant is not known. Use get_symbols or query to see what code may be involved.",
        "What is wrong today, the reason for the change, is not known. Look for error texts and logs with search_text.",
        "Under which condition it happens is not known. Look at the conditions and error handling in the code.",
        "What should be done about it is not known. See with find_references what a change would reach.",
    ];
    assert_eq!(texts(FrameLang::Ja), japanese);
    assert_eq!(texts(FrameLang::En), english);
}

/// A rule of risk with facts that make it fire.
type Firing = (RiskRule, RiskLevel, fn(&mut RiskFacts<'static>));

const FIRING: [Firing; 5] = [
    (RiskRule::R1, RiskLevel::High, |facts| {
        facts.desired_action = Some("fix it");
        facts.observed_issue = None;
    }),
    (RiskRule::R2, RiskLevel::High, |facts| facts.target_feature = None),
    (RiskRule::R4, RiskLevel::Medium, |facts| facts.observed_issue = Some("broken")),
    (RiskRule::R5, RiskLevel::Medium, |facts| facts.had_hypothesis = true),
    (RiskRule::R6, RiskLevel::Medium, |facts| facts.is_widely_used = true),
];

#[test]
fn each_rule_of_risk_fires_alone_and_with_each_other() {
    assert_eq!(risk(&NOTHING), Risk { level: RiskLevel::Low, rules: Vec::new() });
    for (at, (rule, level, fire)) in FIRING.into_iter().enumerate() {
        let mut facts = NOTHING;
        fire(&mut facts);
        assert_eq!(risk(&facts), Risk { level, rules: vec![rule] });
        for (other, other_level, fire_other) in FIRING.into_iter().skip(at + 1) {
            let mut facts = facts;
            fire_other(&mut facts);
            // R1 needs a request without an issue, R4 one with an issue.
            let rules = if (rule, other) == (RiskRule::R1, RiskRule::R4) { vec![other] } else { vec![rule, other] };
            let raised = if level == RiskLevel::Low { RiskLevel::Medium } else { RiskLevel::High };
            let highest = if other == RiskRule::R6 { raised } else { level.max(other_level) };
            let highest = if rules.len() == 1 { other_level } else { highest };
            assert_eq!(risk(&facts), Risk { level: highest, rules }, "{rule:?} {other:?}");
        }
    }
    let silent = RiskFacts { intent: FrameIntent::Implement, target_feature: None, observed_issue: None, ..NOTHING };
    assert_eq!(risk(&silent), Risk { level: RiskLevel::High, rules: vec![RiskRule::R3] });
}

#[test]
fn an_intent_that_does_not_write_is_low() {
    for intent in [FrameIntent::Investigate, FrameIntent::Question] {
        for (_, _, fire) in FIRING {
            let mut facts = RiskFacts { intent, ..NOTHING };
            fire(&mut facts);
            assert_eq!(risk(&facts), Risk { level: RiskLevel::Low, rules: Vec::new() });
        }
    }
}

#[test]
fn vague_issues_are_short_or_of_words_that_fit_every_issue() {
    let level = |issue| risk(&RiskFacts { observed_issue: Some(issue), ..NOTHING }).level;
    for issue in ["エラーが出る", "動かない", "broken", "it does not work", "問題が発生する"] {
        assert_eq!(level(issue), RiskLevel::Medium, "{issue}");
    }
    for issue in ["XXXというエラー", "一覧に残る", "returns null for it", "検索結果の表示が遅い"] {
        assert_eq!(level(issue), RiskLevel::Low, "{issue}");
    }
}

#[test]
fn requirements_follow_intent_and_risk() {
    let counts = |intent, level| {
        let needed = requirements(intent, level);
        let tools = needed.required_tools.len();
        let numbers = [needed.symbols_identified, needed.entry_points, needed.files_analyzed, needed.existing_patterns];
        (numbers, needed.required_slot_evidence, tools)
    };
    use FrameIntent::{Implement, Investigate, Modify, Question};
    use Slot::{DesiredAction, ObservedIssue, TargetFeature};
    assert_eq!(counts(Question, RiskLevel::Low), ([0, 0, 0, 0], vec![], 0));
    assert_eq!(counts(Investigate, RiskLevel::Low), ([1, 0, 1, 0], vec![], 0));
    for intent in [Modify, Implement] {
        assert_eq!(counts(intent, RiskLevel::Low), ([3, 1, 2, 1], vec![], 2));
        assert_eq!(counts(intent, RiskLevel::Medium), ([3, 1, 2, 1], vec![TargetFeature], 2));
    }
    assert_eq!(counts(Modify, RiskLevel::High), ([5, 2, 4, 2], vec![TargetFeature, ObservedIssue], 2));
    assert_eq!(counts(Implement, RiskLevel::High), ([5, 2, 4, 2], vec![TargetFeature, DesiredAction], 2));
}

#[test]
fn no_requirement_is_for_more_than_the_tree_has() {
    let tree = TreeCounts { symbols: 2, callables: 1, files: 1 };
    let needed = within(requirements(FrameIntent::Modify, RiskLevel::High), tree);
    let numbers = [needed.symbols_identified, needed.entry_points, needed.files_analyzed, needed.existing_patterns];
    assert_eq!(numbers, [2, 1, 1, 1]);
}
