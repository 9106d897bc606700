//! What makes a weighing's figures less than they could be, and what to do about it.

use serde::{Deserialize, Serialize};

use crate::{Timing, Weighing};

/// Something to know before relying on the figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Advice {
    /// `kind`: what it is about.
    pub kind: AdviceKind,
    /// `value`: what was found, as the kind says.
    pub value: f64,
    /// `bound`: the most that is passed over.
    pub bound: f64,
    /// `text`: for people: what it is, and what to do.
    pub text: String,
}

/// What an advice is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AdviceKind {
    /// `noisy`: the share of the times whose interval reaches beyond ±10 % of the median.
    Noisy,
    /// `loaded`: the cores that other processes kept busy while times were taken.
    Loaded,
    /// `few-rounds`: how many times come from a single round, and have no interval.
    FewRounds,
    /// `below-precision`: how many times are too short for the clock.
    BelowPrecision,
}

impl AdviceKind {
    /// The word that stands for it in every report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Noisy => "noisy",
            Self::Loaded => "loaded",
            Self::FewRounds => "few rounds",
            Self::BelowPrecision => "below precision",
        }
    }
}

/// An interval that reaches further from its median than this part of it is wide.
const WIDE: f64 = 0.10;
/// Wide intervals that are passed over, as a share of all: a hiccup here and there says nothing of the machine.
const MOST_WIDE: f64 = 0.20;
/// Cores that others may keep busy.
const MOST_BUSY: f64 = 0.20;

impl Weighing {
    /// Fills [`Weighing::advice`] from the rows' timings and [`Environment::busy_cores`](crate::Environment).
    pub fn advise(&mut self) {
        let timings = self.timings();
        let count = |which: &dyn Fn(&Timing) -> bool| timings.iter().filter(|t| which(t)).count() as f64;
        let known = count(&|t| t.spread().is_some());
        let wide = count(&|t| t.spread().is_some_and(|spread| spread > WIDE));
        let all = timings.len();
        let mut advice = Vec::new();
        let mut say = |kind, value: f64, bound: f64, text: String| {
            if value > bound {
                advice.push(Advice { kind, value, bound, text });
            }
        };
        let share = if known > 0.0 { wide / known } else { 0.0 };
        let text = format!(
            "{wide} of {known} times are known to no better than ±{:.0}%: close other programs, keep the machine at one \
             speed, or measure for longer (without --quick)",
            WIDE * 100.0
        );
        say(AdviceKind::Noisy, share, MOST_WIDE, text);
        if let Some(busy) = self.environment.busy_cores {
            let cores = self.environment.cores.map(|cores| format!(" of {cores}")).unwrap_or_default();
            let text = format!("other processes kept {busy:.1}{cores} cores busy meanwhile: stop them and weigh again");
            say(AdviceKind::Loaded, busy, MOST_BUSY, text);
        }
        let single = count(&|t| t.rounds < 2 && !t.below_precision);
        let text = format!(
            "{single} of {all} times are of a single round and have no interval: weigh fewer formats (--formats) or records, \
             or without --quick"
        );
        say(AdviceKind::FewRounds, single, 0.0, text);
        let short = count(&|t| t.below_precision);
        let text = format!("{short} of {all} times are too short for this machine's clock: weigh more records");
        say(AdviceKind::BelowPrecision, short, 0.0, text);
        self.advice = advice;
    }

    /// All times of all rows; those of compressors once, as rows of the same bytes share them.
    fn timings(&self) -> Vec<Timing> {
        let mut timings = Vec::new();
        for (at, row) in self.rows.iter().enumerate() {
            timings.extend([row.encode, row.decode, row.round_trip].into_iter().flatten());
            for one in &row.compressed {
                if !self.rows[..at].iter().any(|earlier| earlier.compressed.contains(one)) {
                    timings.extend([one.compress, one.decompress].into_iter().flatten());
                }
            }
        }
        timings
    }
}
