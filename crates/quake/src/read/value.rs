//! Text → numbers, times and truth values, with notes on what is none.

use super::source::{Element, Field, Text};
use crate::note::{NoteKind, Notes};
use crate::time::Time;
use std::ops::RangeInclusive;

/// Reads values, counting what is not as it should be.
#[derive(Default)]
pub(super) struct Values {
    pub(super) notes: Notes,
    /// For text with a decimal exponent added.
    scratch: String,
}

/// What a number counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// As the Quake has it.
    Same,
    /// Metres, of which the Quake has thousands.
    Metres,
}

pub(super) const ANY: RangeInclusive<f64> = f64::MIN..=f64::MAX;
pub(super) const NOT_NEGATIVE: RangeInclusive<f64> = 0.0..=f64::MAX;

impl Values {
    /// A number, or nothing where there is none.
    pub(super) fn number(&mut self, of: Element<'_>, field: Field, range: RangeInclusive<f64>) -> Option<f64> {
        self.number_in(of, field, Unit::Same, range)
    }

    /// A number in a unit; the range is in the Quake's.
    pub(super) fn number_in(
        &mut self,
        of: Element<'_>,
        field: Field,
        unit: Unit,
        range: RangeInclusive<f64>,
    ) -> Option<f64> {
        let text = self.full(of, field)?;
        let number = match unit {
            Unit::Same => text.str().parse::<f64>().ok(),
            Unit::Metres => self.thousandths(text.str()),
        };
        let Some(number) = number else {
            self.odd(NoteKind::BadNumber, text, field);
            return None;
        };
        if !number.is_finite() {
            self.odd(NoteKind::NotFinite, text, field);
            return None;
        }
        if !range.contains(&number) {
            self.odd(NoteKind::OutOfRange, text, field);
        }
        Some(number)
    }

    /// A count. A whole number may have a point or an exponent.
    pub(super) fn count(&mut self, of: Element<'_>, field: Field) -> Option<i64> {
        let text = self.full(of, field)?;
        let whole = |number: f64| (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64);
        let count = text.str().parse::<i64>().ok().or_else(|| text.str().parse::<f64>().ok().and_then(whole));
        match count {
            None => {
                let finite = text.str().parse::<f64>().map_or(true, f64::is_finite);
                self.odd(if finite { NoteKind::BadNumber } else { NoteKind::NotFinite }, text, field);
            }
            Some(count) if count < 0 => self.odd(NoteKind::OutOfRange, text, field),
            Some(_) => {}
        }
        count
    }

    /// A time.
    pub(super) fn time(&mut self, of: Element<'_>, field: Field) -> Option<Time> {
        let text = self.full(of, field)?;
        let Some(parsed) = Time::parse(text.str()) else {
            self.odd(NoteKind::BadTime, text, field);
            return None;
        };
        for (found, kind) in [
            (parsed.without_zone, NoteKind::TimeWithoutZone),
            (parsed.leap_second, NoteKind::LeapSecond),
            (parsed.cut, NoteKind::BeyondNanoseconds),
            // The years that RFC 3339 has, beyond which text formats leave a time out.
            (!parsed.time.is_common(), NoteKind::OutOfRange),
        ] {
            if found {
                self.odd(kind, text, field);
            }
        }
        Some(parsed.time)
    }

    /// True or false.
    pub(super) fn bool(&mut self, of: Element<'_>, field: Field) -> Option<bool> {
        let text = self.full(of, field)?;
        match text.bytes {
            b"true" | b"1" => Some(true),
            b"false" | b"0" => Some(false),
            _ => {
                self.odd(NoteKind::BadBool, text, field);
                None
            }
        }
    }

    /// Text where a value is due: an empty one counts.
    fn full<'r>(&mut self, of: Element<'r>, field: Field) -> Option<Text<'r>> {
        let text = of.text(field)?;
        if text.bytes.is_empty() {
            self.odd(NoteKind::Empty, text, field);
            return None;
        }
        Some(text)
    }

    #[cold]
    fn odd(&mut self, kind: NoteKind, text: Text<'_>, field: Field) {
        let name = field.map_or("", |at| at.name);
        let what = || if text.bytes.is_empty() { name.to_owned() } else { format!("{} in {name}", shown(text.str())) };
        self.notes.add(kind, text.place(), what);
    }

    /// A thousandth of a number, rounded once: the exponent changes, not the digits.
    fn thousandths(&mut self, text: &str) -> Option<f64> {
        let number = text.parse::<f64>().ok()?;
        if !number.is_finite() || text.contains(['e', 'E']) {
            return Some(number / 1_000.0);
        }
        self.scratch.clear();
        self.scratch.push_str(text);
        self.scratch.push_str("e-3");
        self.scratch.parse().ok()
    }
}

/// A value for people, cut where it is long.
pub(super) fn shown(text: &str) -> String {
    format!("`{}`", cut(text, 60))
}

/// An identifier for people, cut where it is absurdly long.
pub(super) fn called(text: &str) -> String {
    cut(text, 200)
}

fn cut(text: &str, most: usize) -> String {
    let mut characters = text.chars();
    let head: String = characters.by_ref().take(most).collect();
    let dots = if characters.next().is_some() { "…" } else { "" };
    let plain = |c: char| if c.is_control() { c.escape_debug().collect::<String>() } else { c.to_string() };
    head.chars().map(plain).chain([dots.to_owned()]).collect()
}
