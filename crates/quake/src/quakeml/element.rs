//! Elements of QuakeML as text (XML 1.0, fifth edition, <https://www.w3.org/TR/xml/>; lexical forms of XML Schema, part 2).

use crate::time::Time;

/// Writes elements, one a line.
pub(super) struct Elements<'o> {
    out: &'o mut Vec<u8>,
    depth: usize,
}

impl<'o> Elements<'o> {
    pub(super) fn new(out: &'o mut Vec<u8>, depth: usize) -> Self {
        Self { out, depth }
    }

    /// An element with attributes, and what `fill` writes into it.
    pub(super) fn element(&mut self, name: &str, attributes: &[(&str, &str)], fill: impl FnOnce(&mut Self)) {
        self.open(name, attributes);
        let inside = self.out.len();
        self.out.extend_from_slice(b">\n");
        self.depth += 1;
        let empty = self.out.len();
        fill(self);
        self.depth -= 1;
        if self.out.len() == empty {
            self.out.truncate(inside);
            self.out.extend_from_slice(b"/>\n");
        } else {
            self.indent();
            self.close(name);
        }
    }

    /// An element without attributes that is there only if `fill` writes something.
    pub(super) fn group(&mut self, name: &str, fill: impl FnOnce(&mut Self)) {
        let start = self.out.len();
        self.open(name, &[]);
        self.out.extend_from_slice(b">\n");
        self.depth += 1;
        let empty = self.out.len();
        fill(self);
        self.depth -= 1;
        if self.out.len() == empty {
            self.out.truncate(start);
        } else {
            self.indent();
            self.close(name);
        }
    }

    /// What was written [apart], at the same depth.
    pub(super) fn written(&mut self, elements: &[u8]) {
        self.out.extend_from_slice(elements);
    }

    /// An element of text, if there is some.
    pub(super) fn text(&mut self, name: &str, text: &str) {
        if !text.is_empty() {
            self.leaf(name, &[], text);
        }
    }

    /// An element of text, also where there is none.
    pub(super) fn leaf(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) {
        self.open(name, attributes);
        self.out.push(b'>');
        escape(text, self.out);
        self.close(name);
    }

    pub(super) fn number(&mut self, name: &str, number: Option<f64>) {
        if let Some(number) = number {
            self.leaf(name, &[], zmij::Buffer::new().format_finite(number));
        }
    }

    /// A length in kilometres as metres, if those are within a double.
    pub(super) fn metres(&mut self, name: &str, kilometres: Option<f64>) {
        if let Some(kilometres) = kilometres.filter(|k| (k * 1_000.0).is_finite()) {
            self.leaf(name, &[], &thousandfold(kilometres));
        }
    }

    pub(super) fn count(&mut self, name: &str, count: Option<i64>) {
        if let Some(count) = count {
            self.leaf(name, &[], &count.to_string());
        }
    }

    pub(super) fn time(&mut self, name: &str, time: Option<Time>) {
        if let Some(time) = time {
            self.leaf(name, &[], &time.to_string());
        }
    }

    /// A quantity: its value and its uncertainty.
    pub(super) fn quantity(&mut self, name: &str, value: Option<f64>, uncertainty: Option<f64>) {
        self.group(name, |to| {
            to.number("value", value);
            to.number("uncertainty", uncertainty);
        });
    }

    fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.indent();
        self.out.push(b'<');
        self.out.extend_from_slice(name.as_bytes());
        for (name, value) in attributes {
            self.out.push(b' ');
            self.out.extend_from_slice(name.as_bytes());
            self.out.extend_from_slice(b"=\"");
            escape(value, self.out);
            self.out.push(b'"');
        }
    }

    fn close(&mut self, name: &str) {
        self.out.extend_from_slice(b"</");
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b">\n");
    }

    fn indent(&mut self) {
        self.out.resize(self.out.len() + self.depth * 2, b' ');
    }
}

/// Elements at a depth, kept for later.
pub(super) fn apart(depth: usize, fill: impl FnOnce(&mut Elements<'_>)) -> Vec<u8> {
    let mut out = Vec::new();
    fill(&mut Elements::new(&mut out, depth));
    out
}

/// Appends text for content or an attribute. Blanks that a parser would change are references; characters that XML cannot hold become
/// U+FFFD.
fn escape(text: &str, out: &mut Vec<u8>) {
    let mut buffer = [0; 4];
    for character in text.chars() {
        out.extend_from_slice(match character {
            '&' => b"&amp;",
            '<' => b"&lt;",
            '>' => b"&gt;",
            '"' => b"&quot;",
            '\t' => b"&#9;",
            '\n' => b"&#10;",
            '\r' => b"&#13;",
            '\0'..' ' | '\u{fffe}' | '\u{ffff}' => "\u{fffd}".as_bytes(),
            character => character.encode_utf8(&mut buffer).as_bytes(),
        });
    }
}

/// A thousand times a number, digit by digit: the decimal point of its shortest text moves, so that a reader who moves it back gets
/// the same number. A multiplication would round.
fn thousandfold(number: f64) -> String {
    let mut buffer = zmij::Buffer::new();
    let shortest = buffer.format_finite(number);
    let (sign, shortest) = shortest.strip_prefix('-').map_or(("", shortest), |rest| ("-", rest));
    let (mantissa, exponent) = shortest.split_once(['e', 'E']).unwrap_or((shortest, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    // How many of the digits stand before the point.
    let point = whole.len() as i64 + 3 + exponent.parse::<i64>().expect("an exponent is a number");
    let (whole, fraction) = if point <= 0 {
        (String::new(), "0".repeat(point.unsigned_abs() as usize) + &digits)
    } else if point as usize >= digits.len() {
        (digits.clone() + &"0".repeat(point as usize - digits.len()), String::new())
    } else {
        (digits[..point as usize].to_owned(), digits[point as usize..].to_owned())
    };
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let whole = if whole.is_empty() { "0" } else { whole };
    if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kilometres_become_metres_digit_by_digit() {
        for (kilometres, metres) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (5.0, "5000"),
            (-1.5, "-1500"),
            (12.3456, "12345.6"),
            (5.039_062_5, "5039.0625"),
            (0.000_012_5, "0.0125"),
            (1e-7, "0.0001"),
            (1e22, "10000000000000000000000000"),
            (33.0, "33000"),
        ] {
            assert_eq!(thousandfold(kilometres), metres, "{kilometres}");
            let back: f64 = format!("{metres}e-3").parse().unwrap();
            assert_eq!(back.to_bits(), kilometres.to_bits(), "{kilometres}");
        }
    }

    #[test]
    fn text_cannot_break_out() {
        let mut out = Vec::new();
        escape("<a b=\"c\">&'\r\n\t\u{1}\u{ffff}ü", &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), "&lt;a b=&quot;c&quot;&gt;&amp;'&#13;&#10;&#9;\u{fffd}\u{fffd}ü");
    }
}
