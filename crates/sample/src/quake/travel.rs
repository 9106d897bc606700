//! Distances on a sphere, and travel times through a crust above a mantle.

use super::maths::{atan2, sin_cos};
use std::f64::consts::PI;

/// Kilometres of one degree on a sphere of the Earth's mean radius, 6371 km.
pub(super) const KM_PER_DEGREE: f64 = 6371.0 * PI / 180.0;

/// The thickness of the crust in kilometres.
const CRUST: f64 = 33.0;

/// Distance in degrees and azimuth in degrees (0..360, clockwise from north) from one point to another; points are
/// latitude and longitude in degrees. The formula for the arc that is exact at all distances, as in T. Vincenty's
/// *Direct and Inverse Solutions of Geodesics on the Ellipsoid* (Survey Review 23, 1975) for a sphere.
pub(super) fn distance_azimuth(from: (f64, f64), to: (f64, f64)) -> (f64, f64) {
    let radians = PI / 180.0;
    let (sin_from, cos_from) = sin_cos(from.0 * radians);
    let (sin_to, cos_to) = sin_cos(to.0 * radians);
    let (sin_turn, cos_turn) = sin_cos((to.1 - from.1) * radians);
    let east = cos_to * sin_turn;
    let north = cos_from * sin_to - sin_from * cos_to * cos_turn;
    let up = sin_from * sin_to + cos_from * cos_to * cos_turn;
    let distance = atan2((east * east + north * north).sqrt(), up) / radians;
    let azimuth = atan2(east, north) / radians;
    (distance, if azimuth < 0.0 { azimuth + 360.0 } else { azimuth })
}

/// What travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wave {
    P,
    S,
}

impl Wave {
    /// The phase's name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::P => "P",
            Self::S => "S",
        }
    }

    /// Velocities in the crust and below it in km/s: about those of the model IASP91 (B. L. N. Kennett and E. R.
    /// Engdahl, Geophys. J. Int. 105, 1991), the crust's two layers taken as one; S is slower by the square root of 3.
    fn velocities(self) -> (f64, f64) {
        let slower = match self {
            Self::P => 1.0,
            Self::S => 3_f64.sqrt(),
        };
        (6.1 / slower, 8.04 / slower)
    }
}

/// Seconds from a source at `depth` km to a station on the surface `distance` degrees away: the first arrival in two
/// flat layers (P. M. Shearer, *Introduction to Seismology*, chapter 4).
pub(super) fn travel_time(wave: Wave, distance: f64, depth: f64) -> f64 {
    let (crust, mantle) = wave.velocities();
    let across = distance * KM_PER_DEGREE;
    if depth > CRUST {
        return from_the_mantle(across, depth - CRUST, crust, mantle);
    }
    let direct = (across * across + depth * depth).sqrt() / crust;
    // The wave that runs along the top of the mantle leaves and reaches the crust at the critical angle.
    let sin = crust / mantle;
    let cos = (1.0 - sin * sin).sqrt();
    let through_crust = 2.0 * CRUST - depth;
    if across < through_crust * sin / cos {
        return direct;
    }
    direct.min(across / mantle + through_crust * cos / crust)
}

/// From `below` km below the crust. The ray's parameter is found by halving: the distance grows with it.
fn from_the_mantle(across: f64, below: f64, crust: f64, mantle: f64) -> f64 {
    // The sine of the angle below is p·mantle, that in the crust by Snell's law p·crust.
    let leg = |sin: f64| sin / (1.0 - sin * sin).sqrt();
    let reach = |p: f64| CRUST * leg(p * crust) + below * leg(p * mantle);
    let (mut least, mut most) = (0.0, 1.0 / mantle);
    for _ in 0..52 {
        let p = f64::midpoint(least, most);
        if reach(p) < across { least = p } else { most = p }
    }
    // Time by distance and depths: it hardly depends on a small error of the parameter.
    let down = |p: f64, velocity: f64| (1.0 / (velocity * velocity) - p * p).max(0.0).sqrt();
    least * across + CRUST * down(least, crust) + below * down(least, mantle)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0), "{found} for {expected}");
    }

    #[test]
    fn quarter_circles() {
        let (distance, azimuth) = distance_azimuth((0.0, 10.0), (0.0, 100.0));
        near(distance, 90.0);
        near(azimuth, 90.0);
        let (distance, azimuth) = distance_azimuth((-45.0, 0.0), (-46.5, 0.0));
        near(distance, 1.5);
        near(azimuth, 180.0);
        near(distance_azimuth((-45.0, 179.0), (-45.0, -179.0)).1.round(), 91.0);
        near(distance_azimuth((50.0, 0.0), (50.0, -1.0)).1.round(), 270.0);
    }

    #[test]
    fn straight_up_is_depth_over_velocity() {
        near(travel_time(Wave::P, 0.0, 12.2), 2.0);
        near(travel_time(Wave::S, 0.0, 12.2), 2.0 * 3_f64.sqrt());
        near(travel_time(Wave::P, 0.0, 33.0 + 80.4), 33.0 / 6.1 + 10.0);
    }

    #[test]
    fn far_away_the_mantle_is_faster() {
        let far = travel_time(Wave::P, 6.0, 10.0);
        assert!(far < 6.0 * KM_PER_DEGREE / 6.1);
        // A degree more takes as long as in the mantle.
        near(travel_time(Wave::P, 7.0, 10.0) - far, KM_PER_DEGREE / 8.04);
        // Both sides of the crust's lower end agree.
        let (above, below) = (travel_time(Wave::P, 3.0, 32.999_999), travel_time(Wave::P, 3.0, 33.000_001));
        assert!((above - below).abs() < 1e-5, "{above} {below}");
    }

    #[test]
    fn time_grows_with_distance() {
        for depth in [0.0, 20.0, 33.0, 40.0, 180.0] {
            let times: Vec<f64> = (0..700).map(|d| travel_time(Wave::P, f64::from(d) / 100.0, depth)).collect();
            assert!(times.is_sorted(), "{depth}");
        }
    }
}
