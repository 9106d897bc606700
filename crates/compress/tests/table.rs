//! What every row of the table must do, whichever rows there are.

use std::fmt::Write;

use bantam_compress::{COMPRESSORS, Compressor, Error, by_extension, by_name, recognise};
use proptest::prelude::*;

const LIMIT: usize = 1 << 20;

/// Every row at every level it has.
fn every_level() -> impl Iterator<Item = (&'static Compressor, Option<i32>)> {
    COMPRESSORS.iter().copied().flat_map(|row| {
        let levels: Vec<Option<i32>> = match row.levels {
            Some(levels) => (levels.lowest..=levels.highest).map(Some).collect(),
            None => vec![None],
        };
        levels.into_iter().map(move |level| (row, level))
    })
}

fn packed(row: &Compressor, level: Option<i32>, input: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    row.compress(input, level, &mut out).unwrap();
    out
}

fn unpacked(row: &Compressor, input: &[u8], limit: usize) -> Result<Vec<u8>, Error> {
    let mut out = b"left from before".to_vec();
    let result = row.decompress(input, limit, &mut out);
    assert!(out.len() <= limit, "{} wrote {} bytes, above {limit}", row.name, out.len());
    result.map(|()| out)
}

/// Text, noise and runs, so that every kind of block occurs.
fn inputs() -> Vec<Vec<u8>> {
    let mut noise = 0x2545_F491_4F6C_DD1D_u64;
    let noisy = std::iter::repeat_with(|| {
        noise ^= noise << 13;
        noise ^= noise >> 7;
        noise ^= noise << 17;
        noise as u8
    });
    vec![
        Vec::new(),
        b"a".to_vec(),
        b"bantam weight, bantam hen, bantam bantam bantam".to_vec(),
        vec![0; 150_000],
        noisy.take(100_000).collect(),
        (0..8_000).flat_map(|n| format!("{{\"n\": {n}}}\n").into_bytes()).collect(),
    ]
}

#[test]
fn every_row_is_whole_and_found() {
    for row in COMPRESSORS {
        assert_eq!(by_name(row.name).unwrap().name, row.name);
        assert!(!row.about.is_empty() && !row.about.contains('\n'));
        if let Some(levels) = row.levels {
            assert!((levels.lowest..=levels.highest).contains(&levels.default), "{}", row.name);
        }
        for extension in row.extensions {
            assert_eq!(by_extension(extension).unwrap().name, row.name);
            assert_eq!(by_extension(&extension.to_uppercase()).unwrap().name, row.name);
        }
    }
    assert!(by_name("zip").is_none());
    assert!(by_extension("zip").is_none());
}

