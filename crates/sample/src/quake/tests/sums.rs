//! What can be computed from a document, computed by other formulas than those that made it.

use super::super::magnitudes::Scale;
use super::super::network::Station;
use super::super::travel::{Wave, travel_time};
use super::tree::{Element, seconds};
use super::{Network, SEEDS, each_event};
use std::collections::{HashMap, HashSet};

#[track_caller]
fn near(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() <= 2e-9 * expected.abs().max(0.1), "{what}: {found}, computed {expected}");
}

fn station<'n>(network: &'n Network, of: &Element) -> &'n Station {
    let waveform = of.find("waveformID").unwrap();
    let code = waveform.attribute("stationCode").unwrap();
    let found = network.stations.iter().find(|s| s.code == code).unwrap();
    assert_eq!(waveform.attribute("networkCode"), Some(found.network));
    assert_eq!(waveform.attribute("locationCode"), found.location);
    assert!(waveform.attribute("channelCode").unwrap().starts_with(found.band));
    found
}

fn picks(all: &Element) -> HashMap<&str, &Element> {
    all.all("pick").map(|p| (p.id(), p)).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// A unit vector from the Earth's centre, by the library's functions.
fn vector(latitude: f64, longitude: f64) -> [f64; 3] {
    let ((lat_sin, lat_cos), (lon_sin, lon_cos)) = (latitude.to_radians().sin_cos(), longitude.to_radians().sin_cos());
    [lat_cos * lon_cos, lat_cos * lon_sin, lat_sin]
}

#[test]
fn arrivals_are_where_their_stations_are() {
    each_event(&SEEDS, 3, |_, network, all| {
        let (picks, origin) = (picks(all), all.find("origin").unwrap());
        let (lat, lon) = (origin.number("latitude/value"), origin.number("longitude/value"));
        for arrival in origin.all("arrival") {
            let station = station(network, picks[arrival.text("pickID")]);
            let (from, to) = (vector(lat, lon), vector(station.latitude, station.longitude));
            let chord: f64 = (0..3).map(|i| (from[i] - to[i]).powi(2)).sum::<f64>().sqrt();
            let distance = 2.0 * (chord / 2.0).asin().to_degrees();
            near(arrival.number("distance"), distance, "distance");
            // The parts of the way to the station along the directions north and east.
            let (lat, lon) = (lat.to_radians(), lon.to_radians());
            let north = [-lat.sin() * lon.cos(), -lat.sin() * lon.sin(), lat.cos()];
            let east = [-lon.sin(), lon.cos(), 0.0];
            let along = |direction: [f64; 3]| (0..3).map(|i| direction[i] * to[i]).sum::<f64>();
            let azimuth = along(east).atan2(along(north)).to_degrees().rem_euclid(360.0);
            near(arrival.number("azimuth"), azimuth, "azimuth");
        }
    });
}

#[test]
fn picks_are_at_origin_time_travel_time_and_residual() {
    each_event(&SEEDS, 4, |seed, _, all| {
        let (picks, origin) = (picks(all), all.find("origin").unwrap());
        let (time, depth) = (origin.time("time/value"), origin.number("depth/value"));
        let mut waves = [0, 0];
        for arrival in origin.all("arrival") {
            let pick = picks[arrival.text("pickID")];
            assert_eq!(arrival.text("phase"), pick.text("phaseHint"));
            let wave = if arrival.text("phase") == "P" { Wave::P } else { Wave::S };
            waves[usize::from(wave == Wave::S)] += 1;
            let Some(residual) = arrival.find("timeResidual") else {
                assert_eq!(arrival.text("weight"), "0");
                continue;
            };
            let residual: f64 = residual.text.parse().unwrap();
            let taken = seconds(time, pick.time("time/value"));
            let model = travel_time(wave, arrival.number("distance"), depth);
            assert!((taken - model - residual).abs() < 1e-8, "seed {seed}: {taken} {model} {residual}");
            let created = pick.time("creationInfo/creationTime");
            assert!(seconds(pick.time("time/value"), created) > 0.0);
        }
        assert!(waves[0] > 10 && waves[1] >= 3, "{waves:?}");
    });
}

#[test]
fn the_quality_is_that_of_the_arrivals() {
    each_event(&SEEDS, 6, |_, network, all| {
        let (picks, origin) = (picks(all), all.find("origin").unwrap());
        let used: Vec<_> = origin.all("arrival").filter(|a| a.number("weight") > 0.0).collect();
        let quality = origin.find("quality").unwrap();
        let mut codes = HashSet::new();
        let mut azimuths = Vec::new();
        for arrival in &used {
            let station = station(network, picks[arrival.text("pickID")]);
            if codes.insert(&station.code) {
                azimuths.push(arrival.number("azimuth"));
            }
        }
        near(quality.number("associatedPhaseCount"), origin.all("arrival").count() as f64, "associated");
        near(quality.number("usedPhaseCount"), used.len() as f64, "used");
        near(quality.number("usedStationCount"), codes.len() as f64, "stations");
        let mut distances: Vec<f64> = used.iter().map(|a| a.number("distance")).collect();
        distances.sort_by(f64::total_cmp);
        let middle = distances.len() / 2;
        let median =
            if distances.len().is_multiple_of(2) { mean(&distances[middle - 1..=middle]) } else { distances[middle] };
        near(quality.number("minimumDistance"), distances[0], "minimum");
        near(quality.number("medianDistance"), median, "median");
        near(quality.number("maximumDistance"), distances[distances.len() - 1], "maximum");
        let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
            used.iter().map(|a| of(a.number("weight"), a.number("timeResidual"))).sum()
        };
        let square = sum(&|w, r| w * r * r) / sum(&|w, _| w);
        near(quality.number("standardError"), square.sqrt(), "standard error");
        near(sum(&|w, _| w), used.len() as f64, "mean weight of 1");
        let gap = widest(&azimuths);
        near(quality.number("azimuthalGap"), gap, "gap");
        let without = |at: usize| widest(&[&azimuths[..at], &azimuths[at + 1..]].concat());
        let secondary = (0..azimuths.len()).map(without).fold(0.0, f64::max);
        near(quality.number("secondaryAzimuthalGap"), secondary, "secondary gap");
    });
}

