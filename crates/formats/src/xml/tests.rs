use super::*;
use bantam_model::schema::EnumValue;
use bantam_model::{
    Cardinality, Enum, EnumId, ErrorKind, Field, Int, Kind, Limits, Message, MessageId, Schema, Value, compare,
};

fn codec(layout: &Arc<Layout>) -> Box<dyn Codec> {
    build(layout).unwrap()
}

/// `M`: required `id`; optional `name`, `rate`, `on`, `raw`, `kind`, `kid` (an M); lists `tags`, `kids`; `a b`; a oneof
/// of `x` and `y`; implicit `zero`.
pub(super) fn layout() -> Arc<Layout> {
    use Cardinality::{Implicit, Optional, Repeated, Required};
    let mut number = 0;
    let mut field = |name: &str, kind, cardinality| {
        number += 1;
        Field::new(name, number, kind, cardinality)
    };
    let int = Kind::Int(Int::I32);
    let mut fields = vec![
        field("id", int, Required),
        field("name", Kind::String, Optional),
        field("rate", Kind::Double, Optional),
        field("on", Kind::Bool, Optional),
        field("raw", Kind::Bytes, Optional),
        field("kind", Kind::Enum(EnumId(0)), Optional),
        field("kid", Kind::Message(MessageId(0)), Optional),
        field("tags", Kind::String, Repeated),
        field("kids", Kind::Message(MessageId(0)), Repeated),
        field("a b", int, Optional),
        field("x", int, Optional),
        field("y", int, Optional),
        field("zero", int, Implicit),
    ];
    fields[10].oneof = Some(0);
    fields[11].oneof = Some(0);
    let message = Message { name: "p.M".into(), fields, oneofs: vec!["xy".into()], ..Message::default() };
    let values = vec![EnumValue { name: "RED".into(), number: 3, doc: String::new() }];
    let colour = Enum { name: "Colour".into(), values, ..Enum::default() };
    let schema = Schema { messages: vec![message], enums: vec![colour] };
    Arc::new(Layout::new(Arc::new(schema), MessageId(0)).unwrap())
}

/// Reads a list, as the plain reader does.
fn read(document: &str) -> Result<Batch<'_>> {
    let layout = layout();
    agreement::agree(&layout, &mut *codec(&layout), document.as_bytes(), Framing::List);
    let mut batch = Batch::new(layout.clone());
    codec(&layout).decode(document.as_bytes(), Framing::List, &mut batch)?;
    Ok(batch)
}

/// Reads the content of one record.
fn record(content: &str) -> Result<Batch<'static>> {
    Ok(read(&format!("<records><M><id>1</id>{content}</M></records>"))?.into_owned())
}

fn shown(batch: &Batch<'_>) -> String {
    let mut out = Vec::new();
    codec(batch.layout()).encode_each(batch.get(0).unwrap(), &mut out).unwrap();
    String::from_utf8(out).unwrap().split_once("?>\n").unwrap().1.trim_end().to_owned()
}

/// What one record becomes when it is read and written again.
fn again(content: &str) -> String {
    let shown = shown(&record(content).unwrap());
    shown.replacen("<M><id>1</id>", "", 1).strip_suffix("</M>").unwrap().to_owned()
}