#[test]
fn every_level_gives_the_input_back() {
    for input in inputs() {
        for (row, level) in every_level() {
            let small = packed(row, level, &input);
            assert_eq!(unpacked(row, &small, LIMIT).as_deref(), Ok(&*input), "{row:?} {level:?}");
        }
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    for input in inputs() {
        for row in COMPRESSORS {
            assert_eq!(packed(row, None, &input), packed(row, None, &input), "{row:?}");
        }
    }
}

#[test]
fn the_limit_is_exact_and_named() {
    for input in inputs().into_iter().filter(|input| !input.is_empty()) {
        for row in COMPRESSORS {
            let small = packed(row, None, &input);
            assert!(unpacked(row, &small, input.len()).is_ok(), "{row:?}");
            for limit in [0, 1, input.len() / 2, input.len() - 1] {
                let limit = limit.min(input.len() - 1);
                let error = unpacked(row, &small, limit).unwrap_err();
                assert_eq!(error, Error::Expanded { compressor: row.name, limit });
                assert!(error.to_string().contains("expanded_size"));
            }
        }
    }
}

#[test]
fn a_bomb_costs_no_more_memory_than_the_limit() {
    let zeros = vec![0; 64 << 20];
    for row in COMPRESSORS.iter().filter(|row| row.name != "none") {
        let bomb = packed(row, None, &zeros);
        assert!(bomb.len() < zeros.len() / 200, "{row:?}: {}", bomb.len());
        let mut out = Vec::new();
        row.decompress(&bomb, LIMIT, &mut out).unwrap_err();
        assert!(out.capacity() <= LIMIT + (64 << 10), "{row:?} set {} aside", out.capacity());
    }
}

#[test]
fn truncation_at_every_byte_is_said_with_its_place() {
    let input: Vec<u8> = (0..300).flat_map(|n| format!("{n},").into_bytes()).collect();
    for (row, level) in every_level().filter(|(row, _)| row.name != "none") {
        let small = packed(row, level, &input);
        for end in 0..small.len() {
            let error = unpacked(row, &small[..end], LIMIT).unwrap_err();
            let expected = Error::Truncated { compressor: row.name, offset: end };
            assert_eq!(error, expected, "{row:?} {level:?}");
        }
    }
}

#[test]
fn what_follows_the_data_is_an_error_with_its_place() {
    for row in COMPRESSORS.iter().filter(|row| row.name != "none") {
        for garbage in [&b"\0"[..], b"x", b"\x1F", b"\x28\xB5", b"trailing garbage"] {
            let mut small = packed(row, None, b"bantam");
            let offset = small.len();
            small.extend_from_slice(garbage);
            let error = unpacked(row, &small, LIMIT).unwrap_err();
            assert_eq!(error, Error::Trailing { compressor: row.name, offset }, "{garbage:?}");
        }
    }
}

#[test]
fn members_and_frames_that_follow_each_other_are_read_whole() {
    for row in COMPRESSORS.iter().filter(|row| row.concatenates) {
        let long = vec![7; 100_000];
        let parts: [&[u8]; 4] = [b"one ", b"", b"two ", &long];
        let all: Vec<u8> = parts.iter().flat_map(|part| packed(row, None, part)).collect();
        assert_eq!(unpacked(row, &all, LIMIT).unwrap(), parts.concat(), "{row:?}");
        let last = packed(row, None, parts[3]).len();
        let cut = all.len() - last / 2;
        let error = unpacked(row, &all[..cut], LIMIT).unwrap_err();
        assert_eq!(error, Error::Truncated { compressor: row.name, offset: cut });
    }
}

/// Else two pieces that follow each other would be read as one and a bit of garbage.
#[test]
fn what_does_not_concatenate_says_so() {
    for row in COMPRESSORS.iter().filter(|row| !row.concatenates && row.name != "none") {
        let one = packed(row, None, b"bantam");
        assert!(unpacked(row, &[&one[..], &one].concat(), LIMIT).is_err(), "{row:?}");
    }
}

/// What the program `bzip2 -1` writes for these words.
#[test]
fn bzip2_of_the_original_program_is_read() {
    let file = b"\x42\x5a\x68\x31\x31\x41\x59\x26\x53\x59\x8f\xa5\x9d\xea\x00\x00\x04\x11\x80\x40\x00\x30\x03\
        \x04\x00\x20\x00\x21\xb5\x18\x0c\x01\xaa\x43\xda\x88\xa6\x17\x72\x45\x38\x50\x90\x8f\xa5\x9d\xea";
    let row = recognise(file).unwrap();
    assert_eq!((row.name, unpacked(row, file, LIMIT).as_deref()), ("bzip2", Ok(&b"bantam bantam bantam"[..])));
    assert_eq!(packed(row, Some(1), b"bantam bantam bantam"), file);
}

#[test]
fn skippable_frames_are_passed_over() {
    for name in ["zstd", "lz4"] {
        let row = by_name(name).unwrap();
        let skip = b"\x53\x2A\x4D\x18\x05\0\0\0notes";
        let frame = packed(row, None, b"bantam");
        let all = [&skip[..], &frame, skip, &frame, skip].concat();
        assert_eq!(unpacked(row, &all, LIMIT).unwrap(), b"bantambantam", "{name}");
    }
}

#[test]
fn no_level_outside_the_range_is_taken() {
    for row in COMPRESSORS {
        let outside = match row.levels {
            Some(levels) => vec![levels.lowest - 1, levels.highest + 1, i32::MIN, i32::MAX],
            None => vec![0, 1],
        };
        for level in outside {
            let error = row.compress(b"x", Some(level), &mut Vec::new()).unwrap_err();
            assert!(matches!(error, Error::Level { .. }), "{error}");
        }
    }
}

#[test]
fn content_tells_the_compressor() {
    for input in inputs() {
        for (row, level) in every_level().filter(|(_, level)| level.is_none_or(|l| l < 10)) {
            let found = recognise(&packed(row, level, &input)).map(|found| found.name);
            let expected = (row.name != "none").then_some(row.name);
            assert_eq!(found, expected, "{row:?} {level:?} of {} bytes", input.len());
        }
    }
}

/// All of these pass the first bytes of zlib or bzip2, and none of them is either.
#[test]
fn what_only_starts_like_compressed_data_is_not_taken_for_it() {
    for text in [
        &b"8O is the start of a text that is long enough to hold some words and more words."[..],
        b"hC is another one: its first two bytes are a valid header of a window of 16 KiB.",
        b"\x08\x1D\x10\x05\x1A\x03abc\x08\x1D\x10\x06\x1A\x03abd",
        b"BZh9 is how a text may start, too",
        b"x\x9C",
        b"x\x9C\x03\x00",
        b"",
        b"x",
    ] {
        assert!(recognise(text).is_none(), "{text:?}");
    }
}

/// 10,000 records of the shape {name, number} under zlib at level 6: what stock zlib writes, so
/// that another backend, let in by some other crate's features, does not go unnoticed.
#[test]
fn zlib_sizes_are_those_of_stock_zlib() {
    let text = (0..10_000_u64).fold(String::new(), |mut text, n| {
        let key = n * 2_654_435_761 % 4_228_250_625;
        write!(text, "{{\"key\": {key}, \"port\": {}}}, ", n % 7).unwrap();
        text
    });
    let sizes = [1, 6, 9].map(|level| packed(by_name("zlib").unwrap(), Some(level), text.as_bytes()).len());
    assert_eq!(sizes, STOCK);
}

/// `len(zlib.compress(text, level))` in Python, with zlib 1.2.13.
const STOCK: [usize; 3] = [86876, 69093, 67159];

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

    #[test]
    fn round_trip(input in prop::collection::vec(prop_oneof![any::<u8>(), Just(b'a')], 0..3000)) {
        for (row, level) in every_level().filter(|(_, level)| level.is_none_or(|l| l < 17)) {
            let small = packed(row, level, &input);
            prop_assert_eq!(unpacked(row, &small, LIMIT).unwrap(), input.clone());
        }
    }

    #[test]
    fn corruption_neither_panics_nor_passes_the_limit(
        input in prop::collection::vec(prop_oneof![any::<u8>(), Just(b'a')], 0..2000),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        limit in 0..4000_usize,
    ) {
        for row in COMPRESSORS {
            let mut small = packed(row, None, &input);
            for (place, byte) in &changes {
                if !small.is_empty() {
                    let place = place.index(small.len());
                    small[place] = *byte;
                }
            }
            let _ = unpacked(row, &small, limit);
            let _ = recognise(&small);
        }
    }

    #[test]
    fn noise_neither_panics_nor_passes_the_limit(
        noise in prop::collection::vec(any::<u8>(), 0..300),
        limit in 0..4000_usize,
    ) {
        for (row, magic) in COMPRESSORS.iter().zip([
            &b""[..], b"\x78\x9C", b"\x1F\x8B\x08\0", b"\x28\xB5\x2F\xFD", b"\x04\x22\x4D\x18\x60\x40\x82",
            b"BZh91AY&SY",
        ]) {
            let _ = unpacked(row, &noise, limit);
            let _ = unpacked(row, &[magic, &noise].concat(), limit);
        }
    }
}

/// Seven bytes come out before the fault, into room that was there.
#[test]
fn a_fault_found_late_leaves_no_more_than_the_limit() {
    let noise = [210, 40, 8, 8, 8, 96, 8, 32, 65, 0];
    for row in COMPRESSORS {
        for limit in [0, 1, 6] {
            let _ = unpacked(row, &noise, limit);
        }
    }
}
