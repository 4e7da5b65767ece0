//! The table of a language, the user's own rules, and which language a file is in.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, OnceLock};

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::builtin::{self, Builtin};
use super::definitions::definitions_query;
use super::facts::{Facts, ParseFailure};
use super::names::NameRule;
use super::{depth, treesitter};
use crate::record::Kind;
use crate::text::{NamePatterns, RepoPath};

/// One `language.toml`, or one `[[language]]` of a pipeline file: the same words in both.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LanguageRule {
    pub id: String,
    /// The id of the built-in language whose grammar reads these files; its own when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grammar: Option<String>,
    /// Endings without their dot, `d.ts` as well as `ts`; the longest that fits wins.
    #[serde(default)]
    pub extensions: Vec<String>,
    /// Those that make a word of prose the name of a file, if not all do: `setup.py` is one, `items.map` is a member.
    /// Prose is read the same in every tree, so only the built-in tables count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mentioned_extensions: Option<Vec<String>>,
    /// Whole file names; `*` matches any characters.
    #[serde(default)]
    pub file_names: Vec<String>,
    /// Programs that a `#!` line names.
    #[serde(default)]
    pub interpreters: Vec<String>,
    /// Other words for the language, in fences and script tags.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// What starts a comment that runs to the end of its line.
    #[serde(default)]
    pub line_comments: Vec<String>,
    /// What stands between the names of a qualified name.
    #[serde(default = "dot")]
    pub separator: String,
    #[serde(default)]
    pub exported: Exported,
    /// Names of files that hold tests.
    #[serde(default)]
    pub test_files: Vec<String>,
    /// Names of modules that hold the tests of the file that they are in.
    #[serde(default)]
    pub test_modules: Vec<String>,
    /// Files of another language's ending that are in this one when they hold one of these words.
    #[serde(default)]
    pub contested: BTreeMap<String, Vec<String>>,
    /// Node kinds of the grammar that are definitions, each with the kind of symbol it makes. The
    /// node's field `name` names it, or else its first child that is a name; its field `body`, if it
    /// has one, is not signature any more.
    #[serde(default)]
    pub definitions: BTreeMap<String, Kind>,
    /// Whether its files are data, not code.
    #[serde(default)]
    pub data: bool,
    /// Whether an indexer exists that writes SCIP for it.
    #[serde(default)]
    pub scip_indexer: bool,
    /// Its texts nest by tags and hold prose, so that no look at brackets and operators says how deep.
    #[serde(default)]
    pub nests_by_tags: bool,
    /// More patterns in the captures of `facts.scm`.
    #[serde(default)]
    pub query: String,
    /// How the graph stage follows its names.
    #[serde(default, skip_serializing_if = "NameRule::is_default")]
    pub names: NameRule,
}

/// Which definitions other files may name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exported {
    /// Everything at the top level of a file and its types.
    #[default]
    All,
    /// Names that start with an upper-case letter.
    Uppercase,
    /// Names that do not start with an underscore.
    NoUnderscore,
    /// What the query captures as `@exported`.
    Marked,
    /// All but what the query captures as `@private`.
    Unmarked,
}

/// How much a parse may do.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Longer definitions need places at which to cut.
    pub max_chunk_bytes: usize,
}

/// A parser made for one language. `None` hands the text to the grammar instead.
///
/// One that recurses says no to a text that is too deep for it; one without a grammar behind it neither
/// recurses nor gives up.
pub type FrontEnd = for<'t> fn(&'t str, &Limits) -> Option<Facts<'t>>;

pub struct Language {
    pub rule: LanguageRule,
    file_names: NamePatterns,
    /// Names of files that hold tests.
    pub test_files: NamePatterns,
    grammar: Option<tree_sitter::Language>,
    front_end: Option<FrontEnd>,
    query_text: String,
    query: OnceLock<treesitter::FactsQuery>,
}

