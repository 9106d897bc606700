//! Comparing batches: equal, equal after stated lowerings, or the first difference with its path.

use crate::batch::Batch;
use crate::lowering::Lowerings;
use crate::row::{Items, Row, Value, shown};
use std::fmt;

/// The first place in which two batches differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The record, counted from 0.
    pub record: usize,
    /// The field's path, such as `phases[3].time.secs`; empty for the record as a whole.
    pub path: String,
    /// What the left batch has.
    pub left: String,
    /// What the right batch has.
    pub right: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "record {}", self.record)?;
        if !self.path.is_empty() {
            write!(f, ", field {}", self.path)?;
        }
        write!(f, ": {} became {}", self.left, self.right)
    }
}

impl std::error::Error for Difference {}

/// Compares two batches of the same schema, value by value, doubles by their bits. Differences that a
/// lowering in `allowed` explains are passed over; the result says which of them there were.
///
/// # Errors
/// The first difference.
pub fn compare(left: &Batch<'_>, right: &Batch<'_>, allowed: Lowerings) -> Result<Lowerings, Box<Difference>> {
    let mut compare = Compare { allowed, used: Lowerings::NONE, path: Vec::new() };
    for (record, (l, r)) in left.rows().zip(right.rows()).enumerate() {
        compare
            .row(l, r)
            .map_err(|(left, right)| Box::new(Difference { record, path: compare.shown_path(), left, right }))?;
    }
    if left.len() != right.len() {
        let (l, r) = (left.len(), right.len());
        return Err(Box::new(Difference {
            record: l.min(r),
            path: String::new(),
            left: format!("{l} records"),
            right: format!("{r} records"),
        }));
    }
    Ok(compare.used)
}

enum Step<'b> {
    Field(&'b str),
    Item(usize),
}

struct Compare<'b> {
    allowed: Lowerings,
    used: Lowerings,
    /// Left as it was at the first difference.
    path: Vec<Step<'b>>,
}

type Found = Result<(), (String, String)>;

impl<'b> Compare<'b> {
    fn shown_path(&self) -> String {
        let mut path = String::new();
        for step in &self.path {
            match step {
                Step::Field(name) if path.is_empty() => path.push_str(name),
                Step::Field(name) => path.extend([".", name]),
                Step::Item(at) => path.extend(["[", &at.to_string(), "]"]),
            }
        }
        path
    }

    fn allows(&mut self, lowering: Lowerings) -> bool {
        let allowed = self.allowed.contains(lowering);
        if allowed {
            self.used |= lowering;
        }
        allowed
    }

    fn row(&mut self, l: Row<'b>, r: Row<'b>) -> Found {
        let slots = l.layout().slots.iter().zip(&r.layout().slots);
        for (slot, other) in slots {
            let (left, right) = (l.get(slot), r.get(other));
            self.path.push(Step::Field(&slot.name));
            match (left, right) {
                (None, None) => {}
                (Some(left), Some(right)) => self.value(left, right)?,
                (Some(one), None) | (None, Some(one)) if self.is_lowered(one) => {}
                (left, right) => return Err((show(left), show(right))),
            }
            self.path.pop();
        }
        let same = l.unknown().flatten().eq(r.unknown().flatten());
        if same || self.allows(Lowerings::UNKNOWN_DROPPED) {
            return Ok(());
        }
        Err((format!("{} bytes of unknown fields", l.unknown().flatten().count()), "others".into()))
    }

    /// Whether a value on one side only may count as absent.
    fn is_lowered(&mut self, value: Value<'_>) -> bool {
        match value {
            Value::List(items) if items.is_empty() => self.allows(Lowerings::EMPTY_LIST_ABSENT),
            Value::String("") | Value::Bytes([]) => self.allows(Lowerings::EMPTY_TEXT_ABSENT),
            _ => false,
        }
    }

    fn value(&mut self, left: Value<'b>, right: Value<'b>) -> Found {
        let same = match (left, right) {
            (Value::Message(l), Value::Message(r)) => return self.row(l, r),
            (Value::List(l), Value::List(r)) => return self.items(l, r),
            (Value::Bool(l), Value::Bool(r)) => l == r,
            (Value::Int(l), Value::Int(r)) => l == r,
            (Value::Uint(l), Value::Uint(r)) => l == r,
            (Value::Enum(_, l), Value::Enum(_, r)) => l == r,
            (Value::String(l), Value::String(r)) => l == r,
            (Value::Bytes(l), Value::Bytes(r)) => l == r,
            (Value::Float(l), Value::Float(r)) => {
                l.to_bits() == r.to_bits() || (l.is_nan() && r.is_nan() && self.allows(Lowerings::NAN_PAYLOAD))
            }
            (Value::Double(l), Value::Double(r)) => {
                l.to_bits() == r.to_bits() || (l.is_nan() && r.is_nan() && self.allows(Lowerings::NAN_PAYLOAD))
            }
            _ => false,
        };
        if same { Ok(()) } else { Err((show(Some(left)), show(Some(right)))) }
    }

    fn items(&mut self, l: Items<'b>, r: Items<'b>) -> Found {
        for (at, (left, right)) in l.iter().zip(r.iter()).enumerate() {
            self.path.push(Step::Item(at));
            self.value(left, right)?;
            self.path.pop();
        }
        if l.len() == r.len() { Ok(()) } else { Err((format!("{} items", l.len()), format!("{} items", r.len()))) }
    }
}

/// A value for people, cut to a length that fits a line.
fn show(value: Option<Value<'_>>) -> String {
    const MOST: usize = 60;
    value.map_or_else(|| "absent".to_owned(), |value| shown(value, MOST))
}
