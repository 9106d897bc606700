//! The one error type of schemas and codecs: what went wrong, and where.

use std::fmt;

/// The result of everything that reads schemas or records.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What kind of thing went wrong; for programs, while the message is for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The bytes do not follow the format's grammar.
    Syntax,
    /// The input ends inside a value.
    Truncated,
    /// A value is of another kind than the schema says.
    Mismatch,
    /// A value does not fit the kind that has to hold it.
    Range,
    /// A required field is missing.
    Missing,
    /// Text is not UTF-8, or holds a character that the format cannot carry.
    Text,
    /// A limit of [`Limits`](crate::Limits) was reached.
    Limit,
    /// The format cannot hold this schema or this value.
    Unsupported,
    /// A schema is wrong, or does not fit the task.
    Schema,
    /// More than one reading fits, and the user has to say which.
    Ambiguous,
}

/// Where in the input something went wrong. All parts are optional: a codec fills what it knows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Position {
    /// The record, counted from 0.
    pub record: Option<u64>,
    /// Byte offset from the start of the input.
    pub byte: Option<u64>,
    /// Line and column, both counted from 1; the column counts bytes.
    pub line: Option<(u64, u64)>,
    /// The field's path, such as `phases[3].time.secs`.
    pub path: String,
}

/// An error with its position. One pointer wide, so that the good path stays cheap.
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    message: String,
    at: Position,
}

impl Error {
    /// An error of this kind; `message` says what was found and what was expected.
    #[cold]
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner { kind, message: message.into(), at: Position::default() }))
    }

    /// What kind of error it is.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// What was found and what was expected, without the position.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Where it happened.
    pub fn position(&self) -> &Position {
        &self.0.at
    }

    /// Sets the byte offset unless one is set already: the innermost place wins.
    #[must_use]
    pub fn at_byte(mut self, byte: usize) -> Self {
        self.0.at.byte.get_or_insert(byte as u64);
        self
    }

    /// Sets line and column, both from 1, unless they are set already.
    #[must_use]
    pub fn at_line(mut self, line: u64, column: u64) -> Self {
        self.0.at.line.get_or_insert((line, column));
        self
    }

    /// Adds line and column to an error that has a byte offset, by counting line feeds in `input`.
    #[must_use]
    pub fn with_lines(self, input: &[u8]) -> Self {
        let Some(byte) = self.0.at.byte else { return self };
        let before = &input[..input.len().min(byte as usize)];
        let line = before.split(|&b| b == b'\n').count();
        let column = before.iter().rev().take_while(|&&b| b != b'\n').count() + 1;
        self.at_line(line as u64, column as u64)
    }

    /// Moves the byte offset by `by`, for a reader that saw only a part of `input`, and counts the line anew.
    #[must_use]
    pub fn shifted(mut self, by: usize, input: &[u8]) -> Self {
        if let Some(byte) = &mut self.0.at.byte {
            *byte += by as u64;
            if self.0.at.line.take().is_some() {
                return self.with_lines(input);
            }
        }
        self
    }

    /// Sets the record, counted from 0, unless it is set already.
    #[must_use]
    pub fn in_record(mut self, record: usize) -> Self {
        self.0.at.record.get_or_insert(record as u64);
        self
    }

    /// Puts a file's name before the message, for errors of one of several files.
    #[must_use]
    pub fn in_file(mut self, name: &str) -> Self {
        self.0.message = format!("{} (in {name})", self.0.message);
        self
    }

    /// Puts a field's name before the path: called while the error passes up through the messages.
    #[must_use]
    pub fn in_field(mut self, name: &str) -> Self {
        let path = &mut self.0.at.path;
        if !path.is_empty() && !path.starts_with('[') {
            path.insert(0, '.');
        }
        path.insert_str(0, name);
        self
    }

    /// Puts a list position, counted from 0, before the path.
    #[must_use]
    pub fn in_item(mut self, index: usize) -> Self {
        let path = &mut self.0.at.path;
        if !path.is_empty() && !path.starts_with('[') {
            path.insert(0, '.');
        }
        path.insert_str(0, &format!("[{index}]"));
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { message, at, .. } = &*self.0;
        let mut places = Vec::new();
        if let Some(record) = at.record {
            places.push(format!("record {record}"));
        }
        if let Some((line, column)) = at.line {
            places.push(format!("line {line} column {column}"));
        }
        if let (Some(byte), None) = (at.byte, at.line) {
            places.push(format!("byte {byte}"));
        }
        if !at.path.is_empty() {
            places.push(format!("field {}", at.path));
        }
        if places.is_empty() { write!(f, "{message}") } else { write!(f, "{}: {message}", places.join(", ")) }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}({self})", self.0.kind)
    }
}

impl std::error::Error for Error {}

impl serde::ser::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(ErrorKind::Unsupported, message.to_string())
    }
}

impl serde::de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(ErrorKind::Syntax, message.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_every_part_of_the_position() {
        let error = Error::new(ErrorKind::Range, "300 does not fit 8 bits")
            .at_byte(7)
            .in_field("ttl")
            .in_item(2)
            .in_field("answers")
            .in_record(4);
        assert_eq!(error.to_string(), "record 4, byte 7, field answers[2].ttl: 300 does not fit 8 bits");
        let error = error.with_lines(b"ab\ncdefgh");
        assert_eq!(error.to_string(), "record 4, line 2 column 5, field answers[2].ttl: 300 does not fit 8 bits");
    }

    #[test]
    fn the_innermost_place_wins() {
        let error = Error::new(ErrorKind::Syntax, "x").at_byte(1).at_byte(2).in_record(3).in_record(4);
        assert_eq!((error.position().byte, error.position().record), (Some(1), Some(3)));
    }
}
