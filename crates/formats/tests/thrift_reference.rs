//! The fast codecs of Thrift against the plain one, on random records and damaged bytes.

mod thrift_plain;

use bantam_formats::{Framing, find};
use bantam_model::{Batch, Limits, Lowerings, compare};
use bantam_sample::Rng;
use bantam_sample::random::Options;
use thrift_plain::{Reader, Writer, bad};

fn damaged(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bad = bytes.to_vec();
    for _ in 0..=rng.below(2) {
        let at = rng.below(bad.len() as u64) as usize;
        match rng.below(6) {
            0 => bad.insert(at, rng.next_u64() as u8),
            1 => bad.insert(at, rng.below(17) as u8),
            2 if bad.len() > 1 => drop(bad.remove(at)),
            3 => bad[at] ^= 1 << rng.below(8),
            4 => bad[at] = rng.below(17) as u8,
            _ => bad[at] = rng.next_u64() as u8,
        }
    }
    bad
}

#[test]
fn the_fast_codecs_agree_with_the_plain_one() {
    let limits = || Limits::default().depth(12).batch_bytes(4 << 20);
    for (name, compact) in [("thrift-binary", false), ("thrift-compact", true)] {
        let (mut read, mut refused) = (0, 0);
        for seed in 0..250 {
            let layout = Options::default().layout(&mut Rng::new(seed), 1 + (seed % 9) as usize);
            let batch = Options::default().batch(&layout, 1, seed).expect("random records fit");
            let build = find(name).expect("a format").engines[0].build;
            let Ok(mut warm) = build(&layout) else { continue };
            let mut bytes = Vec::new();
            if warm.encode_each(batch.get(0).unwrap(), &mut bytes).is_err() {
                continue;
            }
            let mut plain = Writer { layout: &layout, compact, out: Vec::new() };
            plain.structure(batch.get(0).unwrap());
            assert!(plain.out == bytes, "{name}, seed {seed}: written differently");
            let mut rng = Rng::new(seed);
            for round in 0..80 {
                let input = if round == 0 { bytes.clone() } else { damaged(&bytes, &mut rng) };
                let mut expected = Batch::with_limits(layout.clone(), limits());
                expected.reset(&input).unwrap();
                let row = expected.push_record().unwrap();
                let mut reader = Reader { input: &input, at: 0, compact, batch: &mut expected, layout: layout.clone() };
                let result = reader.structure(layout.root(), row, 1);
                let result = if reader.at < input.len() { result.and(bad("more behind the end")) } else { result };
                for codec in [&mut build(&layout).unwrap(), &mut warm] {
                    let mut found = Batch::with_limits(layout.clone(), limits());
                    let fast = codec.decode(&input, Framing::Each, &mut found);
                    assert_eq!(result.is_ok(), fast.is_ok(), "{name}, seed {seed}: {result:?}, {fast:?}\n{input:02x?}");
                    if fast.is_ok() {
                        compare(&expected, &found, Lowerings::NONE)
                            .unwrap_or_else(|d| panic!("{name}, seed {seed}: {d}"));
                        assert_eq!(expected.skipped(), found.skipped(), "{name}, seed {seed}");
                    }
                }
                if result.is_ok() { read += 1 } else { refused += 1 }
            }
        }
        println!("{name}: {read} damaged records read alike, {refused} refused alike");
        assert!(read > 1_000 && refused > 1_000, "{read} read, {refused} refused");
    }
}
