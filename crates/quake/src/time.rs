//! Moments in UTC: read from what networks write, and written as RFC 3339 text.
//!
//! Read is `xs:dateTime` of XML Schema, part 2, section 3.2.7, and what is found beside it: no zone, a space for the `T`, the
//! second 60, offsets without a colon, any number of fraction digits. The calendar is the proleptic Gregorian one.

use std::fmt;

/// A moment: seconds since 1970 in UTC, rounded down, and nanoseconds after that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Time {
    /// Whole seconds since 1970-01-01T00:00:00Z, negative before.
    pub secs: i64,
    /// Nanoseconds after that second, below 1,000,000,000.
    pub nanos: u32,
}

/// A time as it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parsed {
    /// The moment.
    pub time: Time,
    /// Whether there was no zone, so that UTC was assumed.
    pub without_zone: bool,
    /// Whether the second was 60.
    pub leap_second: bool,
    /// Whether digits beyond nanoseconds, other than zeros, were cut off.
    pub cut: bool,
}

impl Time {
    /// Reads a time, or nothing if it is none. Years have four or more digits, and a sign at most.
    pub fn parse(text: &str) -> Option<Parsed> {
        let mut rest = Rest(text.as_bytes());
        let negative = rest.take(b'-');
        let year_digits = rest.0.iter().take_while(|b| b.is_ascii_digit()).count();
        // More would be beyond the days that fit.
        if !(4..=9).contains(&year_digits) {
            return None;
        }
        let year = rest.number(year_digits)? * if negative { -1 } else { 1 };
        let (month, day) = (rest.after(b'-', 2)?, rest.after(b'-', 2)?);
        if !(1..=12).contains(&month) || !(1..=days_in(year, month)).contains(&day) {
            return None;
        }
        let mut seconds = 0;
        let (mut nanos, mut cut, mut leap_second) = (0, false, false);
        if rest.take(b'T') || rest.take(b't') || rest.take(b' ') {
            let (hour, minute) = (rest.number(2)?, rest.after(b':', 2)?);
            let second = if rest.take(b':') { rest.number(2)? } else { 0 };
            if rest.take(b'.') || rest.take(b',') {
                (nanos, cut) = rest.fraction()?;
            }
            let whole_day = hour == 24 && minute == 0 && second == 0 && nanos == 0;
            if !(hour < 24 || whole_day) || minute > 59 || second > 60 {
                return None;
            }
            leap_second = second == 60;
            seconds = hour * 3_600 + minute * 60 + second;
        }
        let (offset, without_zone) = rest.zone()?;
        let secs = days_from_civil(year, month, day) * 86_400 + seconds - offset;
        Some(Parsed { time: Self { secs, nanos }, without_zone, leap_second, cut })
    }

    /// Whether it is in the years 1 to 9999, which RFC 3339 has.
    pub fn is_common(self) -> bool {
        (-62_135_596_800..253_402_300_800).contains(&self.secs)
    }

    /// Milliseconds since 1970, rounded down.
    pub fn millis(self) -> i64 {
        self.secs.saturating_mul(1_000).saturating_add(i64::from(self.nanos / 1_000_000))
    }
}

impl fmt::Display for Time {
    /// RFC 3339 in UTC, the fraction without trailing zeros, at least as many digits as the precision: `2015-10-12T08:05:01.717692Z`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, of_day) = (self.secs.div_euclid(86_400), self.secs.rem_euclid(86_400));
        let (year, month, day) = civil_from_days(days);
        let (hour, minute, second) = (of_day / 3_600, of_day / 60 % 60, of_day % 60);
        let sign = if year < 0 { "-" } else { "" };
        let year = year.unsigned_abs();
        write!(f, "{sign}{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        let digits = format!("{:09}", self.nanos);
        let least = f.precision().unwrap_or(0).min(9);
        let len = digits.trim_end_matches('0').len().max(least);
        if len > 0 {
            write!(f, ".{}", &digits[..len])?;
        }
        f.write_str("Z")
    }
}

/// What is left of a text.
struct Rest<'t>(&'t [u8]);

