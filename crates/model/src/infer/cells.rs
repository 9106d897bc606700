//! Columns of text cells: what their text can be read as.

use super::number::{Number, Verdict};
use crate::schema::Kind;

/// Significant digits that a double keeps; a cell with more stays text.
const DOUBLE_DIGITS: usize = 17;

/// What was seen of the cells of one column.
#[derive(Debug, Clone, Default)]
pub(super) struct Cells {
    number: Number,
    numbers: u64,
    bools: u64,
    /// A cell that is only text: everything that is neither a number nor a bool.
    text: bool,
}

impl Cells {
    /// Adds a cell that is not empty.
    ///
    /// Numbers are those of JSON's grammar (RFC 8259 section 6), so that `007`, `+49` and `1.` stay text;
    /// bools are `true` and `false`.
    pub(super) fn add(&mut self, cell: &str, record: u64) {
        if cell == "true" || cell == "false" {
            self.bools += 1;
        } else if !self.text && self.add_number(cell, record) {
            self.numbers += 1;
        } else {
            self.text = true;
        }
    }

    fn add_number(&mut self, cell: &str, record: u64) -> bool {
        match spelling(cell) {
            Some(Spelling::Integer) if cell != "-0" => {
                let Ok(value) = cell.parse::<i128>() else { return false };
                let fits = i64::MIN as i128 <= value && value <= u64::MAX as i128;
                if fits {
                    self.number.integer(value, record);
                }
                fits
            }
            Some(Spelling::Float { digits }) if digits <= DOUBLE_DIGITS => {
                let value = cell.parse::<f64>().ok().filter(|v| v.is_finite());
                value.inspect(|&v| self.number.float(v, record)).is_some()
            }
            _ => false,
        }
    }

    /// Adds all that another one has seen.
    pub(super) fn merge(&mut self, other: &Self) {
        self.number.merge(&other.number);
        self.numbers += other.numbers;
        self.bools += other.bools;
        self.text |= other.text;
    }

    /// The kind that holds all cells; text where they are of several kinds, or where a number would lose digits.
    pub(super) fn verdict(&self, whole_floats: bool) -> Verdict {
        let plain = |kind| Verdict { kind, widened: 0, whole_floats: 0, beyond: 0 };
        match (self.text, self.numbers, self.bools) {
            (false, 0, 1..) => plain(Kind::Bool),
            (false, 1.., 0) => self.number.verdict(whole_floats).unwrap_or(plain(Kind::String)),
            _ => plain(Kind::String),
        }
    }
}

enum Spelling {
    Integer,
    Float { digits: usize },
}

/// How a cell is spelled, if it is a number by JSON's grammar.
fn spelling(cell: &str) -> Option<Spelling> {
    let unsigned = cell.strip_prefix('-').unwrap_or(cell);
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => (&unsigned[..at], Some(&unsigned[at + 1..])),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let leading_zero = whole.len() > 1 && whole.starts_with('0');
    let exponent_fits = exponent.is_none_or(|e| digits(e.strip_prefix(['+', '-']).unwrap_or(e)));
    if !digits(whole) || leading_zero || !fraction.is_none_or(digits) || !exponent_fits {
        return None;
    }
    if fraction.is_none() && exponent.is_none() {
        return Some(Spelling::Integer);
    }
    let significant = mantissa.bytes().filter(u8::is_ascii_digit).skip_while(|&b| b == b'0').count();
    Some(Spelling::Float { digits: significant })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Encoding, Int};

    fn kind(cells: &[&str]) -> Kind {
        let mut seen = Cells::default();
        for cell in cells {
            seen.add(cell, 0);
        }
        seen.verdict(false).kind
    }

    #[test]
    fn cells_are_numbers_and_bools_only_where_nothing_is_lost() {
        let sint32 = Kind::Int(Int::I32.encoded(Encoding::Zigzag));
        for (cells, expected) in [
            (&["1", "0", "20"][..], Kind::Int(Int::U32)),
            (&["1", "-20"], sint32),
            (&["1", "2.5"], Kind::Double),
            (&["1.0", "2.0"], Kind::Double),
            (&["1e3"], Kind::Double),
            (&["-0"], Kind::String),
            (&["true", "false"], Kind::Bool),
            (&["true", "1"], Kind::String),
            (&["7", "007"], Kind::String),
            (&["007", "7"], Kind::String),
            (&["-01"], Kind::String),
            (&["+49"], Kind::String),
            (&["1."], Kind::String),
            (&[".5"], Kind::String),
            (&["1_000"], Kind::String),
            (&[" 1"], Kind::String),
            (&["NaN"], Kind::String),
            (&["1e400"], Kind::String),
            (&["1e"], Kind::String),
            (&["18446744073709551616"], Kind::String),
            (&["-1", "18446744073709551615"], Kind::String),
            (&["9007199254740993", "0.5"], Kind::String),
            (&["0.12345678901234567"], Kind::Double),
            (&["0.123456789012345678"], Kind::String),
            (&["True"], Kind::String),
            (&[], Kind::String),
        ] {
            assert_eq!(kind(cells), expected, "{cells:?}");
        }
    }
}
