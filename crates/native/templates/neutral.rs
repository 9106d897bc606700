//! The neutral file: the records as Bantam hands them over, and what every contender's output is compared by.
//!
//! Fields in the schema's order and without names; whole numbers, bools and enums as eight bytes, floats by their bits,
//! text and bytes after their length, lists after their count, an `Option` after a byte that says whether it is there.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// The rest of a neutral file.
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, len: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(len);
        self.0 = rest;
        taken
    }

    fn word(&mut self) -> u64 {
        u64::from_le_bytes(self.take(8).try_into().expect("eight bytes"))
    }

    fn count(&mut self) -> usize {
        u32::from_le_bytes(self.take(4).try_into().expect("four bytes")) as usize
    }
}

/// What the neutral file holds.
pub trait Neutral: Sized {
    /// Reads one value.
    fn read(from: &mut Reader<'_>) -> Self;

    /// Appends it.
    fn write(&self, out: &mut Vec<u8>);

    /// Whether it counts as absent where zero does.
    fn is_zero(&self) -> bool {
        false
    }

    /// Reads so many values.
    fn read_list(count: usize, from: &mut Reader<'_>) -> Vec<Self> {
        (0..count).map(|_| Self::read(from)).collect()
    }

    /// Appends them.
    fn write_list(list: &[Self], out: &mut Vec<u8>) {
        list.iter().for_each(|item| item.write(out));
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Neutral for $number {
            fn read(from: &mut Reader<'_>) -> Self {
                from.word() as Self
            }
            fn write(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&(*self as i64).to_le_bytes());
            }
            fn is_zero(&self) -> bool {
                *self == 0
            }
        }
    )*};
}

numbers!(i8, i16, i32, i64, u16, u32, u64);

/// A byte is only ever part of bytes.
impl Neutral for u8 {
    fn read(from: &mut Reader<'_>) -> Self {
        from.take(1)[0]
    }
    fn write(&self, out: &mut Vec<u8>) {
        out.push(*self);
    }
    fn read_list(count: usize, from: &mut Reader<'_>) -> Vec<Self> {
        from.take(count).to_vec()
    }
    fn write_list(list: &[Self], out: &mut Vec<u8>) {
        out.extend_from_slice(list);
    }
}

impl Neutral for bool {
    fn read(from: &mut Reader<'_>) -> Self {
        from.word() != 0
    }
    fn write(&self, out: &mut Vec<u8>) {
        u64::from(*self).write(out);
    }
    fn is_zero(&self) -> bool {
        !self
    }
}

impl Neutral for f32 {
    fn read(from: &mut Reader<'_>) -> Self {
        Self::from_bits(from.count() as u32)
    }
    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_bits().to_le_bytes());
    }
    fn is_zero(&self) -> bool {
        self.to_bits() == 0
    }
}

impl Neutral for f64 {
    fn read(from: &mut Reader<'_>) -> Self {
        Self::from_bits(from.word())
    }
    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_bits().to_le_bytes());
    }
    fn is_zero(&self) -> bool {
        self.to_bits() == 0
    }
}

impl Neutral for String {
    fn read(from: &mut Reader<'_>) -> Self {
        Self::from_utf8(Vec::read(from)).expect("Bantam checks text when it reads it")
    }
    fn write(&self, out: &mut Vec<u8>) {
        write_count(self.len(), out);
        out.extend_from_slice(self.as_bytes());
    }
    fn is_zero(&self) -> bool {
        self.is_empty()
    }
}

impl<T: Neutral> Neutral for Vec<T> {
    fn read(from: &mut Reader<'_>) -> Self {
        let count = from.count();
        T::read_list(count, from)
    }
    fn write(&self, out: &mut Vec<u8>) {
        write_count(self.len(), out);
        T::write_list(self, out);
    }
    fn is_zero(&self) -> bool {
        self.is_empty()
    }
}

