//! Lane maps: each thread of a warp names the thread whose value it takes.
//!
//! A PTX `shfl` with a constant offset, or from a thread that its own number alone decides, is of this kind, and a map of a map is
//! one map. Composition is exact only where both run with the same threads active: within one block.

/// PTX `shfl` modes.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub enum ShuffleMode {
    Up,
    Down,
    Bfly,
    Idx,
}

/// By thread of the warp, 0 to 31: the thread it reads from. Plane `k` holds bit `k` of each, at the reading thread's place.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LaneMap {
    planes: [u32; 5],
}

impl LaneMap {
    pub fn new(from: impl Fn(u8) -> u8) -> LaneMap {
        let mut map = LaneMap { planes: [0; 5] };
        (0..32).for_each(|lane| map.set(lane, from(lane)));
        map
    }

    /// The thread that `lane` reads from.
    pub fn source(&self, lane: u8) -> u8 {
        (0..5).fold(0, |from, k| from | ((self.planes[k] >> lane & 1) as u8) << k)
    }

    pub fn sources(&self) -> [u8; 32] {
        std::array::from_fn(|lane| self.source(lane as u8))
    }

    fn set(&mut self, lane: u8, from: u8) {
        for (k, plane) in self.planes.iter_mut().enumerate() {
            *plane = *plane & !(1 << lane) | (u32::from(from) >> k & 1) << lane;
        }
    }

    /// Bit `k` of each thread's source, at the thread's place.
    pub fn plane(&self, k: usize) -> u32 {
        self.planes[k]
    }

    pub fn identity() -> LaneMap {
        LaneMap::new(|lane| lane)
    }

    /// What PTX `shfl` with operands b (by thread) and c does: the map, and the threads whose source is in range.
    ///
    /// PTX ISA, "shfl": c\[4:0\] is the clamp, c\[12:8\] the bits of the thread's number that stay. A source out of range is the thread itself.
    pub fn shuffle(mode: ShuffleMode, b: impl Fn(u8) -> u32, c: u32) -> (LaneMap, u32) {
        let (clamp, segment) = (c & 31, c >> 8 & 31);
        let mut in_range = 0;
        let mut map = LaneMap::identity();
        for lane in 0..32u32 {
            let (own, b) = (lane as i32, (b(lane as u8) & 31) as i32);
            let low = (lane & segment) as i32;
            let limit = low | (clamp & !segment) as i32;
            let from = match mode {
                ShuffleMode::Up => own - b,
                ShuffleMode::Down => own + b,
                ShuffleMode::Bfly => own ^ b,
                ShuffleMode::Idx => low | b & !(segment as i32),
            };
            let ok = if mode == ShuffleMode::Up { from >= limit } else { from <= limit };
            if ok {
                in_range |= 1 << lane;
                map.set(lane as u8, from as u8);
            }
        }
        (map, in_range)
    }

    /// The map that reads, for each thread, what `inner` gives the thread named here.
    pub fn of(&self, inner: &LaneMap) -> LaneMap {
        LaneMap::new(|lane| inner.source(self.source(lane)))
    }

    pub fn is_identity(&self) -> bool {
        *self == LaneMap::identity()
    }

    /// The one thread that all read from, if there is one.
    pub fn broadcast(&self) -> Option<u8> {
        self.planes.iter().all(|&plane| plane == 0 || plane == u32::MAX).then(|| self.source(0))
    }

    /// The map that brings every value back, of a permutation.
    pub fn inverse(&self) -> Option<LaneMap> {
        let mut inverse = LaneMap::new(|_| 0);
        let mut seen = 0u32;
        for (lane, from) in self.sources().into_iter().enumerate() {
            seen |= 1 << from;
            inverse.set(from, lane as u8);
        }
        (seen == u32::MAX).then_some(inverse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn maps() -> Vec<LaneMap> {
        let mut maps = vec![LaneMap::identity(), LaneMap::new(|l| l * 5 + 3), LaneMap::new(|l| 31 - l)];
        for (mode, b, c) in [
            (ShuffleMode::Up, 3, 0),
            (ShuffleMode::Down, 8, 0x1f),
            (ShuffleMode::Bfly, 16, 0x1f),
            (ShuffleMode::Idx, 7, 0x181f),
        ] {
            maps.push(LaneMap::shuffle(mode, |_| b, c).0);
        }
        maps
    }

    #[test]
    fn maps_are_a_monoid_with_inverses_of_permutations() {
        let id = LaneMap::identity();
        for a in &maps() {
            assert_eq!((a.of(&id), id.of(a)), (*a, *a));
            for b in &maps() {
                for c in &maps() {
                    assert_eq!(a.of(b).of(c), a.of(&b.of(c)));
                }
            }
            if let Some(inverse) = a.inverse() {
                assert!(a.of(&inverse).is_identity() && inverse.of(a).is_identity());
            }
        }
        assert_eq!(maps().iter().filter(|m| m.inverse().is_some()).count(), 4);
    }

    #[test]
    fn shuffles_of_the_manual() {
        // A segment of 8 threads, from its third.
        let (map, ok) = LaneMap::shuffle(ShuffleMode::Idx, |_| 3, 0x181f);
        assert_eq!((map.source(0), map.source(9), map.source(31), ok), (3, 11, 27, u32::MAX));
        // Down by 4 at the end of the warp: the own value, and a false predicate.
        let (map, ok) = LaneMap::shuffle(ShuffleMode::Down, |_| 4, 0x1f);
        assert_eq!((map.source(27), map.source(28), ok), (31, 28, 0x0fff_ffff));
        let (map, ok) = LaneMap::shuffle(ShuffleMode::Up, |_| 1, 0);
        assert_eq!((map.source(0), map.source(1), ok), (0, 0, !1));
        assert_eq!(LaneMap::shuffle(ShuffleMode::Idx, |_| 33, 0x1f).0.broadcast(), Some(1));
    }
}
