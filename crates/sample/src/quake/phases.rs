//! Who saw it: the picks of phases and the arrivals that an origin makes of them.

use super::draw::{choose, normal, unit};
use super::ids::Ids;
use super::network::{Network, Station};
use super::number::{Micros, SECOND, pick_stamp, written};
use super::source::{Source, Work};
use super::travel::{Wave, distance_azimuth, travel_time};
use crate::Rng;

/// A pick and the arrival of an origin that refers to it.
#[derive(Debug)]
pub(super) struct Phase<'n> {
    pub(super) station: &'n Station,
    pub(super) wave: Wave,
    /// The channel's third letter.
    pub(super) component: char,
    pub(super) pick_id: String,
    pub(super) work: Work,
    pub(super) time: Micros,
    /// When the pick was made.
    pub(super) created: Micros,
    /// Degrees from the epicentre.
    pub(super) distance: f64,
    /// Degrees clockwise from north, at the epicentre.
    pub(super) azimuth: f64,
    /// Seconds later than the model says; none where the location did not ask the model.
    pub(super) residual: Option<f64>,
    /// The weight in the location; 0 if the arrival was not used.
    pub(super) weight: f64,
}

/// Draws the phases of an event, by distance, P before S.
pub(super) fn draw<'n>(rng: &mut Rng, network: &'n Network, source: &Source, ids: &mut Ids) -> Vec<Phase<'n>> {
    let places = by_distance(network, source);
    let (p_count, s_count) = if source.typical {
        (rng.between(170, 182), rng.between(10, 15))
    } else {
        (rng.between(17, 45), rng.between(3, 14))
    };
    // One station in ten is silent.
    let heard = choose(rng, p_count as usize, (p_count as usize * 10 / 9).min(places.len()));
    let with_s = choose(rng, s_count as usize, heard.len().min(28));
    let mut phases = Vec::with_capacity((p_count + s_count) as usize);
    for (at, &place) in heard.iter().enumerate() {
        let place = &places[place];
        phases.push(phase(rng, source, place, Wave::P, ids));
        if with_s.binary_search(&at).is_ok() {
            phases.push(phase(rng, source, place, Wave::S, ids));
        }
    }
    weigh(rng, &mut phases, source);
    phases
}

struct Place<'n> {
    station: &'n Station,
    distance: f64,
    azimuth: f64,
}

fn by_distance<'n>(network: &'n Network, source: &Source) -> Vec<Place<'n>> {
    let place = |station: &'n Station| {
        let to = (station.latitude, station.longitude);
        let (distance, azimuth) = distance_azimuth((source.latitude, source.longitude), to);
        Place { station, distance: written(distance), azimuth: written(azimuth) }
    };
    let mut places: Vec<_> = network.stations.iter().map(place).collect();
    places.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    places
}

fn phase<'n>(rng: &mut Rng, source: &Source, place: &Place<'n>, wave: Wave, ids: &mut Ids) -> Phase<'n> {
    let &Place { station, distance, azimuth } = place;
    let travel = travel_time(wave, distance, source.depth);
    // The real ground differs the more from the model the longer the way; one pick in 40 is simply wrong.
    let spread = (0.12 + 0.11 * distance) * if wave == Wave::S { 1.6 } else { 1.0 };
    let error = spread * normal(rng) * if rng.one_in(40) { 5.0 } else { 1.0 };
    let time = source.time + ((travel + error) * SECOND as f64).round() as Micros;
    let by_hand = wave == Wave::S || rng.one_in(25);
    let work = if by_hand { source.work } else { Work::Automatic };
    let component = match wave {
        Wave::P => 'Z',
        Wave::S => *rng.pick(&['N', 'E']),
    };
    let (pick_id, created) = match work {
        Work::Automatic => {
            let latency = (3.0 + 11.0 * unit(rng)) * SECOND as f64;
            (automatic_id(station, component, time, wave), time + latency as Micros)
        }
        Work::Manual => ids.analyst("Pick", rng),
    };
    let residual = Some(written((time - source.time) as f64 / SECOND as f64 - travel));
    Phase { station, wave, component, pick_id, work, time, created, distance, azimuth, residual, weight: 0.0 }
}

/// The ID that `SeisComP`'s picker makes of time, method and channel.
fn automatic_id(station: &Station, component: char, time: Micros, wave: Wave) -> String {
    let Station { network, code, band, location, .. } = station;
    let (location, method) = (location.unwrap_or_default(), method(wave));
    format!("{}-{method}-{network}.{code}.{location}.{band}{component}", pick_stamp(time))
}

/// The method of automatic picks: Akaike's information criterion.
pub(super) fn method(wave: Wave) -> &'static str {
    match wave {
        Wave::P => "AIC",
        Wave::S => "S-AIC",
    }
}

/// Weighs the arrivals by their residuals. Far ones and bad ones are associated but not used.
fn weigh(rng: &mut Rng, phases: &mut [Phase<'_>], source: &Source) {
    let used = if source.typical { rng.between(36, 54) as usize } else { phases.len() };
    let mut sum = 0.0;
    let mut count = 0.0;
    for phase in phases.iter_mut().take(used) {
        let residual = phase.residual.expect("each has one until now");
        if residual.abs() > 1.2 {
            continue;
        }
        let trust = if phase.wave == Wave::S { 0.8 } else { 1.0 };
        phase.weight = trust / (1.0 + (residual / 0.4) * (residual / 0.4));
        sum += phase.weight;
        count += 1.0;
    }
    for phase in phases.iter_mut() {
        // Their mean is 1.
        phase.weight = written(phase.weight * count / sum.max(f64::MIN_POSITIVE));
    }
    let last = phases.len().saturating_sub(3);
    if source.typical && source.work == Work::Manual {
        // Associated by hand after the location.
        phases[last..].iter_mut().for_each(|phase| phase.residual = None);
    }
}
