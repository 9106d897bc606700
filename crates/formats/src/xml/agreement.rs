//! The reader against the plain one: both refuse, with the same words at the same place, or both read the same.

use super::tests::layout;
use super::*;
use bantam_model::{Error, Limits, compare};
use bantam_sample::Rng;
use bantam_sample::random::Options;

/// Documents with all that there is in XML, for the layout of the other tests.
const DOCUMENTS: &[&str] = &[
    "<?xml version='1.0' encoding='utf-8'?><!DOCTYPE r SYSTEM 'no.dtd' [<!ENTITY e 'x>'><!-- > ' --><?p \"?>\
     <!ELEMENT a (b)><!ATTLIST a b CDATA \"]\"><!NOTATION n SYSTEM 'n'>%p; ]>\n<!-- c --><q:r xmlns:q='urn:q' version='2'>\n  \
     <q:M id='7' rate=' 2 ' name='a&amp;&#98;'>\n<q:tags>t</q:tags><new><deep a='1'>x</deep></new>mixed</q:M>\n<other/></q:r><?p?>\n",
    "<records>\n  <M>\n    <id>1</id>\n    <name>plain</name>\n    <rate>1.5</rate>\n    <tags>a&amp;b</tags>\n    <tags>c]]d</tags>\n  \
     </M>\n  <M>\n    <id>2</id>\n    <name>other</name>\n    <rate>2.5</rate>\n    <tags>x\r\ny</tags>\n    <tags/>\n  </M>\n  \
     <M>\n    <id>3</id>\n    <name/>\n    <tags>&#x41;&lt;<![CDATA[<>&]]></tags>\n  </M>\n</records>\n",
    "<records><M id='1' name='a'><kid id='2' odd='3'/><kids id=\"3\"><u a='1'>z</u></kids><kids id=\"4\"/></M>\
     <M id='5' name='b'><kid id='6' odd='4'/><kids id=\"7\"><u a='2'>y<v>w</v><v>w</v></u></kids><kids id=\"8\"/></M>\
     <M id='9' name='a\tb&lt;'><kid id='6' odd='4'/><kids id=\"7\"><u a='2'>y<v>&gt;</v><v b='c'/></u></kids></M></records>",
    "<records a='1'><M id='1' odd=\"2\"><name encoding='base64'>eA==</name><tags>a&amp;b<![CDATA[c]]></tags><u><v/></u>\
     <?p q?><raw>AP 8=</raw><kind> RED </kind><on>1</on><a_x0020_b>5</a_x0020_b><x>1</x><y>2</y><zero>0</zero>\
     <rate xsi:nil='true'/><kid xsi:nil='1'><id>x</id></kid></M></records>",
    "<records><M><id>1</id>a&lt;b<!-- - --><![CDATA[c]]>]]&gt;<name>größe 😀</name><名前>x</名前></M ></records\n>",
    "<M><id>4</id><name>\r</name></M>",
];

/// What both readers make of a document, the own one also where it has learned something from others.
pub(super) fn agree(layout: &Arc<Layout>, warm: &mut dyn Codec, document: &[u8], framing: Framing) -> bool {
    let limits = Limits::default().depth(20).batch_bytes(8 << 20);
    let shown = || String::from_utf8_lossy(document).into_owned();
    let mut plain = Batch::with_limits(layout.clone(), limits.clone());
    let expected = reference::decode(layout, document, framing, &mut plain);
    for reader in [&mut Xml::new(layout) as &mut dyn Codec, warm] {
        let mut own = Batch::with_limits(layout.clone(), limits.clone());
        let found = reader.decode(document, framing, &mut own);
        match (&expected, &found) {
            (Ok(()), Ok(())) => {
                compare(&plain, &own, Lowerings::NONE).unwrap_or_else(|d| panic!("{d}\n{}", shown()));
                assert_eq!(plain.skipped(), own.skipped(), "{}", shown());
            }
            (Err(expected), Err(found)) if differs(expected) || differs(found) || is_stricter(found) => {}
            (Err(expected), Err(found)) => {
                // The library's own words for a fault of the declaration.
                let expected_text = expected.to_string().replace("ill-formed document: ", "");
                let expected_text = expected_text.replace("error while parsing attribute: ", "attribute: ");
                assert_eq!(expected_text, found.to_string(), "{}", shown());
                assert_eq!(expected.kind(), found.kind(), "{}", shown());
            }
            (Ok(()), Err(found)) if is_stricter(found) => {}
            _ => panic!("{expected:?} and {found:?}\n{}", shown()),
        }
    }
    expected.is_ok()
}

/// What the library lets pass against the specification: productions 5 and 40 to 44, and 28.
fn is_stricter(found: &Error) -> bool {
    let text = found.message();
    text.ends_with("is no name of an element")
        || text.ends_with("there must be white space before an attribute")
        || text == "`DOCTYPE` is written in capital letters"
}

/// Errors that have another place or other words: `--` in a comment, where the library counts wrong, and encodings,
/// which it does not know.
fn differs(error: &Error) -> bool {
    error.message().contains("`--`") || error.message().starts_with("the encoding is ")
}

