//! The speed of a link.

use std::fmt;
use std::str::FromStr;

/// So many bits in a second; never 0.
///
/// ```
/// use bantam_weigh::Speed;
///
/// let speed: Speed = "12.5 MB/s".parse().unwrap();
/// assert_eq!(speed, Speed::new(100_000_000).unwrap());
/// assert_eq!(speed.to_string(), "100 Mbit/s");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Speed(u64);

/// The units of the command line, in bits a second. `B` is a byte of 8 bits, and a prefix is a power of 1,000.
const UNITS: [(&str, f64); 8] = [
    ("Gbit/s", 1e9),
    ("Mbit/s", 1e6),
    ("kbit/s", 1e3),
    ("GB/s", 8e9),
    ("MB/s", 8e6),
    ("kB/s", 8e3),
    ("bit/s", 1.0),
    ("B/s", 8.0),
];

impl Speed {
    /// What is looked at when no speed is asked for: a slow line, an office, a data centre twice.
    pub const USUAL: [Self; 4] = [Self(10_000_000), Self(100_000_000), Self(1_000_000_000), Self(10_000_000_000)];

    /// So many bits a second; `None` for 0.
    pub const fn new(bits_per_second: u64) -> Option<Self> {
        if bits_per_second == 0 { None } else { Some(Self(bits_per_second)) }
    }

    /// Bits a second, at least 1.
    pub const fn bits_per_second(self) -> u64 {
        self.0
    }

    /// How long so many bytes take, in nanoseconds.
    pub fn nanos(self, bytes: u64) -> f64 {
        bytes as f64 * 8e9 / self.0 as f64
    }
}

impl FromStr for Speed {
    type Err = String;

    /// A number and one of the units `bit/s`, `kbit/s`, `Mbit/s`, `Gbit/s`, `B/s`, `kB/s`, `MB/s`, `GB/s`.
    fn from_str(text: &str) -> Result<Self, String> {
        let trimmed = text.trim();
        let expected = || format!("`{text}` is no speed; a number and a unit make one, such as 100Mbit/s or 12.5MB/s");
        let found = UNITS.iter().find_map(|(name, unit)| Some((trimmed.strip_suffix(name)?, unit)));
        let (number, unit) = found.ok_or_else(expected)?;
        let number = number.trim_end();
        // `f64` would also take signs, exponents and names such as `inf`.
        if !number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
            return Err(expected());
        }
        let bits = (number.parse::<f64>().map_err(|_| expected())? * unit).round();
        if !(1.0..=1e18).contains(&bits) {
            return Err(format!("`{text}` is out of range: a speed lies between 1 bit/s and a billion Gbit/s"));
        }
        Ok(Self(bits as u64))
    }
}

impl fmt::Display for Speed {
    /// The largest unit of bits that leaves a whole number before the point, with up to two decimals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = self.0 as f64;
        let (name, unit) = match bits {
            _ if bits < 1e3 => ("bit/s", 1.0),
            _ if bits < 1e6 => ("kbit/s", 1e3),
            _ if bits < 1e9 => ("Mbit/s", 1e6),
            _ => ("Gbit/s", 1e9),
        };
        let number = format!("{:.2}", bits / unit);
        f.pad(&format!("{} {name}", number.trim_end_matches('0').trim_end_matches('.')))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_read_with_their_units() {
        for (text, bits, shown) in [
            ("1bit/s", 1, "1 bit/s"),
            ("56kbit/s", 56_000, "56 kbit/s"),
            ("100Mbit/s", 100_000_000, "100 Mbit/s"),
            ("2.5 Gbit/s", 2_500_000_000, "2.5 Gbit/s"),
            ("1MB/s", 8_000_000, "8 Mbit/s"),
            ("3kB/s", 24_000, "24 kbit/s"),
            ("1GB/s", 8_000_000_000, "8 Gbit/s"),
            ("2B/s", 16, "16 bit/s"),
        ] {
            let speed: Speed = text.parse().unwrap();
            assert_eq!((speed.bits_per_second(), speed.to_string().as_str()), (bits, shown), "{text}");
        }
    }

    #[test]
    fn what_is_no_speed_is_refused() {
        for text in ["", "100", "Mbit/s", "-1Mbit/s", "infMbit/s", "1e3Mbit/s", "1.2.3bit/s", "5 mbit/s", "10Mbps"] {
            assert!(text.parse::<Speed>().unwrap_err().contains("such as 100Mbit/s"), "{text}");
        }
        for text in ["0Mbit/s", "0.1bit/s", "99999999999Gbit/s"] {
            assert!(text.parse::<Speed>().unwrap_err().contains("out of range"), "{text}");
        }
        assert_eq!(Speed::new(0), None);
    }

    #[test]
    fn a_transfer_takes_eight_bits_a_byte() {
        assert!((Speed::USUAL[1].nanos(125_000) - 1e7).abs() < 1e-3);
    }
}
