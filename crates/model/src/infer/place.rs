//! What was seen at one place of the records: a tree with a place for each field, list item and dictionary value.
//!
//! The tree grows with the number of different places, never with the number of records.

use super::cells::Cells;
use super::number::Number;
use crate::error::{Error, ErrorKind, Result};
use std::collections::HashMap;

/// No field: the end of the order.
pub(super) const NONE: u32 = u32::MAX;

/// One place.
#[derive(Debug, Clone, Default)]
pub(super) struct Place {
    /// Nulls.
    pub(super) nulls: u64,
    /// Values other than null.
    pub(super) values: u64,
    /// The record of the first value.
    pub(super) first: u64,
    /// What the values are.
    pub(super) seen: Seen,
}

/// What the values of a place are.
#[derive(Debug, Clone, Default)]
pub(super) enum Seen {
    /// There was no value yet.
    #[default]
    Nothing,
    Bool,
    Number(Box<Number>),
    Text,
    Bytes,
    /// Text that may stand for numbers and bools: a column.
    Cells(Box<Cells>),
    /// Lists; the place is that of their items.
    List(Box<Place>),
    Object(Box<Object>),
    /// Dictionaries; the place is that of their values.
    Map(Box<Place>),
}

/// The kinds that do not mix in one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Nothing,
    Bool,
    Number,
    Text,
    Bytes,
    Cell,
    List,
    Object,
}

impl Class {
    /// For errors.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Nothing => "null",
            Self::Bool => "a bool",
            Self::Number => "a number",
            Self::Text => "text",
            Self::Bytes => "bytes",
            Self::Cell => "a cell",
            Self::List => "a list",
            Self::Object => "an object",
        }
    }

    fn fresh(self) -> Seen {
        match self {
            Self::Nothing => Seen::Nothing,
            Self::Bool => Seen::Bool,
            Self::Number => Seen::Number(Box::default()),
            Self::Text => Seen::Text,
            Self::Bytes => Seen::Bytes,
            Self::Cell => Seen::Cells(Box::default()),
            Self::List => Seen::List(Box::default()),
            Self::Object => Seen::Object(Box::default()),
        }
    }
}

impl Seen {
    pub(super) fn class(&self) -> Class {
        match self {
            Self::Nothing => Class::Nothing,
            Self::Bool => Class::Bool,
            Self::Number(_) => Class::Number,
            Self::Text => Class::Text,
            Self::Bytes => Class::Bytes,
            Self::Cells(_) => Class::Cell,
            Self::List(_) => Class::List,
            Self::Object(_) | Self::Map(_) => Class::Object,
        }
    }
}

impl Place {
    /// Counts a value of this class.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] if the place has values of another class.
    pub(super) fn admit(&mut self, class: Class, record: u64) -> Result<&mut Seen> {
        match self.seen.class() {
            Class::Nothing => {
                self.seen = class.fresh();
                self.first = record;
            }
            same if same == class => {}
            other => return Err(mixed(class, other, self.first)),
        }
        self.values += 1;
        Ok(&mut self.seen)
    }

    /// Counts a number.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] if the place has other values than numbers.
    pub(super) fn admit_number(&mut self, record: u64) -> Result<&mut Number> {
        match self.admit(Class::Number, record)? {
            Seen::Number(number) => Ok(number),
            _ => unreachable!("a class admits only its own values"),
        }
    }