impl Rest<'_> {
    fn take(&mut self, byte: u8) -> bool {
        match self.0.strip_prefix(&[byte]) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    /// A number of just so many digits.
    #[inline]
    fn number(&mut self, digits: usize) -> Option<i64> {
        let (head, rest) = self.0.split_at_checked(digits)?;
        self.0 = rest;
        let mut number = 0;
        for digit in head {
            let digit = digit.wrapping_sub(b'0');
            if digit > 9 {
                return None;
            }
            number = number * 10 + i64::from(digit);
        }
        Some(number)
    }

    /// A number after a mark.
    #[inline]
    fn after(&mut self, mark: u8, digits: usize) -> Option<i64> {
        if self.take(mark) { self.number(digits) } else { None }
    }

    /// The digits of a fraction as nanoseconds, and whether more than zeros were cut off.
    fn fraction(&mut self) -> Option<(u32, bool)> {
        let digits = self.0.iter().take_while(|b| b.is_ascii_digit()).count();
        if digits == 0 {
            return None;
        }
        let nanos = self.0[..digits.min(9)].iter().fold(0, |n, &b| n * 10 + u32::from(b - b'0'));
        let cut = self.0[digits.min(9)..digits].iter().any(|&b| b != b'0');
        self.0 = &self.0[digits..];
        Some((nanos * 10_u32.pow(9 - digits.min(9) as u32), cut))
    }

    /// The rest as an offset from UTC in seconds, and whether there is no zone.
    fn zone(&mut self) -> Option<(i64, bool)> {
        match self.0 {
            b"Z" | b"z" => return Some((0, false)),
            b"" => return Some((0, true)),
            _ => {}
        }
        let sign = if self.take(b'+') { 1 } else { self.take(b'-').then_some(-1)? };
        let hours = self.number(2)?;
        self.take(b':');
        let minutes = if self.0.is_empty() { 0 } else { self.number(2)? };
        let fits = self.0.is_empty() && minutes < 60 && hours * 60 + minutes <= 14 * 60;
        fits.then_some((sign * (hours * 3_600 + minutes * 60), false))
    }
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

// Days and dates as in Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms": years that start in March put the leap day
// last, and eras of 400 years are all alike.

/// Days since 1970-01-01.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Year, month and day.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days.saturating_add(719_468);
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400;
    (if month <= 2 { year + 1 } else { year }, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(i64, u32)> {
        Time::parse(text).map(|p| (p.time.secs, p.time.nanos))
    }

    #[test]
    fn what_networks_write_is_read() {
        for (text, secs, nanos) in [
            ("1970-01-01T00:00:00Z", 0, 0),
            ("2015-10-12T08:05:01.717692Z", 1_444_637_101, 717_692_000),
            ("2012-04-04T14:21:42.3+00:00", 1_333_549_302, 300_000_000),
            ("2012-04-04T16:21:42.3+02:00", 1_333_549_302, 300_000_000),
            ("2012-04-04T09:51:42-0430", 1_333_549_302, 0),
            ("2012-04-04T09:21:42-05", 1_333_549_302, 0),
            ("2012-04-04 14:21:42", 1_333_549_302, 0),
            ("2012-04-04t14:21:42,5z", 1_333_549_302, 500_000_000),
            ("1969-12-31T23:59:59.999999999Z", -1, 999_999_999),
            ("1952-07-21T11:52:14.123456789012Z", -550_584_466, 123_456_789),
            ("2016-12-31T23:59:60Z", 1_483_228_800, 0),
            ("2016-12-31T23:59:60.5Z", 1_483_228_800, 500_000_000),
            ("2000-02-29T24:00:00Z", 951_868_800, 0),
            ("0001-01-01T00:00:00Z", -62_135_596_800, 0),
            ("-0001-12-31T00:00:00Z", -62_167_305_600, 0),
            ("2012-04-04", 1_333_497_600, 0),
            ("2012-04-04T14:21Z", 1_333_549_260, 0),
        ] {
            assert_eq!(read(text), Some((secs, nanos)), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in [
            "",
            "x",
            "2012",
            "2012-13-01T00:00:00Z",
            "2012-00-01T00:00:00Z",
            "2013-02-29T00:00:00Z",
            "2012-04-31T00:00:00Z",
            "2012-04-04T25:00:00Z",
            "2012-04-04T24:00:01Z",
            "2012-04-04T10:60:00Z",
            "2012-04-04T10:00:61Z",
            "2012-04-04T10:00:00.Z",
            "2012-04-04T10:00:00+15:00",
            "2012-04-04T10:00:00+01:60",
            "2012-04-04T10:00:00 Z",
            "2012-4-4T10:00:00Z",
            "12345678901-01-01T00:00:00Z",
            "+2012-04-04T10:00:00Z",
            "2012-04-04T1a:00:00Z",
            "NaN",
            "2012-04-04T",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn what_was_assumed_is_said() {
        let flags = |text: &str| Time::parse(text).map(|p| (p.without_zone, p.leap_second, p.cut));
        assert_eq!(flags("2012-04-04T14:21:42Z"), Some((false, false, false)));
        assert_eq!(flags("2012-04-04T14:21:42"), Some((true, false, false)));
        assert_eq!(flags("2012-04-04T14:21:60Z"), Some((false, true, false)));
        assert_eq!(flags("2012-04-04T14:21:42.1234567890Z"), Some((false, false, false)));
        assert_eq!(flags("2012-04-04T14:21:42.1234567891Z"), Some((false, false, true)));
    }

    #[test]
    fn every_day_comes_back() {
        // Every 37th day of 4,000 years, and all of one era's edges.
        for days in (-800_000..700_000).step_by(37).chain([-719_468, -719_469, -719_528, 146_097, 11_016, 11_017]) {
            let (year, month, day) = civil_from_days(days);
            assert_eq!(days_from_civil(year, month, day), days);
            let time = Time { secs: days * 86_400 + 86_399, nanos: 1_000 };
            assert_eq!(Time::parse(&time.to_string()).map(|p| p.time), Some(time), "{time}");
        }
        assert_eq!(Time { secs: 0, nanos: 0 }.to_string(), "1970-01-01T00:00:00Z");
        assert_eq!(format!("{:.3}", Time { secs: -1, nanos: 500_000_000 }), "1969-12-31T23:59:59.500Z");
        assert_eq!(Time { secs: -1, nanos: 500_000_000 }.millis(), -500);
        // Beyond all calendars, but no panic.
        let _ = Time { secs: i64::MAX, nanos: 0 }.to_string();
        let _ = Time { secs: i64::MIN, nanos: 0 }.to_string();
    }
}
