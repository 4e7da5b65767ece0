//! Splits a budget between groups. Groups that need more may borrow what others do not need.

/// What each group may spend of `total`: the share it asked for, or less if all shares together are too large. With
/// `borrow`, a group gets no more of its share than it needs, and the rest goes to the groups that need more, the first
/// group first.
///
/// Units are dealt out one after the other, in an order that does not depend on the total. So a larger total never makes
/// a share smaller, and a group never shows less under it.
pub fn shares(total: u32, asked: &[u32], needed: &[u32], borrow: bool) -> Vec<u32> {
    let own = |(asked, needed): (&u32, &u32)| if borrow { *asked.min(needed) } else { *asked };
    let own: Vec<u32> = asked.iter().zip(needed).map(own).collect();
    let sum: u64 = own.iter().map(|share| u64::from(*share)).sum();
    if sum > u64::from(total) {
        return dealt(total, asked, &own);
    }
    let mut shares = own;
    let mut pool = if borrow { total - sum as u32 } else { 0 };
    for ((share, needed), asked) in shares.iter_mut().zip(needed).zip(asked) {
        // A share of 0 turns the group off.
        let more = if *asked == 0 { 0 } else { pool.min(needed.saturating_sub(*share)) };
        *share += more;
        pool -= more;
    }
    shares
}

/// Deals out `total` units in proportion to what was asked, by the largest quotient of D'Hondt, up to the limit of each
/// group. The limits together exceed the total.
fn dealt(total: u32, asked: &[u32], limits: &[u32]) -> Vec<u32> {
    let mut shares = vec![0u32; asked.len()];
    for _ in 0..total {
        let open = (0..asked.len()).filter(|group| shares[*group] < limits[*group]);
        let next = open.reduce(|best, group| {
            let quotient = |group: usize, other: usize| u64::from(asked[group]) * (u64::from(shares[other]) + 1);
            if quotient(group, best) > quotient(best, group) { group } else { best }
        });
        match next {
            Some(group) => shares[group] += 1,
            None => break,
        }
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

    #[test]
    fn one_more_unit_takes_nothing_from_any_group() {
        let (asked, needed) = ([294, 411, 209, 492, 17], [187, 62, 73, 172, 5]);
        let (small, large) = (shares(497, &asked, &needed, true), shares(498, &asked, &needed, true));
        assert!(small.iter().zip(&large).all(|(small, large)| small <= large), "{small:?} {large:?}");
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
