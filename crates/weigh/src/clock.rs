//! What time is read from.

use std::cell::Cell;
use std::time::Instant;

use crate::Picos;

/// A source of time that never goes back.
pub trait Clock {
    /// The time since some fixed moment.
    fn now(&self) -> Picos;

    /// What a difference of two readings may be off by; never zero.
    ///
    /// A sample has to be many times longer: see [`Plan::precision_multiple`](crate::Plan).
    fn precision(&self) -> Picos;
}

/// The system's monotonic clock, with its precision measured once when it is made.
#[derive(Debug)]
pub struct MonotonicClock {
    origin: Instant,
    step: Picos,
    cost: Picos,
}

impl MonotonicClock {
    /// Measures the clock's smallest step and the cost of reading it; takes less than a millisecond.
    ///
    /// As in divan (`src/time/precision.rs`): the precision is the smallest difference other than
    /// zero between readings that follow each other. The cost is the mean over all those readings.
    pub fn new() -> Self {
        const READINGS: u64 = 5_000;
        let origin = Instant::now();
        let mut last = origin;
        let mut step = Picos(u64::MAX);
        for _ in 0..READINGS {
            let now = Instant::now();
            let difference = Picos::from(now - last);
            if difference > Picos::ZERO {
                step = step.min(difference);
            }
            last = now;
        }
        // A clock too coarse to move in that loop steps by more than the loop took.
        if step == Picos(u64::MAX) {
            let start = Instant::now();
            while start.elapsed().is_zero() {}
            step = Picos::from(start.elapsed());
        }
        Self { origin, step, cost: Picos::from(last - origin) / READINGS }
    }

    /// The smallest difference between two readings that is not zero.
    pub fn step(&self) -> Picos {
        self.step
    }

    /// How long one reading takes. It is part of every sample, and never subtracted.
    pub fn cost(&self) -> Picos {
        self.cost
    }
}

impl Default for MonotonicClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for MonotonicClock {
    fn now(&self) -> Picos {
        Picos::from(self.origin.elapsed())
    }

    fn precision(&self) -> Picos {
        self.step.max(self.cost).max(Picos(1))
    }
}

/// A clock for tests, which stands still but when told to [`advance`](Self::advance).
///
/// Tasks that advance it by what they pretend to take make every figure exact.
#[derive(Debug)]
pub struct FakeClock {
    time: Cell<Picos>,
    step: Picos,
}

impl FakeClock {
    /// A clock at zero that moves in whole steps of `step`, which is also its precision.
    pub fn new(step: Picos) -> Self {
        Self { time: Cell::new(Picos::ZERO), step: step.max(Picos(1)) }
    }

    /// Lets time pass.
    pub fn advance(&self, by: Picos) {
        self.time.set(self.time.get() + by);
    }
}

impl Clock for FakeClock {
    fn now(&self) -> Picos {
        Picos(self.time.get().0 / self.step.0 * self.step.0)
    }

    fn precision(&self) -> Picos {
        self.step
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fake_clock_moves_in_steps_and_only_when_told() {
        let clock = FakeClock::new(Picos(100));
        assert_eq!(clock.now(), Picos(0));
        clock.advance(Picos(199));
        assert_eq!(clock.now(), Picos(100));
        assert_eq!(clock.now(), Picos(100));
        clock.advance(Picos(1));
        assert_eq!(clock.now(), Picos(200));
        assert_eq!(clock.precision(), Picos(100));
    }

    #[test]
    fn the_monotonic_clock_never_goes_back_and_knows_its_precision() {
        let clock = MonotonicClock::new();
        let readings: Vec<Picos> = (0..1000).map(|_| clock.now()).collect();
        assert!(readings.is_sorted());
        assert!(clock.step() > Picos::ZERO);
        assert!(clock.precision() >= clock.step() && clock.precision() >= clock.cost());
    }
}
