//! Words as they are in texts: few of them are common.

use super::random::Random;

/// 20,000 words. The n-th most common one is n times as rare as the first.
pub struct Words {
    words: Vec<String>,
}

impl Words {
    pub const COUNT: usize = 20_000;

    pub fn new(random: &mut Random) -> Self {
        let word = |random: &mut Random| {
            const LETTERS: &[u8] = b"etaoinshrdlucmfwypvbgkjqxz";
            let length = 2 + random.below(4) + random.below(5);
            let word: String = (0..length).map(|_| char::from(LETTERS[random.below(LETTERS.len())])).collect();
            // One in forty is not English.
            if random.is_one_of(25) { word + "ü" } else { word }
        };
        Words { words: (0..Self::COUNT).map(|_| word(random)).collect() }
    }

    pub fn word(&self, random: &mut Random) -> &str {
        let share = (random.next() >> 11) as f64 / (1u64 << 53) as f64;
        let rank = (share * (Self::COUNT as f64).ln()).exp() as usize;
        &self.words[rank.clamp(1, Self::COUNT) - 1]
    }

    /// So many words as one text.
    pub fn text(&self, random: &mut Random, count: usize) -> String {
        let mut text = String::with_capacity(8 * count);
        for at in 0..count {
            if at > 0 {
                text.push(' ');
            }
            text.push_str(self.word(random));
        }
        text
    }
}
