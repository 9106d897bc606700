//! The two protocols: how headers and numbers lie in bytes.

use super::table::Type;
use crate::varint::{load8, truncated, unzigzag, varint, zigzag};
use crate::writer::Writer;
use bantam_model::{Error, ErrorKind, Result};

/// A place in the input.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    pub(super) input: &'a [u8],
    pub(super) at: usize,
    pub(super) end: usize,
}

impl<'a> Cursor<'a> {
    #[inline(always)]
    pub(super) fn byte(&mut self) -> Result<u8> {
        if self.at >= self.end {
            return Err(truncated("a value", self.end));
        }
        self.at += 1;
        Ok(self.input[self.at - 1])
    }

    /// The next `bytes` bytes, at most eight, as a little-endian word.
    #[inline(always)]
    pub(super) fn word(&mut self, bytes: usize) -> Result<u64> {
        if self.end - self.at < bytes {
            return Err(truncated("a value", self.end));
        }
        let word = load8(self.input, self.at);
        self.at += bytes;
        Ok(word)
    }

    #[inline(always)]
    pub(super) fn varint(&mut self) -> Result<u64> {
        let (value, after) = varint(self.input, self.at, self.end)?;
        self.at = after;
        Ok(value)
    }

    #[inline(always)]
    pub(super) fn slice(&mut self, len: u64) -> Result<&'a [u8]> {
        if len > (self.end - self.at) as u64 {
            let text = format!("a length of {len} where {} bytes are left", self.end - self.at);
            return Err(Error::new(ErrorKind::Truncated, text).at_byte(self.at));
        }
        self.at += len as usize;
        Ok(&self.input[self.at - len as usize..self.at])
    }
}

