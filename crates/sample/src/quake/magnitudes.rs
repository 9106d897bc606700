//! How large it was: amplitudes, station magnitudes, and the event's magnitudes by means of these.

use super::draw::{normal, uniform};
use super::ids::Ids;
use super::maths::{exp10, log10};
use super::number::{Micros, SECOND, written};
use super::phases::Phase;
use super::source::{Source, Work};
use super::travel::{KM_PER_DEGREE, Wave, travel_time};
use crate::Rng;

/// A kind of local magnitude.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// From the vertical component.
    MLv,
    /// From both horizontal components.
    Ml,
}

impl Scale {
    /// Its name in a document.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::MLv => "MLv",
            Self::Ml => "ML",
        }
    }

    /// What has to be added to the logarithm of an amplitude in mm, as a Wood–Anderson seismograph writes it,
    /// `distance` degrees from the epicentre of a source at `depth` km.
    ///
    /// - `MLv`: `SeisComP`'s default, straight lines between the points that its manual gives under
    ///   `magnitudes.MLv.logA0`, which go back to C. F. Richter, *Elementary Seismology* (1958), table 22-1.
    /// - `ML`: L. K. Hutton and D. M. Boore, *The `ML` Scale in Southern California*, BSSA 77 (1987).
    pub(super) fn correction(self, distance: f64, depth: f64) -> f64 {
        let across = distance * KM_PER_DEGREE;
        if self == Self::MLv {
            return on_line(across);
        }
        let away = (across * across + depth * depth).sqrt().max(1.0);
        1.110 * log10(away / 100.0) + 0.001_89 * (away - 100.0) + 3.0
    }
}

/// The point at `x` on the line through known points; beyond the last one, its last piece goes on.
fn on_line(x: f64) -> f64 {
    const POINTS: [(f64, f64); 4] = [(0.0, 1.3), (60.0, 2.8), (400.0, 4.5), (1000.0, 5.85)];
    let next = POINTS.iter().position(|p| x < p.0).unwrap_or(POINTS.len() - 1).max(1);
    let ((left, low), (right, high)) = (POINTS[next - 1], POINTS[next]);
    low + (high - low) * (x - left) / (right - left)
}

/// An amplitude and the magnitude of its station.
#[derive(Debug)]
pub(super) struct Amplitude<'p, 'n> {
    pub(super) scale: Scale,
    pub(super) id: String,
    /// Millimetres on a Wood–Anderson seismograph.
    pub(super) value: f64,
    /// Half the difference of the two components.
    pub(super) uncertainty: Option<f64>,
    /// Signal to noise.
    pub(super) snr: Option<f64>,
    pub(super) reference: Micros,
    /// Seconds from the reference to begin and end of the time in which the amplitude was sought.
    pub(super) window: (f64, f64),
    pub(super) phase: &'p Phase<'n>,
    pub(super) work: Work,
    pub(super) created: Micros,
    /// The magnitude by this amplitude, its ID, and when it was made.
    pub(super) magnitude: f64,
    pub(super) magnitude_id: String,
    pub(super) magnitude_created: Micros,
}

/// A magnitude of the event.
#[derive(Debug)]
pub(super) struct Magnitude {
    pub(super) id: String,
    pub(super) name: &'static str,
    pub(super) method: &'static str,
    pub(super) value: f64,
    /// The deviation of its stations' magnitudes.
    pub(super) uncertainty: Option<f64>,
    pub(super) stations: usize,
    pub(super) created: Micros,
    pub(super) contributions: Vec<Contribution>,
}

/// A station's part in a magnitude.
#[derive(Debug)]
pub(super) struct Contribution {
    /// The place of the amplitude in the list of all.
    pub(super) amplitude: usize,
    pub(super) weight: u8,
    /// The station's magnitude less the event's.
    pub(super) residual: Option<f64>,
}

/// Draws the amplitudes: `ML` at the nearest stations, then `MLv` nearly everywhere.
pub(super) fn amplitudes<'p, 'n>(
    rng: &mut Rng,
    source: &Source,
    phases: &'p [Phase<'n>],
    ids: &mut Ids,
) -> Vec<Amplitude<'p, 'n>> {
    let p_phases = || phases.iter().filter(|phase| phase.wave == Wave::P);
    let near = if source.typical { rng.between(24, 30) } else { rng.between(5, 12) };
    let mut found = Vec::with_capacity(phases.len() + near as usize);
    for phase in p_phases().take(near as usize) {
        found.push(amplitude(rng, source, phase, Scale::Ml, ids));
    }
    for phase in p_phases() {
        // Some records are clipped or broken.
        if !rng.one_in(30) {
            found.push(amplitude(rng, source, phase, Scale::MLv, ids));
        }
    }
    for amplitude in &mut found {
        (amplitude.magnitude_id, amplitude.magnitude_created) = ids.location("StationMagnitude", rng);
    }
    found
}

