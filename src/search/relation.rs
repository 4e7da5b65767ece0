//! Recognises questions about one symbol: "who calls X", "what breaks if I change X", "tests for X".

use super::query::looks_like_code;

/// What a question asks about a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Who calls or uses it.
    Users,
    /// What a change of it affects.
    Affected,
    /// What it calls or uses.
    Uses,
    /// What tests it.
    Tests,
}

/// A name that a question may ask about. It is as written, with owners: `Parser.run`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub relation: Relation,
    pub name: String,
}

/// A longer first line is a description, not a question about one symbol.
const MAX_WORDS: usize = 20;
/// A question about the effects of a change also says what the change is.
const MAX_EFFECT_WORDS: usize = 40;

const QUESTIONS: &[&str] = &["all", "find", "get", "give", "list", "show", "what", "where", "which", "who"];
const ARTICLES: &[&str] = &["a", "an", "our", "the", "this", "that"];
const NOUNS: &[&str] = &[
    "attribute",
    "class",
    "constant",
    "enum",
    "field",
    "function",
    "helper",
    "interface",
    "macro",
    "member",
    "method",
    "module",
    "object",
    "property",
    "struct",
    "symbol",
    "trait",
    "type",
    "variable",
];
const CHANGES: &[&str] = &[
    "change",
    "changed",
    "changes",
    "changing",
    "delete",
    "deleting",
    "drop",
    "edit",
    "editing",
    "modify",
    "modifying",
    "move",
    "refactor",
    "refactoring",
    "remove",
    "removing",
    "rename",
    "renaming",
    "touch",
];
const EFFECTS: &[&str] = &[
    "affect", "affected", "affects", "break", "breaks", "broken", "depend", "depends", "happens", "impact", "impacts",
    "needs", "relies", "rely",
];

const VERBS: &[&str] = &[
    "call",
    "calls",
    "cover",
    "covers",
    "import",
    "imports",
    "invoke",
    "invokes",
    "reference",
    "references",
    "test",
    "tests",
    "use",
    "uses",
];

/// The names that the first line may ask about, the likeliest first. Whether a name is a symbol is not known here.
pub fn asked(query: &str) -> Vec<Asked> {
    let line = query.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let words: Vec<Word> = line.split_whitespace().map(Word::new).filter(|word| !word.name.is_empty()).collect();
    if words.len() > MAX_WORDS {
        return by_effect(&words).into_iter().collect();
    }
    let mut all = Vec::new();
    for at in 0..words.len() {
        all.extend(by_noun(&words, at));
        if words.first().is_some_and(|first| QUESTIONS.contains(&first.lower.as_str())) {
            all.extend(by_active_verb(&words, at));
            all.extend(by_passive_verb(&words, at));
        }
        all.extend(by_change(&words, at));
    }
    all.sort_by_key(|asked| !Word::new(&asked.name).is_code());
    if all.is_empty() { by_effect(&words).into_iter().collect() } else { all }
}

/// "if Parser.run raised instead, what else would break?": a question about effects that names code.
fn by_effect(words: &[Word]) -> Option<Asked> {
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.lower.as_str()));
    let is_question = words.len() <= MAX_EFFECT_WORDS && has(EFFECTS) && has(&["what", "which", "who"]);
    let name = words.iter().find(|word| word.is_code()).filter(|_| is_question)?;
    Some(Asked { relation: Relation::Affected, name: name.name.clone() })
}

/// "callers of X", "usages of X", "tests for X".
fn by_noun(words: &[Word], at: usize) -> Option<Asked> {
    let relation = match words[at].lower.as_str() {
        "caller" | "callers" | "dependents" | "references" | "sites" | "usage" | "usages" | "users" | "uses" => {
            Relation::Users
        }
        "callees" | "dependencies" => Relation::Uses,
        "test" | "tests" => Relation::Tests,
        _ => return None,
    };
    let joint = words.get(at + 1)?;
    matches!(joint.lower.as_str(), "of" | "to" | "for")
        .then(|| name_after(words, at + 1))?
        .map(|name| Asked { relation, name })
}

