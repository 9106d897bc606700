//! The numbers of one place, and the narrowest kind that holds them all.

use crate::error::{Error, ErrorKind, Result};
use crate::schema::{Encoding, Int, Kind};

/// The largest whole number up to which a double holds every one: 2^53, as RFC 7493 (I-JSON) section 2.2 says.
pub(super) const EXACT: i128 = 1 << 53;

/// What was seen of the numbers of one place.
#[derive(Debug, Clone, Default)]
pub(super) struct Number {
    /// Numbers that came as whole ones.
    integers: u64,
    /// Numbers that came as floats.
    floats: u64,
    /// The range of those that came as whole ones, zero included.
    range: (i128, i128),
    /// The range of the floats that are whole, zero included.
    whole: (i128, i128),
    /// Floats that no integer stands for: with a fraction, not finite, minus zero or beyond [`EXACT`].
    fractions: u64,
    /// Floats that are whole, but beyond what 64 bits hold.
    beyond: u64,
    /// The record of the first float.
    first_float: u64,
    /// The first whole number beyond [`EXACT`], and its record.
    inexact: Option<(i128, u64)>,
}

/// What became of the numbers of one place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Verdict {
    /// The kind.
    pub(super) kind: Kind,
    /// Whole numbers that became doubles because of floats beside them.
    pub(super) widened: u64,
    /// Floats, if all of them are whole and they still are doubles.
    pub(super) whole_floats: u64,
    /// Whole numbers beyond 64 bits, as doubles.
    pub(super) beyond: u64,
}

impl Number {
    /// Adds a number that came as a whole one.
    pub(super) fn integer(&mut self, value: i128, record: u64) {
        self.integers += 1;
        self.range = widest(self.range, (value, value));
        if value.abs() > EXACT && self.inexact.is_none() {
            self.inexact = Some((value, record));
        }
    }

    /// Adds a number that came as a float.
    pub(super) fn float(&mut self, value: f64, record: u64) {
        if self.floats == 0 {
            self.first_float = record;
        }
        self.floats += 1;
        let negative_zero = value == 0.0 && value.is_sign_negative();
        if value.fract() == 0.0 && value.abs() <= EXACT as f64 && !negative_zero {
            let value = value as i128;
            self.whole = widest(self.whole, (value, value));
        } else {
            self.fractions += 1;
            // 2^64, and below minus 2^63: no 64 bit kind holds them.
            let outside = value >= u64::MAX as f64 || value < i64::MIN as f64;
            self.beyond += u64::from(outside && value.is_finite());
        }
    }

    /// Adds a whole number beyond 64 bits: a double if it is one exactly.
    ///
    /// # Errors
    /// [`ErrorKind::Range`] if it is not.
    pub(super) fn wide(&mut self, text: &str, record: u64) -> Result<()> {
        let nearest: f64 = text.parse().unwrap_or(f64::NAN);
        if format!("{nearest:.0}") != text {
            let what = format!("the whole number {text} fits neither 64 bits nor, exactly, a double");
            return Err(Error::new(ErrorKind::Range, what));
        }
        self.float(nearest, record);
        Ok(())
    }

    /// Adds all that another one has seen.
    pub(super) fn merge(&mut self, other: &Self) {
        self.first_float = match (self.floats, other.floats) {
            (0, _) => other.first_float,
            (_, 0) => self.first_float,
            _ => self.first_float.min(other.first_float),
        };
        self.integers += other.integers;
        self.floats += other.floats;
        self.range = widest(self.range, other.range);
        self.whole = widest(self.whole, other.whole);
        self.fractions += other.fractions;
        self.beyond += other.beyond;
        self.inexact = self.inexact.or(other.inexact);
    }

    /// The narrowest kind that holds all: with floats a double, else unsigned unless a number is negative, 32
    /// bits unless one needs more. Negative numbers make it zigzag: a plain varint spends ten bytes on each.
    ///
    /// With `whole_floats`, floats that are all whole count as whole numbers.
    ///
    /// # Errors
    /// [`ErrorKind::Range`] if no kind holds all exactly.
    pub(super) fn verdict(&self, whole_floats: bool) -> Result<Verdict> {
        let plain = |kind| Verdict { kind, widened: 0, whole_floats: 0, beyond: 0 };
        if self.floats == 0 {
            return integer_kind(self.range).map(plain);
        }
        if whole_floats && self.fractions == 0 {
            return integer_kind(widest(self.range, self.whole)).map(plain);
        }
        if let Some((value, record)) = self.inexact {
            let float = self.first_float;
            let what = format!(
                "record {float} has a float, but the whole number {value} in record {record} is beyond 2^53, so that \
                 no double need hold it exactly"
            );
            return Err(Error::new(ErrorKind::Range, what));
        }
        Ok(Verdict {
            kind: Kind::Double,
            widened: self.integers,
            whole_floats: if self.fractions == 0 && self.integers == 0 { self.floats } else { 0 },
            beyond: self.beyond,
        })
    }
}