/// The widest turn clockwise from an azimuth to the next.
fn widest(azimuths: &[f64]) -> f64 {
    let turn = |from: f64, to: f64| if to > from { to - from } else { to - from + 360.0 };
    let next = |&from: &f64| azimuths.iter().map(|&to| turn(from, to)).fold(360.0, f64::min);
    azimuths.iter().map(next).fold(0.0, f64::max)
}

#[test]
fn station_magnitudes_are_those_of_their_amplitudes() {
    each_event(&SEEDS, 4, |_, network, all| {
        let origin = all.find("origin").unwrap();
        let amplitudes: HashMap<_, _> = all.all("amplitude").map(|a| (a.id(), a)).collect();
        let distances: HashMap<_, _> =
            origin.all("arrival").map(|a| (a.text("pickID"), a.number("distance"))).collect();
        let depth = origin.number("depth/value");
        for found in origin.all("stationMagnitude") {
            let amplitude = amplitudes[found.text("amplitudeID")];
            assert_eq!(amplitude.text("type"), found.text("type"));
            assert_eq!(station(network, amplitude).code, station(network, found).code);
            let scale = if found.text("type") == "ML" { Scale::Ml } else { Scale::MLv };
            let correction = scale.correction(distances[amplitude.text("pickID")], depth);
            let expected = amplitude.number("amplitude/value").log10() + correction;
            near(found.number("magnitude/value"), expected, "station magnitude");
        }
    });
}

#[test]
fn magnitudes_are_means() {
    each_event(&SEEDS, 6, |_, _, all| {
        let origin = all.find("origin").unwrap();
        let stations: HashMap<_, _> = origin.all("stationMagnitude").map(|s| (s.id(), s)).collect();
        let mut summary = (0.0, 0.0);
        for found in origin.all("magnitude").filter(|m| m.text("type") != "M") {
            let value = found.number("magnitude/value");
            let mut counted = Vec::new();
            for part in found.all("stationMagnitudeContribution") {
                let station = stations[part.text("stationMagnitudeID")];
                assert_eq!(station.text("type"), found.text("type"));
                let of_station = station.number("magnitude/value");
                match part.text("weight") {
                    "0" => assert_eq!(found.text("type"), "ML"),
                    weight => {
                        assert_eq!(weight, "1");
                        counted.push(of_station);
                    }
                }
                if found.text("type") == "ML" {
                    near(part.number("residual"), of_station - value, "residual");
                }
            }
            near(value, mean(&counted), "magnitude");
            near(found.number("stationCount"), counted.len() as f64, "stations");
            let squares: f64 = counted.iter().map(|m| (m - value).powi(2)).sum();
            let deviation = (squares / (counted.len() - 1) as f64).sqrt();
            near(found.number("magnitude/uncertainty"), deviation, "deviation");
            assert!((0.1..0.6).contains(&deviation), "{deviation}");
            summary = (summary.0 + value * counted.len() as f64, summary.1 + counted.len() as f64);
        }
        let last = origin.all("magnitude").last().unwrap();
        assert_eq!((last.text("type"), last.all("stationMagnitudeContribution").count()), ("M", 0));
        near(last.number("magnitude/value"), summary.0 / summary.1, "summary");
    });
}

/// In a typical event, some of each kind.
#[test]
fn weights_and_residuals_are_as_various_as_real_ones() {
    each_event(&SEEDS, 1, |seed, _, all| {
        let origin = all.find("origin").unwrap();
        let parts = || origin.all("magnitude").flat_map(|m| m.all("stationMagnitudeContribution"));
        for (what, count, range) in [
            ("arrivals of weight 0", origin.all("arrival").filter(|a| a.text("weight") == "0").count(), 110..160),
            (
                "arrivals without residual",
                origin.all("arrival").filter(|a| a.find("timeResidual").is_none()).count(),
                3..4,
            ),
            ("contributions of weight 0", parts().filter(|c| c.text("weight") == "0").count(), 4..9),
            ("contributions with residual", parts().filter(|c| c.find("residual").is_some()).count(), 24..31),
            ("S arrivals", origin.all("arrival").filter(|a| a.text("phase") == "S").count(), 10..16),
        ] {
            assert!(range.contains(&count), "seed {seed}: {count} {what}");
        }
    });
}
