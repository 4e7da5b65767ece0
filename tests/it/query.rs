//! How queries are read: literals, frames, other languages, and what a pack says about words that are not there.

use std::path::Path;

use contextpack::door::pack::{Format, pack, render};
use contextpack::pipeline::PackSource;
use contextpack::record::pack::{ContextPack, Item, TreeState};
use contextpack::record::request::PackRequest;
use contextpack::text::Tokenizer;
use tempfile::{TempDir, tempdir};

use crate::tool::{contextpack, index_tree, plant, run};

struct Tree {
    _folder: TempDir,
    source: PackSource,
}

impl Tree {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempdir().unwrap();
        let (tree, index) = (folder.path().join("tree"), folder.path().join("index"));
        plant(&tree, &files.iter().map(|(path, text)| (*path, text.as_bytes())).collect::<Vec<_>>());
        index_tree(&tree, &index);
        let source = PackSource::open(&index, TreeState::Unchecked).unwrap();
        Tree { _folder: folder, source }
    }

    fn ask(&self, request: &PackRequest) -> ContextPack {
        self.source.with(|view| pack(view, request)).unwrap()
    }

    fn pack(&self, query: &str) -> ContextPack {
        self.ask(&PackRequest { query: query.to_string(), ..PackRequest::default() })
    }
}

fn items(pack: &ContextPack) -> Vec<&Item> {
    let mut items: Vec<&Item> = pack.sections.iter().flat_map(|section| &section.items).collect();
    items.sort_by_key(|item| item.rank);
    items
}

/// A shop with many functions that are about orders, files and prices.
fn shop() -> Tree {
    let noise = |name: &str| -> String {
        let body = |at: u32| {
            format!(
                "def {name}_order_{at}(order, price):\n    # Open the order file and read the price.\n    \
                 return order.open(price, {at})\n\n\n"
            )
        };
        (0..60).map(body).collect()
    };
    let ledger = "import os\n\n\ndef settle(cart, total):\n    if total < 0:\n        \
                  raise ValueError(f\"cannot settle cart {cart.name}: the total {total} is below zero\")\n    \
                  return total\n\n\ndef drafts(shelf):\n    \"\"\"Loads draft articles.\"\"\"\n    \
                  return shelf.load_draft_articles()\n";
    let files =
        [("app/orders.py", noise("place")), ("app/prices.py", noise("price")), ("app/ledger.py", ledger.into())];
    Tree::new(&files.each_ref().map(|(path, text)| (*path, text.as_str())))
}

#[test]
fn a_message_finds_its_string_although_it_is_not_quoted() {
    let shop = shop();
    let report = "Orders fail\n\nWe open an order file, and it doesn't read the price. It prints\n\
                  cannot settle cart Friday-17: the total -3 is below zero\nand we don't know why.\n";
    let made = shop.pack(report);
    let first = items(&made)[0];
    assert!(first.excerpt.text.contains("cannot settle cart"), "{}", first.excerpt.text);
    let names = made.explain.unwrap().query.matched_names;
    let literal = names.iter().find(|found| found.what.starts_with("\"cannot settle cart")).expect("it is found");
    assert!(literal.what.ends_with("is below zero\"") && literal.chunks == 1, "{literal:?}");
    assert!(!names.iter().any(|found| found.what.contains("t read the price")), "{names:?}");
}

#[test]
fn a_function_beats_a_line_of_another_version() {
    let function = |at: u32| format!("def step_{at}(line):\n    return line + {at}\n\n\n");
    let file: String = (0..100).map(function).collect();
    let tree = Tree::new(&[("app/steps.py", &file), ("app/other.py", "def other(line):\n    return line\n")]);
    let first = |frame: &str| {
        let made = tree.pack(&format!("it fails\n{frame}\n"));
        items(&made)[0].lines.start
    };
    let start_of = |at: u32| at * 4 + 1;
    for frame in [
        "  File \"/srv/app/steps.py\", line 10, in step_70",
        "    at step_70 (/srv/app/steps.py:10:5)",
        "/srv/app/steps.py:10:in `step_70'",
        "#1  0x00 in step_70 (line=1) at app/steps.py:10",
    ] {
        assert_eq!(first(frame), start_of(70), "{frame}");
    }
    assert_eq!(first("  File \"/srv/app/steps.py\", line 10, in step_2"), start_of(2), "the line is in the function");
    assert_eq!(first("  File \"/srv/app/steps.py\", line 10, in gone"), start_of(2), "there is no such function");
}

