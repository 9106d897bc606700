//! The tokens of the Thrift IDL.

use crate::error::{Error, ErrorKind, Result};
use crate::source::tidy_doc;
use std::fmt;

/// A place in a file: line and column from 1, the column in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Pos {
    pub(super) line: u32,
    pub(super) column: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// An identifier, which may have dots.
    Word(String),
    Int(i64),
    Double(f64),
    Literal(String),
    Symbol(char),
    End,
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => write!(f, "`{word}`"),
            Self::Int(value) => write!(f, "`{value}`"),
            Self::Double(value) => write!(f, "`{value:?}`"),
            Self::Literal(text) => write!(f, "{text:?}"),
            Self::Symbol(symbol) => write!(f, "`{symbol}`"),
            Self::End => f.write_str("the end of the file"),
        }
    }
}

/// Gives one token after the other.
pub(super) struct Lexer<'a> {
    file: &'a str,
    text: &'a str,
    at: usize,
    pos: Pos,
    /// The last documentation comment, until a token takes it.
    doc: Option<String>,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(file: &'a str, text: &'a str) -> Self {
        Self { file, text, at: 0, pos: Pos { line: 1, column: 1 }, doc: None }
    }

    /// The documentation comment right before the last token.
    pub(super) fn take_doc(&mut self) -> Option<String> {
        self.doc.take()
    }

    /// The next token and its place.
    pub(super) fn next(&mut self) -> Result<(Token, Pos)> {
        self.doc = None;
        self.skip_blanks()?;
        let pos = self.pos;
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok((Token::End, pos)) };
        let second = rest[first.len_utf8()..].chars().next().unwrap_or(' ');
        let token = match first {
            'a'..='z' | 'A'..='Z' | '_' => self.word(),
            '0'..='9' => self.number()?,
            '+' | '-' | '.' if second.is_ascii_digit() || (first != '.' && second == '.') => self.number()?,
            '"' | '\'' => self.literal(first)?,
            '{' | '}' | '[' | ']' | '(' | ')' | '<' | '>' | ':' | ';' | ',' | '=' | '*' | '&' | '@' => {
                self.take(1);
                Token::Symbol(first)
            }
            other => return Err(self.error(pos, format!("the character {other:?} does not belong here"))),
        };
        Ok((token, pos))
    }

    pub(super) fn error(&self, pos: Pos, text: String) -> Error {
        error(self.file, pos, text)
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let taken = &self.rest()[..bytes];
        self.at += bytes;
        for byte in taken.bytes() {
            if byte == b'\n' {
                self.pos = Pos { line: self.pos.line + 1, column: 1 };
            } else {
                self.pos.column += 1;
            }
        }
        taken
    }

    fn skip_blanks(&mut self) -> Result<()> {
        loop {
            let rest = self.rest();
            if rest.starts_with("//") || rest.starts_with('#') {
                self.take(rest.find('\n').unwrap_or(rest.len()));
            } else if let Some(inner) = rest.strip_prefix("/*") {
                let Some(end) = inner.find("*/") else {
                    return Err(self.error(self.pos, "the comment that starts here has no end".into()));
                };
                let comment = self.take(end + 4);
                if let Some(inner) = comment.strip_prefix("/**").and_then(|c| c.strip_suffix("*/")) {
                    self.doc = Some(tidy_doc(inner.lines().map(|line| {
                        let line = line.trim_start();
                        let line = line.strip_prefix('*').unwrap_or(line);
                        line.strip_prefix(' ').unwrap_or(line)
                    })));
                }
            } else {
                let blank = rest.len() - rest.trim_start().len();
                if blank == 0 {
                    return Ok(());
                }
                self.take(blank);
            }
        }
    }

    fn word(&mut self) -> Token {
        let in_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let len = self.rest().find(|c| !in_word(c)).unwrap_or(self.rest().len());
        Token::Word(self.take(len).into())
    }

    fn number(&mut self) -> Result<Token> {
        let pos = self.pos;
        let rest = self.rest();
        let mut len = usize::from(rest.starts_with(['+', '-']));
        let hex = rest[len..].starts_with("0x") || rest[len..].starts_with("0X");
        let digits = |from: usize| rest[from..].bytes().take_while(u8::is_ascii_digit).count();
        if hex {
            len += 2;
            len += rest[len..].bytes().take_while(u8::is_ascii_hexdigit).count();
        } else {
            len += digits(len);
            if rest[len..].starts_with('.') {
                len += 1 + digits(len + 1);
            }
            let sign = |at: usize| usize::from(rest[at..].starts_with(['+', '-']));
            if rest[len..].starts_with(['e', 'E']) && digits(len + 1 + sign(len + 1)) > 0 {
                len += 1 + sign(len + 1);
                len += digits(len);
            }
        }
        let text = self.take(len);
        let wrong = || self.error(pos, format!("`{text}` is no number that fits 64 bits"));
        if self.rest().starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
            return Err(self.error(pos, format!("expected a number, found `{text}` and a letter or digit after it")));
        }
        if hex {
            let plain = text.to_ascii_lowercase().replacen("0x", "", 1);
            return i64::from_str_radix(&plain, 16).map(Token::Int).map_err(|_| wrong());
        }
        if text.contains(['.', 'e', 'E']) {
            return text.parse().map(Token::Double).map_err(|_| wrong());
        }
        text.parse().map(Token::Int).map_err(|_| wrong())
    }

    fn literal(&mut self, quote: char) -> Result<Token> {
        let start = self.pos;
        self.take(1);
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let Some(end) = rest.find([quote, '\\']) else {
                return Err(self.error(start, "the text that starts here has no closing quote".into()));
            };
            text.push_str(self.take(end));
            let pos = self.pos;
            if self.take(1) != "\\" {
                return Ok(Token::Literal(text));
            }
            let escape = self.rest().chars().next().unwrap_or(' ');
            text.push(match escape {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                '"' | '\'' | '\\' => escape,
                _ => return Err(self.error(pos, r#"expected one of the escapes \n \r \t \" \' \\"#.into())),
            });
            self.take(1);
        }
    }
}

