//! Bytes → tokens, where nothing was predicted.

use super::scan::{ends_tag, first, is_blank_byte};
use bantam_model::{Error, ErrorKind, Result};
use memchr::{memchr, memchr2, memchr3, memmem};
use std::ops::Range;

/// Where reading a document stands.
pub(super) struct Scanner<'d> {
    pub(super) document: &'d str,
    /// Where the document starts in what positions count in.
    pub(super) start: usize,
    /// Where the last token starts.
    pub(super) at: usize,
    /// Where the next one does.
    pub(super) next: usize,
}

/// A token; ranges are of the document.
#[derive(Debug)]
pub(super) enum Token<'d> {
    Start(Tag),
    /// An end tag, by its name.
    End(&'d str),
    Text(Range<usize>),
    /// The content of a CDATA section.
    Data(Range<usize>),
    /// A reference, without `&` and `;`.
    Reference(&'d str),
    /// The XML declaration, without `<?` and `?>`.
    Declaration(&'d str),
    DocType,
    /// A comment or processing instruction.
    Passed,
    Over,
}

/// A start tag, or that of an empty element.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tag {
    /// Of its `<`. Offsets have 32 bits, as no batch has more bytes of input.
    pub(super) at: u32,
    pub(super) name_end: u32,
    /// Of its `>` or `/>`.
    pub(super) end: u32,
    pub(super) empty: bool,
}

impl Tag {
    /// Bytes of its name.
    pub(super) fn name_len(&self) -> usize {
        (self.name_end - self.at) as usize - 1
    }
}

impl<'d> Scanner<'d> {
    /// Where the last token starts, as positions count.
    pub(super) fn position(&self) -> usize {
        self.start + self.at
    }

    #[inline(always)]
    pub(super) fn bytes(&self) -> &'d [u8] {
        self.document.as_bytes()
    }

    pub(super) fn name(&self, tag: &Tag) -> &'d str {
        &self.document[tag.at as usize + 1..tag.name_end as usize]
    }

    /// What a tag has between its brackets.
    pub(super) fn content(&self, tag: &Tag) -> &'d str {
        &self.document[tag.at as usize + 1..tag.end as usize]
    }

    /// The next token.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] if it has no end, [`ErrorKind::Syntax`] if it is none.
    pub(super) fn token(&mut self) -> Result<Token<'d>> {
        self.at = self.next;
        let rest = &self.bytes()[self.at..];
        match rest {
            [] => Ok(Token::Over),
            [b'<', b'!', ..] => self.declaration(),
            [b'<', b'?', ..] => self.instruction(),
            [b'<', b'/', ..] => {
                let end = self.tag_end()?;
                self.next = end + 1;
                let name = &self.document[self.at + 2..end];
                let trimmed = name.trim_end_matches([' ', '\t', '\n', '\r']);
                Ok(Token::End(if trimmed.is_empty() { name } else { trimmed }))
            }
            [b'<', ..] => self.start_tag().map(Token::Start),
            [b'&', ..] => self.reference(),
            _ => {
                self.next += memchr2(b'<', b'&', rest).unwrap_or(rest.len());
                Ok(Token::Text(self.at..self.next))
            }
        }
    }

    /// The start tag at `at`.
    fn start_tag(&mut self) -> Result<Tag> {
        let close = self.tag_end()?;
        self.next = close + 1;
        let empty = self.bytes()[close - 1] == b'/';
        let end = close - usize::from(empty);
        let name_end = first(&self.bytes()[..end], self.at + 1, is_blank_byte);
        Ok(Tag { at: self.at as u32, name_end: name_end as u32, end: end as u32, empty })
    }

    /// Where the `>` of the tag at `at` lies; one in quotes is a part of a value.
    fn tag_end(&self) -> Result<usize> {
        let bytes = self.bytes();
        let mut from = self.at;
        loop {
            from = first(bytes, from, ends_tag);
            let unclosed = match bytes.get(from) {
                Some(b'>') => return Ok(from),
                Some(&quote) => match memchr(quote, &bytes[from + 1..]) {
                    Some(more) => {
                        from += more + 2;
                        continue;
                    }
                    None if quote == b'"' => "attribute value not closed: `\"` not found before end of input",
                    None => "attribute value not closed: `'` not found before end of input",
                },
                None => "tag not closed: `>` not found before end of input",
            };
            return Err(self.truncated(unclosed));
        }
    }

    /// A reference: `&` up to `;`.
    fn reference(&mut self) -> Result<Token<'d>> {
        let from = self.at + 1;
        match memchr3(b';', b'&', b'<', &self.bytes()[from..]) {
            Some(more) if self.bytes()[from + more] == b';' => {
                self.next = from + more + 1;
                Ok(Token::Reference(&self.document[from..from + more]))
            }
            _ => Err(self.syntax("entity or character reference not closed: `;` not found before end of input")),
        }
    }

    /// A processing instruction, or the XML declaration.
    fn instruction(&mut self) -> Result<Token<'d>> {
        let content = &self.document[self.at + 2..];
        // What `<?>` starts is no instruction, whatever follows.
        let len = content.find("?>").filter(|_| !content.starts_with('>'));
        let whole = &content[..len.unwrap_or(content.len())];
        let is_declaration = whole.strip_prefix("xml").is_some_and(|more| {
            more.is_empty() || more.starts_with([' ', '\t', '\n', '\r']) || (len.is_none() && more.starts_with('?'))
        });
        match len {
            Some(len) => self.next = self.at + len + 4,
            None if is_declaration => {
                return Err(self.truncated("XML declaration not closed: `?>` not found before end of input"));
            }
            None => {
                return Err(self.truncated("processing instruction not closed: `?>` not found before end of input"));
            }
        }
        Ok(if is_declaration { Token::Declaration(whole) } else { Token::Passed })
    }

    /// What starts with `<!`.
    fn declaration(&mut self) -> Result<Token<'d>> {
        let rest = &self.document[self.at..];
        match rest.as_bytes().get(2) {
            Some(b'-') => self.comment(),
            Some(b'[') => {
                let unclosed = "CDATA not closed: `]]>` not found before end of input";
                let len = match rest.strip_prefix("<![CDATA[") {
                    Some(content) => content.find("]]>").ok_or_else(|| self.truncated(unclosed))?,
                    None => return Err(self.truncated(unclosed)),
                };
                let from = self.at + "<![CDATA[".len();
                self.next = from + len + 3;
                Ok(Token::Data(from..from + len))
            }
            Some(b'D' | b'd') => self.document_type(),
            _ => Err(self.truncated("unknown or missed symbol in markup")),
        }
    }

    /// `Comment`, production 15: no `--` inside.
    fn comment(&mut self) -> Result<Token<'d>> {
        let unclosed = "comment not closed: `-->` not found before end of input";
        let from = self.at + 4;
        let content = match self.document[self.at..].strip_prefix("<!--") {
            Some(content) if content.contains("-->") => content,
            _ => return Err(self.truncated(unclosed)),
        };
        let hyphens = memmem::find(content.as_bytes(), b"--").unwrap_or(content.len());
        if content.as_bytes().get(hyphens + 2) != Some(&b'>') {
            let text = "forbidden string `--` was found in a comment";
            return Err(Error::new(ErrorKind::Syntax, text).at_byte(self.start + from + hyphens));
        }
        self.next = from + hyphens + 3;
        Ok(Token::Passed)
    }

    fn document_type(&mut self) -> Result<Token<'d>> {
        let rest = &self.bytes()[self.at..];
        let is_named = |name: &[u8]| name.eq_ignore_ascii_case(b"<!DOCTYPE");
        let len = match super::doctype::len(rest) {
            Some(len) if rest.get(..9).is_some_and(is_named) => len,
            _ => return Err(self.truncated("DOCTYPE not closed: `>` not found before end of input")),
        };
        if !rest.starts_with(b"<!DOCTYPE") {
            return Err(self.syntax("`DOCTYPE` is written in capital letters"));
        }
        if rest[9..len - 1].iter().all(|&b| is_blank_byte(b)) {
            let text = "`<!DOCTYPE>` declaration does not contain a name of a document type";
            return Err(Error::new(ErrorKind::Syntax, text).at_byte(self.start + self.at + len - 1));
        }
        self.next = self.at + len;
        Ok(Token::DocType)
    }

    /// An error for a token that has no end.
    #[cold]
    fn truncated(&self, text: &str) -> Error {
        Error::new(ErrorKind::Truncated, text).at_byte(self.position())
    }

    /// An error for the token at `at`.
    #[cold]
    pub(super) fn syntax(&self, text: impl Into<String>) -> Error {
        Error::new(ErrorKind::Syntax, text).at_byte(self.position())
    }
}
