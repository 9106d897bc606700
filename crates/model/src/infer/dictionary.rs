//! When objects are dictionaries: their keys are data, not the names of fields.
//!
//! The rule is made so that ordinary records never become maps. The values have to be of one kind throughout,
//! so that one field can hold all of them, and never null, and one of these has to hold:
//!
//! 1. Every key looks like an id ([`is_id`]): a number, date, time, address, UUID, hash. A single key is
//!    enough, as no record type names all its fields so.
//! 2. There are [`MANY_OBJECTS`] keys or more, and the values are objects of one same shape ([`same_shape`]).
//! 3. There are [`MANY_KEYS`] keys or more. No record type has so many fields of one kind.
//! 4. The keys vary from object to object ([`varies`]), and values that are objects are of one same shape.
//!
//! It is applied when all records were seen, from the innermost objects outwards. A dictionary may have a
//! million keys, so the first three are tried before the end too, whenever an object reaches [`EARLY_KEYS`]
//! fields or twice, four times, … as many. Once taken for a dictionary, an object stays one.
//!
//! The records themselves are never dictionaries.

use super::place::{Object, Place, Seen};
use crate::error::Result;

/// Keys from which objects as values, all of one shape, make a dictionary.
const MANY_OBJECTS: usize = 64;
/// Keys from which any values of one kind make a dictionary.
const MANY_KEYS: usize = 1_024;
/// Keys at which an object is first tried before the end.
const EARLY_KEYS: usize = 64;

/// Keys that vary: there are at least this many,
const VARYING_KEYS: usize = 64;
/// in at least this many objects,
const VARYING_OBJECTS: u64 = 16;
/// of which each has, on average, at most one in this many of the keys,
const VARYING_SHARE: u64 = 8;
/// and no key is in more than one in this many of the objects.
const VARYING_MOST: u64 = 2;

/// Values are of one shape if each has, on average, at least one in this many of the fields of all together.
const SHAPE_SHARE: usize = 2;

/// Hexadecimal digits from which a key of nothing else is an id.
const HEX_DIGITS: usize = 8;

/// Replaces every object at and below a place that is a dictionary; the innermost first.
pub(super) fn settle(place: &mut Place) {
    match &mut place.seen {
        Seen::List(inner) | Seen::Map(inner) => settle(inner),
        Seen::Object(object) => {
            settle_fields(object);
            if let Some(mut values) = values(object, true) {
                // Merged from many objects, the values may now show what each did not.
                settle(&mut values);
                place.seen = Seen::Map(Box::new(values));
            }
        }
        _ => {}
    }
}

/// The same below the records, which are no dictionaries themselves.
pub(super) fn settle_fields(object: &mut Object) {
    object.fields.iter_mut().for_each(|field| settle(&mut field.place));
}

/// The merged values, if an object that just got another field is to be tried and is a dictionary.
pub(super) fn early(object: &Object) -> Option<Place> {
    let keys = object.fields.len();
    if keys < EARLY_KEYS || !keys.is_power_of_two() {
        return None;
    }
    // What the values' own keys say is said by now: there are many of them.
    values(object, false).map(|mut values| {
        settle(&mut values);
        values
    })
}

/// The merged values, if the objects are dictionaries.
fn values(object: &Object, at_end: bool) -> Option<Place> {
    let keys = object.fields.len();
    // A map has a value for each key.
    if keys == 0 || object.fields.iter().any(|f| f.place.nulls > 0) {
        return None;
    }
    let enough = keys >= MANY_KEYS || object.fields.iter().all(|f| is_id(&f.name));
    let alike = keys >= MANY_OBJECTS && object.fields.iter().all(|f| is_object(&f.place));
    if !(enough || alike || (at_end && varies(object))) {
        return None;
    }
    let merged = merged(object).ok().filter(Place::fits)?;
    (enough || same_shape(object, &merged)).then_some(merged)
}

fn merged(object: &Object) -> Result<Place> {
    let mut values = Place::default();
    object.clone().pour(&mut values)?;
    Ok(values)
}

fn is_object(place: &Place) -> bool {
    matches!(place.seen, Seen::Object(_) | Seen::Map(_))
}

/// Whether each value has, on average, its good part of the fields of all; anything but objects has.
fn same_shape(object: &Object, merged: &Place) -> bool {
    let Seen::Object(all) = &merged.seen else { return true };
    let fields = |place: &Place| match &place.seen {
        Seen::Object(object) => Some(object.fields.len()),
        _ => None,
    };
    let each: Vec<usize> = object.fields.iter().filter_map(|f| fields(&f.place)).collect();
    !all.fields.is_empty() && each.iter().sum::<usize>() * SHAPE_SHARE >= each.len() * all.fields.len()
}