/// A mistake of the grammar.
pub(super) fn error(file: &str, pos: Pos, text: String) -> Error {
    at(ErrorKind::Syntax, file, pos, text)
}

/// An error with its place.
pub(super) fn at(kind: ErrorKind, file: &str, pos: Pos, text: impl Into<String>) -> Error {
    Error::new(kind, text.into() + &crate::source::in_file(file)).at_line(pos.line.into(), pos.column.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Result<Vec<Token>> {
        let mut lexer = Lexer::new("t.thrift", text);
        let mut all = Vec::new();
        loop {
            match lexer.next()?.0 {
                Token::End => return Ok(all),
                token => all.push(token),
            }
        }
    }

    #[test]
    fn numbers_and_texts() {
        let text = "1 -2 +3 0x1F -0x10 1.5 -.5 1e3 1.e2 9223372036854775807 'a\\'\"\\n' \"b'\"";
        let (int, double) = (Token::Int, Token::Double);
        let text_of = |t: &str| Token::Literal(t.into());
        assert_eq!(
            tokens(text).unwrap(),
            [
                int(1),
                int(-2),
                int(3),
                int(31),
                int(-16),
                double(1.5),
                double(-0.5),
                double(1000.0),
                double(100.0),
                int(i64::MAX),
                text_of("a'\"\n"),
                text_of("b'")
            ]
        );
    }

    #[test]
    fn only_the_comment_right_before_a_token_is_its_documentation() {
        let mut lexer = Lexer::new("t.thrift", "/** no */ a // x\n/* no */ # x\n/**\n * One\n *  two\n */ b /***/ c");
        lexer.next().unwrap();
        assert_eq!(lexer.take_doc().as_deref(), Some("no"));
        lexer.next().unwrap();
        assert_eq!(lexer.take_doc().as_deref(), Some("One\n two"));
        lexer.next().unwrap();
        assert_eq!(lexer.take_doc().unwrap_or_default(), "");
    }

    #[test]
    fn mistakes_have_their_place() {
        for (text, said) in [
            ("a\n /* b", "line 2 column 2: the comment that starts here has no end (in t.thrift)"),
            ("\"a", "line 1 column 1: the text that starts here has no closing quote (in t.thrift)"),
            ("'a\\x'", "line 1 column 3: expected one of the escapes"),
            ("1a", "line 1 column 1: expected a number"),
            ("9223372036854775808", "`9223372036854775808` is no number that fits 64 bits"),
            ("  ?", "line 1 column 3: the character '?' does not belong here"),
        ] {
            let error = tokens(text).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
