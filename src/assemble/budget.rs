//! Finds how much of a text still fits.

/// The largest count up to `max` that fits. More lines seldom have fewer tokens, so the count is found by bisection;
/// if they do, the next smaller count that fits is returned.
pub fn largest_that_fits(max: usize, fits: impl Fn(usize) -> bool) -> Option<usize> {
    let (mut low, mut high) = (0, max);
    while low < high {
        let middle = (low + high).div_ceil(2);
        if fits(middle) { low = middle } else { high = middle - 1 }
    }
    (0..=low).rev().find(|count| fits(*count))
}

#[cfg(test)]
mod tests {
    use super::largest_that_fits;

    #[test]
    fn the_largest_count_is_found() {
        for max in 0..20 {
            for limit in 0..=max {
                assert_eq!(largest_that_fits(max, |count| count <= limit), Some(limit));
            }
            assert_eq!(largest_that_fits(max, |_| false), None);
        }
    }

    #[test]
    fn a_count_that_does_not_fit_is_never_returned() {
        // Not monotonic: 3 does not fit, 4 does.
        let fits = |count: usize| [0, 1, 2, 4].contains(&count);
        for max in 0..9 {
            assert!(fits(largest_that_fits(max, fits).unwrap()), "{max}");
        }
    }
}
