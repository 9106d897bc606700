//! Draws of numbers that are not whole.

use super::maths::{exp10, log10};
use crate::Rng;

/// A number in 0..1 (1 is never drawn), of 53 random bits.
pub(super) fn unit(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// A number from `least` to `most`, each as likely.
pub(super) fn uniform(rng: &mut Rng, least: f64, most: f64) -> f64 {
    least + (most - least) * unit(rng)
}

/// A number of mean 0 and deviation 1: twelve even draws have a variance of 1, and their sum is all but normal.
pub(super) fn normal(rng: &mut Rng) -> f64 {
    (0..12).map(|_| unit(rng)).sum::<f64>() - 6.0
}

/// A magnitude from `least` to `most`, of which there are ten times fewer for each step of 1: the law of B. Gutenberg
/// and C. F. Richter (*Frequency of Earthquakes in California*, BSSA 34, 1944), with b = 1 and cut off at `most`.
pub(super) fn magnitude(rng: &mut Rng, least: f64, most: f64) -> f64 {
    least - log10(1.0 - unit(rng) * (1.0 - exp10(least - most)))
}

/// Chooses `count` of `of` things, each as likely, in their order; all if there are no more.
/// (D. Knuth, *The Art of Computer Programming* 2, section 3.4.2, algorithm S.)
pub(super) fn choose(rng: &mut Rng, count: usize, of: usize) -> Vec<usize> {
    let mut chosen = Vec::with_capacity(count.min(of));
    for at in 0..of {
        if rng.below((of - at) as u64) < (count.min(of) - chosen.len()) as u64 {
            chosen.push(at);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_draws_have_their_mean_and_deviation() {
        let mut rng = Rng::new(3);
        let draws: Vec<f64> = (0..20_000).map(|_| normal(&mut rng)).collect();
        let mean = draws.iter().sum::<f64>() / 2e4;
        let variance = draws.iter().map(|d| d * d).sum::<f64>() / 2e4;
        // Their own deviations are 0.007 and 0.01.
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
    }

    #[test]
    fn a_magnitude_more_is_ten_times_fewer() {
        let mut rng = Rng::new(3);
        let draws: Vec<f64> = (0..20_000).map(|_| magnitude(&mut rng, 2.0, 6.0)).collect();
        assert!(draws.iter().all(|m| (2.0..=6.0).contains(m)));
        let above = draws.iter().filter(|&&m| m > 3.0).count();
        assert!((1_850..2_150).contains(&above), "{above}");
    }

    #[test]
    fn as_many_are_chosen_as_asked_for() {
        let mut rng = Rng::new(3);
        let chosen = choose(&mut rng, 5, 9);
        assert!(chosen.len() == 5 && chosen.is_sorted() && chosen[4] < 9);
        assert_eq!(choose(&mut rng, 7, 3), [0, 1, 2]);
    }
}
