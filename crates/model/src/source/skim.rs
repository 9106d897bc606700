//! The words and marks of a schema text, without comments and strings: enough to tell its language and how
//! deep it nests, before a parser is let at it.

/// A piece of a schema text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// A run of letters, digits, underscores and dots.
    Word(&'a str),
    /// Any other character.
    Mark(char),
    /// A string in quotes.
    Quoted,
}

/// Walks over a text; gives the byte offset of each piece.
pub(super) struct Skim<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Skim<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn skip_until(&mut self, end: &str) {
        let rest = &self.text[self.at..];
        self.at += rest.find(end).map_or(rest.len(), |found| found + end.len());
    }

    fn skip_string(&mut self, quote: char) {
        let mut chars = self.text[self.at + 1..].char_indices();
        let mut len = self.text.len() - self.at - 1;
        while let Some((at, c)) = chars.next() {
            if c == '\\' {
                chars.next();
            } else if c == quote || c == '\n' {
                len = at + c.len_utf8();
                break;
            }
        }
        self.at += 1 + len;
    }
}

impl<'a> Iterator for Skim<'a> {
    type Item = (usize, Piece<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let in_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        loop {
            let rest = &self.text[self.at..];
            let first = rest.chars().next()?;
            let from = self.at;
            if first.is_whitespace() {
                self.at += first.len_utf8();
            } else if rest.starts_with("//") || first == '#' {
                self.skip_until("\n");
            } else if rest.starts_with("/*") {
                self.at += 2;
                self.skip_until("*/");
            } else if matches!(first, '"' | '\'') {
                self.skip_string(first);
                return Some((from, Piece::Quoted));
            } else if in_word(first) {
                let len = rest.find(|c| !in_word(c)).unwrap_or(rest.len());
                self.at += len;
                return Some((from, Piece::Word(&rest[..len])));
            } else {
                self.at += first.len_utf8();
                return Some((from, Piece::Mark(first)));
            }
        }
    }
}

/// The offset of the first bracket that is nested deeper than `limit`, if there is one.
pub(super) fn too_deep(text: &str, limit: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, piece) in Skim::new(text) {
        match piece {
            Piece::Mark('{' | '[' | '(' | '<') => depth += 1,
            Piece::Mark('}' | ']' | ')' | '>') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > limit {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_strings_are_passed_over() {
        let text = "a.b // x\n/* y */ # z\n'q\\'r' {\"s\n}é /* open";
        let pieces: Vec<_> = Skim::new(text).map(|(_, p)| p).collect();
        use Piece::{Mark, Quoted, Word};
        assert_eq!(pieces, [Word("a.b"), Quoted, Mark('{'), Quoted, Mark('}'), Mark('é')]);
    }

    #[test]
    fn depth_counts_brackets_outside_strings() {
        assert_eq!(too_deep("{[(\"{{{{\")]}", 3), None);
        assert_eq!(too_deep("{ [ ( <", 3), Some(6));
    }
}