fn name(content: &str) -> Option<String> {
    let batch = record(content).unwrap();
    match batch.get(0).unwrap().field("name") {
        Some(Value::String(text)) => Some(text.to_owned()),
        None => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_document_is_as_described() {
    let batch =
        read("<records><M><id>-1</id><tags>a</tags></M><M><id>2</id><kid><id>3</id></kid></M></records>").unwrap();
    let mut out = Vec::new();
    codec(batch.layout()).encode(&batch, Framing::List, &mut out).unwrap();
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<records>\n<M><id>-1</id><tags>a</tags></M>\n\
         <M><id>2</id><kid><id>3</id></kid></M>\n</records>\n"
    );
}

#[test]
fn every_kind_has_its_text() {
    for content in [
        "<rate>1.0</rate>",
        "<rate>NaN</rate>",
        "<rate>INF</rate>",
        "<rate>-INF</rate>",
        "<on>false</on>",
        "<raw>AP8=</raw>",
        "<raw></raw>",
        "<kind>RED</kind>",
        "<kid><id>2</id></kid>",
        "<tags>one</tags>",
        "<tags></tags><tags>two</tags>",
        "<kids><id>2</id></kids><kids><id>3</id></kids>",
        "<a_x0020_b>5</a_x0020_b>",
    ] {
        assert_eq!(again(content), content);
    }
    for (content, written) in [
        ("<rate> 1e0\n</rate>", "<rate>1.0</rate>"),
        ("<on>1</on>", "<on>true</on>"),
        ("<kind> 3 </kind>", "<kind>RED</kind>"),
        ("<raw>AP\n 8</raw>", "<raw>AP8=</raw>"),
        ("<zero>0</zero>", ""),
        ("<zero>7</zero><zero>0</zero>", ""),
    ] {
        assert_eq!(again(content), written);
    }
}

#[test]
fn empty_text_and_absence_are_told_apart() {
    assert_eq!(name(""), None);
    assert_eq!(name("<name></name>"), Some(String::new()));
    assert_eq!(name("<name/>"), Some(String::new()));
    assert_eq!(name("<name xsi:nil='true'/>"), None);
    assert_eq!(name("<name>a</name><name xsi:nil='false'>b</name>"), Some("b".into()));
    assert_eq!(again("<kids xsi:nil='1'/><rate i:nil='true'></rate>"), "");
}

#[test]
fn text_is_kept_exactly() {
    for (content, text) in [
        ("  a \t\n b  ", "  a \t\n b  "),
        ("a\r\nb\rc", "a\nb\nc"),
        ("a&#13;&#xA;b", "a\r\nb"),
        ("&lt;&gt;&amp;&apos;&quot;", "<>&'\""),
        ("&#x1F600;&#233;", "😀é"),
        ("a<![CDATA[<b>&amp;]]]]>c", "a<b>&amp;]]c"),
        ("<![CDATA[]]>", ""),
        ("a<!-- no -->b<?p no?>c", "abc"),
        ("a<b>unknown</b>c", "ac"),
        ("]]&gt;", "]]>"),
    ] {
        assert_eq!(name(&format!("<name>{content}</name>")).as_deref(), Some(text), "{content}");
    }
    assert_eq!(again("<name> \t\n&#13;]]&gt;></name>"), "<name> \t\n&#13;]]&gt;></name>");
}

#[test]
fn what_xml_cannot_hold_is_base64() {
    for text in ["a\0b", "\u{1b}", "\u{fffe}", "x\u{ffff}"] {
        let encoded = {
            let mut out = Vec::new();
            crate::text::write_base64(&mut out, text.as_bytes());
            format!("<name encoding=\"base64\">{}</name>", String::from_utf8(out).unwrap())
        };
        assert_eq!(name(&encoded).as_deref(), Some(text));
        assert_eq!(again(&encoded), encoded);
    }
    let error = record("<name encoding='base64'>/w==</name>").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Text);
    assert_eq!(again("<name encoding='base64'>eA==</name>"), "<name>x</name>");
}

#[test]
fn text_without_escapes_lies_in_the_input() {
    let document =
        "<records><M><id>1</id><name>plain</name><tags>a&amp;b</tags><tags><![CDATA[<c>]]></tags></M></records>";
    let batch = read(document).unwrap();
    assert_eq!(batch.text(), b"a&b");
    // A mark of the byte order comes before the document.
    let marked = format!("\u{feff}{document}");
    let batch = read(&marked).unwrap();
    assert_eq!(batch.text(), b"a&b");
    assert!(matches!(batch.get(0).unwrap().field("name"), Some(Value::String("plain"))));
}

