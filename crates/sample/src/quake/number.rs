//! Numbers and times as `SeisComP` writes them.

use std::io::Write;

/// Significant digits of a number.
const DIGITS: usize = 10;

/// Appends a finite number with up to ten significant digits, as C's `%.10g` has it: no zeros behind, and an exponent
/// (`1e-05`) below 0.0001 and from 1e10 on.
pub(super) fn push(out: &mut Vec<u8>, value: f64) {
    let mut text = [0; 24];
    let mut rest = &mut text[..];
    // -d.ddddddddde-xxx
    write!(rest, "{value:.9e}").expect("24 bytes hold a sign, ten digits, a point and an exponent");
    let length = 24 - rest.len();
    let text = &text[..length];
    let unsigned = text.strip_prefix(b"-").unwrap_or(text);
    let (significand, exponent) = unsigned.split_at(DIGITS + 1);
    let exponent = exponent_of(&exponent[1..]);
    let mut digits = [0; DIGITS];
    digits[0] = significand[0];
    digits[1..].copy_from_slice(&significand[2..]);
    let kept = digits.iter().rposition(|&d| d != b'0').map_or(1, |last| last + 1);
    if unsigned.len() < text.len() && digits[0] != b'0' {
        out.push(b'-');
    }
    match exponent {
        0..10 => fixed(out, &digits, kept, exponent as usize + 1),
        -4..0 => {
            out.extend_from_slice(b"0.");
            out.resize(out.len() + (-1 - exponent) as usize, b'0');
            out.extend_from_slice(&digits[..kept]);
        }
        _ => {
            fixed(out, &digits, kept, 1);
            let sign = if exponent < 0 { '-' } else { '+' };
            write!(out, "e{sign}{:02}", exponent.abs()).expect("memory takes any bytes");
        }
    }
}

fn exponent_of(text: &[u8]) -> i32 {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let size = digits.iter().fold(0, |sum, d| sum * 10 + i32::from(d - b'0'));
    if digits.len() < text.len() { -size } else { size }
}

/// The digits with a point behind the first `whole` of them.
fn fixed(out: &mut Vec<u8>, digits: &[u8; DIGITS], kept: usize, whole: usize) {
    out.extend_from_slice(&digits[..whole]);
    if kept > whole {
        out.push(b'.');
        out.extend_from_slice(&digits[whole..kept]);
    }
}

/// The number that a reader of the written text gets: what is computed from it can be computed again.
pub(super) fn written(value: f64) -> f64 {
    let mut text = Vec::with_capacity(20);
    push(&mut text, value);
    let text = std::str::from_utf8(&text).expect("digits are ASCII");
    text.parse().expect("it is a number")
}

/// Microseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
pub(super) type Micros = i64;

/// Microseconds of a second.
pub(super) const SECOND: Micros = 1_000_000;

/// A time in the parts of the calendar.
struct Civil {
    year: i64,
    month: i64,
    day: i64,
    /// Seconds of the day.
    second: i64,
    micros: i64,
}

/// The calendar's year, month and day by H. Hinnant's `civil_from_days`
/// (<https://howardhinnant.github.io/date_algorithms.html>): years that start in March have their leap day last.
fn civil(time: Micros) -> Civil {
    let seconds = time.div_euclid(SECOND);
    let days = seconds.div_euclid(86_400) + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    Civil { year, month, day, second: seconds.rem_euclid(86_400), micros: time.rem_euclid(SECOND) }
}

/// Appends a number of up to `width` digits, with zeros before it.
fn padded(out: &mut Vec<u8>, value: i64, width: u32) {
    for place in (0..width).rev() {
        out.push(b'0' + (value / 10_i64.pow(place) % 10) as u8);
    }
}

