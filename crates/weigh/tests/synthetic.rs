//! The statistics on distributions whose answers are known: tasks draw their times from them, on a clock that only they move.

use bantam_weigh::{
    Column, Environment, FakeClock, Fidelity, Input, Lane, Picos, Plan, Row, SCHEMA_VERSION, Task, Timing, Weighing,
    measure,
};
use std::cell::RefCell;

/// `SplitMix64`: the same draws in every run.
struct Draws(u64);

impl Draws {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Between 0 and 1, neither included.
    fn uniform(&mut self) -> f64 {
        ((self.bits() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// Standard normal (Box & Muller 1958).
    fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

/// What a program's times may look like, as factors of the true median.
#[derive(Debug, Clone, Copy)]
enum Noise {
    /// Never the same, always near.
    Uniform,
    /// A floor and a tail: the usual shape.
    Exponential,
    /// A tail on both sides on a logarithmic axis.
    LogNormal,
    /// Two speeds, as of two states of a cache: 0.9 and 1.3 of the median and thereabouts.
    TwoModes,
    /// Quiet, but one sample in ten takes twenty times as long: another process has the core.
    Spikes,
    /// Few distinct values, as with a coarse clock.
    Coarse,
}

const NOISES: [Noise; 6] =
    [Noise::Uniform, Noise::Exponential, Noise::LogNormal, Noise::TwoModes, Noise::Spikes, Noise::Coarse];

impl Noise {
    /// A factor whose distribution has the median 1, and deviates by about `width`.
    fn factor(self, width: f64, draws: &mut Draws) -> f64 {
        match self {
            Self::Uniform => 1.0 + width * (2.0 * draws.uniform() - 1.0),
            Self::Exponential => 1.0 + width * (-draws.uniform().ln() - std::f64::consts::LN_2),
            Self::LogNormal => (width * draws.normal()).exp(),
            Self::TwoModes => {
                // Half the mass below 1 and half above, with nothing in between: any point of the gap is a median.
                let side = if draws.uniform() < 0.5 { -1.0 } else { 3.0 };
                1.0 + width * side * (0.9 + 0.2 * draws.uniform())
            }
            Self::Spikes => {
                // The median of all is the quiet samples' quantile of 0.5 / 0.9, 0.1397 standard deviations up.
                let quiet = 1.0 + width * (draws.normal() - 0.1397) / 10.0;
                if draws.uniform() < 0.1 { 20.0 } else { quiet }
            }
            Self::Coarse => 1.0 + width * (draws.uniform() * 5.0 - 2.5).round(),
        }
    }
}

/// Measures tasks of these true medians (nanoseconds) under noise.
fn measured(medians: &[f64], noise: Noise, width: f64, rounds: u32, seed: u64) -> Vec<Timing> {
    let clock = FakeClock::new(Picos(1));
    let draws = RefCell::new(Draws(seed.wrapping_mul(0xD134_2543_DE82_EF95)));
    let task = |&median: &f64| {
        let (clock, draws) = (&clock, &draws);
        Task::new("t", move || {
            let factor = noise.factor(width, &mut draws.borrow_mut());
            clock.advance(Picos((median * factor * 1_000.0) as u64));
        })
    };
    let plan = Plan { budget: Picos::SECOND, max_rounds: rounds, precision_multiple: 1_000, ..Plan::default() };
    measure(medians.iter().map(task).collect(), &plan, &clock, &mut |_| {})
}

/// Whether the interval holds the true median. Of two modes with a gap, all of the gap is a median: those that the
/// interval touches it at one end at least.
fn holds(timing: &Timing, low: f64, high: f64) -> bool {
    timing.low_ns <= high && timing.high_ns >= low
}

#[test]
fn intervals_hold_the_true_median_as_often_as_they_say() {
    const RUNS: u64 = 1_000;
    for noise in NOISES {
        let (low, high) = if matches!(noise, Noise::TwoModes) { (9_200.0, 11_000.0) } else { (10_000.0, 10_000.0) };
        let mut held = 0;
        let mut promised = 0.0;
        for seed in 0..RUNS {
            let timing = measured(&[10_000.0], noise, 0.1, 25, seed).remove(0);
            assert_eq!(timing.rounds, 25);
            held += u64::from(holds(&timing, low, high));
            promised += timing.coverage;
        }
        // Three standard deviations of a binomial count below what was promised.
        let promised = promised / RUNS as f64;
        let least = RUNS as f64 * promised - 3.0 * (RUNS as f64 * promised * (1.0 - promised)).sqrt();
        assert!(held as f64 >= least, "{noise:?}: {held} of {RUNS}, and {least:.0} are due");
    }
}

/// The same row twice is a tie; one that is clearly slower is not, whatever the noise looks like.
#[test]
fn ties_are_ties_and_clear_winners_win() {
    const RUNS: u64 = 200;
    for noise in NOISES {
        let (mut ties, mut told) = (0, 0);
        for seed in 0..RUNS {
            let found = measured(&[10_000.0, 10_000.0, 13_000.0], noise, 0.03, 51, seed);
            let of = |at: usize| found[at].interval();
            ties += u64::from(of(0).overlaps(&of(1)));
            told += u64::from(!of(0).overlaps(&of(2)) && found[0].median_ns < found[2].median_ns);
        }
        // Two intervals of 95 % that have the same median fail to meet far more rarely than one time in twenty.
        assert!(ties >= RUNS * 97 / 100, "{noise:?}: {ties} of {RUNS} are ties");
        assert!(told == RUNS, "{noise:?}: {told} of {RUNS} are told apart");
    }
}

/// Twice the same input: what was a clear order stays it, and the ratios of one run lie within the intervals of the
/// other.
#[test]
fn weighing_twice_says_the_same() {
    let medians = [10_000.0, 10_400.0, 12_000.0, 15_000.0, 40_000.0, 41_000.0];
    for noise in NOISES {
        let (mut doubts, mut missed) = (0, 0);
        for seed in 0..50 {
            let run = |seed| weighing(measured(&medians, noise, 0.03, 51, seed));
            let (first, second) = (run(2 * seed), run(2 * seed + 1));
            // Groups are the same where the members are clearly apart: nobody clear in one run is overtaken in the other.
            for (a, b) in [(&first, &second), (&second, &first)] {
                let decode = |w: &Weighing, at: usize| w.rows[at].decode.unwrap();
                for winner in 0..medians.len() {
                    for loser in 0..medians.len() {
                        let clear = decode(a, winner).interval().high < decode(a, loser).interval().low;
                        let overtaken = decode(b, loser).interval().high < decode(b, winner).interval().low;
                        assert!(!(clear && overtaken), "{noise:?}, seed {seed}: {winner} and {loser}");
                        // The ratio of medians in one run, against all ratios that the other's intervals allow.
                        let ratio = decode(a, winner).median_ns / decode(a, loser).median_ns;
                        let (low, high) = (decode(b, winner).interval(), decode(b, loser).interval());
                        doubts += u32::from(ratio < low.low / high.high || ratio > low.high / high.low);
                    }
                }
                let winners = a.winners(Column::Decode, Lane::Runtime);
                assert!(winners.iter().all(|row| *row < 2), "{noise:?}, seed {seed}: {winners:?}");
                missed += u32::from(!winners.contains(&0));
            }
        }
        assert!(missed <= 5, "{noise:?}: the fastest is no winner in {missed} of 100 runs");
        // 50 seeds, two ways, 30 pairs. The ends are some two standard deviations of a median away, twice over; the
        // difference of two ratios has four medians in it, so two of its own: one in twenty is outside by chance.
        assert!(doubts <= 3_000 * 8 / 100, "{noise:?}: {doubts} of 3,000 ratios are outside");
    }
}

/// The first runs are slow, as with cold caches: they are over before the first sample counts.
#[test]
fn a_cold_start_is_warmed_up_before_it_counts() {
    let clock = FakeClock::new(Picos(1));
    let mut runs = 0;
    let task = Task::new("cold", || {
        // Ten times as long at first, halving the excess with every run.
        clock.advance(Picos(1_000_000 + (9_000_000.0 * 0.5_f64.powi(runs)) as u64));
        runs += 1;
    });
    let plan = Plan { budget: Picos::SECOND, precision_multiple: 1_000, ..Plan::default() };
    let timing = measure(vec![task], &plan, &clock, &mut |_| {}).remove(0);
    // Two samples in a row agreed within 5 % before any counted.
    assert!((1_000.0..1_050.0).contains(&timing.median_ns) && timing.high_ns < 1_050.0, "{timing:?}");
}

fn weighing(timings: Vec<Timing>) -> Weighing {
    let row = |(at, timing)| Row {
        format: format!("row{at}"),
        codec: "own".into(),
        adapter: false,
        floor: false,
        lane: Lane::Runtime,
        allocator: None,
        framing: "list".into(),
        source: false,
        fidelity: Fidelity::Exact,
        profile: vec![],
        reason: None,
        bytes: Some(1),
        encode: None,
        decode: Some(timing),
        round_trip: None,
        compressed: vec![],
        memory: None,
        fields: vec![],
        each: None,
    };
    Weighing {
        schema_version: SCHEMA_VERSION,
        environment: Environment::default(),
        input: Input::default(),
        includes: vec![],
        rows: timings.into_iter().enumerate().map(row).collect(),
        notes: vec![],
        advice: vec![],
        links: vec![],
        front: vec![],
        crossovers: vec![],
    }
}