static BUILTIN: LazyLock<Arc<Languages>> = LazyLock::new(|| Arc::new(Languages::builtin()));

/// The table of a built-in language, by its id.
pub fn builtin_rule(id: &str) -> Option<&'static LanguageRule> {
    BUILTIN.iter().map(|language| &language.rule).find(|rule| rule.id == id)
}

/// Whether a word that ends with a dot and this names a file.
pub fn is_mentioned_extension(extension: &str) -> bool {
    static MENTIONED: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| {
        let rules = BUILTIN.iter().map(|language| &language.rule);
        let extensions = rules.flat_map(|rule| rule.mentioned_extensions.as_ref().unwrap_or(&rule.extensions));
        extensions.map(String::as_str).collect()
    });
    MENTIONED.contains(extension)
}

/// All languages of a run, the user's before the built-in ones.
pub struct Languages {
    all: Vec<Language>,
}

#[derive(Debug, thiserror::Error)]
pub enum LanguageError {
    #[error("language `{id}` names the grammar `{grammar}`, which is not linked in; linked are {linked}")]
    UnknownGrammar { id: String, grammar: String, linked: String },
    #[error("language `{id}` has definitions or a query, but is read without a grammar")]
    NoGrammar { id: String },
    #[error("language `{id}` defines symbols by the node `{node}`, which its grammar does not have")]
    UnknownNode { id: String, node: String },
    #[error("language `{id}` defines symbols by the node `{node}`, which holds no name")]
    NamelessNode { id: String, node: String },
    #[error("language `{id}` has a pattern for file names that cannot be used: {reason}")]
    Pattern { id: String, reason: String },
    #[error("language `{id}` has a query that its grammar does not know: {reason}")]
    Query { id: String, reason: String },
}

impl Languages {
    pub fn builtin() -> Self {
        Self::with_rules(&[]).expect("the built-in languages are tested")
    }

    /// The built-in languages with the user's rules, as in [`Languages::with_rules`]. Without rules they are
    /// the same for every run of the process, so that a query is compiled once.
    pub fn of_run(rules: &[LanguageRule]) -> Result<Arc<Languages>, LanguageError> {
        if rules.is_empty() { Ok(Arc::clone(&BUILTIN)) } else { Self::with_rules(rules).map(Arc::new) }
    }

    /// No language at all: every text is cut by lines.
    pub fn none() -> Self {
        Languages { all: Vec::new() }
    }

    /// The built-in languages and, before them, the user's rules. A rule with the id of a built-in
    /// language adds to it.
    pub fn with_rules(rules: &[LanguageRule]) -> Result<Self, LanguageError> {
        let own: Result<Vec<_>, _> = rules.iter().map(user_language).collect();
        let mut all = own?;
        let taken: Vec<String> = all.iter().map(|language| language.id().to_string()).collect();
        all.extend(
            builtin::ALL.iter().map(builtin_language).filter(|language| !taken.iter().any(|id| id == language.id())),
        );
        Ok(Languages { all })
    }

    pub fn iter(&self) -> impl Iterator<Item = &Language> {
        self.all.iter()
    }

    /// By id or by one of the words that fences use for it.
    pub fn named(&self, word: &str) -> Option<&Language> {
        let word = word.to_ascii_lowercase();
        let by_id = self.all.iter().find(|language| language.id() == word);
        by_id.or_else(|| {
            self.all.iter().find(|language| {
                language.rule.aliases.iter().chain(&language.rule.extensions).any(|alias| *alias == word)
            })
        })
    }

    /// By file name, then by ending, then by the `#!` line, then by what it tells an editor.
    pub fn detect(&self, path: &RepoPath, text: &str) -> Option<&Language> {
        let name = path.file_name();
        self.by_file_name(name)
            .or_else(|| self.by_extension(&name.to_ascii_lowercase(), text))
            .or_else(|| self.by_interpreter(text))
            .or_else(|| self.by_mode_line(text))
    }