/// Pieces that a mutation puts anywhere.
const PIECES: &[&str] = &[
    "<",
    ">",
    "&",
    ";",
    "'",
    "\"",
    "=",
    "/",
    "!",
    "?",
    "-",
    "[",
    "]",
    " ",
    "\n",
    "\r",
    "\t",
    "a",
    "1",
    ":",
    "_x",
    "\u{fffe}",
    "\0",
    "é",
    "<!--",
    "-->",
    "--",
    "<![CDATA[",
    "]]>",
    "<?",
    "?>",
    "</",
    "/>",
    "<!DOCTYPE",
    "<!DOCTYPE a [",
    "<!ENTITY ",
    "&lt;",
    "&#10;",
    "&#0;",
    "&e;",
    "&#xD;",
    "<u>",
    "</u>",
    "<u/>",
    "<u a='1'>",
    "<name>",
    "</name>",
    "<id>",
    "</id>",
    "<M>",
    "</M>",
    "<kid>",
    "</kid>",
    "</records>",
    " a='1'",
    " id='1'",
    " id=\"1\" name='b'",
    " xsi:nil='true'",
    " encoding='base64'",
    " name='a&amp;b'",
    "<?xml version='1.0'?>",
    "<kids id=\"7\"><u a='1'>z</u></kids>",
    "  <M>\n    <id>1</id>\n    <name>x</name>\n  </M>\n",
    "<1:id>1</1:id>",
    "<x:id>1</x:id>",
];

/// Cuts, copies and pieces at random places.
fn mutate(rng: &mut Rng, document: &str) -> Vec<u8> {
    let mut bytes = document.as_bytes().to_vec();
    for _ in 0..=rng.below(2) * rng.below(3) {
        let at = rng.below(bytes.len() as u64 + 1) as usize;
        let end = (at + 1 + rng.below(12) as usize).min(bytes.len());
        let piece = PIECES[rng.below(PIECES.len() as u64) as usize].bytes();
        match rng.below(12) {
            0 => drop(bytes.drain(at..end)),
            1 => drop(bytes.drain(at..(at + 1).min(bytes.len()))),
            2 => drop(bytes.splice(at..end, piece)),
            3 => {
                let copy = bytes[at..end].to_vec();
                let to = rng.below(bytes.len() as u64 + 1) as usize;
                drop(bytes.splice(to..to, copy));
            }
            4 if at < bytes.len() => bytes[at] = rng.next_u64() as u8,
            5 => bytes.truncate(at),
            6..8 => drop(bytes.splice(at..(at + 1).min(bytes.len()), piece)),
            _ => drop(bytes.splice(at..at, piece)),
        }
    }
    bytes
}

#[test]
fn mutated_documents_are_read_as_by_the_plain_reader() {
    let layout = layout();
    let mut warm = Xml::new(&layout);
    let mut rng = Rng::new(1);
    let (mut read, mut refused) = (0, 0);
    for &document in DOCUMENTS {
        let framing = if document.starts_with("<M>") { Framing::Each } else { Framing::List };
        assert!(agree(&layout, &mut warm, document.as_bytes(), framing), "{document}");
        for cut in 0..document.len() {
            agree(&layout, &mut warm, &document.as_bytes()[..cut], framing);
        }
        for _ in 0..4_000 {
            let mutated = mutate(&mut rng, document);
            *(if agree(&layout, &mut warm, &mutated, framing) { &mut read } else { &mut refused }) += 1;
        }
    }
    assert!(read > 1_000 && refused > 1_000, "{read} read, {refused} refused");
}

#[test]
fn random_records_are_read_as_by_the_plain_reader() {
    let mut read = 0;
    for seed in 0..150 {
        let layout = Options::default().layout(&mut Rng::new(seed), 1 + (seed % 9) as usize);
        let mut warm = Xml::new(&layout);
        let mut rng = Rng::new(seed);
        for framing in [Framing::List, Framing::Each] {
            let records = if framing == Framing::List { 4 } else { 1 };
            let batch = Options::default().batch(&layout, records, seed).unwrap();
            let mut bytes = Vec::new();
            warm.encode(&batch, framing, &mut bytes).unwrap();
            assert!(agree(&layout, &mut warm, &bytes, framing));
            let text = String::from_utf8(bytes).unwrap();
            for _ in 0..25 {
                read += u32::from(agree(&layout, &mut warm, &mutate(&mut rng, &text), framing));
            }
        }
    }
    assert!(read > 300, "{read}");
}

#[test]
fn what_the_library_lets_pass_against_the_specification_is_refused() {
    let layout = layout();
    for (document, error) in [
        // A name, production 5, starts with a letter in every part that namespaces have.
        ("<records><M><1:id>1</1:id></M></records>", "\"1:id\" is no name of an element"),
        // An attribute, production 40, has white space before it.
        (
            "<records><M id='1'name='a'/></records>",
            "attribute: position 8: there must be white space before an attribute",
        ),
        // Production 28 is written in capital letters.
        ("<!doctype r><records/>", "`DOCTYPE` is written in capital letters"),
    ] {
        let mut batch = Batch::new(layout.clone());
        reference::decode(&layout, document.as_bytes(), Framing::List, &mut batch).unwrap();
        let found = Xml::new(&layout).decode(document.as_bytes(), Framing::List, &mut batch).unwrap_err();
        assert_eq!(found.message(), error);
    }
}