#[test]
fn words_of_other_languages_find_english_names() {
    let shop = shop();
    for query in [
        "下書きの記事はどこで読み込まれますか",
        "草稿文章在哪里加载",
        "초안 기사를 어디서 불러오나요",
        "Wo werden Entwürfe von Artikeln geladen?",
        "Où sont chargés les brouillons d’articles ?",
        "¿Dónde se cargan los borradores de artículos?",
        "Onde são carregados os rascunhos de artigos?",
        "Где загружаются черновики статей?",
    ] {
        let made = shop.pack(query);
        let first = items(&made).first().map(|item| item.excerpt.text.clone()).unwrap_or_default();
        assert!(first.contains("load_draft_articles"), "{query}\n{first}");
        let translated = made.explain.unwrap().query.translated;
        assert!(translated.iter().any(|one| one.to == ["draft"]), "{query} {translated:?}");
    }
    let english = shop.pack("where do draft articles load").explain.unwrap().query;
    assert!(english.translated.is_empty() && english.unknown_words.is_empty(), "{english:?}");
}

/// Questions as engineers ask them: the function is found, and no word of a sentence is reported as unknown.
#[test]
fn questions_in_other_languages_find_the_function() {
    let noise: String =
        (0..40).map(|at| format!("def place_order_{at}(price):\n    return price + {at}\n\n\n")).collect();
    let settings = "import os\n\n\ndef read_env(name, fallback):\n    # An environment variable.\n    return os.environ.get(name, fallback)\n\n\n\
                    def load_config_file(path):\n    return open(path).read()\n\n\n\
                    def evict_expired_cache(entries):\n    return [one for one in entries if one.fresh]\n\n\n\
                    def cookie_header(name):\n    return name\n";
    let tree = Tree::new(&[("app/shop.py", noise.as_str()), ("app/settings.py", settings)]);
    for (query, title) in [
        ("環境変数はどの順番で読まれますか", "read_env"),
        ("環境変數在哪裡讀取？", "read_env"),
        ("怎样读取环境变量，没有的时候怎么办", "read_env"),
        ("환경 변수는 어디에서 읽나요?", "read_env"),
        ("Wo wird die Umgebungsvariable gelesen, und was passiert, falls sie fehlt?", "read_env"),
        ("Где читаются переменные окружения?", "read_env"),
        ("Wie wird die Konfigurationsdatei geladen?", "load_config_file"),
        ("¿Cómo se carga el archivo de configuración?", "load_config_file"),
        ("Como o arquivo de configuração é carregado?", "load_config_file"),
        ("Comment le fichier de configuration est-il chargé ?", "load_config_file"),
        ("期限切れのキャッシュはいつ消えますか", "evict_expired_cache"),
        ("过期的缓存什么时候被淘汰", "evict_expired_cache"),
        ("Когда устаревшие записи вытесняются из кэша?", "evict_expired_cache"),
        ("cookieのヘッダーはどこで決まりますか", "cookie_header"),
    ] {
        let made = tree.pack(query);
        let first = items(&made).first().map(|item| item.title.clone()).unwrap_or_default();
        assert!(first.contains(title), "{query}\n{first}");
        let unknown = made.explain.unwrap().query.unknown_words;
        assert!(!unknown.iter().any(|word| !word.is_ascii()), "{query} {unknown:?}");
    }
}