impl<K: Neutral + Ord, V: Neutral> Neutral for BTreeMap<K, V> {
    fn read(from: &mut Reader<'_>) -> Self {
        let count = from.count();
        (0..count).map(|_| (K::read(from), V::read(from))).collect()
    }
    fn write(&self, out: &mut Vec<u8>) {
        write_count(self.len(), out);
        for (key, value) in self {
            key.write(out);
            value.write(out);
        }
    }
    fn is_zero(&self) -> bool {
        self.is_empty()
    }
}

/// In the order of the keys, as all maps are in the neutral form.
impl<K: Neutral + Ord + Hash, V: Neutral> Neutral for HashMap<K, V> {
    fn read(from: &mut Reader<'_>) -> Self {
        let count = from.count();
        (0..count).map(|_| (K::read(from), V::read(from))).collect()
    }
    fn write(&self, out: &mut Vec<u8>) {
        write_count(self.len(), out);
        for (key, value) in self.iter().collect::<BTreeMap<_, _>>() {
            key.write(out);
            value.write(out);
        }
    }
    fn is_zero(&self) -> bool {
        self.is_empty()
    }
}

impl<A: Neutral, B: Neutral> Neutral for (A, B) {
    fn read(from: &mut Reader<'_>) -> Self {
        (A::read(from), B::read(from))
    }
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
        self.1.write(out);
    }
}

impl<T: Neutral> Neutral for Option<T> {
    fn read(from: &mut Reader<'_>) -> Self {
        (from.take(1)[0] != 0).then(|| T::read(from))
    }
    fn write(&self, out: &mut Vec<u8>) {
        out.push(u8::from(self.is_some()));
        if let Some(value) = self {
            value.write(out);
        }
    }
}

impl<T: Neutral> Neutral for Box<T> {
    fn read(from: &mut Reader<'_>) -> Self {
        Self::new(T::read(from))
    }
    fn write(&self, out: &mut Vec<u8>) {
        (**self).write(out);
    }
}

fn write_count(count: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(&(count as u32).to_le_bytes());
}

/// Reads a list that is an `Option` in the neutral file, but not in this type: absent is empty.
pub fn read_told<T: Neutral + Default>(from: &mut Reader<'_>) -> T {
    Option::read(from).unwrap_or_default()
}

/// Appends such a list: empty is absent.
pub fn write_told<T: Neutral>(list: &T, out: &mut Vec<u8>) {
    out.push(u8::from(!list.is_zero()));
    if !list.is_zero() {
        list.write(out);
    }
}

/// Whether a field is left out, for serde.
pub fn is_zero<T: Neutral>(value: &T) -> bool {
    value.is_zero()
}

/// Makes a struct neutral by its fields; `told` are those whose absence it cannot tell from being empty, `one` are buffa's
/// messages that are always there.
macro_rules! neutral {
    ($name:ident { $($field:ident $(: $told:ident)?),* }) => {
        impl crate::neutral::Neutral for $name {
            fn read(_from: &mut crate::neutral::Reader<'_>) -> Self {
                $(let $field = crate::neutral::neutral!(@read _from $($told)?);)*
                Self { $($field),* }
            }
            fn write(&self, _out: &mut Vec<u8>) {
                $(crate::neutral::neutral!(@write self $field _out $($told)?);)*
            }
        }
    };
    (@read $from:ident) => { crate::neutral::Neutral::read($from) };
    (@read $from:ident told) => { crate::neutral::read_told($from) };
    (@read $from:ident one) => { crate::buffa_types::read_one($from) };
    (@write $self:ident $field:ident $out:ident) => { crate::neutral::Neutral::write(&$self.$field, $out) };
    (@write $self:ident $field:ident $out:ident told) => { crate::neutral::write_told(&$self.$field, $out) };
    (@write $self:ident $field:ident $out:ident one) => { crate::buffa_types::write_one(&$self.$field, $out) };
}

pub(crate) use neutral;