    /// Adds all that was seen at another place.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`], with the path below this place, if the two do not mix.
    pub(super) fn merge(&mut self, other: Self) -> Result<()> {
        self.nulls += other.nulls;
        if other.seen.class() == Class::Nothing {
            return Ok(());
        }
        if self.seen.class() == Class::Nothing {
            *self = Self { nulls: self.nulls, ..other };
            return Ok(());
        }
        if self.seen.class() != other.seen.class() {
            let error = mixed(other.seen.class(), self.seen.class(), self.first);
            return Err(error.in_record(other.first as usize));
        }
        self.values += other.values;
        self.first = self.first.min(other.first);
        match (&mut self.seen, other.seen) {
            (Seen::Number(a), Seen::Number(b)) => a.merge(&b),
            (Seen::Cells(a), Seen::Cells(b)) => a.merge(&b),
            (Seen::List(a), Seen::List(b)) => a.merge(*b).map_err(|e| e.in_field("[]"))?,
            (Seen::Object(a), Seen::Object(b)) => a.merge(*b)?,
            (Seen::Map(a), Seen::Map(b)) => a.merge(*b).map_err(|e| e.in_field("*"))?,
            (Seen::Map(a), Seen::Object(b)) => b.pour(a)?,
            (seen @ Seen::Object(_), Seen::Map(mut b)) => {
                if let Seen::Object(object) = std::mem::take(seen) {
                    object.pour(&mut b)?;
                }
                *seen = Seen::Map(b);
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether one kind holds all numbers of each place here and below, and no dictionary has a null: merging
    /// may have brought together what does not fit.
    pub(super) fn fits(&self) -> bool {
        match &self.seen {
            Seen::Number(number) => number.verdict(false).is_ok(),
            Seen::List(inner) => inner.fits(),
            Seen::Map(inner) => inner.nulls == 0 && inner.fits(),
            Seen::Object(object) => object.fields.iter().all(|f| f.place.fits()),
            _ => true,
        }
    }

    /// The fields at and below this place.
    pub(super) fn fields(&self) -> u64 {
        match &self.seen {
            Seen::List(inner) | Seen::Map(inner) => inner.fields(),
            Seen::Object(object) => object.fields.iter().map(|f| 1 + f.place.fields()).sum(),
            _ => 0,
        }
    }
}

#[cold]
fn mixed(found: Class, had: Class, first: u64) -> Error {
    let (found, had) = (found.words(), had.words());
    let what = format!("{found} here, but {had} in record {first}; the values of a field are all of one kind");
    Error::new(ErrorKind::Mismatch, what)
}

/// The objects of one place.
#[derive(Debug, Clone)]
pub(super) struct Object {
    /// In the order in which they were met; [`Object::ordered`] gives them in the order of the records.
    pub(super) fields: Vec<Field>,
    index: HashMap<Box<str>, u32>,
    head: u32,
    /// How many objects there were.
    pub(super) objects: u64,
}

/// One key.
#[derive(Debug, Clone, Default)]
pub(super) struct Field {
    pub(super) name: Box<str>,
    pub(super) place: Place,
    /// An object had the key twice. The last one counts, which may be null, so it is never required.
    pub(super) twice: bool,
    next: u32,
    /// The object, counted from 1, that had it last.
    last: u64,
}

impl Default for Object {
    fn default() -> Self {
        Self { fields: Vec::new(), index: HashMap::new(), head: NONE, objects: 0 }
    }
}

impl Object {
    /// Counts an object; its keys follow.
    pub(super) fn begin(&mut self) {
        self.objects += 1;
    }

    /// The field of a key that follows the field `after` in its object, and whether it is new.
    ///
    /// A new field takes its place right after the one before it, so that fields which only some records have
    /// come where those records have them.
    pub(super) fn key(&mut self, name: &str, after: u32) -> (u32, bool) {
        let (at, new) = self.find(name, after);
        let field = &mut self.fields[at as usize];
        field.twice |= field.last == self.objects;
        field.last = self.objects;
        (at, new)
    }

    fn find(&mut self, name: &str, after: u32) -> (u32, bool) {
        // Records mostly have the same keys in the same order: the next one is tried before it is looked up.
        let expected = if after == NONE { self.head } else { self.fields[after as usize].next };
        let known = match self.fields.get(expected as usize) {
            Some(field) if *field.name == *name => Some(expected),
            _ => self.index.get(name).copied(),
        };
        known.map_or_else(|| (self.insert(name, after), true), |at| (at, false))
    }

    fn insert(&mut self, name: &str, after: u32) -> u32 {
        let at = self.fields.len() as u32;
        let link = if after == NONE { &mut self.head } else { &mut self.fields[after as usize].next };
        let next = std::mem::replace(link, at);
        self.fields.push(Field { name: name.into(), place: Place::default(), twice: false, next, last: 0 });
        self.index.insert(name.into(), at);
        at
    }

    /// The fields in the order of the records.
    pub(super) fn ordered(&self) -> impl Iterator<Item = &Field> {
        // The end's number is beyond all fields.
        let at = |at: u32| self.fields.get(at as usize);
        std::iter::successors(at(self.head), move |field| at(field.next))
    }

    /// Whether every object had a value there.
    pub(super) fn requires(&self, field: &Field) -> bool {
        field.place.values == self.objects && !field.twice
    }

    fn merge(&mut self, other: Self) -> Result<()> {
        self.objects += other.objects;
        let mut after = NONE;
        for field in other.into_ordered() {
            let (at, _) = self.find(&field.name, after);
            let own = &mut self.fields[at as usize];
            own.twice |= field.twice;
            own.place.merge(field.place).map_err(|e| e.in_field(&field.name))?;
            after = at;
        }
        Ok(())
    }

    /// Merges all fields into one place: that of a dictionary's values.
    pub(super) fn pour(self, into: &mut Place) -> Result<()> {
        self.into_ordered().try_for_each(|f| into.merge(f.place).map_err(|e| e.in_field(&f.name)))
    }

    fn into_ordered(self) -> impl Iterator<Item = Field> {
        let Self { mut fields, head, .. } = self;
        let mut at = head;
        std::iter::from_fn(move || {
            let field = std::mem::take(fields.get_mut(at as usize)?);
            at = field.next;
            Some(field)
        })
    }
}
