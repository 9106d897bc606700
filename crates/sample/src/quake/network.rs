//! A network of seismic stations on islands that do not exist.

use super::draw::{normal, uniform, unit};
use super::number::written;
use super::travel::distance_azimuth;
use crate::Rng;

/// A station.
#[derive(Debug)]
pub(super) struct Station {
    /// One of the codes that are set apart for networks without a registered one.
    pub(super) network: &'static str,
    /// Three to five letters; no other station of the network has them.
    pub(super) code: String,
    /// Degrees north.
    pub(super) latitude: f64,
    /// Degrees east.
    pub(super) longitude: f64,
    /// The location code; the oldest stations have none.
    pub(super) location: Option<&'static str>,
    /// Band and instrument code, such as `HH`; a third letter, the component, makes a channel.
    pub(super) band: &'static str,
    /// What the ground below it adds to magnitudes.
    pub(super) site: f64,
}

/// What all events of a seed share.
#[derive(Debug)]
pub(super) struct Network {
    pub(super) stations: Vec<Station>,
    /// The half-hour of the catalogue in which event 0 is.
    pub(super) first_slot: u64,
    /// The first serial number of IDs.
    pub(super) first_serial: u64,
}

const NETWORKS: [&str; 5] = ["XX", "XX", "XX", "YY", "ZZ"];

/// Names for the regions, each with its latitude and longitude. None is on any map.
const REGIONS: [(&str, f64, f64); 10] = [
    ("Cape Lantern", -51.6, -125.4),
    ("Tern Harbour", -50.9, -124.1),
    ("Gull & Petrel Banks", -50.2, -125.0),
    ("Kettle Bay", -49.4, -123.2),
    ("Old Anchor Ridge", -48.9, -122.0),
    ("Broom Hill", -48.3, -123.4),
    ("Whitewater Sound", -47.6, -121.8),
    ("Île Cendrée", -46.8, -120.6),
    ("North Candle Shelf", -46.1, -121.5),
    ("Mitten Islands", -45.5, -119.6),
];

impl Network {
    /// The network of a seed.
    pub(super) fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let count = rng.between(224, 246);
        let mut stations: Vec<Station> = Vec::with_capacity(count as usize);
        while stations.len() < count as usize {
            let station = station(&mut rng);
            if stations.iter().all(|s| s.code != station.code) {
                stations.push(station);
            }
        }
        Self { stations, first_slot: rng.below(super::source::SLOTS), first_serial: rng.between(20_000, 900_000) }
    }
}

fn station(rng: &mut Rng) -> Station {
    // The islands lie on a bent line; most stations are near it.
    let along = unit(rng);
    let latitude = -52.0 + 6.8 * along + 0.35 * normal(rng);
    let longitude = -125.6 + 4.0 * along + 2.4 * along * along + 0.55 * normal(rng);
    let letters = rng.between(3, 4) + u64::from(rng.one_in(8));
    let code = (0..letters).map(|_| char::from(b'A' + rng.below(26) as u8)).collect();
    let (band, location) = match rng.below(10) {
        0..=3 => ("HH", "10"),
        4..=7 => ("EH", "10"),
        8 => ("BN", "20"),
        _ => ("HH", "20"),
    };
    Station {
        network: rng.pick::<&str>(&NETWORKS),
        code,
        // Surveyed to about 10 m.
        latitude: written((latitude * 1e4).round() / 1e4),
        longitude: written((longitude * 1e4).round() / 1e4),
        location: (!rng.one_in(20)).then_some(location),
        band,
        site: 0.12 * normal(rng) + uniform(rng, -0.1, 0.1),
    }
}

/// The region that is nearest to a point.
pub(super) fn region(latitude: f64, longitude: f64) -> &'static str {
    let away = |&(_, lat, lon): &(&str, f64, f64)| distance_azimuth((latitude, longitude), (lat, lon)).0;
    let nearest = REGIONS.iter().min_by(|a, b| away(a).total_cmp(&away(b)));
    nearest.expect("there are regions").0
}
