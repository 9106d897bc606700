//! The public IDs of an event's objects.

use super::number::{Micros, SECOND, stamp};
use super::source::{Source, Work};
use crate::Rng;

/// Serial numbers that each event has to itself.
const PER_EVENT: u64 = 1_000;

/// Makes IDs such as `Pick/20191012081200.115203.26387`: the kind of object, when it was made, a serial number.
#[derive(Debug)]
pub(super) struct Ids {
    serial: u64,
    analyst: Micros,
    location: Micros,
}

impl Ids {
    pub(super) fn new(rng: &mut Rng, first_serial: u64, number: u64, source: &Source) -> Self {
        let after = |rng: &mut Rng, least: u64, most: u64| {
            source.time + rng.between(least * SECOND as u64, most * SECOND as u64) as Micros
        };
        let location = match source.work {
            Work::Manual => after(rng, 3_600, 50_000),
            Work::Automatic => after(rng, 90, 240),
        };
        let serial = first_serial.wrapping_add(number.wrapping_mul(PER_EVENT));
        Self { serial, analyst: after(rng, 400, 1_500), location }
    }

    /// The ID and the time of creation of what an analyst made; many such things are stored at once.
    pub(super) fn analyst(&mut self, class: &str, rng: &mut Rng) -> (String, Micros) {
        self.analyst += 300 + rng.below(500) as Micros;
        self.made(class, self.analyst, rng)
    }

    /// The ID and the time of creation of what was made when the event was located.
    pub(super) fn location(&mut self, class: &str, rng: &mut Rng) -> (String, Micros) {
        self.location += 90 + rng.below(300) as Micros;
        self.made(class, self.location, rng)
    }

    /// The ID and the time of creation of what was made at about a time.
    pub(super) fn made(&mut self, class: &str, at: Micros, rng: &mut Rng) -> (String, Micros) {
        self.serial = self.serial.wrapping_add(1);
        (format!("{class}/{}.{}", stamp(at), self.serial), at + 20 + rng.below(100) as Micros)
    }
}
