//! Where the bytes go: what each field costs in a binary format, plain and compressed.

use crate::compress::Choice;
use crate::formats::{Account, Codec, Cost, Format, Framing};
use crate::model::{Batch, Kind, Layout, List, MessageLayout, Result, Shape};
use crate::weigh::FieldCost;
use std::ops::Range;

/// Of so many fields it is tried what the compressed bytes are without them.
const TRIED: usize = 32;

/// What each field costs in bytes that a codec wrote, the costliest first; none for formats that cannot tell.
///
/// # Errors
/// If the bytes are not what the format would write.
pub(crate) fn costs(
    format: &Format,
    layout: &Layout,
    bytes: &[u8],
    parts: impl Iterator<Item = Range<usize>>,
    framing: Framing,
) -> Result<Vec<Cost>> {
    let Some(count) = format.costs else { return Ok(Vec::new()) };
    let mut account = Account::default();
    for part in parts {
        count(layout, &bytes[part], framing, &mut account)?;
    }
    Ok(account.costs())
}

/// The costs as figures. With a compressor, each of the costliest fields is left out to see what it costs compressed.
pub(crate) fn figures(
    costs: Vec<Cost>,
    batch: &Batch<'_>,
    framing: Framing,
    codec: &mut dyn Codec,
    compressor: Option<Choice>,
) -> Vec<FieldCost> {
    let packed = |batch: &Batch<'_>, codec: &mut dyn Codec| -> Option<i64> {
        let (mut bytes, mut out) = (Vec::new(), Vec::new());
        codec.encode(batch, framing, &mut bytes).ok()?;
        compressor?.compress(&bytes, &mut out).ok()?;
        Some(out.len() as i64)
    };
    let whole = packed(batch, codec);
    let figure = |(at, cost): (usize, Cost)| {
        let tried = whole.filter(|_| at < TRIED).zip(without(batch, &cost.slots));
        let compressed_bytes = tried.and_then(|(whole, left)| Some(whole - packed(&left, codec)?));
        FieldCost {
            path: cost.path,
            count: cost.count,
            tag_bytes: cost.tag,
            length_bytes: cost.length,
            value_bytes: cost.value,
            compressed_bytes,
        }
    };
    costs.into_iter().enumerate().map(figure).collect()
}

/// The records without a field, if they can be without it: an entry of a map cannot lack its key or value.
fn without(batch: &Batch<'_>, slots: &[u32]) -> Option<Batch<'static>> {
    let layout = batch.layout().clone();
    let mut at = layout.root();
    for (step, &slot) in slots.iter().enumerate() {
        if at.shape != Shape::Record {
            return None;
        }
        if let (Kind::Message(id), true) = (at.slots.get(slot as usize)?.kind, step + 1 < slots.len()) {
            at = layout.message(id);
        }
    }
    if slots.is_empty() {
        return None;
    }
    let mut left = batch.clone().into_owned();
    let (records, stride) = (left.records(), layout.root().stride as usize);
    for record in 0..records.len() {
        strip(&mut left, &layout, layout.root(), records.offset() + record * stride, slots);
    }
    Some(left)
}

fn strip(batch: &mut Batch<'_>, layout: &Layout, of: &MessageLayout, row: usize, slots: &[u32]) {
    let Some((&first, rest)) = slots.split_first() else { return };
    let slot = &of.slots[first as usize];
    if !batch.has(row, slot.index) {
        return;
    }
    let Kind::Message(id) = slot.kind else { return batch.unset(row, slot) };
    if rest.is_empty() {
        return batch.unset(row, slot);
    }
    let (word, inner) = (batch.words()[row + slot.word as usize], layout.message(id));
    if !slot.cardinality.is_many() {
        return strip(batch, layout, inner, word as usize, rest);
    }
    let list = List::from_word(word);
    for item in 0..list.len() {
        strip(batch, layout, inner, list.offset() + item * inner.stride as usize, rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compress::by_name;
    use crate::{Dataset, Input, Request};

    #[test]
    fn a_field_costs_what_the_records_are_smaller_without_it() {
        let text = (0..500).fold(String::new(), |text, i| {
            text + &format!("{{\"id\":{i},\"same\":\"text\",\"in\":[{{\"x\":{}}}]}}\n", i * 7919)
        });
        let input = Input::new("a.ndjson", text.into_bytes()).unwrap();
        let dataset = Dataset::read(&input, &Request::default()).unwrap();
        let (batch, format) = (&dataset.batch, crate::formats::find("protobuf").unwrap());
        let mut codec = (format.engines[0].build)(batch.layout()).unwrap();
        let mut bytes = Vec::new();
        codec.encode(batch, Framing::List, &mut bytes).unwrap();
        let all = 0..bytes.len();
        let costs = costs(format, batch.layout(), &bytes, std::iter::once(all), Framing::List).unwrap();
        assert_eq!(costs.iter().map(Cost::bytes).sum::<u64>(), bytes.len() as u64);
        let plain = Choice::of(by_name("none").unwrap());
        for (choice, compressed) in [(plain, false), (Choice::of(by_name("zlib").unwrap()), true)] {
            let found = figures(costs.clone(), batch, Framing::List, &mut *codec, Some(choice));
            let of = |path: &str| found.iter().find(|f| f.path == path).unwrap();
            let smaller = |path: &str| of(path).compressed_bytes.unwrap();
            assert_eq!(of("same").bytes(), 500 * 6);
            assert_eq!(of("").compressed_bytes, None);
            if compressed {
                // What is always the same costs next to nothing, what is random nearly all.
                assert!(smaller("same") < 300 && smaller("in[].x") > 800, "{found:?}");
            } else {
                // Not compressed, leaving it out saves just its bytes, where no length beside it changes its width.
                assert_eq!((smaller("same"), smaller("in[].x")), (3_000, of("in[].x").bytes() as i64));
            }
        }
    }
}