/// Whether the keys vary from object to object as those of ordinary records do not.
fn varies(object: &Object) -> bool {
    let keys = object.fields.len();
    let entries = || object.fields.iter().map(|f| f.place.values);
    let (all, most) = (entries().sum::<u64>(), entries().max().unwrap_or(0));
    keys >= VARYING_KEYS
        && object.objects >= VARYING_OBJECTS
        && all * VARYING_SHARE <= object.objects * keys as u64
        && most * VARYING_MOST <= object.objects
}

/// Whether a key looks like an id: `337184269`, `-5`, `2013-12-01T10:00:00Z`, `10.0.0.1`, `2001:db8::1`,
/// `0x7f`, `3b8a4f5c` (hexadecimal with at least [`HEX_DIGITS`] digits, one of them decimal), a UUID.
fn is_id(key: &str) -> bool {
    let unsigned = key.strip_prefix('-').unwrap_or(key);
    let numeric = unsigned.starts_with(|c: char| c.is_ascii_digit())
        && unsigned.bytes().all(|b| b.is_ascii_digit() || b"-+:./TZ".contains(&b));
    let hex = key.strip_prefix("0x").unwrap_or(key);
    let hex_digits = hex.bytes().filter(u8::is_ascii_hexdigit).count();
    let hexadecimal = hex.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-' || b == b':')
        && (hex_digits >= HEX_DIGITS || (hex_digits > 0 && hex.len() < key.len()))
        && hex.bytes().any(|b| b.is_ascii_digit());
    numeric || hexadecimal
}

#[cfg(test)]
mod tests {
    use super::super::place::{Class, NONE};
    use super::*;

    /// An object as seen: one text value under each key of each object.
    fn seen<S: AsRef<str>>(objects: &[Vec<S>]) -> Place {
        let mut place = Place::default();
        for keys in objects {
            let Seen::Object(object) = place.admit(Class::Object, 0).unwrap() else { unreachable!() };
            object.begin();
            let mut after = NONE;
            for key in keys {
                after = object.key(key.as_ref(), after).0;
                object.fields[after as usize].place.admit(Class::Text, 0).unwrap();
            }
        }
        place
    }

    fn is_map(mut place: Place) -> bool {
        settle(&mut place);
        matches!(place.seen, Seen::Map(_))
    }

    fn names(from: usize, to: usize) -> Vec<String> {
        (from..to).map(|n| format!("key_{}", (b'a' + (n % 26) as u8) as char).repeat(1 + n / 26)).collect()
    }

    #[test]
    fn ids_are_told_from_names() {
        for id in [
            "0",
            "337184269",
            "-5",
            "1.5",
            "2013-12-01",
            "2013-12-01T10:00:00.5Z",
            "10.0.0.1:80",
            "2001:db8::1",
            "0x7f",
            "3b8a4f5c",
            "123e4567-e89b-12d3-a456-426614174000",
        ] {
            assert!(is_id(id), "{id}");
        }
        for name in ["", "id", "a1", "feedface", "line1", "x0", "1st", "-", "user_123", "e10", "T1", "Z"] {
            assert!(!is_id(name), "{name}");
        }
    }

    #[test]
    fn keys_that_are_all_ids_make_a_dictionary() {
        assert!(is_map(seen(&[vec!["337100890"]])));
        assert!(is_map(seen(&[vec!["2019", "2020"], vec!["2021"]])));
        assert!(!is_map(seen(&[vec!["2019", "2020", "total"]])));
    }

    #[test]
    fn many_keys_of_one_kind_make_a_dictionary() {
        assert!(is_map(seen(&[names(0, MANY_KEYS)])));
        assert!(!is_map(seen(&[names(0, MANY_KEYS - 1)])));
    }

    #[test]
    fn keys_that_vary_make_a_dictionary() {
        let few = |n: usize| names(4 * n, 4 * n + 4);
        assert!(is_map(seen(&(0..16).map(few).collect::<Vec<_>>())));
        assert!(!is_map(seen(&(0..15).map(few).collect::<Vec<_>>())), "too few objects");
        let with_common = |n: usize| [few(n), vec!["id".to_owned()]].concat();
        assert!(!is_map(seen(&(0..16).map(with_common).collect::<Vec<_>>())), "a key that all have");
        let half = |n: usize| names(n, n + 40);
        assert!(!is_map(seen(&(0..40).map(half).collect::<Vec<_>>())), "objects with half of the keys");
    }
}