/// Appends a time such as `2019-10-12T08:05:06.79Z`, with up to six digits of the second's fraction; a whole second has
/// `.0000`, as there.
pub(super) fn push_time(out: &mut Vec<u8>, time: Micros) {
    let at = civil(time);
    for (value, width, behind) in [
        (at.year, 4, b'-'),
        (at.month, 2, b'-'),
        (at.day, 2, b'T'),
        (at.second / 3_600, 2, b':'),
        (at.second / 60 % 60, 2, b':'),
        (at.second % 60, 2, b'.'),
    ] {
        padded(out, value, width);
        out.push(behind);
    }
    let (mut fraction, mut width) = if at.micros == 0 { (0, 4) } else { (at.micros, 6) };
    while fraction != 0 && fraction % 10 == 0 {
        fraction /= 10;
        width -= 1;
    }
    padded(out, fraction, width);
    out.push(b'Z');
}

/// The time in an ID: `20191012080506.792207`.
pub(super) fn stamp(time: Micros) -> String {
    let at = civil(time);
    let mut out = date_and_time(&at, None);
    out.push(b'.');
    padded(&mut out, at.micros, 6);
    String::from_utf8(out).expect("digits are ASCII")
}

/// The time in the ID of an automatic pick, to hundredths: `20191012.080506.79`.
pub(super) fn pick_stamp(time: Micros) -> String {
    let at = civil(time);
    let mut out = date_and_time(&at, Some(b'.'));
    out.push(b'.');
    padded(&mut out, at.micros / 10_000, 2);
    String::from_utf8(out).expect("digits are ASCII")
}

fn date_and_time(at: &Civil, between: Option<u8>) -> Vec<u8> {
    let mut out = Vec::with_capacity(24);
    padded(&mut out, at.year, 4);
    padded(&mut out, at.month, 2);
    padded(&mut out, at.day, 2);
    out.extend(between);
    padded(&mut out, at.second / 3_600 * 10_000 + at.second / 60 % 60 * 100 + at.second % 60, 6);
    out
}

/// The calendar year of a time.
pub(super) fn year(time: Micros) -> i64 {
    civil(time).year
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: f64) -> String {
        let mut out = Vec::new();
        push(&mut out, value);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers_are_those_of_printf() {
        // By `printf %.10g` of the GNU C library.
        for (value, expected) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-40.578_066_091_4, "-40.57806609"),
            (23.281_25, "23.28125"),
            (9_999_999_999.4, "9999999999"),
            (9_999_999_999.6, "1e+10"),
            (1_234_567.0, "1234567"),
            (100.0, "100"),
            (0.000_1, "0.0001"),
            (0.000_012_345, "1.2345e-05"),
            (0.099_999_999_999, "0.1"),
            (-0.016_649_482_32, "-0.01664948232"),
            (2.5e-117, "2.5e-117"),
        ] {
            assert_eq!(text(value), expected);
        }
        assert_eq!(written(0.123_456_789_012_3).to_bits(), 0.123_456_789_f64.to_bits());
    }

    #[test]
    fn times_are_those_of_the_calendar() {
        let time = |micros| {
            let mut out = Vec::new();
            push_time(&mut out, micros);
            String::from_utf8(out).unwrap()
        };
        // By `date -u -d @…`.
        assert_eq!(time(0), "1970-01-01T00:00:00.0000Z");
        assert_eq!(time(951_782_400 * SECOND), "2000-02-29T00:00:00.0000Z");
        assert_eq!(time(1_570_867_506_792_070), "2019-10-12T08:05:06.79207Z");
        assert_eq!(time(1_735_689_599_999_999), "2024-12-31T23:59:59.999999Z");
        assert_eq!(time(1_582_934_400_500_000), "2020-02-29T00:00:00.5Z");
        assert_eq!(stamp(1_570_867_506_002_070), "20191012080506.002070");
        assert_eq!(pick_stamp(1_570_867_506_792_070), "20191012.080506.79");
        assert_eq!(year(1_735_689_599_999_999), 2024);
    }
}
