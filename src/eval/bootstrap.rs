//! How sure a mean difference is: the paired bootstrap, by a generator of its own so that the answer is always the
//! same.

/// The interval that contains the mean difference in 95 of 100 resamples; [0, 0] without data.
pub fn interval(differences: &[f64]) -> [f64; 2] {
    if differences.is_empty() {
        return [0.0; 2];
    }
    let mut random = SplitMix(SEED);
    let mut means: Vec<f64> = (0..RESAMPLES).map(|_| resampled_mean(differences, &mut random)).collect();
    means.sort_by(f64::total_cmp);
    [means[TAIL], means[RESAMPLES - 1 - TAIL]]
}

const RESAMPLES: usize = 10_000;
/// 2.5 % at either end.
const TAIL: usize = RESAMPLES / 40;
const SEED: u64 = 1;

fn resampled_mean(differences: &[f64], random: &mut SplitMix) -> f64 {
    let count = differences.len();
    (0..count).map(|_| differences[random.below(count)]).sum::<f64>() / count as f64
}

/// Steele, Lea and Flood's SplitMix64.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.next()) * count as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::{SplitMix, interval};

    fn near(found: [f64; 2], wanted: [f64; 2], by: f64) {
        assert!((0..2).all(|at| (found[at] - wanted[at]).abs() <= by), "{found:?}, not {wanted:?}");
    }

    #[test]
    fn the_generator_is_the_published_one() {
        let mut random = SplitMix(1_234_567);
        let first = [random.next(), random.next(), random.next()];
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn equal_runs_have_no_interval() {
        assert_eq!(interval(&[0.0; 40]), [0.0, 0.0]);
        assert_eq!(interval(&[]), [0.0, 0.0]);
    }

    #[test]
    fn a_constant_shift_is_sure() {
        near(interval(&[0.25; 7]), [0.25; 2], 1e-12);
        near(interval(&[-0.1; 3]), [-0.1; 2], 1e-12);
    }

    /// Of a win and a tie, a quarter of the resamples holds only the one and a quarter only the other.
    #[test]
    fn two_rows_say_next_to_nothing() {
        assert_eq!(interval(&[0.0, 1.0]), [0.0, 1.0]);
    }

    /// The mean of 400 coins has a deviation of 0.025; the interval is 1.96 of them to either side.
    #[test]
    fn coins_have_the_interval_of_the_normal_law() {
        let coins: Vec<f64> = (0..400).map(|at| f64::from(at % 2)).collect();
        near(interval(&coins), [0.451, 0.549], 0.003);
    }
}
