//! Values that formats for people hold as text: base64, and the floats that no number can write.

use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

const LENIENT: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);

/// Base64 as RFC 4648 section 4 has it; reads it with and without padding.
pub(super) const BASE64: GeneralPurpose = GeneralPurpose::new(&STANDARD, LENIENT);
/// Base64 as RFC 4648 section 5 has it, `-` and `_` for `+` and `/`.
pub(super) const BASE64_URL: GeneralPurpose = GeneralPurpose::new(&URL_SAFE, LENIENT);

/// The text of a float that is no number, or nothing for a number.
pub(super) fn of_non_finite(value: f64) -> Option<&'static str> {
    if value.is_finite() {
        None
    } else if value.is_nan() {
        Some("NaN")
    } else if value > 0.0 {
        Some("Infinity")
    } else {
        Some("-Infinity")
    }
}

/// The float behind such a text.
pub(super) fn non_finite(text: &str) -> Option<f64> {
    match text {
        "NaN" => Some(f64::NAN),
        "Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}
