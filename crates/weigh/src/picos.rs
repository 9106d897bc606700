//! Lengths of time as whole picoseconds.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Sub};
use std::time::Duration;

/// A length of time, or a reading of a clock, in whole picoseconds: 0 to 213 days.
///
/// Picoseconds, since the time of a run is that of many runs divided; whole, so that tests are exact.
/// Sums and products stop at the largest value and differences at zero: no reading of a clock can panic.
///
/// Shown with three significant digits and its unit:
/// ```
/// use bantam_weigh::Picos;
///
/// assert_eq!(Picos::from_nanos(1_234).to_string(), "1.23 µs");
/// assert_eq!(Picos::from_nanos(999_999).to_string(), "1.00 ms");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Picos(pub u64);

impl Picos {
    /// No time.
    pub const ZERO: Self = Self(0);
    /// 1 ns.
    pub const NANOSECOND: Self = Self::from_nanos(1);
    /// 1 ms.
    pub const MILLISECOND: Self = Self::from_nanos(1_000_000);
    /// 1 s.
    pub const SECOND: Self = Self::from_nanos(1_000_000_000);

    /// So many nanoseconds.
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos.saturating_mul(1_000))
    }

    /// In nanoseconds, to the picosecond up to 104 days.
    pub fn as_nanos(self) -> f64 {
        self.0 as f64 / 1_000.0
    }
}

impl From<Duration> for Picos {
    fn from(duration: Duration) -> Self {
        Self(u64::try_from(duration.as_nanos().saturating_mul(1_000)).unwrap_or(u64::MAX))
    }
}

impl Add for Picos {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Picos {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Picos {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Mul<u64> for Picos {
    type Output = Self;
    fn mul(self, factor: u64) -> Self {
        Self(self.0.saturating_mul(factor))
    }
}

impl Div<u64> for Picos {
    type Output = Self;
    /// Rounds down; by zero as by one.
    fn div(self, divisor: u64) -> Self {
        Self(self.0 / divisor.max(1))
    }
}

impl Sum for Picos {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Picos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(&str, u64); 5] =
            [("ps", 1), ("ns", 1_000), ("µs", 1_000_000), ("ms", 1_000_000_000), ("s", 1_000_000_000_000)];
        if self.0 < 1_000 {
            return f.pad(&format!("{} ps", self.0));
        }
        for (unit, size) in &UNITS[1..] {
            for (decimals, below) in [(2, 10), (1, 100), (0, 1_000)] {
                // In units of the last digit shown, rounded half up: when 9.995 becomes 10.00,
                // the next row of this table shows it as 10.0.
                let digit = size / 10_u64.pow(decimals);
                let rounded = (self.0 / digit) + u64::from(self.0 % digit >= digit.div_ceil(2));
                let scale = 10_u64.pow(decimals);
                let fits = rounded < below * scale;
                if fits || (*unit == "s" && decimals == 0) {
                    let (whole, part) = (rounded / scale, rounded % scale);
                    return f.pad(&match decimals {
                        0 => format!("{whole} {unit}"),
                        _ => format!("{whole}.{part:0width$} {unit}", width = decimals as usize),
                    });
                }
            }
        }
        unreachable!("the last unit takes every value")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_and_a_unit() {
        for (picos, shown) in [
            (0, "0 ps"),
            (7, "7 ps"),
            (999, "999 ps"),
            (1_000, "1.00 ns"),
            (1_234, "1.23 ns"),
            (1_235, "1.24 ns"),
            (9_994, "9.99 ns"),
            (9_995, "10.0 ns"),
            (12_340, "12.3 ns"),
            (99_949, "99.9 ns"),
            (99_950, "100 ns"),
            (999_499, "999 ns"),
            (999_500, "1.00 µs"),
            (1_230_000, "1.23 µs"),
            (45_600_000_000, "45.6 ms"),
            (1_000_000_000_000, "1.00 s"),
            (1_234_000_000_000_000, "1234 s"),
            (u64::MAX, "18446744 s"),
        ] {
            assert_eq!(Picos(picos).to_string(), shown, "{picos}");
        }
        assert_eq!(format!("{:>9}", Picos(1_000)), "  1.00 ns");
    }

    #[test]
    fn sums_stop_at_the_ends() {
        assert_eq!(Picos(3) - Picos(5), Picos::ZERO);
        assert_eq!(Picos(u64::MAX) + Picos(1), Picos(u64::MAX));
        assert_eq!(Picos(u64::MAX) * 2, Picos(u64::MAX));
        assert_eq!(Picos(7) / 2, Picos(3));
        assert_eq!(Picos(7) / 0, Picos(7));
        assert_eq!(Picos::from(Duration::from_micros(3)), Picos(3_000_000));
        assert_eq!(Picos::from(Duration::MAX), Picos(u64::MAX));
    }
}
