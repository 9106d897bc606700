//! Identifiers of QuakeML: `smi:authority/resource`, each `publicID` once in a document.
//!
//! `ResourceIdentifier` of QuakeML-BED-1.2.xsd is an `xs:anyURI`, so there is at most one `#`, of the pattern
//! `(smi|quakeml):[\w\d][\w\d\-\.\*\(\)_~']{2,}/[\w\d\-\.\*\(\)_~'][\w\d\-\.\*\(\)\+\?_~'=,;#/&]*`.

use std::collections::{HashMap, HashSet};

const LOCAL: &str = "smi:local/";

/// The identifiers of a document.
#[derive(Default)]
pub(super) struct Identifiers<'r> {
    /// Those that objects have of their own and can keep: nothing that is generated may be in the way.
    own: HashSet<&'r str>,
    /// Those given away.
    taken: HashSet<String>,
    /// The last number that was put behind an identifier.
    last: HashMap<String, u32>,
}

impl<'r> Identifiers<'r> {
    /// Keeps places for the identifiers that objects of the document have.
    pub(super) fn of(own: impl Iterator<Item = &'r str>) -> Self {
        Self { own: own.filter(|id| conforms(id)).collect(), ..Self::default() }
    }

    /// The `publicID` of an object that has an identifier: that one, where it is allowed and no other object has it.
    pub(super) fn take(&mut self, id: &str) -> String {
        if conforms(id) && self.taken.insert(id.to_owned()) {
            return id.to_owned();
        }
        self.generate(allowed(id))
    }

    /// A `publicID` like this one that no other object has: with a number behind it, if need be.
    pub(super) fn generate(&mut self, id: String) -> String {
        // Many are made of one long identifier; a number tells them apart.
        const MOST: usize = 400;
        let id = if id.len() <= MOST { id } else { id.chars().take(MOST / 2).chain(['_']).collect() };
        if self.is_free(&id) {
            self.taken.insert(id.clone());
            return id;
        }
        let mut last = self.last.get(&id).copied().unwrap_or(1);
        let found = loop {
            last += 1;
            let next = format!("{id}_{last}");
            if self.is_free(&next) {
                break next;
            }
        };
        self.last.insert(id, last);
        self.taken.insert(found.clone());
        found
    }

    fn is_free(&self, id: &str) -> bool {
        !self.own.contains(id) && !self.taken.contains(id)
    }
}

/// An identifier as QuakeML allows it: as it is, or with `_` for each character that is not allowed, in the authority `local` where it
/// names none.
pub(super) fn allowed(id: &str) -> String {
    if conforms(id) {
        return id.to_owned();
    }
    let (head, resource) = match parts(id) {
        Some((head, resource)) => (head, resource),
        None => (LOCAL, id),
    };
    let mut found = head.to_owned();
    let mut hash = false;
    for (at, character) in resource.chars().enumerate() {
        let fits = if at == 0 { is_first(character) } else { is_later(character) };
        let fits = fits && !(character == '#' && hash);
        hash |= fits && character == '#';
        found.push(if fits { character } else { '_' });
    }
    if resource.is_empty() {
        found.push('_');
    }
    found
}

/// Whether QuakeML allows an identifier as it is.
fn conforms(id: &str) -> bool {
    let Some((_, resource)) = parts(id) else { return false };
    let mut characters = resource.chars();
    characters.next().is_some_and(is_first)
        && characters.all(is_later)
        && resource.bytes().filter(|&b| b == b'#').count() <= 1
}

/// The scheme with the authority and its stroke, and the rest, if scheme and authority are allowed.
fn parts(id: &str) -> Option<(&str, &str)> {
    let rest = id.strip_prefix("smi:").or_else(|| id.strip_prefix("quakeml:"))?;
    let (authority, resource) = rest.split_once('/')?;
    let mut characters = authority.chars();
    let fits = characters.next().is_some_and(char::is_alphanumeric)
        && characters.clone().all(is_first)
        && characters.count() >= 2;
    fits.then(|| (&id[..id.len() - resource.len()], resource))
}

/// `\w` is more than letters and digits, but those are what identifiers are made of.
fn is_first(character: char) -> bool {
    character.is_alphanumeric() || "-.*()_~'".contains(character)
}

fn is_later(character: char) -> bool {
    is_first(character) || "+?=,;#/&".contains(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_allowed_is_kept_and_the_rest_made_so() {
        for (id, due) in [
            ("smi:nz.org.geonet/2015p768477", "smi:nz.org.geonet/2015p768477"),
            ("quakeml:us.anss.org/event/us#1?a=b&c", "quakeml:us.anss.org/event/us#1?a=b&c"),
            ("2015p768477", "smi:local/2015p768477"),
            ("Origin#2015.1:2 a", "smi:local/Origin#2015.1_2_a"),
            ("#1#2", "smi:local/_1#2"),
            ("smi:nz.org/a b#c#d", "smi:nz.org/a_b#c_d"),
            ("smi:nz/a", "smi:local/smi_nz/a"),
            ("smi:nz.org/", "smi:nz.org/_"),
            ("", "smi:local/_"),
            ("<&>\u{1}ü", "smi:local/_&__ü"),
        ] {
            assert_eq!(allowed(id), due, "{id}");
            assert!(conforms(due), "{due}");
            assert_eq!(conforms(id), id == due, "{id}");
        }
    }

    #[test]
    fn no_two_objects_have_one_identifier() {
        let mut ids = Identifiers::of(["smi:local/a", "smi:local/a_2", "a"].into_iter());
        assert_eq!(ids.take("a"), "smi:local/a_3");
        assert_eq!(ids.take("smi:local/a_2"), "smi:local/a_2");
        assert_eq!(ids.take("smi:local/a"), "smi:local/a");
        assert_eq!(ids.take("smi:local/a"), "smi:local/a_4");
        assert_eq!(ids.generate("smi:local/b".into()), "smi:local/b");
        assert_eq!(ids.generate("smi:local/b".into()), "smi:local/b_2");
    }
}
