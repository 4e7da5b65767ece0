//! Tests the browse door on a small tree. Its index is built by the real stages.

use super::*;
use crate::assemble::IndexView;
use crate::pipeline::service::{self, Freshness, Refresh, Root};
use crate::record::request::Filter;
use crate::text::Tokenizer;

const ORDER: &str = "import json\n\n\nclass Order:\n    \"\"\"What a customer buys.\"\"\"\n\n    # In cents.\n    def cost(self):\n        return 5\n\n    def show(self):\n        return json.dumps(self.cost())\n\n\ndef settle_order(order):\n    return order.cost()\n";
const TEST: &str = "def test_cost():\n    assert Order().cost() == 5\n";
const STOCK: &str = "export class Stock {\n  cost(): number {\n    return 7;\n  }\n}\n";
const NOTES: &str = "# Notes\n\nCost is counted in cents.\n\n```python\ncost = 3\n```\n";

/// In two parts, so that this file holds none.
fn token() -> String {
    ["ghp", "Zk3Qp7Lm2Xw9Rt5Vb8Nc4Hj6Fd1Gs0Ay3EuK"].join("_")
}

/// Calls `work` with a view of the tree.
#[expect(clippy::disallowed_methods, reason = "makes a tree")]
fn with_tree<R>(work: impl FnOnce(&IndexView) -> R) -> R {
    let folder = tempfile::tempdir().unwrap();
    let (tree, index) = (folder.path().join("tree"), folder.path().join("index"));
    let secret = format!("def connect():\n    return \"{}\"\n", token());
    let long = format!("{}needle {}\n", "some words ".repeat(300), "more words ".repeat(300));
    let files = [
        ("shop/order.py", ORDER),
        ("shop/test_order.py", TEST),
        ("web/stock.ts", STOCK),
        ("docs/notes.md", NOTES),
        ("shop/connect.py", &secret),
        ("web/long.txt", &long),
        ("web/blob.bin", "a\0b"),
    ];
    for (path, text) in files {
        let path = tree.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let root = Root::of_tree(Some(&tree), Some(&index)).unwrap();
    let source = service::open(&root, Freshness::Refresh(&Refresh::QUIET)).unwrap().packs().unwrap();
    source.with(|view| Ok(work(view))).unwrap()
}

fn read_one(view: &IndexView, wanted: &str) -> Result<String, BrowseError> {
    read(view, &[wanted.to_string()], 8_000, Tokenizer::default()).map(|reading| reading.text)
}

/// The heading of what a text stands for, or what is wrong with it.
fn place(view: &IndexView, wanted: &str) -> String {
    match read_one(view, wanted) {
        Ok(text) => {
            let headings = text.lines().filter_map(|line| line.strip_prefix("### "));
            headings.collect::<Vec<_>>().join(" ")
        }
        Err(error) => format!("{} {error} {}", error.code(), error.hint().unwrap_or_default()),
    }
}

fn find_text(view: &IndexView, text: &str, change: impl FnOnce(&mut SearchRequest)) -> Result<SearchPage, BrowseError> {
    let mut request = SearchRequest { text: text.to_string(), ..SearchRequest::default() };
    change(&mut request);
    search(view, &request, 8_000, Tokenizer::default())
}

fn found(view: &IndexView, text: &str, change: impl FnOnce(&mut SearchRequest)) -> String {
    find_text(view, text, change).unwrap().text
}

#[test]
fn places_are_paths_lines_symbols_and_handles() {
    with_tree(|view| {
        assert_eq!(place(view, "shop/order.py"), "shop/order.py:1-16");
        for same in [
            "shop/order.py:7-9",
            "./shop//order.py:7-9",
            "file:shop/order.py:7-9",
            "order.py#L7-L9",
            "web/../shop/order.py:7-9",
        ] {
            assert_eq!(place(view, same), "shop/order.py:7-9", "{same}");
        }
        assert_eq!(place(view, "shop/order.py:14-"), "shop/order.py:14-16");
        assert_eq!(place(view, "shop/order.py:0-2"), "shop/order.py:1-2");
        assert_eq!(place(view, "shop/order.py:12"), "shop/order.py:11-12", "the definition around a line");
        assert_eq!(place(view, "shop/order.py:7"), "shop/order.py:7-9", "a comment belongs to its definition");
        assert_eq!(place(view, "shop/order.py:12:5"), "shop/order.py:11-12", "with a column");
        assert_eq!(place(view, "Order.cost"), "shop/order.py:7-9", "with its comment");
        assert_eq!(place(view, "Order::cost()"), "shop/order.py:7-9");
        assert_eq!(place(view, "shop/order.py::settle_order"), "shop/order.py:15-16");
        assert_eq!(place(view, "cost"), "shop/order.py:7-9 web/stock.ts:2-4", "several that are few");
        let chunk = view.corpus().definitions("settle_order").next().unwrap();
        let uid = view.chunk_uid(chunk).to_string();
        for handle in [uid.as_str(), &uid["xxh64:".len()..][..8], &format!("chunk:{uid}"), &format!("#{}", &uid[6..14])]
        {
            assert_eq!(place(view, handle), "shop/order.py:15-16", "{handle}");
        }
    });
}

#[test]
fn what_is_not_there_is_said_with_what_is_near() {
    with_tree(|view| {
        let said = place(view, "setle_order");
        let start = "POC_E_NOT_FOUND nothing is called `setle_order` did you mean `shop/order.py::settle_order`";
        assert!(said.starts_with(start), "{said}");
        assert!(
            place(view, "Oder.cost").contains("did you mean `shop/order.py::Order.cost`, `web/stock.ts::Stock.cost`"),
            "{}",
            place(view, "Oder.cost")
        );
        assert!(place(view, "shop/ordr.py").contains("did you mean `shop/order.py`"));
        assert!(place(view, "shop/order.py:99").contains("`shop/order.py` ends at line 16"));
        assert!(place(view, "shop").starts_with("POC_E_BAD_REQUEST `shop` is a directory"));
        assert!(place(view, "web/blob.bin").starts_with("POC_E_NOT_FOUND `web/blob.bin` has no text"));
        for wrong in ["", "::", "/etc/passwd", "../secret", ":1-2", "#", "file:", "facade", "xxh64:", "\u{0}"] {
            let said = place(view, wrong);
            assert!(said.starts_with("POC_E_"), "{wrong}: {said}");
        }
    });
}

#[test]
fn a_reading_has_the_lines_of_the_file_and_no_secrets() {
    with_tree(|view| {
        let text = read_one(view, "shop/order.py").unwrap();
        assert_eq!(text, format!("### shop/order.py:1-16\n```python\n{ORDER}```\n"));
        let notes = read_one(view, "docs/notes.md").unwrap();
        assert_eq!(notes, format!("### docs/notes.md:1-7\n````markdown\n{NOTES}````\n"), "the fence is longer");
        assert!(!read_one(view, "shop/connect.py").unwrap().contains(&token()));
    });
}

#[test]
fn a_reading_goes_on_where_it_ended() {
    with_tree(|view| {
        let mut wanted = vec!["shop/order.py".to_string(), "web/stock.ts".to_string()];
        let mut lines = String::new();
        for _ in 0..100 {
            let reading = read(view, &wanted, 40, Tokenizer::default()).unwrap();
            assert!(Tokenizer::default().count(&reading.text) <= 40);
            lines.extend(
                reading
                    .text
                    .lines()
                    .filter(|line| !line.starts_with("```") && !line.starts_with("###"))
                    .map(|line| format!("{line}\n")),
            );
            wanted = reading.rest;
            if wanted.is_empty() {
                break;
            }
        }
        let whole = format!("{ORDER}{STOCK}");
        let without_blanks = |text: &str| text.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
        assert_eq!(without_blanks(&lines), without_blanks(&whole));
        assert!(matches!(
            read(view, &["shop/order.py".to_string()], 3, Tokenizer::default()),
            Err(BrowseError::NoRoom(3))
        ));
        let long = read(view, &["web/long.txt".to_string()], 60, Tokenizer::default()).unwrap();
        assert!(long.text.contains('…') && long.rest.is_empty(), "{long:?}");
    });
}

#[test]
fn a_search_shows_lines_by_path_and_number() {
    with_tree(|view| {
        let all = find_text(view, "cost()", |_| ()).unwrap();
        assert_eq!(
            all.text,
            "shop/order.py\n12: return json.dumps(self.cost())\n16: return order.cost()\nshop/test_order.py\n1: def test_cost():\n2: assert Order().cost() == 5\nweb/stock.ts\n2: cost(): number {\n"
        );
        assert_eq!((all.lines, all.files, all.next), (5, 3, None));
        assert_eq!(found(view, "COST()", |_| ()), "", "capitals count");
        assert_eq!(found(view, r"^def \w+\(", |request| request.is_regex = true).lines().count(), 6);
        assert_eq!(found(view, r"^def \w+\(", |_| ()), "");
        assert_eq!(found(view, &token(), |_| ()), "", "a secret is not in the index");
        let long = found(view, "needle", |_| ());
        assert!(long.contains("needle") && long.chars().count() < 240, "{long}");
    });
}

#[test]
fn filters_choose_files() {
    with_tree(|view| {
        let files = |change: fn(&mut Filter)| {
            let text = found(view, "cost", |request| change(&mut request.filter));
            text.lines()
                .filter(|line| line.contains('/') && !line.contains(": "))
                .map(str::to_string)
                .collect::<Vec<_>>()
        };
        assert_eq!(files(|_| ()), ["docs/notes.md", "shop/order.py", "shop/test_order.py", "web/stock.ts"]);
        assert_eq!(files(|filter| filter.paths = vec!["*.ts".into()]), ["web/stock.ts"]);
        assert_eq!(
            files(|filter| filter.paths = vec!["./web/".into(), "docs".into()]),
            ["docs/notes.md", "web/stock.ts"]
        );
        assert_eq!(files(|filter| filter.paths = vec!["shop/*.py".into()]), ["shop/order.py", "shop/test_order.py"]);
        assert_eq!(files(|filter| filter.exclude = vec!["shop".into(), "*.md".into()]), ["web/stock.ts"]);
        assert_eq!(files(|filter| filter.no_tests = true), ["docs/notes.md", "shop/order.py", "web/stock.ts"]);
        assert_eq!(files(|filter| filter.languages = vec!["TS".into()]), ["web/stock.ts"]);
        assert_eq!(files(|filter| filter.languages = vec!["py".into()]), ["shop/order.py", "shop/test_order.py"]);
        let unknown = find_text(view, "cost", |request| request.filter.languages = vec!["pyhton".into()]);
        let unknown = unknown.unwrap_err().to_string();
        assert!(unknown.starts_with("no file of the index has the language `pyhton`; it has "), "{unknown}");
        let listed = found(view, "", |request| request.filter.paths = vec!["shop".into()]);
        assert_eq!(listed, "shop/connect.py\nshop/order.py\nshop/test_order.py\n");
    });
}

#[test]
fn pages_of_a_search_together_are_the_whole() {
    with_tree(|view| {
        for text in ["cost", ""] {
            let whole = find_text(view, text, |_| ()).unwrap();
            let (mut lines, mut after) = (Vec::new(), None);
            for _ in 0..100 {
                let request =
                    SearchRequest { text: text.to_string(), after: after.clone(), ..SearchRequest::default() };
                let page = search(view, &request, 24, Tokenizer::default()).unwrap();
                assert!(Tokenizer::default().count(&page.text) <= 24);
                lines.extend(page.text.lines().map(str::to_string));
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
            // A page repeats the path of the file that it goes on with.
            lines.dedup();
            let mut seen = std::collections::BTreeSet::new();
            lines.retain(|line| line.contains(": ") || seen.insert(line.clone()));
            assert_eq!(lines.join("\n") + "\n", whole.text);
        }
    });
}

#[test]
fn patterns_are_bounded_and_faults_are_explained() {
    with_tree(|view| {
        let fault = |text: &str| {
            let error = find_text(view, text, |request| request.is_regex = true).unwrap_err();
            assert_eq!(error.code(), ErrorCode::BadRequest);
            error.to_string()
        };
        assert!(fault("(").contains("unclosed group"));
        assert!(fault("(?:a{1000}){1000}").contains("too much memory"));
        assert!(!fault(&"(".repeat(5_000)).is_empty());
        assert!(fault("a\nb").contains("several lines"));
        assert!(fault("(?=x)").contains("look"));
        assert!(found(view, "(m*o*)*re|(x+x+)+y$", |request| request.is_regex = true).contains("long.txt"));
        let error = find_text(view, "x", |request| request.after = Some("nowhere".into())).unwrap_err();
        assert_eq!(error.code(), ErrorCode::BadRequest);
        let error = find_text(view, "x", |request| request.filter.paths = vec!["a[".into()]).unwrap_err();
        assert!(error.to_string().starts_with("`a[` is not a pattern for paths"), "{error}");
    });
}

#[test]
fn an_outline_has_symbols_with_lines() {
    with_tree(|view| {
        let of_file = "shop/order.py (16 lines)\n4-12 class Order\n  8-9 def cost(self)\n  11-12 def show(self)\n15-16 def settle_order(order)\n";
        assert_eq!(outline(view, "shop/order.py").unwrap(), of_file);
        assert_eq!(outline(view, "order.py").unwrap(), of_file);
        let of_folder = outline(view, "shop/").unwrap();
        assert_eq!(of_folder.lines().next(), Some("shop/ (3 files)"));
        assert!(of_folder.contains("order.py (16 lines): Order, settle_order\n"), "{of_folder}");
        for root in ["", ".", "/", "./"] {
            assert!(
                outline(view, root).unwrap().starts_with("./ (7 files)\ndocs/ (1 file)\nshop/ (3 files)\n"),
                "{root}"
            );
        }
        assert!(matches!(outline(view, "shop/nothing.py"), Err(BrowseError::Unknown { .. })));
        assert!(matches!(outline(view, "web/blob.bin"), Err(BrowseError::NoText { .. })));
    });
}