    fn by_file_name(&self, name: &str) -> Option<&Language> {
        self.all.iter().find(|language| language.file_names.matches(name))
    }

    fn by_extension(&self, name: &str, text: &str) -> Option<&Language> {
        let endings = name.match_indices('.').map(|(at, _)| &name[at + 1..]);
        endings.filter(|ending| !ending.is_empty()).find_map(|ending| {
            let contested = self.all.iter().find(|language| {
                let words = language.rule.contested.get(ending);
                words.is_some_and(|words| words.iter().any(|word| text.contains(word.as_str())))
            });
            contested.or_else(|| self.all.iter().find(|language| language.rule.extensions.iter().any(|e| e == ending)))
        })
    }

    fn by_interpreter(&self, text: &str) -> Option<&Language> {
        let line = text.strip_prefix("#!")?.lines().next()?;
        let mut words = line.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
        let program = words.find(|word| *word != "env" && !word.starts_with('-'))?;
        let bare = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        self.all.iter().find(|language| language.rule.interpreters.iter().any(|name| name == program || name == bare))
    }

    /// `-*- shell-script -*-` on the first two lines, `vim: ft=sh` on the first or last five.
    fn by_mode_line(&self, text: &str) -> Option<&Language> {
        let (first, last) = (text.lines().take(MODE_LINES), text.lines().rev().take(MODE_LINES));
        let emacs = text.lines().take(2).filter_map(emacs_mode);
        emacs.chain(first.chain(last).filter_map(vim_file_type)).find_map(|word| self.named(word))
    }
}

/// How far from a file's ends editors look for a mode line.
const MODE_LINES: usize = 5;

fn emacs_mode(line: &str) -> Option<&str> {
    let (inside, _) = line.split_once("-*-")?.1.split_once("-*-")?;
    let set = inside.split(';').find_map(|setting| setting.trim().strip_prefix("mode:"));
    set.or((!inside.contains(':')).then_some(inside)).map(str::trim)
}

fn vim_file_type(line: &str) -> Option<&str> {
    let (_, options) = ["vim:", "vi:", "ex:"].iter().find_map(|opening| line.split_once(opening))?;
    let set = options
        .split([' ', ':'])
        .find_map(|option| option.strip_prefix("filetype=").or_else(|| option.strip_prefix("ft=")));
    set.map(str::trim)
}

impl Language {
    pub fn id(&self) -> &str {
        &self.rule.id
    }

    /// Whether anything is known of the language beyond its lines.
    pub fn has_grammar(&self) -> bool {
        self.grammar.is_some() || self.front_end.is_some()
    }

    pub fn grammar(&self) -> Option<&tree_sitter::Language> {
        self.grammar.as_ref()
    }

    /// The facts of a text: by the front end where there is one and it can, else by the grammar.
    pub fn parse<'t>(&self, text: &'t str, limits: &Limits) -> Result<Facts<'t>, ParseFailure> {
        let facts = match self.front_end.and_then(|parse| parse(text, limits)) {
            Some(facts) => Ok(facts),
            None => self.parse_with_grammar(text, limits),
        };
        facts.map(|mut facts| {
            facts.settle();
            facts
        })
    }

    /// The facts that the grammar gives; what the front end must agree with.
    pub fn parse_with_grammar<'t>(&self, text: &'t str, limits: &Limits) -> Result<Facts<'t>, ParseFailure> {
        match &self.grammar {
            Some(_) if !self.rule.nests_by_tags && !depth::is_shallow(text) => Err(ParseFailure::TooDeep),
            Some(grammar) => treesitter::parse(grammar, self.query(), text, limits),
            None => Err(ParseFailure::TooDeep),
        }
    }

    fn query(&self) -> &treesitter::FactsQuery {
        let grammar = self.grammar.as_ref().expect("asked for only where there is a grammar");
        self.query.get_or_init(|| {
            treesitter::FactsQuery::new(grammar, &self.query_text).expect("checked when the language was made")
        })
    }
}

