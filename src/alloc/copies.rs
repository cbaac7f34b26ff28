//! Sequencing of parallel copies.
//!
//! May and others, "Parallel copy motion": each destination is written once; a copy may go as soon as nobody still reads its
//! destination; what is left then are cycles, each broken by one temporary, or turned by swaps where there is none.

use std::collections::HashMap;
use std::hash::Hash;

/// What a move reads.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Source<L, C> {
    Loc(L),
    /// Something that no move changes.
    Other(C),
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Step<L, C> {
    Move(L, Source<L, C>),
    Swap(L, L),
}

/// Orders moves that happen at once. Moves of a place to itself are dropped. `temporary` gives a place to break a cycle through
/// the place it is shown, if there is one.
pub(super) fn sequence<L: Copy + Eq + Hash, C: Copy>(
    moves: &[(L, Source<L, C>)],
    mut temporary: impl FnMut(L) -> Option<L>,
) -> Vec<Step<L, C>> {
    if let [(dst, src)] = moves {
        return if matches!(src, Source::Loc(s) if s == dst) { vec![] } else { vec![Step::Move(*dst, *src)] };
    }
    let mut out = Vec::with_capacity(moves.len());
    // Moves that still read a place.
    let mut readers: HashMap<L, u32> = HashMap::new();
    let mut pending: HashMap<L, L> = HashMap::new();
    let mut order = vec![];
    let mut last = vec![];
    for &(dst, src) in moves {
        match src {
            Source::Loc(src) if src == dst => {}
            Source::Loc(src) => {
                *readers.entry(src).or_default() += 1;
                pending.insert(dst, src);
                order.push(dst);
            }
            // Constants wait until nobody reads their destination: the end.
            Source::Other(_) => last.push(Step::Move(dst, src)),
        }
    }
    let mut ready: Vec<L> = order.iter().rev().copied().filter(|d| !readers.contains_key(d)).collect();
    let mut next = 0;
    loop {
        while let Some(dst) = ready.pop() {
            let Some(src) = pending.remove(&dst) else { continue };
            out.push(Step::Move(dst, Source::Loc(src)));
            if let Some(n) = readers.get_mut(&src) {
                *n -= 1;
                if *n == 0 && pending.contains_key(&src) {
                    ready.push(src);
                }
            }
        }
        // What is left is in cycles: each place is read exactly once.
        while next < order.len() && !pending.contains_key(&order[next]) {
            next += 1;
        }
        let Some(&dst) = order.get(next) else { break };
        if let Some(temp) = temporary(dst) {
            out.push(Step::Move(temp, Source::Loc(dst)));
            pending.values_mut().filter(|src| **src == dst).for_each(|src| *src = temp);
            readers.insert(dst, 0);
            ready.push(dst);
            continue;
        }
        let Some(src) = pending.remove(&dst) else { break };
        out.push(Step::Swap(dst, src));
        // The old value of `dst` stands in `src` now, which may be where it was wanted.
        let reader = pending.iter().find(|(_, s)| **s == dst).map(|(d, _)| *d);
        match reader {
            Some(reader) if reader == src => drop(pending.remove(&src)),
            Some(reader) => drop(pending.insert(reader, src)),
            None => {}
        }
    }
    out.extend(last);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_sequence_does_what_the_parallel_copy_does(
            sources in proptest::collection::vec((0..12u8, 0..4u8), 0..10),
            order in Just((0..10u8).collect::<Vec<_>>()).prop_shuffle(),
            temporaries: bool,
        ) {
            let moves: Vec<(u8, Source<u8, u8>)> = sources.iter().zip(&order)
                .map(|(&(s, kind), &d)| (d, if kind == 0 { Source::Other(s) } else { Source::Loc(s) }))
                .collect();
            let initial: Vec<u32> = (0..100).collect();
            let mut expected = initial.clone();
            for &(d, s) in &moves {
                expected[d as usize] = match s { Source::Loc(s) => initial[s as usize], Source::Other(c) => 1000 + c as u32 };
            }
            let mut fresh = 50;
            let mut regs = initial;
            for step in sequence(&moves, |_| { fresh += 1; temporaries.then_some(fresh) }) {
                match step {
                    Step::Move(d, Source::Loc(s)) => regs[d as usize] = regs[s as usize],
                    Step::Move(d, Source::Other(c)) => regs[d as usize] = 1000 + c as u32,
                    Step::Swap(a, b) => regs.swap(a as usize, b as usize),
                }
            }
            prop_assert_eq!(&regs[..50], &expected[..50]);
        }
    }
}
