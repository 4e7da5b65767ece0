use super::*;
use crate::record::{Analysis, Audience, File};
use crate::search::terms::{Counters, FileTerms, Terms, build};

/// Calls `check` with the lookup of a German query in a tree that has one file, named by `words`.
fn with(words: &str, check: impl Fn(&Lookup)) {
    let file = File {
        audience: Audience::default(),
        source_kind: None,
        analysis: Analysis::Parsed,
        bytes: 0,
        chunks: vec![],
        digest: None,
        encoding: None,
        file_rel_path: words.replace(' ', "/").try_into().unwrap(),
        language_id: None,
        line_ending: None,
        lines: 0,
        marks: vec![],
        package: None,
        references: 0,
        symbols: 0,
    };
    let bytes = build(&[(&file, &FileTerms::default())], Counters::default());
    let corpus = Corpus::new([(0, Terms::parse(&bytes).unwrap())]);
    let lookup = Lookup {
        corpus: &corpus,
        own: Dictionary::default(),
        analyser: Analyser::default(),
        is_english: false,
        left: Cell::new(MAX_SPLIT),
    };
    check(&lookup);
}

/// Common words of code and of its documents. `charge` is left out: French has it, too.
const ENGLISH: &str = "
    abstract access account action active adapter address aggregate algorithm alias allocate anchor annotation
    another api append application archive argument array assert assign async attach attribute audit author average
    backend background backup balance balancer bandwidth base batch benchmark binary binding bitmap block board boolean
    border bound boundary bracket branch bridge browser bucket buffer build builder bundle button bytes cache cached
    calendar callback canvas capacity capture cascade catalog category cell center certificate chain chained channel
    char check checkout child chunk circle claim class cleanup client clock clone cluster code codec collection color
    column command comment commit compare compile component compress concat condition config connect console constant
    container content context control convert cookie coordinate copy core corner counter coverage crash create cursor
    custom cycle daemon damage danger dashboard data database date deadlock debug decimal decode default delay delete
    delta dependency deploy depth descriptor design detail detect device dictionary diff different digest dimension
    directory disk dispatch display divide domain download driver dump dynamic edge editor element else email embed
    emit enable encode encrypt endpoint engine entity entry enum error escape event evict exact example exception
    exclude execute executor expand expire explicit explode export expression extend extension extra factory fallback
    false feature fetch field file filter final finally finish fixture flag flatten float flush focus folder footer
    force foreign format forward fragment frame framework frontend function future gateway general generate generic
    global gradient grammar graph grid group guard handler hash header heading health heap height helper herd hidden
    history hook host icon identifier image immutable implement import include index infer inherit initial inject
    inline input insert inspect install instance instruct integer integration interface internal internet interval
    invalid invoke item iterator join journal json kernel keyboard keyword label lambda language latency launch layer
    layout leader leak legacy length lesson level lexer library license limit line linear link list listener literal
    load local locale location lock logger login loop macro manager mandatory manifest margin marker mask matrix member
    memory merge message metadata metric middleware migration mirror mobile model modify module monitor mount mutex
    namespace native navigate negative network node normal notify null number object observer offset operator option
    order origin output overflow override owner package padding pagination panel panic parallel parameter parent parse
    parser partial password patch path pattern payload pending performance permission pipeline pixel placeholder plan
    platform player plugin pointer policy pool popup port position prefix premium preview primary print priority
    private problem process producer profile program progress project promise prompt property protocol prototype
    provider proxy public purge query queue quick quota quote radius random range rate reader recharge record recover
    recursion reduce refactor reference region register registry regression relation release reload remote render
    repair replica replicate report repository request require reserve reset resolve resource response restaurant
    restore result retry reverse review revision rollback rotation route router row rule runtime sample sandbox scalar
    scale schedule schema scope score scrape screen script scroll search secret section secure segment select selector
    semantic sentence separator sequence server service session shadow shape shard shared shell shift signal signature
    simulate single snapshot socket solver source space spanned special sprite stack stage standard state statement
    static status still stock storage store strategy stream string struct style submit suite summary suspend switch
    symbol syntax system table target task temporary tenant tensor terminal test text theme thread timeout timer title
    token tool topic total trace traffic trait transaction transform transport traverse tree trie trigger tuple type
    undo unicode union unit unlock update upgrade upload usage user valid value variable vector vendor verbose version
    video virtual visitor voltage volume warning widget width wildcard window worker wrapper writer zone