/// How headers and numbers lie in bytes.
pub(super) trait Protocol {
    /// Passes over the header of this very field, if that is what lies there. Never for a bool whose value lies
    /// in the header.
    fn skip_header(from: &mut Cursor<'_>, of: Type, id: i16, last: i16) -> bool;
    /// Reads a field's header: type, id, and the value of a bool that lies in the header.
    fn read_field(from: &mut Cursor<'_>, last: i16) -> Result<(Type, i16, Option<bool>)>;
    /// Reads the header of a list or set: the items' type and their count.
    fn read_list(from: &mut Cursor<'_>) -> Result<(Type, u64)>;
    /// Reads the header of a map: the types of keys and values (no meaning if it is empty), and the count.
    fn read_map(from: &mut Cursor<'_>) -> Result<(Type, Type, u64)>;
    /// Reads a whole number of 8 to 64 bits.
    fn read_int(from: &mut Cursor<'_>, of: Type) -> Result<i64>;
    /// Reads a double.
    fn read_double(from: &mut Cursor<'_>) -> Result<u64>;
    /// Reads the bool of a list's item.
    fn read_bool(from: &mut Cursor<'_>) -> Result<bool>;
    /// Reads a text's length.
    fn read_length(from: &mut Cursor<'_>) -> Result<u64>;
    /// Writes a field's header. A bool's value may lie in it.
    fn write_field(out: &mut Writer<'_>, of: Type, id: i16, last: i16, value: Option<bool>);
    /// Writes the header of a list or set.
    fn write_list(out: &mut Writer<'_>, of: Type, count: usize);
    /// Writes the header of a map.
    fn write_map(out: &mut Writer<'_>, key: Type, value: Type, count: usize);
    /// Writes a whole number of 8 to 64 bits.
    fn write_int(out: &mut Writer<'_>, of: Type, value: i64);
    /// Writes a double.
    fn write_double(out: &mut Writer<'_>, bits: u64);
    /// Writes the bool of a list's item, or a field's where the header does not hold it.
    fn write_bool(out: &mut Writer<'_>, value: bool);
    /// Writes a text's length.
    fn write_length(out: &mut Writer<'_>, bytes: usize);
    /// Whether a field's header holds its bool.
    const BOOL_IN_HEADER: bool;
}

/// Thrift's binary protocol: big-endian, fixed widths
/// (<https://github.com/apache/thrift/blob/master/doc/specs/thrift-binary-protocol.md>).
#[derive(Debug)]
pub(super) struct Binary;

/// Thrift's compact protocol: varints, field ids as differences
/// (<https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md>).
#[derive(Debug)]
pub(super) struct Compact;

#[cold]
fn bad_type(number: u8, at: usize) -> Error {
    Error::new(ErrorKind::Syntax, format!("{number} is no type of Thrift")).at_byte(at)
}

impl Binary {
    #[inline(always)]
    fn to_type(number: u8, at: usize) -> Result<Type> {
        Ok(match number {
            0 => Type::Stop,
            2 => Type::Bool,
            3 => Type::Byte,
            4 => Type::Double,
            6 => Type::I16,
            8 => Type::I32,
            10 => Type::I64,
            11 => Type::Binary,
            12 => Type::Struct,
            13 => Type::Map,
            14 => Type::Set,
            15 => Type::List,
            16 => Type::Uuid,
            _ => return Err(bad_type(number, at)),
        })
    }

    #[inline(always)]
    fn read_count(from: &mut Cursor<'_>, what: &str) -> Result<u64> {
        let at = from.at;
        let count = (from.word(4)? as u32).swap_bytes() as i32;
        u64::try_from(count).map_err(|_| negative(count, what, at))
    }
}

#[cold]
fn negative(count: i32, what: &str, at: usize) -> Error {
    Error::new(ErrorKind::Syntax, format!("{what} of {count}")).at_byte(at)
}

impl Protocol for Binary {
    const BOOL_IN_HEADER: bool = false;

    #[inline(always)]
    fn skip_header(from: &mut Cursor<'_>, of: Type, id: i16, _: i16) -> bool {
        let header = of as u64 | u64::from((id as u16).swap_bytes()) << 8;
        let found = from.end - from.at >= 3 && load8(from.input, from.at) & 0x00ff_ffff == header;
        from.at += if found { 3 } else { 0 };
        found
    }

    #[inline(always)]
    fn read_field(from: &mut Cursor<'_>, _: i16) -> Result<(Type, i16, Option<bool>)> {
        let at = from.at;
        if at >= from.end {
            return Err(truncated("a struct", from.end));
        }
        let chunk = load8(from.input, at);
        let of = Self::to_type(chunk as u8, at)?;
        if of == Type::Stop {
            from.at += 1;
            return Ok((of, 0, None));
        }
        from.word(3)?;
        Ok((of, ((chunk >> 8) as u16).swap_bytes() as i16, None))
    }

    fn read_list(from: &mut Cursor<'_>) -> Result<(Type, u64)> {
        let at = from.at;
        let of = Self::to_type(from.byte()?, at)?;
        Ok((of, Self::read_count(from, "a list")?))
    }

    fn read_map(from: &mut Cursor<'_>) -> Result<(Type, Type, u64)> {
        let at = from.at;
        let (key, value) = (from.byte()?, from.byte()?);
        let count = Self::read_count(from, "a map")?;
        if count == 0 {
            // Some writers put no types into an empty map.
            return Ok((Type::Stop, Type::Stop, 0));
        }
        Ok((Self::to_type(key, at)?, Self::to_type(value, at + 1)?, count))
    }

    #[inline(always)]
    fn read_int(from: &mut Cursor<'_>, of: Type) -> Result<i64> {
        Ok(match of {
            Type::Byte => from.byte()? as i8 as i64,
            Type::I16 => (from.word(2)? as u16).swap_bytes() as i16 as i64,
            Type::I32 => (from.word(4)? as u32).swap_bytes() as i32 as i64,
            _ => from.word(8)?.swap_bytes() as i64,
        })
    }

    #[inline(always)]
    fn read_double(from: &mut Cursor<'_>) -> Result<u64> {
        Ok(from.word(8)?.swap_bytes())
    }

    fn read_bool(from: &mut Cursor<'_>) -> Result<bool> {
        Ok(from.byte()? != 0)
    }

    #[inline(always)]
    fn read_length(from: &mut Cursor<'_>) -> Result<u64> {
        Self::read_count(from, "a text")
    }

    #[inline(always)]
    fn write_field(out: &mut Writer<'_>, of: Type, id: i16, _: i16, _: Option<bool>) {
        out.word(of as u64 | u64::from((id as u16).swap_bytes()) << 8, 3);
    }

    fn write_list(out: &mut Writer<'_>, of: Type, count: usize) {
        out.word(of as u64 | u64::from((count as u32).swap_bytes()) << 8, 5);
    }

    fn write_map(out: &mut Writer<'_>, key: Type, value: Type, count: usize) {
        out.word(key as u64 | (value as u64) << 8 | u64::from((count as u32).swap_bytes()) << 16, 6);
    }

    #[inline(always)]
    fn write_int(out: &mut Writer<'_>, of: Type, value: i64) {
        let bytes = match of {
            Type::Byte => 1,
            Type::I16 => 2,
            Type::I32 => 4,
            _ => 8,
        };
        out.word((value as u64).swap_bytes() >> (64 - 8 * bytes), bytes);
    }

    #[inline(always)]
    fn write_double(out: &mut Writer<'_>, bits: u64) {
        out.word(bits.swap_bytes(), 8);
    }

    fn write_bool(out: &mut Writer<'_>, value: bool) {
        out.word(value.into(), 1);
    }

    #[inline(always)]
    fn write_length(out: &mut Writer<'_>, bytes: usize) {
        out.word((bytes as u32).swap_bytes().into(), 4);
    }
}

impl Compact {
    const TRUE: u8 = 1;
    const FALSE: u8 = 2;

    /// No type at all stands in some writers' empty lists; readers check it against the count.
    fn to_type(number: u8, at: usize) -> Result<Type> {
        Ok(match number {
            0 => Type::Stop,
            1 | 2 => Type::Bool,
            3 => Type::Byte,
            4 => Type::I16,
            5 => Type::I32,
            6 => Type::I64,
            7 => Type::Double,
            8 => Type::Binary,
            9 => Type::List,
            10 => Type::Set,
            11 => Type::Map,
            12 => Type::Struct,
            13 => Type::Uuid,
            _ => return Err(bad_type(number, at)),
        })
    }

    #[inline(always)]
    const fn number(of: Type) -> u8 {
        match of {
            Type::Stop => 0,
            Type::Bool => Self::TRUE,
            Type::Byte => 3,
            Type::I16 => 4,
            Type::I32 => 5,
            Type::I64 => 6,
            Type::Double => 7,
            Type::Binary => 8,
            Type::List => 9,
            Type::Set => 10,
            Type::Map => 11,
            Type::Struct => 12,
            Type::Uuid => 13,
        }
    }
}

impl Protocol for Compact {
    const BOOL_IN_HEADER: bool = true;

    #[inline(always)]
    fn skip_header(from: &mut Cursor<'_>, of: Type, id: i16, last: i16) -> bool {
        let step = i32::from(id) - i32::from(last);
        let header = (step << 4 | i32::from(Self::number(of))) as u8;
        let right = (1..=15).contains(&step) && of != Type::Bool;
        let found = right && from.at < from.end && from.input[from.at] == header;
        from.at += usize::from(found);
        found
    }

    #[inline(always)]
    fn read_field(from: &mut Cursor<'_>, last: i16) -> Result<(Type, i16, Option<bool>)> {
        let at = from.at;
        let header = from.byte()?;
        if header == 0 {
            return Ok((Type::Stop, 0, None));
        }
        let of = Self::to_type(header & 15, at)?;
        if of == Type::Stop {
            return Err(bad_type(0, at));
        }
        let id = match header >> 4 {
            0 => {
                let id = unzigzag(from.varint()?);
                i16::try_from(id)
                    .map_err(|_| Error::new(ErrorKind::Syntax, format!("{id} is no field id")).at_byte(at))?
            }
            step => last.wrapping_add(step.into()),
        };
        Ok((of, id, (of == Type::Bool).then_some(header & 15 == Self::TRUE)))
    }

    fn read_list(from: &mut Cursor<'_>) -> Result<(Type, u64)> {
        let at = from.at;
        let header = from.byte()?;
        let count = if header >> 4 == 15 { from.varint()? } else { u64::from(header >> 4) };
        Ok((Self::to_type(header & 15, at)?, count))
    }

    fn read_map(from: &mut Cursor<'_>) -> Result<(Type, Type, u64)> {
        let count = from.varint()?;
        if count == 0 {
            return Ok((Type::Stop, Type::Stop, 0));
        }
        let at = from.at;
        let types = from.byte()?;
        Ok((Self::to_type(types >> 4, at)?, Self::to_type(types & 15, at)?, count))
    }

    #[inline(always)]
    fn read_int(from: &mut Cursor<'_>, of: Type) -> Result<i64> {
        let at = from.at;
        let value = match of {
            Type::Byte => return Ok(from.byte()? as i8 as i64),
            _ => unzigzag(from.varint()?),
        };
        let fits = match of {
            Type::I16 => i16::try_from(value).is_ok(),
            Type::I32 => i32::try_from(value).is_ok(),
            _ => true,
        };
        if fits { Ok(value) } else { Err(too_wide(value, of, at)) }
    }

    #[inline(always)]
    fn read_double(from: &mut Cursor<'_>) -> Result<u64> {
        from.word(8)
    }

    fn read_bool(from: &mut Cursor<'_>) -> Result<bool> {
        Ok(from.byte()? == Self::TRUE)
    }

    #[inline(always)]
    fn read_length(from: &mut Cursor<'_>) -> Result<u64> {
        from.varint()
    }

    #[inline(always)]
    fn write_field(out: &mut Writer<'_>, of: Type, id: i16, last: i16, value: Option<bool>) {
        let number = if value == Some(false) { Self::FALSE } else { Self::number(of) };
        let step = i32::from(id) - i32::from(last);
        if (1..=15).contains(&step) {
            out.word((step as u64) << 4 | u64::from(number), 1);
        } else {
            out.word(number.into(), 1);
            out.varint(zigzag(id.into()));
        }
    }

    fn write_list(out: &mut Writer<'_>, of: Type, count: usize) {
        let number = u64::from(Self::number(of));
        if count < 15 {
            out.word((count as u64) << 4 | number, 1);
        } else {
            out.word(0xf0 | number, 1);
            out.varint(count as u64);
        }
    }

    fn write_map(out: &mut Writer<'_>, key: Type, value: Type, count: usize) {
        out.varint(count as u64);
        if count > 0 {
            out.word(u64::from(Self::number(key)) << 4 | u64::from(Self::number(value)), 1);
        }
    }

    #[inline(always)]
    fn write_int(out: &mut Writer<'_>, of: Type, value: i64) {
        if of == Type::Byte {
            out.word(value as u8 as u64, 1);
        } else {
            out.varint(zigzag(value));
        }
    }

    #[inline(always)]
    fn write_double(out: &mut Writer<'_>, bits: u64) {
        out.word(bits, 8);
    }

    fn write_bool(out: &mut Writer<'_>, value: bool) {
        out.word(if value { Self::TRUE } else { Self::FALSE }.into(), 1);
    }

    #[inline(always)]
    fn write_length(out: &mut Writer<'_>, bytes: usize) {
        out.varint(bytes as u64);
    }
}

#[cold]
fn too_wide(value: i64, of: Type, at: usize) -> Error {
    Error::new(ErrorKind::Range, format!("{value} does not fit Thrift's {of:?}")).at_byte(at)
}
