//! Writes canonical JSON piece by piece: the counterpart of [`super::Scan`].
//!
//! For records of which an index holds hundreds of thousands, and whose parts lie in tables: what serde
//! spends on one of them is several times what its bytes cost. Every line is held against the declared
//! record whenever it is verified.

use super::bytes::is_plain;
use super::identity::hex_digits;
use super::{ChunkUid, EvidenceId, Score, Site};

/// The end of some lines, where the next one is written.
pub struct Line<'b> {
    bytes: &'b mut Vec<u8>,
}

impl<'b> Line<'b> {
    pub fn new(bytes: &'b mut Vec<u8>) -> Self {
        Line { bytes }
    }

    /// What is JSON already: punctuation, keys, words in quotes.
    #[inline]
    pub fn raw(&mut self, json: &str) {
        self.bytes.extend_from_slice(json.as_bytes());
    }

    #[inline]
    pub fn text(&mut self, text: &str) {
        if !is_plain(text) {
            return serde_json::to_writer(&mut *self.bytes, text).expect("a text is JSON");
        }
        self.bytes.reserve(text.len() + 2);
        self.bytes.push(b'"');
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.push(b'"');
    }

    #[inline]
    pub fn number(&mut self, number: u32) {
        let (mut digits, mut start, mut rest) = ([0; 10], 10, number);
        loop {
            start -= 1;
            digits[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                return self.bytes.extend_from_slice(&digits[start..]);
            }
        }
    }

    pub fn score(&mut self, score: Score) {
        let mut rest = score.in_millionths();
        if rest == 0 || score == Score::ONE {
            return self.number(u32::from(rest != 0));
        }
        let mut digits = *b"0.000000";
        for digit in digits[2..].iter_mut().rev() {
            *digit += (rest % 10) as u8;
            rest /= 10;
        }
        let end = digits.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last + 1);
        self.bytes.extend_from_slice(&digits[..end]);
    }

    pub fn chunk_uid(&mut self, uid: ChunkUid) {
        self.raw("\"xxh64:");
        self.hash(uid.to_hash());
    }

    pub fn evidence_id(&mut self, id: EvidenceId) {
        self.raw("\"ev:");
        self.hash(id.to_hash());
    }

    /// The digits of an id, and the quote behind them.
    fn hash(&mut self, hash: u64) {
        let mut digits = [b'"'; 17];
        digits[..16].copy_from_slice(&hex_digits(hash));
        self.bytes.extend_from_slice(&digits);
    }

    pub fn site(&mut self, site: &Site) {
        let Site(start, end, line, column) = *site;
        let mut before = "[";
        for number in [start, end, line, column] {
            self.raw(before);
            self.number(number);
            before = ",";
        }
        self.raw("]");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(write: impl FnOnce(&mut Line)) -> String {
        let mut bytes = Vec::new();
        write(&mut Line::new(&mut bytes));
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn what_is_written_is_what_serde_writes() {
        for text in ["", "plain", "a\"b", "a\\b", "a\nb", "\u{1}", "日本 \u{7f} é", &"long ".repeat(20)] {
            assert_eq!(line(|line| line.text(text)), serde_json::to_string(text).unwrap());
        }
        for number in [0, 1, 9, 10, 99, 100, 65_536, u32::MAX] {
            assert_eq!(line(|line| line.number(number)), number.to_string());
        }
        for count in (0..=1_000_000).step_by(997).chain([1, 10, 100, 950_000, 999_999, 1_000_000]) {
            let score = Score::millionths(count);
            assert_eq!(line(|line| line.score(score)), serde_json::to_string(&score).unwrap());
        }
        let (uid, id, site) = (ChunkUid::from_hash(255), EvidenceId::from_hash(u64::MAX), Site(1, 20, 3, 0));
        assert_eq!(line(|line| line.chunk_uid(uid)), serde_json::to_string(&uid).unwrap());
        assert_eq!(line(|line| line.evidence_id(id)), serde_json::to_string(&id).unwrap());
        assert_eq!(line(|line| line.site(&site)), serde_json::to_string(&site).unwrap());
    }
}
