//! Proposes synonyms: Japanese words that stand where something is defined, with the parts of its name.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::normal::comparable;
use super::script::is_japanese;
use super::synonyms::Synonyms;
use super::units::{UnitKind, units};
use super::words::WORDS;
use crate::assemble::{IndexView, ReadError};
use crate::record::Score;
use crate::record::frame::{SeenPlace, SynonymProposal};
use crate::search::parts;

/// Rarer pairs are accidents.
const MIN_TOGETHER: u32 = 3;
/// Of the two words' chunks, how many both share.
const MIN_DICE: Score = Score::percent(50);
const MAX_PLACES: usize = 2;
/// A shorter part of a name means nothing.
const MIN_PART_CHARS: usize = 3;

/// The words of one definition.
struct Definition {
    place: SeenPlace,
    ja: BTreeSet<String>,
    en: BTreeSet<String>,
}

/// How often words and pairs of them stand in definitions.
#[derive(Default)]
struct Counts {
    ja: BTreeMap<String, u32>,
    en: BTreeMap<String, u32>,
    pairs: BTreeMap<(String, String), (u32, Vec<SeenPlace>)>,
}

/// The pairs that are not known yet, the surest first.
pub fn proposals(view: &IndexView, known: &Synonyms) -> Result<Vec<SynonymProposal>, ReadError> {
    let mut counts = Counts::default();
    for number in view.corpus().all_chunks() {
        let chunk = view.chunk(number)?;
        let Some(name) = &chunk.name else { continue };
        let place = SeenPlace { line: chunk.lines.start, path: chunk.file_rel_path.clone() };
        counts.add(&Definition { place, ja: japanese(&chunk.text), en: name_parts(name) });
    }
    Ok(counts.proposals(known))
}

fn japanese(text: &str) -> BTreeSet<String> {
    if !text.contains(is_japanese) {
        return BTreeSet::new();
    }
    let is_word = |unit: &super::units::Unit| {
        matches!(unit.kind, UnitKind::Kanji | UnitKind::Katakana)
            && unit.text.chars().nth(1).is_some()
            && !unit.is_one_of(&WORDS.consistency.generic)
    };
    units(&comparable(text)).into_iter().filter(is_word).map(|unit| unit.text).collect()
}

fn name_parts(name: &str) -> BTreeSet<String> {
    let is_word = |part: &&str| part.len() >= MIN_PART_CHARS && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let name = name.rsplit(['.', ':', '#']).next().unwrap_or_default();
    parts(name).into_iter().filter(is_word).map(str::to_lowercase).collect()
}

impl Counts {
    fn add(&mut self, definition: &Definition) {
        for ja in &definition.ja {
            *self.ja.entry(ja.clone()).or_default() += 1;
            for en in &definition.en {
                let (count, places) = self.pairs.entry((ja.clone(), en.clone())).or_default();
                *count += 1;
                places.push(definition.place.clone());
            }
        }
        for en in &definition.en {
            *self.en.entry(en.clone()).or_default() += 1;
        }
    }

    fn proposals(self, known: &Synonyms) -> Vec<SynonymProposal> {
        let mut all: Vec<SynonymProposal> = Vec::new();
        for ((ja, en), (together, mut places)) in self.pairs {
            let (ja_chunks, en_chunks) = (self.ja[&ja], self.en[&en]);
            let dice = u64::from(together) * 2_000_000 / u64::from(ja_chunks + en_chunks);
            let dice = Score::millionths(dice as u32);
            let part = [en.clone()];
            let is_known = || known.of_term(&ja).iter().any(|group| group.in_name(&part).is_some());
            if together < MIN_TOGETHER || dice < MIN_DICE || is_known() {
                continue;
            }
            places.sort();
            places.truncate(MAX_PLACES);
            all.push(SynonymProposal { dice, en, en_chunks, ja, ja_chunks, places, together });
        }
        all.sort_by(|a, b| (b.dice, b.together, &a.ja, &a.en).cmp(&(a.dice, a.together, &b.ja, &b.en)));
        all
    }
}

/// Proposals in the form of a file of synonyms.
pub fn as_file(proposals: &[SynonymProposal]) -> String {
    let mut text = String::new();
    for SynonymProposal { dice, en, en_chunks, ja, ja_chunks, places, together } in proposals {
        let places: Vec<String> = places.iter().map(|place| format!("{}:{}", place.path, place.line)).collect();
        let places = places.join(", ").replace(char::is_control, " ");
        let _ = writeln!(text, "# Together in {together} chunks, of {ja_chunks} and {en_chunks}; {dice}: {places}");
        let _ = writeln!(text, "[[group]]\nja = [\"{ja}\"]\nen = [\"{en}\"]\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::RepoPath;

    fn counted(definitions: &[(&str, &str)]) -> Vec<SynonymProposal> {
        let mut counts = Counts::default();
        for (line, (text, name)) in (1..).zip(definitions) {
            let place = SeenPlace { line, path: RepoPath::try_from("a.py".to_string()).unwrap() };
            counts.add(&Definition { place, ja: japanese(text), en: name_parts(name) });
        }
        counts.proposals(&Synonyms::default())
    }

    #[test]
    fn words_that_stand_together_are_proposed() {
        let found = counted(&[
            ("# 帳票を作る", "make_ledger"),
            ("# 帳票の印刷", "Report.print_ledger"),
            ("# 帳票", "LedgerView"),
            ("# 印刷", "printer"),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].ja.as_str(), found[0].en.as_str(), found[0].together), ("帳票", "ledger", 3));
    }

    #[test]
    fn rare_and_known_pairs_are_not_proposed() {
        let rare = [("# 帳票", "make_ledger"), ("# 帳票", "Ledger")];
        assert!(counted(&rare).is_empty());
        let known = [("# 認証", "auth"), ("# 認証", "AuthService"), ("# 認証", "is_auth")];
        assert!(counted(&known).iter().all(|proposal| proposal.en != "auth"));
    }

    #[test]
    fn proposals_are_a_file_of_synonyms() {
        let found = counted(&[("帳票", "ledger"), ("帳票", "ledger_view"), ("帳票", "LedgerPage")]);
        let mut synonyms = Synonyms::default();
        synonyms.add_file(&as_file(&found)).unwrap();
        assert_eq!(synonyms.of_term("帳票").len(), 1);
        assert!(as_file(&found).contains("a.py:1, a.py:2"));
    }
}
