//! Random numbers and words. No clock and no seed of the system is in them.

/// splitmix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below another one.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    /// From the first number up to the last one.
    pub fn between(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last - first + 1)
    }

    /// True in so many of a thousand cases.
    pub fn is_one_of(&mut self, per_thousand: usize) -> bool {
        self.below(1000) < per_thousand
    }
}

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
