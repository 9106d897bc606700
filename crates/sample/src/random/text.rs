//! Random text, numbers and bytes: what codecs trip over.

use super::{Classes, Options};
use crate::Rng;
use bantam_model::{Int, Width};

/// Text that means something to one format or another.
#[rustfmt::skip]
const TEXTS: &[&str] = &[
    "a", "true", "null", "~", "yes", "No", "NaN", ".inf", "-0", "007", "1e5", "0x1F", "1_000", "12:30:45",
    "2001-01-01", " leading", "trailing ", "\ttab\t", "line\nline", "end\n", "cr\rcr\r\n", "\"quoted\"", "it's", "\\",
    "\\n", "a,b;c|d", "#no comment", "- item", "? key", ": value", "a: b", "[x]", "{x}", "&amp;", "<b/>", "]]>",
    "<![CDATA[", "-->", "=1+1", "@at", "`", "%", "!tag", "*ref", "&anchor", "|", ">", "---", "...", "é", "e\u{301}",
    "\u{feff}bom", "\u{85}", "\u{2028}", "\u{7f}", "\u{a0}", "\u{200b}", "\u{202e}rtl", "名前", "😀", "\u{10ffff}",
    "\u{d7ff}\u{e000}", "\u{1fffe}", "  ",
];

/// Lengths at which something changes: varints, the length bytes of `MessagePack` and CBOR, blocks.
const LENGTHS: &[u64] =
    &[15, 16, 23, 24, 31, 32, 63, 64, 127, 128, 255, 256, 300, 4_095, 16_383, 16_384, 65_535, 65_536];

const CONTROLS: &[char] = &['\0', '\u{1}', '\u{8}', '\u{b}', '\u{1b}', '\u{1f}', '\u{fffe}', '\u{ffff}'];

pub(super) fn string(rng: &mut Rng, options: Options) -> String {
    let mut text = match rng.below(8) {
        0 if options.allows(Classes::EMPTY_TEXT) => return String::new(),
        0..3 => (*rng.pick(TEXTS)).to_owned(),
        3..5 => (0..=rng.below(20)).map(|_| character(rng)).collect(),
        _ => letters(rng),
    };
    if options.allows(Classes::CONTROL) && rng.one_in(8) {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        text.insert(*rng.pick(&places), *rng.pick(CONTROLS));
    }
    text
}

/// Plain letters of any length, rarely long.
fn letters(rng: &mut Rng) -> String {
    let length = match rng.below(100) {
        0 => *rng.pick(LENGTHS),
        1..10 => *rng.pick(&LENGTHS[..10]),
        _ => 1 + rng.below(24),
    };
    (0..length).map(|_| (b'a' + rng.below(26) as u8) as char).collect()
}

/// A character of any plane, but those of [`Classes::CONTROL`].
fn character(rng: &mut Rng) -> char {
    let last = *rng.pick(&[0x7f, 0x7f, 0xff, 0x7ff, 0xffff, 0x10_ffff]);
    loop {
        let found = char::from_u32(rng.between(0x20, last) as u32);
        // Surrogates are no characters.
        match found {
            Some(found) if !CONTROLS.contains(&found) => return found,
            _ => {}
        }
    }
}

pub(super) fn bytes(rng: &mut Rng, options: Options) -> Vec<u8> {
    let length = match rng.below(50) {
        0 => *rng.pick(LENGTHS),
        1..10 if options.allows(Classes::EMPTY_TEXT) => 0,
        _ => 1 + rng.below(40),
    };
    (0..length).map(|_| rng.next_u64() as u8).collect()
}

/// A whole number in range, as a row holds it: as many small ones as large ones, and the extremes often.
pub(super) fn int(rng: &mut Rng, int: Int) -> u64 {
    let bits = match int.width {
        Width::W8 => 8,
        Width::W16 => 16,
        Width::W32 => 32,
        Width::W64 => 64,
    };
    let value = match rng.below(8) {
        0 => int.max(),
        1 => int.min() as u64,
        2 => 0,
        3 => (1_u64 << rng.below(bits)).wrapping_sub(rng.below(2)),
        4 => (1_u64 << rng.below(bits)).wrapping_neg(),
        _ => rng.next_u64() >> rng.below(64),
    };
    let unused = 64 - bits;
    if int.signed { ((value << unused) as i64 >> unused) as u64 } else { value << unused >> unused }
}

