//! Counting sort.

/// Sorts by a number below `count`; items with the same number keep their order.
pub fn by_number<T: Copy>(things: &[T], count: usize, number: impl Fn(&T) -> u32) -> Vec<T> {
    let mut next = vec![0u32; count + 1];
    things.iter().for_each(|thing| next[number(thing) as usize + 1] += 1);
    for at in 1..next.len() {
        next[at] += next[at - 1];
    }
    let mut sorted = things.to_vec();
    for thing in things {
        let free = &mut next[number(thing) as usize];
        sorted[*free as usize] = *thing;
        *free += 1;
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::by_number;

    #[test]
    fn the_order_is_that_of_a_stable_sort() {
        let things: Vec<(u32, usize)> = (0..100).map(|at| ((at * 37 % 11) as u32, at)).collect();
        let mut sorted = things.clone();
        sorted.sort_by_key(|thing| thing.0);
        assert_eq!(by_number(&things, 11, |thing| thing.0), sorted);
        assert!(by_number(&[] as &[u32], 0, |thing| *thing).is_empty());
    }
}