#[test]
fn a_name_that_is_nowhere_is_reported_and_a_weak_match_is_short() {
    let shop = shop();
    let absent = shop.pack("where is ERR_INDEX_LOCKED raised when `settle` runs?");
    assert_eq!(absent.explain.as_ref().unwrap().query.absent, ["ERR_INDEX_LOCKED"]);
    assert!(render(&absent, Format::Markdown).contains("\n\nNot in this tree: `ERR_INDEX_LOCKED`.\n\n"));
    assert!(render(&absent, Format::Xml).contains("<notice text=\"Not in this tree: `ERR_INDEX_LOCKED`.\"/>\n"));
    assert!(absent.explain.as_ref().unwrap().query.weak.is_none(), "`settle` is defined");

    let weak = shop.pack("why does the frobnicator sprocket return quuxes");
    let explain = weak.explain.as_ref().unwrap();
    assert_eq!(explain.query.weak.as_deref(), Some(&["return".to_string()][..]));
    assert_eq!(explain.query.unknown_words, ["frobnicator", "sprocket", "quuxes"]);
    assert!(weak.stats.rendered_tokens.largest() <= 1_500, "{:?}", weak.stats.rendered_tokens);
    assert!(weak.items().iter().all(|item| item.why.path.is_empty()), "neighbours are not shown");
    assert!(explain.caps.iter().any(|cap| cap.cap == "weakMatch"), "{:?}", explain.caps);
    let text = render(&weak, Format::Markdown);
    assert!(text.contains("Weak match: only `return` occurs in this tree.\n"), "{}", &text[..300]);
    assert!(shop.pack("how is an order placed").notices.is_empty());
}

#[test]
fn notices_are_part_of_the_budget_and_smaller_is_a_prefix() {
    let shop = shop();
    let mut shown: Vec<String> = Vec::new();
    for budget in [0, 10, 40, 80, 200, 800, 1_500, 4_000] {
        let query = "why does the frobnicator ERR_LOCKED return \"an `odd` quotation\"".to_string();
        let mut request = PackRequest { query, ..PackRequest::default() };
        request.budgets.max_total_tokens = budget;
        let made = shop.ask(&request);
        for (format, counted) in
            [(Format::Markdown, made.stats.rendered_tokens.markdown), (Format::Xml, made.stats.rendered_tokens.xml)]
        {
            let tokens = Tokenizer::default().count(&render(&made, format)) as u32;
            assert!(tokens == counted && tokens <= budget, "{tokens} {counted} {budget}");
        }
        let now: Vec<String> = items(&made).iter().map(|item| item.chunk_uid.to_string()).collect();
        assert!(now.starts_with(&shown), "{budget}");
        shown = now;
    }
    assert!(shown.len() > 2);
}

#[test]
fn words_of_contextpack_toml_are_part_of_the_request() {
    let folder = tempdir().unwrap();
    plant(
        folder.path(),
        &[
            ("contextpack.toml", b"[words]\n\"warenkorb*\" = [\"cart\"]\n".as_slice()),
            ("cart.py", b"def fill_cart(item):\n    return item\n"),
            ("other.py", b"def other(item):\n    return item\n"),
        ],
    );
    let ask = |tree: &Path| -> ContextPack {
        let mut command = contextpack();
        command.args(["pack", "Warenkorbs", "--json", "--repo"]).arg(tree);
        let output = run(&mut command, 0);
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let with = ask(folder.path());
    assert_eq!(items(&with)[0].file_rel_path.as_str(), "cart.py");
    assert_eq!(with.request.words["warenkorb*"], ["cart"]);
    std::fs::write(folder.path().join("contextpack.toml"), "").unwrap();
    let without = ask(folder.path());
    assert!(items(&without).is_empty());
    assert!(without.notices.iter().any(|notice| notice.contains("`Warenkorbs`")), "{:?}", without.notices);
    assert_ne!(with.pack_id, without.pack_id);
}

/// Questions say "folder" and "deleted" where code says `dir` and `remove`; a word of the question itself counts more.
#[test]
fn words_that_mean_the_same_are_found() {
    let noise: String =
        (0..40).map(|at| format!("def place_order_{at}(price):\n    return price + {at}\n\n\n")).collect();
    let files = format!("{noise}def remove_tmp_dir(path):\n    return unlink_all(path)\n");
    let tree = Tree::new(&[
        ("app/shop.py", files.as_str()),
        ("app/bin.py", "def empty_bin(folder):\n    return folder.wipe()\n"),
    ]);
    let first = |query: &str| items(&tree.pack(query))[0].title.clone();
    assert_eq!(first("when is the temporary stuff deleted?"), "def remove_tmp_dir(path)");
    assert_eq!(first("where is the folder wiped?"), "def empty_bin(folder)");
}
