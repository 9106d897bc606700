//! A state that is kept changes nothing but the time.

use bantam_compress::{COMPRESSORS, Choice, Error};

fn messages() -> Vec<Vec<u8>> {
    let mut messages: Vec<Vec<u8>> = (0..50).map(|n| format!("{{\"port\":{n},\"open\":true}}").into_bytes()).collect();
    messages.extend([Vec::new(), b"a".to_vec(), vec![0; 300_000], b"{\"port\":1}".to_vec(), Vec::new()]);
    messages.push((0..200_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 11) as u8).collect());
    messages.push(b"{\"port\":1}".to_vec());
    messages
}

fn choices() -> impl Iterator<Item = Choice> {
    COMPRESSORS.iter().flat_map(|compressor| {
        let levels: Vec<Option<i32>> = match compressor.levels {
            Some(levels) => [levels.lowest, levels.default, levels.highest].map(Some).to_vec(),
            None => vec![None],
        };
        levels.into_iter().map(move |level| Choice { compressor, level })
    })
}

#[test]
fn messages_in_a_row_are_written_as_each_by_itself() {
    for choice in choices() {
        let mut session = choice.session().unwrap();
        let (mut kept, mut anew, mut back) = (b"left".to_vec(), Vec::new(), b"left".to_vec());
        for (at, message) in messages().iter().enumerate() {
            session.compress(message, &mut kept).unwrap();
            choice.compress(message, &mut anew).unwrap();
            assert!(kept == anew, "{choice}: message {at}");
            session.decompress(&kept, message.len(), &mut back).unwrap();
            assert!(back == *message, "{choice}: message {at}");
        }
    }
}

#[test]
fn an_error_is_no_harm_to_the_next_message() {
    for choice in choices().filter(|choice| choice.compressor.name != "none") {
        let mut session = choice.session().unwrap();
        let (mut small, mut back) = (Vec::new(), Vec::new());
        let message = vec![7; 10_000];
        session.compress(&message, &mut small).unwrap();
        for end in [0, 1, small.len() / 2, small.len() - 1] {
            assert!(session.decompress(&small[..end], 10_000, &mut back).is_err(), "{choice}: {end}");
            session.decompress(&small, 10_000, &mut back).unwrap();
            assert!(back == message, "{choice}: {end}");
        }
        let more = session.decompress(&small, 9_999, &mut back);
        assert!(matches!(more, Err(Error::Expanded { .. })) && back.len() <= 9_999, "{choice}: {more:?}");
        session.decompress(&small, 10_000, &mut back).unwrap();
        assert!(back == message, "{choice}");
    }
}

#[test]
fn a_level_that_is_not_there_has_no_session() {
    let choice = Choice { compressor: bantam_compress::by_name("zstd").unwrap(), level: Some(99) };
    assert!(matches!(choice.session(), Err(Error::Level { .. })));
}
