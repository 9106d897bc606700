//! Every report on weighings made by hand, held against files in `tests/golden`.
//!
//! `BANTAM_UPDATE_GOLDEN=1 cargo test -p bantam-report` writes the files anew; read the difference before
//! it is committed.

use std::fmt::Write as _;
use std::path::Path;

mod weighings;

use bantam_report::{Options, REPORTS, by_name};
use bantam_weigh::Weighing;
use weighings::{cases, dns};

fn rendered(report: &str, weighing: &Weighing, options: &Options) -> String {
    let mut out = Vec::new();
    by_name(report).unwrap().render(weighing, options, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// A page without its style and its script, which are files of their own, and without the drawings for phones, which differ
/// from the others in their places only.
fn shortened(page: &str) -> String {
    let mut short = page.to_owned();
    for (from, to) in [("<style>", "</style>"), ("<script>", "</script>")] {
        let (start, end) = (short.find(from).unwrap() + from.len(), short.find(to).unwrap());
        short.replace_range(start..end, "…");
    }
    let mut parts = short.split("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"narrow\"");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |whole, part| whole + part.split_once("</svg>\n").unwrap().1)
}

fn check(file: &str, text: &str, differences: &mut String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(file);
    if std::env::var_os("BANTAM_UPDATE_GOLDEN").is_some() {
        std::fs::write(path, text).unwrap();
    } else if std::fs::read_to_string(&path).unwrap_or_default() != text {
        write!(differences, "\n{file} should be:\n{text}").unwrap();
    }
}

#[test]
fn every_report_is_as_it_was() {
    let mut differences = String::new();
    for (name, weighing) in cases() {
        for report in REPORTS {
            let text = rendered(report.name, &weighing, &Options::default());
            let text = if report.name == "html" { shortened(&text) } else { text };
            check(&format!("{name}.{}.txt", report.name), &text, &mut differences);
        }
    }
    let narrow = Options { width: 60, unicode: false, ..Options::default() };
    check("dns.narrow.txt", &rendered("terminal", &dns(), &narrow), &mut differences);
    let color = Options { color: true, ..Options::default() };
    check("dns.color.txt", &rendered("terminal", &dns(), &color), &mut differences);
    assert!(differences.is_empty(), "{differences}");
}

#[test]
fn every_report_ends_its_last_line_and_holds_no_control_character() {
    for (name, weighing) in cases() {
        for report in REPORTS.iter().filter(|report| !["csv", "json"].contains(&report.name)) {
            let text = rendered(report.name, &weighing, &Options::default());
            assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{name} {report:?}");
            assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{name} {report:?}");
            assert!(!text.lines().any(|line| line.ends_with(' ')), "{name} {report:?}");
        }
    }
}

#[test]
fn the_terminal_report_keeps_to_its_width() {
    for (name, weighing) in cases() {
        for width in [60, 80, 100, 140] {
            for unicode in [true, false] {
                let options = Options { width, unicode, color: false };
                let text = rendered("terminal", &weighing, &options);
                for line in text.lines() {
                    assert!(line.chars().count() <= width, "{name}, {width}: {line}");
                }
                assert!(unicode || text.is_ascii(), "{name}: {text}");
            }
        }
    }
}

#[test]
fn colour_changes_nothing_but_the_colour() {
    for (name, weighing) in cases() {
        let color = Options { color: true, ..Options::default() };
        let text = rendered("terminal", &weighing, &color);
        let mut plain = String::new();
        for (index, part) in text.split('\u{1b}').enumerate() {
            plain += if index == 0 { part } else { part.split_once('m').unwrap().1 };
        }
        assert_eq!(plain, rendered("terminal", &weighing, &Options::default()), "{name}");
    }
}

#[test]
fn the_json_report_reads_back_equal() {
    for (name, weighing) in cases() {
        let text = rendered("json", &weighing, &Options::default());
        assert_eq!(serde_json::from_str::<Weighing>(&text).unwrap(), weighing, "{name}");
    }
}

#[test]
fn the_csv_report_has_a_line_for_each_row_and_compressor() {
    for (name, weighing) in cases() {
        let text = rendered("csv", &weighing, &Options::default());
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let columns = reader.headers().unwrap().len();
        assert_eq!(columns, 86);
        let lines = reader.records().map(|record| assert_eq!(record.unwrap().len(), columns)).count();
        let expected: usize = weighing.rows.iter().map(|row| row.compressed.len().max(1)).sum();
        assert_eq!(lines, expected, "{name}");
    }
}

#[test]
fn all_times_that_overlap_the_best_are_marked() {
    let text = rendered("terminal", &dns(), &Options::default());
    let line = |start: &str| text.lines().filter(|line| line.starts_with(start)).nth(1).unwrap().to_owned();
    // 120 + 142 µs against 131 + 133 µs, each ±1 %: which is quicker is not known.
    assert!(line("= protobuf").contains("★26.5"), "{}", line("= protobuf"));
    assert!(line("= thrift-binary").contains("★26.7"), "{}", line("= thrift-binary"));
    // Decoding differs by more than the intervals.
    assert!(line("= thrift-binary").contains("★13.3") && !line("= protobuf").contains("★14.2"));
}
