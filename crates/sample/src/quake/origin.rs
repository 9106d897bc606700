//! How well it was located: what an origin says of itself, computed from its arrivals.

use super::draw::uniform;
use super::maths::sin_cos;
use super::number::written;
use super::phases::Phase;
use crate::Rng;
use std::f64::consts::PI;

/// The quality of an origin. Distances are in degrees, angles too, times in seconds; unless it says
/// otherwise, all is about the arrivals whose weight is above 0.
#[derive(Debug)]
pub(super) struct Quality {
    /// All arrivals.
    pub(super) associated_phases: usize,
    pub(super) used_phases: usize,
    pub(super) used_stations: usize,
    /// The root of the weighted mean of the residuals' squares.
    pub(super) standard_error: f64,
    /// The widest angle at the epicentre without a station.
    pub(super) gap: f64,
    /// The same if any one station were missing.
    pub(super) secondary_gap: f64,
    pub(super) maximum_distance: f64,
    pub(super) minimum_distance: f64,
    pub(super) median_distance: f64,
}

impl Quality {
    /// Of the arrivals, which are in the order of distance.
    pub(super) fn of(phases: &[Phase<'_>]) -> Self {
        let used: Vec<_> = phases.iter().filter(|p| p.weight > 0.0).collect();
        let (mut squares, mut weights) = (0.0, 0.0);
        for phase in &used {
            let residual = phase.residual.unwrap_or_default();
            squares += phase.weight * residual * residual;
            weights += phase.weight;
        }
        let mut azimuths: Vec<f64> = used.iter().map(|p| p.azimuth).collect();
        azimuths.sort_by(f64::total_cmp);
        // A station's P and S have one azimuth, and no two stations share one to ten digits.
        azimuths.dedup();
        let distance = |at: usize| used.get(at).map_or(0.0, |p| p.distance);
        let (middle, last) = (used.len() / 2, used.len().saturating_sub(1));
        let median =
            if used.len() % 2 == 1 { distance(middle) } else { f64::midpoint(distance(last / 2), distance(middle)) };
        Self {
            associated_phases: phases.len(),
            used_phases: used.len(),
            used_stations: azimuths.len(),
            standard_error: written((squares / weights).sqrt()),
            gap: written(widest(&azimuths, 1)),
            secondary_gap: written(widest(&azimuths, 2)),
            maximum_distance: distance(last),
            minimum_distance: distance(0),
            median_distance: written(median),
        }
    }
}

/// The widest angle from an azimuth to the one `step` further on; they are sorted.
fn widest(azimuths: &[f64], step: usize) -> f64 {
    let count = azimuths.len();
    let angle = |at: usize| match at + step {
        next if next < count => azimuths[next] - azimuths[at],
        next if next < 2 * count => azimuths[next - count] + 360.0 - azimuths[at],
        _ => 360.0,
    };
    (0..count).map(angle).fold(0.0, f64::max)
}

/// How far off the origin may be. Lengths are kilometres, angles degrees.
#[derive(Debug)]
pub(super) struct Uncertainty {
    pub(super) latitude: f64,
    pub(super) longitude: f64,
    pub(super) depth: f64,
    /// Half axes of the ellipse on the ground.
    pub(super) least: f64,
    pub(super) most: f64,
    /// The direction of the longer one.
    pub(super) azimuth: f64,
    /// Half axes of the ellipsoid, the longest first.
    pub(super) axes: [f64; 3],
    pub(super) plunge: f64,
    pub(super) rotation: f64,
}

impl Uncertainty {
    /// The better the fit and the more the arrivals, the smaller; the gap widens it.
    pub(super) fn draw(rng: &mut Rng, quality: &Quality) -> Self {
        let fit = 20.0 * quality.standard_error / (quality.used_phases as f64).sqrt();
        let most = fit * (1.0 + quality.gap / 180.0) * uniform(rng, 0.9, 1.3);
        let least = most * uniform(rng, 0.4, 0.85);
        let depth = most * uniform(rng, 0.6, 1.8);
        let azimuth = uniform(rng, 0.0, 180.0);
        let (sin, cos) = sin_cos(azimuth * PI / 180.0);
        let along = |a: f64, b: f64| written((most * most * a * a + least * least * b * b).sqrt());
        // At a confidence of 90 % in three dimensions instead of two.
        let mut axes = [most, least, depth].map(|axis| written(1.36 * axis));
        axes.sort_by(|a, b| b.total_cmp(a));
        Self {
            latitude: along(cos, sin),
            longitude: along(sin, cos),
            depth,
            least,
            most,
            azimuth,
            axes,
            plunge: uniform(rng, 0.0, 90.0),
            rotation: uniform(rng, 0.0, 180.0),
        }
    }
}
