//! Numbers as people read them.

/// Whole numbers with a comma at every thousand.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Three significant digits; above 1,000 all whole ones.
pub(crate) fn three_digits(value: f64) -> String {
    // The bounds are where rounding would show a digit more.
    match value {
        _ if value < 9.995 => format!("{value:.2}"),
        _ if value < 99.95 => format!("{value:.1}"),
        _ => grouped(value.round() as u64),
    }
}

/// A count that is mostly nothing: `0`, `<0.01`, `3.00`.
pub(crate) fn few(count: f64) -> String {
    match count {
        _ if count == 0.0 => "0".into(),
        _ if count < 0.005 => "<0.01".into(),
        _ => three_digits(count),
    }
}

/// A part as a percentage: whole from 10 on, one decimal below, and never "0%" for something.
pub(crate) fn percent(part: f64) -> String {
    let hundredths = part * 100.0;
    match hundredths {
        _ if hundredths == 0.0 => "0%".into(),
        _ if hundredths < 0.05 => "<0.1%".into(),
        _ if hundredths < 9.95 => format!("{hundredths:.1}%"),
        _ => format!("{}%", grouped(hundredths.round() as u64)),
    }
}

/// How often one goes into the other: `1.26 times`, `35 times`.
pub(crate) fn times(factor: f64) -> String {
    match factor {
        _ if factor < 9.95 => format!("{factor:.1} times"),
        _ => format!("{} times", grouped(factor.round() as u64)),
    }
}

/// The unit that a table of times is in, so that its columns compare at sight and stay narrow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Unit {
    /// Its sign.
    pub(crate) name: &'static str,
    /// Its length in nanoseconds.
    pub(crate) nanos: f64,
}

impl Unit {
    /// The smallest unit in which the largest time has no more than six digits.
    pub(crate) fn for_largest(nanos: f64, unicode: bool) -> Self {
        let micro = if unicode { "µs" } else { "us" };
        let units = [("ns", 1.0), (micro, 1e3), ("ms", 1e6), ("s", 1e9)];
        let fits = units.into_iter().find(|(_, unit)| nanos / unit < 999_999.5);
        let (name, nanos) = fits.unwrap_or(("s", 1e9));
        Self { name, nanos }
    }

    /// The time in this unit, without its sign.
    pub(crate) fn of(self, nanos: f64) -> String {
        three_digits(nanos / self.nanos)
    }
}

/// A time with the unit that suits it: `12.3 µs`.
pub(crate) fn duration(nanos: f64) -> String {
    let (name, unit) = time_unit(nanos);
    format!("{} {name}", three_digits(nanos / unit))
}

/// A time at an axis, whose round values need no decimals: `20 µs`, `0.5 ns`.
pub(crate) fn short_duration(nanos: f64) -> String {
    let (name, unit) = time_unit(nanos);
    let number = three_digits(nanos / unit);
    let number = if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { &number };
    format!("{number} {name}")
}

fn time_unit(nanos: f64) -> (&'static str, f64) {
    let units = [("ns", 1.0), ("µs", 1e3), ("ms", 1e6)];
    units.into_iter().find(|(_, unit)| nanos / unit < 999.5).unwrap_or(("s", 1e9))
}

/// Bytes at an axis: `0`, `500 B`, `20 kB`, `1.5 MB`, by powers of 1,000.
pub(crate) fn short_bytes(bytes: f64) -> String {
    let (name, unit) = byte_unit(bytes);
    if bytes == 0.0 { "0".into() } else { format!("{} {name}", (bytes / unit * 100.0).round() / 100.0) }
}

/// Bytes of which the first digits count: `64 B`, `1.4 MB`, `655 kB`.
pub(crate) fn rough_bytes(bytes: f64) -> String {
    let (name, unit) = byte_unit(bytes);
    let value = bytes / unit;
    if name == "B" || value >= 99.95 { format!("{value:.0} {name}") } else { format!("{value:.1} {name}") }
}

fn byte_unit(bytes: f64) -> (&'static str, f64) {
    let units = [("B", 1.0), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9), ("TB", 1e12)];
    units.into_iter().find(|(_, unit)| bytes / unit < 999.5).unwrap_or(("PB", 1e15))
}

/// `680,680 bytes`.
pub(crate) fn counted_bytes(bytes: u64) -> String {
    format!("{} byte{}", grouped(bytes), if bytes == 1 { "" } else { "s" })
}

/// Text from a file or a name, made safe for a terminal: control characters become `?`.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for (number, shown) in [(0, "0"), (999, "999"), (1_000, "1,000"), (680_680, "680,680")] {
            assert_eq!(grouped(number), shown);
        }
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
        for (value, shown) in
            [(0.0, "0.00"), (0.123, "0.12"), (9.994, "9.99"), (9.996, "10.0"), (99.96, "100"), (1234.5, "1,235")]
        {
            assert_eq!(three_digits(value), shown);
        }
        for (part, shown) in
            [(0.0, "0%"), (0.0001, "<0.1%"), (0.0203, "2.0%"), (0.0999, "10%"), (0.252, "25%"), (12.345, "1,235%")]
        {
            assert_eq!(percent(part), shown);
        }
        assert_eq!((times(1.26), times(34.99)), ("1.3 times".into(), "35 times".into()));
    }

    #[test]
    fn times_and_sizes_take_the_unit_that_suits() {
        for (nanos, shown, short) in [
            (0.0, "0.00 ns", "0 ns"),
            (0.25, "0.25 ns", "0.25 ns"),
            (1_000.0, "1.00 µs", "1 µs"),
            (1_234.0, "1.23 µs", "1.23 µs"),
            (20e6, "20.0 ms", "20 ms"),
            (999_600.0, "1.00 ms", "1 ms"),
            (3e12, "3,000 s", "3,000 s"),
        ] {
            assert_eq!((duration(nanos).as_str(), short_duration(nanos).as_str()), (shown, short));
        }
        for (bytes, shown) in [(0.0, "0"), (500.0, "500 B"), (20_000.0, "20 kB"), (1.5e6, "1.5 MB"), (4e13, "40 TB")] {
            assert_eq!(short_bytes(bytes), shown);
        }
        for (bytes, shown) in
            [(0.0, "0 B"), (64.0, "64 B"), (1_430_000.0, "1.4 MB"), (655_360.0, "655 kB"), (99_960.0, "100 kB")]
        {
            assert_eq!(rough_bytes(bytes), shown);
        }
        assert_eq!((counted_bytes(1), counted_bytes(1_234)), ("1 byte".into(), "1,234 bytes".into()));
    }

    #[test]
    fn units_keep_columns_narrow() {
        for (largest, name, shown) in [
            (0.0, "ns", "0.00"),
            (999_999.0, "ns", "999,999"),
            (1_000_000.0, "µs", "1,000"),
            (3e10, "ms", "30,000"),
            (1e15, "s", "1,000,000"),
        ] {
            let unit = Unit::for_largest(largest, true);
            assert_eq!((unit.name, unit.of(largest).as_str()), (name, shown));
        }
        assert_eq!(Unit::for_largest(1e6, false).name, "us");
    }

    #[test]
    fn no_name_can_drive_the_terminal() {
        assert_eq!(printable("a\u{1b}[31m\nbé\u{9b}"), "a?[31m?bé?");
    }
}
