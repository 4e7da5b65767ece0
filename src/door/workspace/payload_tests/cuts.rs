//! Four strategies on five texts, for every limit from 0 to 200 tokens.

use std::fmt::Write;

use super::truncate::{Cuts, Extractor, Kept, shown, tokens};
use crate::record::workspace::TruncationStrategy;
use crate::text::{CountedText, Tokenizer};

const JAPANESE: &str = "\
第三四半期の計画をまとめました。請求書は六月九日までに送付してください。会場の予約はまだ終わっていません。証明書の更新が遅れています。\
これは課題です。担当者は来週の月曜日に進捗を報告します。詳しくは Launch のページを見てください。
会場を予約する。請求書を確認して送付する。期限を過ぎた課題を一覧にする。次の会議では、予算と人員の配置について話し合います。";

const CODE: &str = "\
//! Renews certificates.
use std::time::Duration;

/// Days before a certificate ends in which it is renewed.
const MARGIN: u64 = 14;

pub fn renew(certificates: &mut [Certificate], today: Day) -> usize {
    let mut renewed = 0;
    for certificate in certificates.iter_mut() {
        if certificate.ends_within(today, MARGIN) {
            certificate.renew();
            renewed += 1;
        }
    }
    renewed
}

#[test]
fn overdue_certificates_are_renewed() {
    let mut certificates = vec![Certificate::ending(Day(10)), Certificate::ending(Day(90))];
    assert_eq!(renew(&mut certificates, Day(12)), 1);
}
";

const LONG_LINE: &str = "\
The launch is planned for June, e.g. the 20th, but two tasks are overdue. Dr. Lee renews the TLS certificate; version \
3.5 needs it! Who books the venue? J. Smith does, as agreed in the last meeting. Invoices were sent to Globex Inc. on \
Monday… nobody answered. The data follows: \
QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5ejAxMjM0NTY3ODkrLw== and that is all of it. After \
the launch we write a summary of what went well. The tasks that stay open move to the next plan. Everybody adds their own \
notes until Friday, so that the overdue ones are seen. The old audit is archived, as nobody reads it any more.";

const LIST: &str = "\
- Renew the certificate
- Book the venue
  - Ask for three offers
  - Compare them with the last year's
- [ ] Send invoices (due 2025-06-09)
- [x] Ship the login page
1. Overdue tasks first
2. Then those of this week
3. Then everything that waits for somebody else

- Ask Kim about the audit
- Close what is done
- Move what stays open to the next plan, with a note why it is late
- Plan the retrospective
- Invite everybody who worked on the launch
- Publish the overdue list";

const EMOJI: &str = "\
🚀 Launch day! 🎉🎉🎉 The team 👩‍💻👨🏽‍💻 shipped it 💪🏿. Overdue tasks ⏰: 📄 invoices, 🔐 certificates, 🏟️ venue. \
🇯🇵🇩🇪🇧🇷 joined us. 👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦 families came 🙂. Next: ☕️ then 🧾.";

const SUMMARY: &str = "\
Two tasks are overdue: the invoices and the certificate. The venue has to be booked until tomorrow, and somebody has to \
answer Globex.";

const TEXTS: [(&str, &str, bool); 5] = [
    ("japanese", JAPANESE, false),
    ("code", CODE, true),
    ("long line", LONG_LINE, false),
    ("list", LIST, false),
    ("emoji", EMOJI, false),
];

const STRATEGIES: [TruncationStrategy; 4] = [
    TruncationStrategy::KeepStart,
    TruncationStrategy::KeepEnd,
    TruncationStrategy::Extractive,
    TruncationStrategy::Summarize,
];

/// What is cut: a summary is another text.
fn source(text: &'static str, is_code: bool, strategy: TruncationStrategy) -> (&'static str, bool) {
    if strategy == TruncationStrategy::Summarize { (SUMMARY, false) } else { (text, is_code) }
}

fn cuts(text: &str, is_code: bool, strategy: TruncationStrategy) -> Cuts {
    let query = ["overdu", "task"].map(String::from).into();
    Cuts::new(text, is_code, strategy, &mut Extractor::new(&query))
}

fn contains(larger: &Kept, smaller: &Kept) -> bool {
    smaller.iter().all(|part| larger.iter().any(|other| other.start <= part.start && part.end <= other.end))
}

#[test]
fn no_cut_has_more_tokens_than_it_may_and_more_room_never_shows_less() {
    for tokenizer in Tokenizer::ALL {
        for (name, text, is_code) in TEXTS {
            for strategy in STRATEGIES {
                let (text, is_code) = source(text, is_code, strategy);
                let (cuts, counted) = (cuts(text, is_code, strategy), CountedText::new(tokenizer, text));
                let mut before = Kept::new();
                for limit in 0..=200 {
                    let kept = cuts.kept(cuts.within(&counted, limit));
                    let printed = shown(text, &kept);
                    assert_eq!(tokens(&counted, &kept, "", ""), tokenizer.count(&printed), "{printed:?}");
                    assert!(tokenizer.count(&printed) <= limit, "{name} {strategy:?} {limit}");
                    assert!(contains(&kept, &before), "{name} {strategy:?} {limit}: {before:?} {kept:?}");
                    before = kept;
                }
                assert!(!before.is_empty(), "{name} {strategy:?}");
            }
        }
    }
}

#[test]
fn every_cut_keeps_what_the_one_before_it_keeps_and_costs_what_it_has_printed() {
    for (name, text, is_code) in TEXTS {
        for strategy in STRATEGIES {
            let (cuts, counted) = (cuts(text, is_code, strategy), CountedText::new(Tokenizer::O200kBase, text));
            for number in 1..=cuts.count() {
                let (smaller, larger) = (cuts.kept(number - 1), cuts.kept(number));
                assert!(contains(&larger, &smaller) && larger != smaller, "{name} {strategy:?} {number}");
                for (before, after) in [("", ""), ("[text]\n", "\n\n"), ("[code]\n````rust\n", "\n````\n\n")] {
                    let printed = format!("{before}{}{after}", shown(text, &larger));
                    let expected = Tokenizer::O200kBase.count(&printed);
                    assert_eq!(tokens(&counted, &larger, before, after), expected, "{printed:?}");
                }
            }
            assert_eq!(shown(text, &cuts.kept(cuts.count())), text.trim(), "the last cut keeps everything");
        }
    }
}

/// The message of a failure is the new file.
#[test]
fn cuts_are_as_they_were() {
    let mut drawn = String::new();
    for (name, text, is_code) in TEXTS {
        for strategy in STRATEGIES {
            let (text, is_code) = source(text, is_code, strategy);
            let (cuts, counted) = (cuts(text, is_code, strategy), CountedText::new(Tokenizer::O200kBase, text));
            for limit in [6, 30, 90] {
                let kept = cuts.kept(cuts.within(&counted, limit));
                let count = tokens(&counted, &kept, "", "");
                writeln!(drawn, "== {name}, {strategy:?}, {limit}: {count}\n{}", shown(text, &kept)).unwrap();
            }
        }
    }
    assert!(
        drawn == include_str!("cuts.txt"),
        "src/door/workspace/payload_tests/cuts.txt is stale; it is now\n{drawn}"
    );
}

#[test]
fn nothing_is_cut_to_nothing() {
    for text in ["", " \n ", "\n\n\n"] {
        for strategy in STRATEGIES {
            let cuts = cuts(text, false, strategy);
            assert_eq!((cuts.count(), cuts.within(&CountedText::new(Tokenizer::O200kBase, text), 9)), (0, 0));
            assert_eq!(shown(text, &cuts.kept(0)), "");
        }
    }
}