const DOUBLES: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.1,
    0.3,
    1e21,
    1e20,
    1e-7,
    1e-5,
    1e16,
    123_456_789.125,
    5e-324,
    f64::MIN_POSITIVE,
    f64::MAX,
    f64::MIN,
    f64::EPSILON,
    9_007_199_254_740_993.0,
    2.225_073_858_507_201e-308,
    1.5e300,
    4_294_967_296.0,
    1e23,
];

pub(super) fn double(rng: &mut Rng, options: Options) -> u64 {
    match rng.below(8) {
        0 if options.allows(Classes::NON_FINITE) => {
            non_finite(rng, options, f64::NAN.to_bits(), f64::INFINITY.to_bits(), 63)
        }
        1..4 => rng.pick(DOUBLES).to_bits(),
        4 => (rng.below(1_000_000) as f64 / 100.0).to_bits(),
        _ => finite(rng.next_u64(), f64::INFINITY.to_bits()),
    }
}

pub(super) fn float(rng: &mut Rng, options: Options) -> u64 {
    let infinity = u64::from(f32::INFINITY.to_bits());
    match rng.below(8) {
        0 if options.allows(Classes::NON_FINITE) => {
            non_finite(rng, options, u64::from(f32::NAN.to_bits()), infinity, 31)
        }
        1..4 => u64::from((*rng.pick(DOUBLES) as f32).clamp(f32::MIN, f32::MAX).to_bits()),
        4 => u64::from((rng.below(100_000) as f32 / 100.0).to_bits()),
        _ => finite(rng.next_u64() & u64::from(u32::MAX), infinity),
    }
}

fn non_finite(rng: &mut Rng, options: Options, nan: u64, infinity: u64, sign: u32) -> u64 {
    match rng.below(4) {
        0 => infinity,
        1 => infinity | 1 << sign,
        2 if options.allows(Classes::NAN_PAYLOAD) => nan | rng.below(2) << sign | rng.below(1 << 20),
        _ => nan,
    }
}

/// The same bits, with one of the exponent cleared if they are not a finite number.
fn finite(bits: u64, infinity: u64) -> u64 {
    if bits & infinity == infinity { bits & !(infinity & infinity.wrapping_neg()) } else { bits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_in_range_and_reach_its_ends() {
        for signed in [false, true] {
            for width in [Width::W8, Width::W16, Width::W32, Width::W64] {
                let of = Int { signed, width, ..Int::I32 };
                let mut rng = Rng::new(1);
                let mut ends = (false, false);
                for _ in 0..10_000 {
                    let word = int(&mut rng, of);
                    let value = if signed { i128::from(word as i64) } else { i128::from(word) };
                    assert!(of.holds(value), "{of:?} {value}");
                    ends.0 |= value == i128::from(of.min());
                    ends.1 |= value == i128::from(of.max());
                }
                assert_eq!(ends, (true, true), "{of:?}");
            }
        }
    }

    #[test]
    fn classes_are_kept_out() {
        let all = Options::default();
        let tame = all.without(Classes::NON_FINITE | Classes::CONTROL | Classes::EMPTY_TEXT);
        let plain = all.without(Classes::NAN_PAYLOAD);
        let mut rng = Rng::new(2);
        let mut seen = [false; 3];
        for _ in 0..20_000 {
            assert!(f64::from_bits(double(&mut rng, tame)).is_finite());
            assert!(f32::from_bits(float(&mut rng, tame) as u32).is_finite());
            let nan = f64::from_bits(double(&mut rng, plain));
            assert!(!nan.is_nan() || nan.to_bits() == f64::NAN.to_bits());
            let text = string(&mut rng, tame);
            assert!(!text.is_empty() && !text.contains(CONTROLS));
            assert!(!bytes(&mut rng, tame).is_empty());
            let text = string(&mut rng, all);
            seen[0] |= text.is_empty();
            seen[1] |= text.contains('\0');
            seen[2] |= f32::from_bits(float(&mut rng, all) as u32).is_nan();
        }
        assert_eq!(seen, [true; 3]);
    }
}
