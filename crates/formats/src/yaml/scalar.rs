//! What a plain scalar is when no schema says it: the core schema of YAML 1.2.2 (section 10.3.2), but that a number
//! with a leading zero is text, as it is a code or a part of a date far more often than a number.

/// A scalar by the core schema.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Scalar<'t> {
    Null,
    Bool(bool),
    Int(i128),
    Float(f64),
    Text(&'t str),
}

/// Resolves a scalar that is in no quotes and has no tag that says more.
pub(super) fn resolve(text: &str) -> Scalar<'_> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Scalar::Null,
        "true" | "True" | "TRUE" => Scalar::Bool(true),
        "false" | "False" | "FALSE" => Scalar::Bool(false),
        ".nan" | ".NaN" | ".NAN" => Scalar::Float(f64::NAN),
        _ => number(text).unwrap_or(Scalar::Text(text)),
    }
}

fn number(text: &str) -> Option<Scalar<'_>> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(digits, ".inf" | ".Inf" | ".INF") {
        return Some(Scalar::Float(if text.starts_with('-') { f64::NEG_INFINITY } else { f64::INFINITY }));
    }
    // Only decimal numbers have a sign in the core schema.
    for (prefix, radix) in [("0o", 8), ("0x", 16)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            let plain = digits.bytes().all(|b| b.is_ascii_hexdigit());
            return i128::from_str_radix(digits, radix).ok().filter(|_| plain).map(Scalar::Int);
        }
    }
    let whole = digits.len() - digits.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if whole > 1 && digits.starts_with('0') {
        return None;
    }
    if whole == digits.len() {
        return match text.parse() {
            // An integer has no minus zero, so that would lose the sign.
            Ok(0) if text.starts_with('-') => Some(Scalar::Float(-0.0)),
            Ok(value) => Some(Scalar::Int(value)),
            Err(_) => float(text),
        };
    }
    let rest = &digits[whole..];
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(rest) => {
            let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            (rest.len() - after.len(), after)
        }
        None => (0, rest),
    };
    let exponent = match rest.strip_prefix(['e', 'E']) {
        Some(exponent) => exponent.strip_prefix(['-', '+']).unwrap_or(exponent),
        None if rest.is_empty() => "0",
        None => return None,
    };
    let is_number = whole + fraction > 0 && !exponent.is_empty() && exponent.bytes().all(|b| b.is_ascii_digit());
    if is_number { float(text) } else { None }
}

/// A number that no double comes near, such as a hash with an `e` in it, stays text.
fn float(text: &str) -> Option<Scalar<'_>> {
    text.parse().ok().filter(|value: &f64| value.is_finite()).map(Scalar::Float)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_core_schema_without_leading_zeros() {
        use Scalar::{Bool, Float, Int, Null, Text};
        for (text, is) in [
            ("", Null),
            ("~", Null),
            ("Null", Null),
            ("nULL", Text("nULL")),
            ("True", Bool(true)),
            ("FALSE", Bool(false)),
            ("0", Int(0)),
            ("-0", Float(-0.0)),
            ("+12", Int(12)),
            ("-12", Int(-12)),
            ("18446744073709551615", Int(u64::MAX as i128)),
            ("0x1F", Int(31)),
            ("0o17", Int(15)),
            ("0x", Text("0x")),
            ("0x-1", Text("0x-1")),
            ("-0x1", Text("-0x1")),
            ("0o8", Text("0o8")),
            ("1.5", Float(1.5)),
            ("1.", Float(1.0)),
            (".5", Float(0.5)),
            ("-.5e-3", Float(-0.5e-3)),
            ("0.5", Float(0.5)),
            ("1e3", Float(1e3)),
            ("1E+3", Float(1e3)),
            (".inf", Float(f64::INFINITY)),
            ("-.Inf", Float(f64::NEG_INFINITY)),
            ("1e999", Text("1e999")),
            ("1e", Text("1e")),
            (".", Text(".")),
            ("-", Text("-")),
            ("+.e1", Text("+.e1")),
            ("inf", Text("inf")),
            ("1_000", Text("1_000")),
            ("12:30:45", Text("12:30:45")),
            ("2015-01-02", Text("2015-01-02")),
            ("1.2.3", Text("1.2.3")),
        ] {
            assert_eq!(resolve(text), is, "{text}");
        }
        for text in ["007", "-012", "+01", "08.5", "00", "00e1", "yes", "no", "on", "off", "y", "N", "0b1"] {
            assert_eq!(resolve(text), Text(text));
        }
        let Float(nan) = resolve(".NaN") else { panic!("no float") };
        assert!(nan.is_nan());
    }
}