fn dot() -> String {
    ".".to_string()
}

fn builtin_language(builtin: &Builtin) -> Language {
    let rule = builtin.rule();
    let grammar = builtin.grammar.map(Into::into);
    let own = definitions_query(&rule, grammar.as_ref()).expect("the built-in tables are tested");
    let query_text = format!("{}\n{own}", builtin.query);
    let (file_names, test_files) = name_patterns(&rule).expect("the built-in tables are tested");
    let front_end = builtin.front_end;
    Language { grammar, front_end, query_text, query: OnceLock::new(), file_names, test_files, rule }
}

/// The patterns of a rule for names of its files and of its test files.
fn name_patterns(rule: &LanguageRule) -> Result<(NamePatterns, NamePatterns), LanguageError> {
    let fault = |error: globset::Error| LanguageError::Pattern { id: rule.id.clone(), reason: error.to_string() };
    Ok((NamePatterns::new(&rule.file_names).map_err(fault)?, NamePatterns::new(&rule.test_files).map_err(fault)?))
}

fn user_language(rule: &LanguageRule) -> Result<Language, LanguageError> {
    let grammar = rule.grammar.as_ref().unwrap_or(&rule.id);
    let base = builtin::ALL.iter().find(|language| language.id == grammar);
    let base = base.ok_or_else(|| LanguageError::UnknownGrammar {
        id: rule.id.clone(),
        grammar: grammar.clone(),
        linked: builtin::ALL.iter().map(|language| language.id).collect::<Vec<_>>().join(", "),
    })?;
    let mut language = builtin_language(base);
    language.rule = merged(language.rule, rule);
    (language.file_names, language.test_files) = name_patterns(&language.rule)?;
    let own = definitions_query(rule, language.grammar.as_ref())?;
    if !own.is_empty() || !rule.query.is_empty() {
        if language.grammar.is_none() {
            return Err(LanguageError::NoGrammar { id: rule.id.clone() });
        }
        // The user's rules name nodes of the grammar, which a front end does not have.
        language.front_end = None;
        language.query_text = format!("{}\n{own}\n{}", language.query_text, rule.query);
    }
    if let Some(grammar) = &language.grammar {
        let query = treesitter::FactsQuery::new(grammar, &language.query_text);
        query.map_err(|reason| LanguageError::Query { id: rule.id.clone(), reason })?;
    }
    Ok(language)
}

/// A user's rule over a built-in table: what it says wins, what it leaves out stays; files add up
/// only when it extends the very language.
fn merged(base: LanguageRule, rule: &LanguageRule) -> LanguageRule {
    let keep = |own: &[String], base: &[String]| if own.is_empty() { base.to_vec() } else { own.to_vec() };
    let same = base.id == rule.id;
    let files = |own: &[String], base: &[String]| {
        let base = if same { base } else { &[] };
        own.iter().chain(base).cloned().collect()
    };
    LanguageRule {
        extensions: files(&rule.extensions, &base.extensions),
        file_names: files(&rule.file_names, &base.file_names),
        interpreters: files(&rule.interpreters, &base.interpreters),
        aliases: files(&rule.aliases, &base.aliases),
        line_comments: keep(&rule.line_comments, &base.line_comments),
        test_files: keep(&rule.test_files, &base.test_files),
        test_modules: keep(&rule.test_modules, &base.test_modules),
        separator: if rule.separator == dot() { base.separator } else { rule.separator.clone() },
        exported: if rule.exported == Exported::default() { base.exported } else { rule.exported },
        names: if rule.names.is_default() { base.names } else { rule.names.clone() },
        data: rule.data || base.data,
        scip_indexer: rule.scip_indexer || same && base.scip_indexer,
        contested: if same && rule.contested.is_empty() { base.contested } else { rule.contested.clone() },
        ..rule.clone()
    }
}
