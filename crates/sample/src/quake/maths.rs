//! Elementary functions of additions, multiplications, divisions and square roots only.
//!
//! What the standard library's `sin`, `ln` and their like give may differ between systems in the last bit (its
//! documentation says so), and a sample has to be the same bytes everywhere. IEEE 754 fixes the four operations and
//! the square root to the bit, so these functions are exact promises; they are right to about 15 digits.
//! The reductions of the argument are those of fdlibm (<https://www.netlib.org/fdlibm/>): a constant in
//! two parts, of which the first has so many zero bits that its product is exact.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, FRAC_PI_4, LN_2, LN_10, PI};

const LN_2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
const LN_2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);
const FRAC_PI_2_HIGH: f64 = f64::from_bits(0x3ff9_21fb_5440_0000);
const FRAC_PI_2_LOW: f64 = f64::from_bits(0x3dd0_b461_1a62_6331);

/// e to the power of `x`, for `x` in -700..=700.
pub(super) fn exp(x: f64) -> f64 {
    let halvings = (x / LN_2).round();
    let rest = (x - halvings * LN_2_HIGH) - halvings * LN_2_LOW;
    // Taylor's series; the rest is at most ln 2 / 2, so 14 terms leave less than 1e-17.
    let mut sum = 1.0;
    for n in (1..=14).rev() {
        sum = 1.0 + sum * rest / f64::from(n);
    }
    sum * f64::from_bits(((1023 + halvings as i64) as u64) << 52)
}

/// The natural logarithm of a positive normal number.
pub(super) fn ln(x: f64) -> f64 {
    let bits = x.to_bits();
    let mut exponent = ((bits >> 52) & 0x7ff) as f64 - 1023.0;
    let mut mantissa = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) | (1023 << 52));
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa /= 2.0;
        exponent += 1.0;
    }
    // ln m = 2 artanh((m - 1) / (m + 1)).
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    exponent * LN_2_HIGH + (2.0 * s * odd_series(s * s, 1.0, 12) + exponent * LN_2_LOW)
}

/// 1 + sign·q/3 + q²/5 + sign·q³/7 + …: `artanh` (sign 1) and `atan` (sign -1) of s over s, for q = s².
fn odd_series(q: f64, sign: f64, terms: u32) -> f64 {
    let mut sum = 0.0;
    for n in (0..terms).rev() {
        sum = 1.0 / f64::from(2 * n + 1) + sign * q * sum;
    }
    sum
}

/// The logarithm to the base of 10.
pub(super) fn log10(x: f64) -> f64 {
    ln(x) / LN_10
}

/// 10 to the power of `x`, for `x` in -300..=300.
pub(super) fn exp10(x: f64) -> f64 {
    exp(x * LN_10)
}

/// Sine and cosine of an angle in radians, of at most some turns.
pub(super) fn sin_cos(x: f64) -> (f64, f64) {
    let quarters = (x * FRAC_2_PI).round();
    let rest = (x - quarters * FRAC_PI_2_HIGH) - quarters * FRAC_PI_2_LOW;
    let square = rest * rest;
    // Taylor's series; the rest is at most π/4.
    let (mut sin, mut cos) = (1.0, 1.0);
    for n in (1..=9).rev() {
        let even = f64::from(2 * n);
        sin = 1.0 - sin * square / (even * (even + 1.0));
        cos = 1.0 - cos * square / (even * (even - 1.0));
    }
    sin *= rest;
    match (quarters as i64).rem_euclid(4) {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// The angle of the point (`x`, `y`) in radians, -π..=π; 0 for the origin.
pub(super) fn atan2(y: f64, x: f64) -> f64 {
    let (tall, wide) = (y.abs(), x.abs());
    let first = match (tall, wide) {
        (0.0, 0.0) => 0.0,
        _ if tall > wide => FRAC_PI_2 - atan(wide / tall),
        _ => atan(tall / wide),
    };
    let upper = if x < 0.0 { PI - first } else { first };
    if y < 0.0 { -upper } else { upper }
}

/// The arc tangent of `t` in 0..=1.
fn atan(t: f64) -> f64 {
    // Above tan(π/8) the tangent of the difference to π/4.
    let (base, t) = if t > 0.414_213_562 { (FRAC_PI_4, (t - 1.0) / (t + 1.0)) } else { (0.0, t) };
    // Half the angle makes the series short.
    let half = t / (1.0 + (1.0 + t * t).sqrt());
    base + 2.0 * half * odd_series(half * half, -1.0, 14)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64, of: f64) {
        assert!((found - expected).abs() <= 4e-15 * expected.abs().max(1.0), "{of}: {found} for {expected}");
    }

    /// Against the standard library, which rounds the last bit otherwise.
    #[test]
    fn they_are_those_of_the_library() {
        for step in -4000..=4000 {
            let x = f64::from(step) / 640.0;
            near(exp(x) / x.exp(), 1.0, x);
            near(ln(x.exp()), x.exp().ln(), x);
            near(sin_cos(x).0, x.sin(), x);
            near(sin_cos(x).1, x.cos(), x);
            near(log10(x.exp()), x.exp().log10(), x);
            near(exp10(x) / 10_f64.powf(x), 1.0, x / 4.0);
            let (y, z) = (x.sin() * 3.0, x.cos() * 3.0);
            near(atan2(y, z), y.atan2(z), x);
        }
    }

    #[test]
    fn right_angles_and_ones() {
        assert_eq!((exp(0.0), ln(1.0), sin_cos(0.0)), (1.0, 0.0, (0.0, 1.0)));
        assert_eq!((atan2(0.0, 0.0), atan2(0.0, 1.0), atan2(1.0, 0.0)), (0.0, 0.0, FRAC_PI_2));
        assert_eq!((atan2(0.0, -1.0), atan2(-1.0, 0.0)), (PI, -FRAC_PI_2));
    }
}