#[test]
fn the_last_of_a_single_field_counts() {
    assert_eq!(again("<name>a</name><rate>1</rate><name>b</name>"), "<name>b</name><rate>1.0</rate>");
    assert_eq!(again("<kid><id>2</id><on>1</on></kid><kid><id>3</id></kid>"), "<kid><id>3</id></kid>");
    assert_eq!(again("<x>1</x><y>2</y>"), "<y>2</y>");
    assert_eq!(again("<y>2</y><x>1</x>"), "<x>1</x>");
}

#[test]
fn what_others_write_is_read() {
    let document = "<?xml version='1.0' encoding='utf-8'?><!DOCTYPE r SYSTEM 'no.dtd' [<!ENTITY e 'x'><!-- > -->]>\n\
        <!-- c --><q:r xmlns:q='urn:q' version='2'>\n  <q:M id='7' rate=' 2 ' name='a&amp;&#98;'>\n\
        <q:tags>t</q:tags><new><deep a='1'>x</deep></new>mixed</q:M>\n<other/></q:r><?p?>\n";
    let batch = read(document).unwrap();
    assert_eq!(shown(&batch), "<M><id>7</id><name>a&amp;b</name><rate>2.0</rate><tags>t</tags></M>");
    // The element, the text beside the elements, the other element.
    assert_eq!(batch.skipped(), 3);
    assert_eq!(record("<name lang='de'>a</name><kid id='2' odd='3'/>").unwrap().skipped(), 2);
}

#[test]
fn one_record_is_a_document_of_its_own() {
    let layout = layout();
    let bytes = b"..<M><id>1</id><name>a</name></M>..";
    let mut batch = Batch::new(layout.clone());
    let mut codec = codec(&layout);
    batch.reset(bytes).unwrap();
    codec.decode_each(bytes, 2..bytes.len() - 2, &mut batch).unwrap();
    assert_eq!(shown(&batch), "<M><id>1</id><name>a</name></M>");
    assert_eq!(codec.decode_each(bytes, 2..20, &mut batch).unwrap_err().kind(), ErrorKind::Truncated);
    let error = codec.decode_each(b"<records/>", 0..10, &mut batch).unwrap_err().to_string();
    assert_eq!(error, "line 1 column 1: the root element is <records>, expected <M>");
    let error = read("<M><id>1</id></M>").unwrap_err().to_string();
    assert_eq!(error, "line 1 column 1: the root element <M> is one record; read it with the framing `each`");
    assert_eq!(codec.encode(&batch, Framing::Stream, &mut Vec::new()).unwrap_err().kind(), ErrorKind::Unsupported);
}