/// "who calls X", "which functions use X", "what does X call".
fn by_active_verb(words: &[Word], at: usize) -> Option<Asked> {
    let relation = match words[at].lower.as_str() {
        "call" | "calls" | "import" | "imports" | "invoke" | "invokes" | "reference" | "references" | "use"
        | "uses" => Relation::Users,
        "cover" | "covers" | "test" | "tests" => Relation::Tests,
        _ => return None,
    };
    let is_about_own = matches!(words[1].lower.as_str(), "do" | "does") && words[0].lower == "what";
    if is_about_own && relation == Relation::Users {
        let name = name_after(words, 1).filter(|_| at > 2)?;
        return Some(Asked { relation: Relation::Uses, name });
    }
    name_after(words, at).map(|name| Asked { relation, name })
}

/// "where is X called", "where is X used".
fn by_passive_verb(words: &[Word], at: usize) -> Option<Asked> {
    let relation = match words[at].lower.as_str() {
        "called" | "imported" | "invoked" | "referenced" | "used" => Relation::Users,
        "covered" | "tested" => Relation::Tests,
        _ => return None,
    };
    let be = words[..at].iter().rposition(|word| matches!(word.lower.as_str(), "is" | "are" | "gets" | "being"))?;
    let name = name_after(words, be).filter(|_| at > be + 1)?;
    Some(Asked { relation, name })
}

/// "what breaks if I change X", "what is affected by renaming X".
fn by_change(words: &[Word], at: usize) -> Option<Asked> {
    let is_effect = words[..at].iter().any(|word| EFFECTS.contains(&word.lower.as_str()));
    let is_change = CHANGES.contains(&words[at].lower.as_str());
    (is_effect && is_change).then(|| name_after(words, at))?.map(|name| Asked { relation: Relation::Affected, name })
}

/// The name behind a word. A plain word with an article and no noun such as "function" is prose: "who uses the cache".
fn name_after(words: &[Word], at: usize) -> Option<String> {
    let rest = &words[at + 1..];
    let is_filler = |word: &&Word| {
        !word.is_marked && (ARTICLES.contains(&word.lower.as_str()) || NOUNS.contains(&word.lower.as_str()))
    };
    let fillers = rest.iter().take_while(is_filler).count();
    let name = rest.get(fillers)?;
    let has_noun_behind = rest.get(fillers + 1).is_some_and(|word| NOUNS.contains(&word.lower.as_str()));
    let has_noun = has_noun_behind || rest[..fillers].iter().any(|word| NOUNS.contains(&word.lower.as_str()));
    let is_verb = VERBS.contains(&name.lower.as_str());
    (name.is_code() || !is_verb && (fillers == 0 || has_noun)).then(|| name.name.clone())
}

/// A word of a question.
struct Word {
    /// Without punctuation around it.
    name: String,
    lower: String,
    /// It is in backticks or followed by `()`.
    is_marked: bool,
}

impl Word {
    fn new(text: &str) -> Self {
        let is_around = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$' | '@');
        let name = text.trim_matches(is_around).to_string();
        Word { is_marked: text.contains(['`', '(']), lower: name.to_lowercase(), name }
    }

    fn is_code(&self) -> bool {
        let inner = &self.name[self.name.chars().next().map_or(0, char::len_utf8)..];
        self.is_marked || looks_like_code(&self.name) || inner.contains(['.', ':', '#'])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(query: &str, relation: Relation, name: &str) {
        let first = asked(query).into_iter().next();
        assert_eq!(first, Some(Asked { relation, name: name.to_string() }), "{query}");
    }

    #[test]
    fn questions_about_a_symbol_are_recognised() {
        check("who calls load?", Relation::Users, "load");
        check("Which functions use `load`", Relation::Users, "load");
        check("callers of the method Parser.run()", Relation::Users, "Parser.run");
        check("where is makeRoute called", Relation::Users, "makeRoute");
        check("where is the load function used?", Relation::Users, "load");
        check("what breaks if I change a::Parser::run?", Relation::Affected, "a::Parser::run");
        check("If Parser.run raised an error, which commands would break?", Relation::Affected, "Parser.run");
        check("what does load_config call", Relation::Uses, "load_config");
        check("write a test for load_config", Relation::Tests, "load_config");
        check("what tests cover load_config", Relation::Tests, "load_config");
    }

    #[test]
    fn other_texts_ask_about_no_symbol() {
        let none = [
            "where is the cache used",
            "load uses the wrong encoding",
            "calls to the server fail",
            "how are retries handled",
            "crash when I change the theme",
            "",
        ];
        none.iter().for_each(|query| assert_eq!(asked(query), [], "{query}"));
    }
}