fn amplitude<'p, 'n>(
    rng: &mut Rng,
    source: &Source,
    phase: &'p Phase<'n>,
    scale: Scale,
    ids: &mut Ids,
) -> Amplitude<'p, 'n> {
    let correction = scale.correction(phase.distance, source.depth);
    let seen = source.magnitude + phase.station.site + 0.22 * normal(rng);
    let value = written(exp10(seen - correction));
    let horizontal = scale == Scale::Ml;
    // Programs measure the horizontal ones; the location measures the vertical ones again.
    let work = if horizontal { Work::Automatic } else { source.work };
    let (id, created) = if horizontal {
        let later = uniform(rng, 45.0, 85.0) * SECOND as f64;
        ids.made("Amplitude", phase.time + later as Micros, rng)
    } else {
        ids.location("Amplitude", rng)
    };
    let s_minus_p =
        travel_time(Wave::S, phase.distance, source.depth) - travel_time(Wave::P, phase.distance, source.depth);
    // Sought from just before P to well behind S, in steps of samples.
    let sample = |seconds: f64| (seconds * 100.0).round() / 100.0;
    Amplitude {
        scale,
        id,
        value,
        uncertainty: horizontal.then(|| written(value * uniform(rng, 0.005, 0.3))),
        snr: (!horizontal).then(|| written(3.0 + exp10(log10(value) + uniform(rng, 0.4, 1.6)))),
        reference: phase.time + (s_minus_p * uniform(rng, 0.95, 1.1) * SECOND as f64) as Micros,
        window: (sample(-s_minus_p - uniform(rng, 5.0, 8.0)), sample(30.0 + 0.6 * s_minus_p)),
        phase,
        work,
        created,
        magnitude: written(log10(value) + correction),
        magnitude_id: String::new(),
        magnitude_created: created,
    }
}

/// The magnitudes that an origin has: a mean of the `MLv`, a trimmed mean of the `ML`, and the summary `M`.
pub(super) fn magnitudes(
    rng: &mut Rng,
    origin_id: &str,
    amplitudes: &[Amplitude<'_, '_>],
    ids: &mut Ids,
) -> [Magnitude; 3] {
    let mut one = |scale, cut, method| {
        let (id, created) = ids.location("Magnitude", rng);
        mean(amplitudes, scale, cut, Magnitude { id, method, created, ..Magnitude::empty(scale) })
    };
    let vertical = one(Scale::MLv, 0, "mean");
    let horizontal = one(Scale::Ml, 8, "trimmed mean");
    let (v, h) = (vertical.stations as f64, horizontal.stations as f64);
    let (_, created) = ids.location("Magnitude", rng);
    let summary = Magnitude {
        id: format!("{origin_id}/netMag/M"),
        name: "M",
        method: "weighted average",
        value: written((v * vertical.value + h * horizontal.value) / (v + h)),
        stations: vertical.stations.max(horizontal.stations),
        created: created + 2 * SECOND,
        ..Magnitude::empty(Scale::MLv)
    };
    [vertical, horizontal, summary]
}

impl Magnitude {
    fn empty(scale: Scale) -> Self {
        Self {
            id: String::new(),
            name: scale.name(),
            method: "",
            value: 0.0,
            uncertainty: None,
            stations: 0,
            created: 0,
            contributions: Vec::new(),
        }
    }
}

/// Fills `into` with the mean of a scale's station magnitudes. With `cut`, one in so many at either end of their order
/// has the weight 0, and residuals are given.
fn mean(amplitudes: &[Amplitude<'_, '_>], scale: Scale, cut: usize, into: Magnitude) -> Magnitude {
    let mut order: Vec<usize> = (0..amplitudes.len()).filter(|&at| amplitudes[at].scale == scale).collect();
    let of = |at: usize| amplitudes[at].magnitude;
    order.sort_by(|&a, &b| of(a).total_cmp(&of(b)));
    let trimmed = order.len().checked_div(cut).unwrap_or(0);
    let kept = &order[trimmed..order.len() - trimmed];
    let count = kept.len() as f64;
    let value = written(kept.iter().map(|&at| of(at)).sum::<f64>() / count);
    let squares: f64 = kept.iter().map(|&at| (of(at) - value) * (of(at) - value)).sum();
    let mut contributions: Vec<Contribution> = order
        .iter()
        .enumerate()
        .map(|(rank, &amplitude)| Contribution {
            amplitude,
            weight: u8::from((trimmed..order.len() - trimmed).contains(&rank)),
            residual: (cut > 0).then(|| written(of(amplitude) - value)),
        })
        .collect();
    contributions.sort_by_key(|c| c.amplitude);
    let uncertainty = (kept.len() > 1).then(|| written((squares / (count - 1.0)).sqrt()));
    Magnitude { value, uncertainty, stations: kept.len(), contributions, ..into }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_are_those_of_their_sources() {
        let vertical = |km: f64| Scale::MLv.correction(km / KM_PER_DEGREE, 10.0);
        for (km, expected) in [(0.0, 1.3), (60.0, 2.8), (230.0, 3.65), (400.0, 4.5), (1000.0, 5.85)] {
            assert!((vertical(km) - expected).abs() < 1e-12, "{km}");
        }
        // By definition an amplitude of 1 mm at 100 km is of magnitude 3, and 10 mm at 17 km, too.
        assert!((Scale::Ml.correction(100.0 / KM_PER_DEGREE, 0.0) - 3.0).abs() < 1e-12);
        assert!((Scale::Ml.correction(17.0 / KM_PER_DEGREE, 0.0) - 2.0).abs() < 0.02);
    }
}
