//! Splits a budget between groups. Groups that need more may borrow what others do not need.

/// What each group may spend of `total`: the share it asked for, scaled down if all shares together are too large.
/// With `borrow`, what a group does not need goes to the groups that need more, the first group first.
///
/// A larger total never makes a share smaller, so a group never shows less under a larger total.
pub fn shares(total: u32, asked: &[u32], needed: &[u32], borrow: bool) -> Vec<u32> {
    let sum: u64 = asked.iter().map(|share| u64::from(*share)).sum();
    let scaled = |share: &u32| {
        if sum > u64::from(total) { (u64::from(*share) * u64::from(total) / sum) as u32 } else { *share }
    };
    let mut shares: Vec<u32> = asked.iter().map(scaled).collect();
    if !borrow {
        return shares;
    }
    let mut pool = total - shares.iter().sum::<u32>();
    pool += shares.iter().zip(needed).map(|(share, needed)| share.saturating_sub(*needed)).sum::<u32>();
    for ((share, needed), asked) in shares.iter_mut().zip(needed).zip(asked) {
        // A share of 0 turns the group off.
        let more = if *asked == 0 { 0 } else { pool.min(needed.saturating_sub(*share)) };
        *share = (*share).min(*needed) + more;
        pool -= more;
    }
    shares
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::shares;

    #[test]
    fn what_is_not_needed_is_lent() {
        assert_eq!(shares(100, &[60, 40], &[10, 90], true), [10, 90]);
        assert_eq!(shares(100, &[60, 40], &[10, 90], false), [60, 40]);
        assert_eq!(shares(100, &[30, 20], &[100, 100], true), [80, 20], "what nobody asked for is lent too");
    }

    #[test]
    fn too_large_shares_are_scaled_down() {
        assert_eq!(shares(100, &[150, 50], &[200, 200], true), [75, 25]);
        assert_eq!(shares(0, &[150, 50], &[200, 200], true), [0, 0]);
    }

    #[test]
    fn a_group_without_a_share_is_off() {
        assert_eq!(shares(100, &[0, 50], &[70, 20], true), [0, 20]);
    }

    proptest! {
        #[test]
        fn shares_fit_the_total_and_grow_with_it(
            groups in prop::collection::vec((0..500u32, 0..500u32), 1..6),
            total in 0..1500u32,
            more in 0..500u32,
        ) {
            let (asked, needed): (Vec<u32>, Vec<u32>) = groups.into_iter().unzip();
            let (small, large) = (shares(total, &asked, &needed, true), shares(total + more, &asked, &needed, true));
            prop_assert!(small.iter().sum::<u32>() <= total);
            prop_assert!(small.iter().zip(&large).all(|(small, large)| small <= large), "{small:?} {large:?}");
        }
    }
}
