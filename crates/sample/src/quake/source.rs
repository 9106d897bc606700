//! What happened: place, time and size of an event, before anybody saw it.

use super::draw::{magnitude, normal, uniform};
use super::network::Network;
use super::number::{Micros, SECOND, written, year};
use crate::Rng;

/// The catalogue's half-hours, from 2010 to 2025. Each event has one to itself, so that no two are mixed up.
pub(super) const SLOTS: u64 = 16 * 365 * 48;
const SLOT: Micros = 1_800 * SECOND;
/// 2010-01-01T00:00:00Z.
const FIRST: Micros = 1_262_304_000 * SECOND;

/// How an event came to be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    /// A person has looked at it.
    Manual,
    /// By programs only.
    Automatic,
}

/// An event as it was.
#[derive(Debug)]
pub(super) struct Source {
    /// Its ID in the catalogue, such as `bnt2019cfkq`.
    pub(super) id: String,
    /// The time of origin.
    pub(super) time: Micros,
    /// Degrees north.
    pub(super) latitude: f64,
    /// Degrees east.
    pub(super) longitude: f64,
    /// Kilometres below the sea.
    pub(super) depth: f64,
    pub(super) magnitude: f64,
    /// Whether the whole network saw it, or only the stations around it.
    pub(super) typical: bool,
    /// The type of event, if it was told.
    pub(super) kind: Option<&'static str>,
    pub(super) work: Work,
}

impl Source {
    /// Draws event `number` of a network.
    pub(super) fn draw(rng: &mut Rng, network: &Network, number: u64) -> Self {
        let typical = number == 0 || !rng.one_in(3);
        let size = match (number, typical) {
            (0, _) => uniform(rng, 5.2, 6.2),
            (_, true) => magnitude(rng, 4.6, 7.6),
            (_, false) => magnitude(rng, 2.2, 4.4),
        };
        let work = if number > 0 && rng.one_in(4) { Work::Automatic } else { Work::Manual };
        let blast = !typical && work == Work::Manual && rng.one_in(6);
        let kind = match work {
            _ if blast => Some(*rng.pick(&["quarry blast", "quarry blast", "mining explosion", "explosion"])),
            // A type is mostly set by a person.
            Work::Automatic => rng.one_in(3).then_some("earthquake"),
            Work::Manual => Some("earthquake"),
        };
        let (latitude, longitude) = epicentre(rng, network);
        let slot = network.first_slot.wrapping_add(number);
        let start = FIRST + (slot % SLOTS) as i64 * SLOT;
        let time = start + rng.below(25 * 60 * SECOND as u64) as i64;
        Self {
            id: format!("bnt{}{}", year(time), letters(slot)),
            time,
            latitude,
            longitude,
            depth: depth(rng, blast),
            magnitude: if blast { size.min(2.9) } else { size },
            typical,
            kind,
            work,
        }
    }
}

/// Near a station, and so within the network.
fn epicentre(rng: &mut Rng, network: &Network) -> (f64, f64) {
    let near = rng.pick(&network.stations);
    (written(near.latitude + 0.3 * normal(rng)), written(near.longitude + 0.45 * normal(rng)))
}

/// Most are in the crust, some in the mantle below. A grid search finds no depth between its nodes.
fn depth(rng: &mut Rng, blast: bool) -> f64 {
    let depth = match rng.below(8) {
        _ if blast => uniform(rng, 0.0, 0.8),
        0 => uniform(rng, 34.0, 180.0),
        _ => uniform(rng, 2.5, 32.5),
    };
    (depth * 64.0).round() / 64.0
}

/// A number as letters, at least four.
fn letters(mut number: u64) -> String {
    let mut letters = Vec::new();
    while letters.len() < 4 || number > 0 {
        letters.push(b'a' + (number % 26) as u8);
        number /= 26;
    }
    letters.iter().rev().map(|&l| char::from(l)).collect()
}