#[test]
fn errors_say_what_and_where() {
    for (document, error) in [
        ("", "line 1 column 1: the document has no element"),
        ("\n<records>\n <M></M></records>", "record 0, line 3 column 5, field id: the required field is missing"),
        (
            "<records>\n<M><id>x</id></M></records>",
            "record 0, line 2 column 8, field id: expected a whole number, found \"x\"",
        ),
        (
            "<records><M><id/></M></records>",
            "record 0, line 1 column 18, field id: expected a whole number, found nothing",
        ),
        (
            "<records><M><id>1</id></M><M><id>1</id><kids><id>1</id></kids><kids><id>9999999999</id></kids></M></records>",
            "record 1, line 1 column 73, field kids[1].id: \"9999999999\" does not fit int32, which holds -2147483648 to 2147483647",
        ),
        ("<records><M><id>1</id>", "record 0, line 1 column 23: the document ends inside <M>"),
        ("<records><M><id>1", "record 0, line 1 column 18, field id: the document ends inside <id>"),
        (
            "<records><M><id>1</i",
            "record 0, line 1 column 18, field id: tag not closed: `>` not found before end of input",
        ),
        (
            "<records><M><id>1</x></M></records>",
            "record 0, line 1 column 18, field id: expected `</id>`, but `</x>` was found",
        ),
        ("<records><u><v></u></records>", "line 1 column 16: expected `</v>`, but `</u>` was found"),
        ("<records></records><a/>", "line 1 column 20: <a> is a second root element"),
        ("<records/>x", "line 1 column 11: there is text outside the root element"),
        ("<records><1/></records>", "line 1 column 10: \"1\" is no name of an element"),
        (
            "<records><u>&e;</u></records>",
            "line 1 column 13: the entity `&e;` is unknown; entities of a document type are not expanded",
        ),
        ("<records><u>&#0;</u></records>", "line 1 column 13: `&#0;` is no character of XML"),
        ("<records>\u{1}</records>", "line 1 column 10: U+0001 is no character of XML"),
        ("<records><u>]]></u></records>", "line 1 column 13: `]]>` in text has to be written `]]&gt;`"),
        (
            "<records><u a='1' a='2'/></records>",
            "line 1 column 10: attribute: position 8: duplicated attribute, previous declaration at position 2",
        ),
        (
            "<records><u a='<'/></records>",
            "line 1 column 10: attribute: `<` in the value of `a` has to be written `&lt;`",
        ),
        (
            "<records><u a='&e;'/></records>",
            "line 1 column 10: the entity `&e;` is unknown; entities of a document type are not expanded",
        ),
        (
            "<?xml version='1.0' encoding='EBCDIC-CP-US'?><records/>",
            "line 1 column 1: the encoding is declared as \"EBCDIC-CP-US\", which is not that of the bytes, or is none of \
             those that are read: UTF-8, UTF-16, US-ASCII, ISO-8859-1 and Windows-1252",
        ),
        (
            "<records><!DOCTYPE x></records>",
            "line 1 column 10: one document type declaration may stand before the root element",
        ),
        (
            "<records><M><id>1</id><kind>BLUE</kind></M></records>",
            "record 0, line 1 column 29, field kind: expected a name of the enum `Colour`, found \"BLUE\"",
        ),
    ] {
        assert_eq!(read(document).map(|b| shown(&b)).unwrap_err().to_string(), error, "{document}");
    }
    let layout = layout();
    let error = codec(&layout).decode(b"<r>\xff</r>", Framing::List, &mut Batch::new(layout.clone()));
    let text = "line 1 column 4: the document is not UTF-8, and declares no other encoding";
    assert_eq!(error.unwrap_err().to_string(), text);
}

#[test]
fn depth_is_limited_where_it_counts() {
    let nested = |depth: usize| {
        let kids = "<kid><id>1</id>".repeat(depth) + &"</kid>".repeat(depth);
        format!("<records><M><id>1</id>{kids}</M></records>")
    };
    read(&nested(99)).unwrap();
    assert_eq!(read(&nested(100)).unwrap_err().kind(), ErrorKind::Limit);
    let layout = layout();
    let mut batch = Batch::with_limits(layout.clone(), Limits::default().depth(Limits::MOST_DEPTH));
    codec(&layout).decode(nested(999).as_bytes(), Framing::List, &mut batch).unwrap();
    // What is passed over costs no stack.
    let unknown = "<u>".repeat(100_000) + &"</u>".repeat(100_000);
    assert_eq!(record(&unknown).unwrap().skipped(), 1);
}

#[test]
fn entities_are_never_expanded() {
    let document = "<!DOCTYPE r [<!ENTITY a '1'><!ENTITY b '&a;&a;'>]><records><M><id>&b;</id></M></records>";
    let error = read(document).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.to_string().contains("`&b;`"), "{error}");
}

