//! Where a document type declaration ends: section 2.8. Its content is not checked.

use memchr::{memchr, memchr2, memchr3, memmem};

/// The bytes of the declaration at the start of these bytes, its `>` included; nothing if it has no end.
pub(super) fn len(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += bytes[at..].iter().position(|b| matches!(b, b'\'' | b'"' | b'[' | b'>'))?;
        match bytes[at] {
            b'>' => return Some(at + 1),
            b'[' => {
                at = internal_subset(bytes, at + 1)?;
                return Some(at + memchr(b'>', &bytes[at..])? + 1);
            }
            quote => at += memchr(quote, &bytes[at + 1..])? + 2,
        }
    }
}

/// Where the internal subset that starts at `at` ends, behind its `]`.
fn internal_subset(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr2(b']', b'<', &bytes[at..])? + 1;
        if bytes[at - 1] == b']' {
            return Some(at);
        }
        let rest = &bytes[at..];
        at += match rest {
            [b'?', ..] => memmem::find(&rest[1..], b"?>")? + 3,
            [b'!', b'-', b'-', ..] => memmem::find(&rest[3..], b"-->")? + 6,
            // These hold literals, in which anything may stand.
            _ if [&b"!ENTITY"[..], b"!ATTLIST", b"!NOTATION"].iter().any(|name| rest.starts_with(name)) => {
                literal_sensitive(rest)?
            }
            _ => memchr(b'>', rest)? + 1,
        };
    }
}

/// The bytes up to a `>` that is in no literal, itself included.
fn literal_sensitive(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr3(b'>', b'\'', b'"', &bytes[at..])?;
        match bytes[at] {
            b'>' => return Some(at + 1),
            quote => at += memchr(quote, &bytes[at + 1..])? + 2,
        }
    }
}
