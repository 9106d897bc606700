//! The random numbers of samples: xoshiro256++ 1.0, seeded through `SplitMix64`.
//!
//! What a seed gives is a promise of this crate, while the crates of the `rand` family reserve the right to
//! change values between minor versions (The Rust Rand Book, "Reproducibility"). So the generator is written
//! down here:
//!
//! - D. Blackman, S. Vigna: *Scrambled Linear Pseudorandom Number Generators*, ACM TOMS 47 (2021); the
//!   reference code is <https://prng.di.unimi.it/xoshiro256plusplus.c>, and
//!   <https://prng.di.unimi.it/splitmix64.c> fills its state, as its authors advise.
//! - Ranges: D. Lemire, *Fast Random Integer Generation in an Interval*, ACM TOMACS 29 (2019): unbiased.

/// A seeded generator. The same seed gives the same numbers on every machine and in every version.
///
/// ```
/// use bantam_sample::Rng;
/// let mut rng = Rng::new(1);
/// assert!((1024..=2047).contains(&rng.between(1024, 2047)));
/// ```
#[derive(Debug, Clone)]
pub struct Rng([u64; 4]);

impl Rng {
    /// The generator of a seed; any number will do.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut state = seed;
        Self(std::array::from_fn(|_| {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        }))
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        let [s0, s1, s2, s3] = &mut self.0;
        let result = s0.wrapping_add(*s3).rotate_left(23).wrapping_add(*s0);
        let shifted = *s1 << 17;
        *s2 ^= *s0;
        *s3 ^= *s1;
        *s1 ^= *s2;
        *s0 ^= *s3;
        *s2 ^= shifted;
        *s3 = s3.rotate_left(45);
        result
    }

    /// A number in `0..bound`, each as likely; 0 if the bound is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        let mut product = u128::from(self.next_u64()) * u128::from(bound);
        if (product as u64) < bound {
            let least = bound.wrapping_neg() % bound;
            while (product as u64) < least {
                product = u128::from(self.next_u64()) * u128::from(bound);
            }
        }
        (product >> 64) as u64
    }

    /// A number in `first..=last`, each as likely. `first` is at most `last`.
    pub fn between(&mut self, first: u64, last: u64) -> u64 {
        match (last - first).checked_add(1) {
            Some(count) => first + self.below(count),
            None => self.next_u64(),
        }
    }

    /// True once in `times`, on average.
    pub fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// One of the items, each as likely.
    ///
    /// # Panics
    /// If there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u64) as usize]
    }

    /// Draws `N` of the items without repetition, in the order drawn: the first steps of a
    /// Fisher–Yates shuffle.
    ///
    /// # Panics
    /// If there are fewer than `N`.
    pub fn draw<const N: usize>(&mut self, items: &[u8]) -> [u8; N] {
        let mut items = items.to_vec();
        std::array::from_fn(|at| {
            let other = at + self.below((items.len() - at) as u64) as usize;
            items.swap(at, other);
            items[at]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_of_seed_0_is_that_of_splitmix64() {
        // The first outputs of the reference splitmix64.c with state 0.
        assert_eq!(Rng::new(0).0[..2], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
    }

    #[test]
    fn the_stream_is_that_of_xoshiro256plusplus() {
        // The first outputs of the reference xoshiro256plusplus.c with the state 1, 2, 3, 4.
        let mut rng = Rng([1, 2, 3, 4]);
        let found: Vec<u64> = (0..4).map(|_| rng.next_u64()).collect();
        assert_eq!(found, [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386]);
    }

    #[test]
    fn ranges_are_whole_and_even() {
        let mut rng = Rng::new(7);
        let mut counts = [0; 6];
        (0..60_000).for_each(|_| counts[rng.below(6) as usize] += 1);
        // 10,000 each with a standard deviation of 91.
        assert!(counts.iter().all(|c| (9_500..10_500).contains(c)), "{counts:?}");
        assert!((0..1000).all(|_| (5..=6).contains(&rng.between(5, 6))));
        rng.between(0, u64::MAX);
        assert_eq!(rng.below(1), 0);
    }

    #[test]
    fn draws_do_not_repeat() {
        let mut drawn: [u8; 62] = Rng::new(3).draw(&std::array::from_fn::<u8, 62, _>(|i| i as u8));
        drawn.sort_unstable();
        assert!(drawn.iter().enumerate().all(|(at, &item)| at == item as usize));
    }
}
