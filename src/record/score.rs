//! A number from 0 to 1, stored without floating point.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// From 0 to 1 in millionths; a decimal number with at most six places in records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, JsonSchema)]
#[serde(try_from = "f64")]
#[schemars(with = "f64", extend("minimum" = 0, "maximum" = 1))]
pub struct Score(u32);

const ONE: u32 = 1_000_000;

impl Score {
    pub const ONE: Score = Score(ONE);

    /// More than one is one.
    pub const fn millionths(count: u32) -> Self {
        Score(if count > ONE { ONE } else { count })
    }

    pub const fn percent(count: u32) -> Self {
        Self::millionths(count * (ONE / 100))
    }

    pub fn in_millionths(self) -> u32 {
        self.0
    }

    /// Its part when it is shared by so many.
    pub fn shared_by(self, count: usize) -> Self {
        Score(self.0 / u32::try_from(count.max(1)).unwrap_or(u32::MAX))
    }

    pub fn times(self, other: Score) -> Self {
        Score((u64::from(self.0) * u64::from(other.0) / u64::from(ONE)) as u32)
    }
}

impl TryFrom<f64> for Score {
    type Error = String;

    fn try_from(number: f64) -> Result<Self, String> {
        let millionths = (number * f64::from(ONE)).round();
        if (0.0..=f64::from(ONE)).contains(&millionths) {
            Ok(Score(millionths as u32))
        } else {
            Err(format!("{number} is not between 0 and 1"))
        }
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            0 => f.write_str("0"),
            ONE.. => f.write_str("1"),
            places => write!(f, "0.{}", format!("{places:06}").trim_end_matches('0')),
        }
    }
}

impl Serialize for Score {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            0 | ONE => serializer.serialize_u32(self.0 / ONE),
            _ => serializer.serialize_f64(f64::from(self.0) / f64::from(ONE)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Score;
    use crate::record::codec::write;

    #[test]
    fn every_score_is_canonical_and_comes_back() {
        for count in (0..=1_000_000).step_by(997).chain([1, 9, 10, 99, 100, 999_999, 1_000_000]) {
            let score = Score::millionths(count);
            let mut text = Vec::new();
            write(&score, &mut text).unwrap();
            assert_eq!(text, score.to_string().as_bytes());
            let value: serde_json::Value = serde_json::from_slice(&text).unwrap();
            assert_eq!(text, serde_json_canonicalizer::to_vec(&value).unwrap());
            assert_eq!(serde_json::from_slice::<Score>(&text).unwrap(), score);
        }
        assert!(serde_json::from_str::<Score>("1.1").is_err());
    }
}
