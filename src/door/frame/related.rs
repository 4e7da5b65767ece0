//! Whether a term of a request and a symbol of the code mean the same. Names are compared by their parts, never by
//! substrings: a table is no `StableSort`.

use super::normal::comparable;
use super::quoted::Quoted;
use super::synonyms::{Synonyms, stems};
use super::units::{Unit, UnitKind, units};
use super::words::WORDS;
use crate::record::Score;
use crate::record::frame::{Related, RelatedBy};
use crate::search::{parts, words};

/// A symbol as far as it is compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct SymbolText<'s> {
    /// Its last two names: its owner's, and its own.
    pub names: &'s [&'s str],
    /// Its chunk, its docs, and the chunks one edge away.
    pub texts: &'s [&'s str],
}

/// A shorter unit starts too many words.
const MIN_PREFIX: usize = 5;

/// How a term and a symbol are related, by the surest way. `said` is what the user said: words that hold both relate them.
pub fn related(term: &str, symbol: &SymbolText<'_>, said: &[&str], synonyms: &Synonyms) -> Option<Related> {
    let units = content(term);
    let found = |by, percent, to: String| Some(Related { by, confidence: Score::percent(percent), to });
    let name_parts: Vec<String> =
        symbol.names.iter().flat_map(|name| name_parts(name)).map(|part| part.to_lowercase()).collect();
    let name_stems: Vec<String> = symbol.names.iter().flat_map(|name| stems(name)).collect();
    let names = comparable(&symbol.names.join(" "));
    let quoted = Quoted::new(&names);
    let is_part = |unit: &&Unit| match unit.kind {
        UnitKind::Word => name_stems.contains(&unit.text),
        _ => quoted.find(unit, 0).is_some(),
    };
    if let Some(unit) = units.iter().find(is_part) {
        return found(RelatedBy::Part, 100, unit.written.clone());
    }
    if let Some(name) = symbol.names.last().filter(|name| said.iter().any(|said| holds_both(said, term, name))) {
        return found(RelatedBy::Said, 100, name.to_string());
    }
    if let Some(word) = synonyms.of_term(&content_text(&units)).into_iter().find_map(|group| group.in_name(&name_parts))
    {
        return found(RelatedBy::Synonym, 90, word);
    }
    let starts = |unit: &&Unit| {
        let word = unit.written.to_lowercase();
        unit.kind == UnitKind::Word && word.len() >= MIN_PREFIX && name_parts.iter().any(|part| part.starts_with(&word))
    };
    if let Some(unit) = units.iter().find(starts) {
        return found(RelatedBy::Prefix, 80, unit.written.clone());
    }
    let in_text = symbol.texts.iter().find_map(|text| {
        let text = comparable(text);
        let quoted = Quoted::new(&text);
        units.iter().find(|unit| quoted.find(unit, 0).is_some())
    });
    in_text.and_then(|unit| found(RelatedBy::Text, 80, unit.written.clone()))
}

/// The words of a term that name something. Kinds of code count only if there is nothing else.
fn content(term: &str) -> Vec<Unit> {
    const KINDS: [&str; 6] = ["service", "controller", "manager", "handler", "class", "method"];
    let is_generic = |unit: &Unit| unit.is_one_of(&WORDS.consistency.generic) || unit.text == "api";
    let is_kind = |unit: &Unit| KINDS.contains(&unit.written.to_lowercase().as_str());
    let units: Vec<Unit> = units(&comparable(term)).into_iter().filter(|unit| !is_generic(unit)).collect();
    match units.iter().all(is_kind) {
        true => units,
        false => units.into_iter().filter(|unit| !is_kind(unit)).collect(),
    }
}

fn content_text(units: &[Unit]) -> String {
    units.iter().map(|unit| unit.written.as_str()).collect::<Vec<_>>().join(" ")
}

fn name_parts(name: &str) -> impl Iterator<Item = &str> {
    words(name).flat_map(|(_, word)| parts(word))
}

fn holds_both(said: &str, term: &str, name: &str) -> bool {
    said.contains(term) && words(said).any(|(_, word)| word == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(term: &str, name: &str) -> Option<RelatedBy> {
        let names: Vec<&str> = name.split('.').collect();
        let symbol = SymbolText { names: &names, texts: &[] };
        related(term, &symbol, &[], &Synonyms::default()).map(|related| related.by)
    }

    #[test]
    fn terms_are_related_with_names_that_mean_the_same() {
        for (term, name) in [("認証", "AuthService"), ("認証", "OAuthClient"), ("ログイン機能", "LoginController")]
        {
            assert_eq!(by(term, name), Some(RelatedBy::Synonym), "{term} {name}");
        }
        for (term, name) in [("ログイン", "AuthService"), ("ログイン", "SignInForm"), ("検索", "SearchIndex")]
        {
            assert_eq!(by(term, name), Some(RelatedBy::Synonym), "{term} {name}");
        }
        assert_eq!(by("login page", "LoginController.show"), Some(RelatedBy::Part));
        assert_eq!(by("the export button", "Exporter"), Some(RelatedBy::Part));
        assert_eq!(by("authen", "Authenticator"), Some(RelatedBy::Prefix));
    }

    #[test]
    fn terms_are_not_related_by_substrings() {
        let pairs = [
            ("認証", "AuthorController"),
            ("ログイン", "LogInspector"),
            ("ログイン", "Logger"),
            ("検索", "ResearchPaper"),
            ("table", "StableSort"),
            ("ログアウト", "LoginController"),
            ("機能", "FeatureFlag"),
            ("payment service", "AuthService"),
        ];
        for (term, name) in pairs {
            assert_eq!(by(term, name), None, "{term} {name}");
        }
    }

    #[test]
    fn texts_and_the_user_relate_too() {
        let symbol = SymbolText { names: &["Gate"], texts: &["class Gate:  # ログイン処理"] };
        let synonyms = Synonyms::default();
        let found = related("ログイン機能", &symbol, &[], &synonyms).unwrap();
        assert_eq!((found.by, found.to.as_str()), (RelatedBy::Text, "ログイン"));
        let symbol = SymbolText { names: &["Gate"], texts: &[] };
        let said = ["ログイン機能は Gate です"];
        assert_eq!(related("ログイン機能", &symbol, &said, &synonyms).unwrap().by, RelatedBy::Said);
        assert_eq!(related("ログイン機能", &symbol, &["Gates"], &synonyms), None);
    }
}
