//! Trained dictionaries: they come back, they help, and bad messages or frames are errors.

use bantam_compress::{Dictionary, DictionaryError, Error, Prepared, by_name};
use proptest::prelude::*;

fn messages(count: usize) -> Vec<Vec<u8>> {
    let words = ["alpha", "bravo", "charlie", "delta", "echo"];
    let one = |n: usize| {
        format!("{{\"name\":\"{}\",\"port\":{},\"open\":{}}}", words[n % 5], n * 7_919 % 65_536, n.is_multiple_of(3))
    };
    (0..count).map(|n| one(n).into_bytes()).collect()
}

fn parts(messages: &[Vec<u8>]) -> Vec<&[u8]> {
    messages.iter().map(Vec::as_slice).collect()
}

fn there_and_back(prepared: &Prepared, message: &[u8]) -> usize {
    let (mut small, mut back) = (b"left".to_vec(), b"left".to_vec());
    let mut session = prepared.session();
    session.compress(message, &mut small).unwrap();
    session.decompress(&small, message.len(), &mut back).unwrap();
    assert_eq!(back, message);
    small.len()
}

#[test]
fn messages_that_it_was_not_trained_on_come_back_smaller() {
    let (training, test) = (messages(1_000), messages(1_100).split_off(1_000));
    let dictionary = Dictionary::train(&parts(&training), 1_024).unwrap();
    assert!(dictionary.bytes().len() <= 1_024);
    for level in [1, 3, 19, 22] {
        let prepared = dictionary.prepare(level).unwrap();
        let with: usize = test.iter().map(|message| there_and_back(&prepared, message)).sum();
        let plain: usize = test.iter().map(Vec::len).sum();
        let mut without = 0;
        for message in &test {
            let mut small = Vec::new();
            by_name("zstd").unwrap().compress(message, Some(level), &mut small).unwrap();
            without += small.len();
        }
        assert!(with < without && with < plain, "level {level}: {with}, {without}, {plain}");
    }
}

#[test]
fn the_same_messages_make_the_same_dictionary() {
    let messages = messages(300);
    let train = || Dictionary::train(&parts(&messages), 2_048).unwrap();
    assert_eq!(train(), train());
}

#[test]
fn messages_of_any_kind_come_back() {
    let prepared = Dictionary::train(&parts(&messages(200)), 512).unwrap().prepare(3).unwrap();
    let noise: Vec<u8> = (0..70_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for message in [&b""[..], b"a", &vec![0; 100_000], &noise] {
        there_and_back(&prepared, message);
    }
}

/// What stands in the way is an error that says so.
#[test]
fn too_few_or_too_small_messages_are_refused() {
    let seven = messages(7);
    let tiny = vec![b"a".to_vec(); 20];
    let empty = vec![Vec::new(); 1_000];
    let few = |messages| DictionaryError::TooFew { messages, least: Dictionary::FEWEST };
    for (messages, size, expected) in [
        (&[][..], 1_024, few(0)),
        (&seven[..6], 1_024, few(6)),
        (&empty[..], 1_024, few(0)),
        (&tiny[..], 1_024, DictionaryError::TooSmall { bytes: 20, least: Dictionary::LEAST_TRAINING }),
        (&seven[..], 255, DictionaryError::Size { asked: 255, least: 256, most: 112_640 }),
        (&seven[..], 112_641, DictionaryError::Size { asked: 112_641, least: 256, most: 112_640 }),
    ] {
        assert_eq!(Dictionary::train(&parts(messages), size), Err(expected));
    }
}

#[test]
fn hostile_messages_make_a_dictionary_or_an_error() {
    let equal = vec![b"{\"a\":1,\"b\":2}".to_vec(); 500];
    let noise: Vec<Vec<u8>> = (0..500_u32).map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes().to_vec()).collect();
    let huge = vec![vec![7; 3_000_000]; 8];
    let mut mixed = messages(50);
    mixed.extend(vec![Vec::new(); 50]);
    mixed.push(vec![1; 500_000]);
    let same_byte = vec![vec![0; 40]; 100];
    for (name, messages) in [("equal", equal), ("noise", noise), ("huge", huge), ("mixed", mixed), ("bytes", same_byte)]
    {
        for size in [256, 1_024, 112_640] {
            match Dictionary::train(&parts(&messages), size) {
                Ok(dictionary) => {
                    let prepared = dictionary.prepare(3).unwrap();
                    for message in messages.iter().take(10) {
                        there_and_back(&prepared, message);
                    }
                }
                Err(error) => assert!(matches!(error, DictionaryError::Library { .. }), "{name}, {size}: {error}"),
            }
        }
    }
}

#[test]
fn bad_frames_are_errors() {
    let train = |from: usize| Dictionary::train(&parts(&messages(200)[from..]), 512).unwrap().prepare(3).unwrap();
    let (one, other) = (train(0), train(40));
    let (mut one, mut other) = (one.session(), other.session());
    let message = &messages(1)[0];
    let (mut small, mut back) = (Vec::new(), Vec::new());
    one.compress(message, &mut small).unwrap();
    let limit = message.len();
    assert!(matches!(one.decompress(&small, limit - 1, &mut back), Err(Error::Expanded { .. })));
    assert!(matches!(other.decompress(&small, limit, &mut back), Err(Error::Corrupt { .. })));
    for end in 0..small.len() {
        assert!(one.decompress(&small[..end], limit, &mut back).is_err(), "cut at {end}");
        one.decompress(&small, limit, &mut back).unwrap();
        assert_eq!(&back, message, "after an error");
    }
    assert!(matches!(Dictionary::train(&parts(&messages(200)), 512).unwrap().prepare(23), Err(Error::Level { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn random_bytes_neither_expand_beyond_the_limit_nor_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let prepared = Dictionary::train(&parts(&messages(50)), 512).unwrap().prepare(3).unwrap();
        let mut out = Vec::new();
        let framed = [&[0x28, 0xB5, 0x2F, 0xFD][..], &bytes].concat();
        for input in [&bytes, &framed] {
            let _ = prepared.session().decompress(input, 100, &mut out);
            prop_assert!(out.len() <= 100);
        }
    }
}
