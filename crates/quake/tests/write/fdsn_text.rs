//! Lines of FDSN text.

use super::{fixture, for_every_file, framed, shown, written};
use bantam_formats::Framing;

const HEADER: &str = "#EventID|Time|Latitude|Longitude|Depth/km|Author|Catalog|Contributor|ContributorID|MagType|Magnitude|\
                      MagAuthor|EventLocationName|EventType";

#[test]
fn every_file_is_a_header_and_one_line_an_event() {
    for_every_file(|file, quakes| {
        let text = written("fdsn-text", quakes);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), quakes.len() + 1, "{file}");
        assert_eq!(lines[0], HEADER, "{file}");
        for (line, quake) in lines[1..].iter().zip(quakes.rows()) {
            let fields: Vec<_> = line.split('|').collect();
            assert_eq!(fields.len(), 14, "{file}: {line}");
            assert_eq!(fields[0], shown(quake.field("public_iD")), "{file}");
            for (at, field) in [(2, "latitude"), (3, "longitude"), (4, "depth"), (10, "magnitude")] {
                let number = fields[at].parse::<f64>().ok().map(|n| n.to_string()).unwrap_or_default();
                assert_eq!(number, shown(quake.field(field)), "{file}: {line}");
            }
            let time = fields[1];
            assert!(time.is_empty() || (19..=26).contains(&time.len()) && !time.ends_with('Z'), "{file}: {line}");
        }
    });
}

#[test]
fn no_text_can_break_a_line() {
    let quakes = fixture::of_text("#a|b\nc\r\td\u{2028}e\u{85}f");
    let text = written("fdsn-text", &quakes);
    for line in text.lines().skip(1) {
        assert!(line.starts_with("_a/b c  d e f|"), "{line}");
        assert_eq!(line.split('|').count(), 14, "{line}");
    }
    assert_eq!(text.lines().count(), 3);
}

#[test]
fn the_second_choice_is_taken_where_the_first_is_absent() {
    let mut quakes = fixture::full(1);
    let fields =
        |text: String| -> Vec<String> { text.lines().nth(1).expect("a line").split('|').map(Into::into).collect() };
    let whole = fields(written("fdsn-text", &quakes));
    assert!(whole[5].starts_with("origin author") && whole[11].starts_with("magnitude author"), "{whole:?}");
    assert!(whole[7].starts_with("agency") && whole[12].starts_with("place name"), "{whole:?}");
    assert_eq!((whole[6].as_str(), &whole[8], whole[13].as_str()), ("", &whole[0], "quarry blast"));
    for field in ["origin_author", "magnitude_author", "place_name"] {
        fixture::set_text(&mut quakes, 0, field, "");
    }
    fixture::set_text(&mut quakes, 0, "quake_type", "outside of network interest");
    let less = fields(framed("fdsn-text", &quakes, Framing::Each));
    assert!(less[5].starts_with("origin agency") && less[11].starts_with("magnitude agency"), "{less:?}");
    assert!(less[12].starts_with("region"), "{less:?}");
    assert_eq!(less[13], "other event");
}
