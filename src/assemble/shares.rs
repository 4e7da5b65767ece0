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
    let pool = if borrow { total - sum as u32 } else { 0 };
    let borrowed = borrowed(pool, asked, &own, needed);
    own.into_iter().zip(borrowed).map(|(own, borrowed)| own + borrowed).collect()
}

/// What a group may spend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// What it asked for, or less if all groups together asked for too much.
    pub own: u32,
    /// What it gets of what other groups do not need.
    pub borrowed: u32,
}

/// What each group may spend of `total`. Shares are scaled down together. Whatever a group does not need of its share
/// is lent to those that need more, the first group first, even if its share was scaled down.
///
/// A larger total never makes the sum of a group's share and what it borrows smaller: one more unit makes one share
/// larger, and what is lent no smaller.
pub fn lend(total: u32, asked: &[u32], needed: &[u32]) -> Vec<Share> {
    let sum: u64 = asked.iter().map(|asked| u64::from(*asked)).sum();
    let own = if sum > u64::from(total) { dealt(total, asked, asked) } else { asked.to_vec() };
    let used: u32 = own.iter().zip(needed).map(|(own, needed)| *own.min(needed)).sum();
    let borrowed = borrowed(total - used, asked, &own, needed);
    own.into_iter().zip(borrowed).map(|(own, borrowed)| Share { own, borrowed }).collect()
}

/// What each group gets of a pool beyond its own share, the first group first.
fn borrowed(mut pool: u32, asked: &[u32], own: &[u32], needed: &[u32]) -> Vec<u32> {
    let groups = asked.iter().zip(own).zip(needed);
    let borrow = |((asked, own), needed): ((&u32, &u32), &u32)| {
        // A share of 0 turns the group off.
        let more = if *asked == 0 { 0 } else { pool.min(needed.saturating_sub(*own)) };
        pool -= more;
        more
    };
    groups.map(borrow).collect()
}

/// Deals out `total` units in proportion to what was asked, by the largest quotient of D'Hondt, up to the limit of each
/// group. The limits together exceed the total.
fn dealt(total: u32, asked: &[u32], limits: &[u32]) -> Vec<u32> {
    // Every group gets at least the whole units of its proportion, so only the rest is dealt one by one.
    let sum: u64 = asked.iter().map(|asked| u64::from(*asked)).sum();
    let whole = |asked: u32| (u64::from(asked) * u64::from(total) / sum) as u32;
    let mut shares: Vec<u32> = asked.iter().zip(limits).map(|(asked, limit)| whole(*asked).min(*limit)).collect();
    for _ in shares.iter().sum::<u32>()..total {
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

    use super::{Share, lend, shares};

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

    #[test]
    fn what_is_lent_goes_to_the_first_that_needs_more() {
        let spent = |shares: Vec<Share>| shares.iter().map(|share| (share.own, share.borrowed)).collect::<Vec<_>>();
        assert_eq!(spent(lend(100, &[150, 50, 0], &[10, 90, 9])), [(75, 0), (25, 65), (0, 0)]);
        assert_eq!(spent(lend(100, &[30, 20], &[40, 90])), [(30, 10), (20, 40)], "what nobody asked for is lent too");
        assert_eq!(spent(lend(u32::MAX, &[u32::MAX, u32::MAX], &[7, 7])), [(2_147_483_648, 0), (2_147_483_647, 0)]);
    }

    /// What a share is rounded down by is not lent: the other shares would lose it when the total grows.
    #[test]
    fn equal_shares_grow_one_by_one() {
        for total in 0..60 {
            let all = |total| lend(total, &[10; 6], &[100; 6]);
            let (small, large) = (all(total), all(total + 1));
            let grown = small.iter().zip(&large).filter(|(small, large)| large.own == small.own + 1).count();
            assert_eq!((grown, large.iter().map(|share| share.borrowed).sum()), (1, 0u32), "{total}");
        }
    }

    proptest! {
        #[test]
        fn what_is_lent_fits_the_total_and_grows_with_it(
            groups in prop::collection::vec((0..500u32, 0..500u32), 1..7),
            total in 0..1500u32,
        ) {
            let (asked, needed): (Vec<u32>, Vec<u32>) = groups.into_iter().unzip();
            let spent = |total| -> Vec<u32> {
                lend(total, &asked, &needed).iter().map(|share| share.own + share.borrowed).collect()
            };
            let (small, large) = (spent(total), spent(total + 1));
            prop_assert!(small.iter().zip(&large).all(|(small, large)| small <= large), "{small:?} {large:?}");
            let used: u32 = small.iter().zip(&needed).map(|(spent, needed)| spent.min(needed)).sum();
            prop_assert!(used <= total);
            let is_short = small.iter().zip(&needed).zip(&asked).any(|((spent, needed), asked)| spent < needed && *asked > 0);
            prop_assert!(!is_short || used == total, "somebody is short of what nobody uses");
        }

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