";

#[test]
fn no_entry_has_the_form_of_an_english_word_with_another_meaning() {
    let is_related = |word: &str, to: &str| {
        let common = word.bytes().zip(to.bytes()).take_while(|(a, b)| a == b).count();
        common >= 4.min(to.len()).min(word.len())
    };
    let wrong: Vec<_> = ENGLISH
        .split_whitespace()
        .filter_map(|word| Some((word, BUILTIN.dictionary.word(word)?)))
        .filter(|(word, to)| !to.iter().any(|to| is_related(word, to)))
        .collect();
    assert!(ENGLISH.split_whitespace().count() > 300 && wrong.is_empty(), "{wrong:?}");
}

#[test]
fn the_table_is_sorted_and_its_entries_are_words() {
    let text = include_str!("../translations.toml");
    let (_, groups) = text.split_once("[words]\n").unwrap();
    for group in groups.split("\n\n") {
        let keys: Vec<&str> = group.lines().filter_map(|line| Some(line.split_once(" = ")?.0)).collect();
        assert!(keys.is_sorted() && keys.len() > 20, "{keys:?}");
    }
    let table: Table = toml::from_str(text).unwrap();
    for (to, words) in &table.words {
        let folded: BTreeSet<String> = words.iter().map(|word| fold(word)).collect();
        assert_eq!(folded.len(), words.len(), "an entry of {to} is repeated");
        for word in words {
            let stem = word.strip_suffix('*').unwrap_or(word);
            assert!(!stem.is_empty() && stem.chars().all(char::is_alphanumeric), "{to}: {word}");
            assert!(!stem.chars().any(is_unspaced) || stem == word, "{to}: {word} is found inside runs, without `*`");
            assert!(!is_foreign_stop_word(stem) || stem != word, "{to}: {word} carries no information");
        }
    }
}

#[test]
fn german_compounds_are_split() {
    with("environment variable config file command line user setting timeout cookie size log message", |lookup| {
        let to = |word: &str| lookup.translations(word).into_iter().flat_map(|one| one.to).collect::<Vec<_>>();
        assert_eq!(to("Umgebungsvariable"), ["environment"], "it is an entry");
        assert_eq!(to("Konfigurationsdatei"), ["config", "file"]);
        assert_eq!(to("Konfigurationsdateien"), ["config", "file"]);
        assert_eq!(to("Cookiegröße"), ["cookie", "size"]);
        assert_eq!(to("Benutzerdateigröße"), ["user", "file", "size"]);
        assert_eq!(to("Dateiquatsch"), ["file"], "a part is unknown, so the stem counts");
        assert_eq!(to("Zeitüberschreitungen"), ["timeout"]);
        assert_eq!(to("Quatschdatei"), Vec::<String>::new());
        assert_eq!(to(&"datei".repeat(40)), ["file"], "it is too long to be split");
    });
}

#[test]
fn short_entries_are_not_found_inside_other_words() {
    with("log table column read key line package contain error", |lookup| {
        let words = |run: &str| lookup.translations(run).into_iter().map(|one| one.word).collect::<Vec<_>>();
        assert_eq!(words("アナログ時計"), Vec::<String>::new());
        assert_eq!(words("エラーログを読む"), ["エラー", "ログ", "読む"]);
        assert_eq!(words("代表値"), Vec::<String>::new());
        assert_eq!(words("这个表的列"), ["表", "列"]);
        assert_eq!(words("包含"), ["包含"]);
        assert_eq!(words("동작시키는"), Vec::<String>::new());
        assert_eq!(words("키를"), ["키"]);
    });
}

#[test]
fn words_without_information_are_known_in_each_script() {
    for word in [
        "どうなりますか",
        "していますか",
        "でしょうか",
        "的时候",
        "怎么",
        "怎样",
        "哪里",
        "多少",
        "어떻게",
        "beim",
        "Lorsque",
    ] {
        assert!(is_foreign_stop_word(word), "{word}");
    }
    for word in ["設定", "缓存", "時計", "요청", "Datei", "die_now"] {
        assert!(!is_foreign_stop_word(word), "{word}");
    }
}