fn widest(a: (i128, i128), b: (i128, i128)) -> (i128, i128) {
    (a.0.min(b.0), a.1.max(b.1))
}

fn integer_kind((min, max): (i128, i128)) -> Result<Kind> {
    let kinds = if min < 0 {
        [Int::I32.encoded(Encoding::Zigzag), Int::I64.encoded(Encoding::Zigzag)]
    } else {
        [Int::U32, Int::U64]
    };
    let fits = kinds.into_iter().find(|kind| kind.holds(min) && kind.holds(max)).map(Kind::Int);
    fits.ok_or_else(|| {
        Error::new(ErrorKind::Range, format!("no 64 bit kind holds both {min} and {max}; they occur in one field"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(integers: &[i128], floats: &[f64]) -> Number {
        let mut number = Number::default();
        for &value in integers {
            number.integer(value, 3);
        }
        for &value in floats {
            number.float(value, 5);
        }
        number
    }

    #[test]
    fn the_narrowest_kind_that_holds_all() {
        let zigzag = |int: Int| Kind::Int(int.encoded(Encoding::Zigzag));
        for (integers, kind) in [
            (&[0, 1][..], Kind::Int(Int::U32)),
            (&[0xffff_ffff], Kind::Int(Int::U32)),
            (&[1, 0x1_0000_0000], Kind::Int(Int::U64)),
            (&[u64::MAX as i128], Kind::Int(Int::U64)),
            (&[-1, 5], zigzag(Int::I32)),
            (&[-1, i32::MAX as i128], zigzag(Int::I32)),
            (&[-1, i32::MAX as i128 + 1], zigzag(Int::I64)),
            (&[i64::MIN as i128, i64::MAX as i128], zigzag(Int::I64)),
        ] {
            assert_eq!(of(integers, &[]).verdict(false).unwrap().kind, kind, "{integers:?}");
        }
        let error = of(&[-1, u64::MAX as i128], &[]).verdict(false).unwrap_err();
        assert_eq!(error.message(), "no 64 bit kind holds both -1 and 18446744073709551615; they occur in one field");
    }

    #[test]
    fn floats_beside_whole_numbers_widen_them_if_they_stay_exact() {
        let verdict = of(&[1, EXACT], &[0.5]).verdict(false).unwrap();
        assert_eq!((verdict.kind, verdict.widened), (Kind::Double, 2));
        let error = of(&[EXACT + 1], &[0.5]).verdict(false).unwrap_err();
        assert!(error.message().starts_with("record 5 has a float, but the whole number 9007199254740993 in record 3"));
    }

    #[test]
    fn floats_that_are_whole_stay_floats_unless_asked() {
        let number = of(&[7], &[1.0, -2.0]);
        assert_eq!(number.verdict(false).unwrap().kind, Kind::Double);
        assert_eq!(number.verdict(true).unwrap().kind, Kind::Int(Int::I32.encoded(Encoding::Zigzag)));
        assert_eq!(of(&[], &[1.0, 2.0]).verdict(false).unwrap().whole_floats, 2);
        for value in [-0.0, 0.5, f64::NAN, f64::INFINITY, 1e300] {
            assert_eq!(of(&[], &[1.0, value]).verdict(true).unwrap().kind, Kind::Double, "{value}");
        }
    }

    #[test]
    fn beyond_64_bits_only_what_a_double_holds() {
        let mut number = Number::default();
        number.wide("18446744073709551616", 0).unwrap();
        let verdict = number.verdict(false).unwrap();
        assert_eq!((verdict.kind, verdict.beyond), (Kind::Double, 1));
        assert!(number.wide("18446744073709551617", 0).unwrap_err().message().contains("nor, exactly, a double"));
    }
}