#[test]
fn what_was_learned_changes_no_result() {
    let documents = [
        "<records><M><id>1</id><tags>a</tags><tags>b</tags><name>c</name></M></records>",
        "<records><M><name>c</name><tags>a</tags><id>1</id></M><M><tags>a</tags><id>1</id></M></records>",
    ];
    let layout = layout();
    let mut warm = codec(&layout);
    for document in documents.iter().cycle().take(6) {
        let mut batch = Batch::new(layout.clone());
        warm.decode(document.as_bytes(), Framing::List, &mut batch).unwrap();
        compare(&read(document).unwrap(), &batch, Lowerings::NONE).unwrap();
    }
}

#[test]
fn a_map_has_one_entry_a_key() {
    let fields = vec![
        Field::new("key", 1, Kind::String, Cardinality::Implicit),
        Field::new("value", 2, Kind::Int(Int::I32), Cardinality::Implicit),
    ];
    let entry = Message { name: "E".into(), fields, shape: bantam_model::Shape::Entry, ..Message::default() };
    let fields = vec![Field::new("map", 1, Kind::Message(MessageId(1)), Cardinality::Map)];
    let outer = Message { name: "M".into(), fields, ..Message::default() };
    let schema = Arc::new(Schema { messages: vec![outer, entry], enums: vec![] });
    let layout = Arc::new(Layout::new(schema, MessageId(0)).unwrap());
    let entry = |key, value| format!("<map><key>{key}</key><value>{value}</value></map>");
    let document = format!("<records><M>{}{}{}</M></records>", entry("a", 1), entry("", 0), entry("a", 2));
    let mut batch = Batch::new(layout.clone());
    let mut codec = codec(&layout);
    codec.decode(document.as_bytes(), Framing::List, &mut batch).unwrap();
    assert_eq!(shown(&batch), format!("<M>{}{}</M>", entry("a", 2), entry("", 0)));
    let error = codec.decode(b"<records><M><map><key>a</key></map></M></records>", Framing::List, &mut batch);
    let text = "record 0, line 1 column 30, field map[0].value: the required field is missing";
    assert_eq!(error.unwrap_err().to_string(), text);
}

#[test]
fn other_encodings_are_read_into_the_batch() {
    let layout = layout();
    let latin = |content: &[u8]| {
        [b"<?xml version='1.0' encoding='ISO-8859-1'?>\n<records><M><id>1</id>", content, b"</M></records>"].concat()
    };
    let wide: Vec<u8> = "\u{feff}<records><M><id>1</id><name>é😀</name><kid id='2' name='ü'/></M></records>"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    for (document, shown_as) in [
        (latin(b"<name>\xe9</name><tags>a&amp;\xff</tags>"), "<M><id>1</id><name>é</name><tags>a&amp;ÿ</tags></M>"),
        (wide, "<M><id>1</id><name>é😀</name><kid><id>2</id><name>ü</name></kid></M>"),
    ] {
        let mut batch = Batch::new(layout.clone());
        codec(&layout).decode(&document, Framing::List, &mut batch).unwrap();
        assert_eq!(shown(&batch), shown_as);
    }
    let broken = latin(b"\xe9<name>\xe9");
    let broken = &broken[..broken.len() - "</M></records>".len()];
    let error = codec(&layout).decode(broken, Framing::List, &mut Batch::new(layout.clone())).unwrap_err();
    assert_eq!(error.to_string(), "record 0, line 2 column 33, field name: the document ends inside <name>");
}

#[test]
fn a_document_cut_anywhere_is_an_error() {
    let document = "<?xml version='1.0'?><!DOCTYPE r [ <!ENTITY e '>'> ]><!-- c --><records a='1'><M id='1' odd=\"2\">\
        <name encoding='base64'>eA==</name><tags>a&amp;b<![CDATA[c]]></tags><u><v/></u><?p q?></M></records>";
    read(document).unwrap();
    for cut in 0..document.len() {
        let error = read(&document[..cut]).unwrap_err();
        assert!(error.position().line.is_some(), "{cut}: {error}");
        // A reference that is cut is one without its end.
        assert!(matches!(error.kind(), ErrorKind::Truncated | ErrorKind::Syntax), "{cut}: {error}");
    }
}
