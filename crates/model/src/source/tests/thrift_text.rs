//! Reading `.thrift` text.

use super::*;

#[test]
fn structs_have_fields_of_every_kind() {
    let schema = thrift(
        r#"
        namespace * a.b
        namespace py.twisted x (k = "v")
        php_namespace "old"
        cpp_include "<map>"
        typedef i64 Time
        /** Colors.
         *  Two. */
        enum Color { RED, /** The sea. */ BLUE = 0x10 (x), DARK }
        /** A record. */
        struct S {
          1: required bool a;
          2: optional byte b,
          3: i16 c
          4: i32 d (go.tag = "x", y)
          5: Time e;
          6: double f // no doc
          /** The text. */
          7: string g
          8: binary h
          9: Color i
          10: list<i32> j
          11: set<string> k
          12: map<string, S> & l
          -5: i8 m
          string n
          bool o
          14: list cpp_type "x" < map cpp_type "y" <i32, list<list<double>>> > cpp_type "z" p
        } (final)
        exception Oops { 1: string why }
        service X extends shared.Y { oneway void f(1: S s) throws (1: Oops o) (a = "}"), S g() } (b = "c")
        "#,
    );
    let s = message(&schema, "S");
    assert_eq!(s.doc, "A record.");
    let numbers: Vec<_> = s.fields.iter().map(|f| f.number).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, -5, -6, -7, 14]);
    use Cardinality::{Map, Optional, Repeated, Required, Set};
    let narrow = |width| Kind::Int(Int { width, ..Int::I32 });
    for (name, kind, cardinality) in [
        ("a", Kind::Bool, Required),
        ("b", narrow(Width::W8), Optional),
        ("c", narrow(Width::W16), Optional),
        ("d", Kind::Int(Int::I32), Optional),
        ("e", Kind::Int(Int::I64), Optional),
        ("f", Kind::Double, Optional),
        ("g", Kind::String, Optional),
        ("h", Kind::Bytes, Optional),
        ("i", Kind::Enum(crate::EnumId(0)), Optional),
        ("j", Kind::Int(Int::I32), Repeated),
        ("k", Kind::String, Set),
        ("l", Kind::Message(schema_id(&schema, "S.LEntry")), Map),
        ("m", narrow(Width::W8), Optional),
        ("p", Kind::Message(schema_id(&schema, "S.PItem")), Repeated),
    ] {
        let field = s.field(name).unwrap();
        assert_eq!((field.kind, field.cardinality), (kind, cardinality), "{name}");
    }
    assert_eq!((s.field("g").unwrap().doc.as_str(), s.field("f").unwrap().doc.as_str()), ("The text.", ""));
    let item = message(&schema, "S.PItem");
    assert_eq!((item.shape, item.fields[0].name.as_str(), item.fields[0].cardinality), (Shape::Wrapper, "items", Map));
    for (name, shape) in [
        ("S.PItem.ItemsEntry", Shape::Entry),
        ("S.PItem.ItemsValue", Shape::Wrapper),
        ("S.PItem.ItemsValue.ItemsItem", Shape::Wrapper),
        ("Oops", Shape::Record),
    ] {
        assert_eq!(message(&schema, name).shape, shape);
    }
    let color = &schema.enums[0];
    assert_eq!(color.doc, "Colors.\n Two.");
    let values: Vec<_> = color.values.iter().map(|v| (v.name.as_str(), v.number, v.doc.as_str())).collect();
    assert_eq!(values, [("RED", 0, ""), ("BLUE", 16, "The sea."), ("DARK", 17, "")]);
    Layout::new(Arc::new(schema.clone()), schema.find("S").unwrap()).unwrap();
    round_trip(&schema);
}

fn schema_id(schema: &Schema, name: &str) -> MessageId {
    MessageId(schema.messages.iter().position(|m| m.name == name).unwrap() as u32)
}

#[test]
fn a_union_is_a_oneof() {
    let schema = thrift("union U { 1: i32 a, 2: list<i32> value, 3: map<i32, i32> c; 4: U d } struct S { 1: U u }");
    let union = message(&schema, "U");
    assert_eq!(union.oneofs, ["value_"]);
    assert!(union.fields.iter().all(|f| f.oneof == Some(0) && f.cardinality == Cardinality::Optional));
    assert_eq!(union.fields[1].kind, Kind::Message(schema_id(&schema, "U.ValueList")));
    assert_eq!(message(&schema, "U.CMap").shape, Shape::Wrapper);
    Layout::new(Arc::new(schema.clone()), schema.root().unwrap()).unwrap();
    round_trip(&schema);
}

#[test]
fn constants_are_defaults() {
    let schema = thrift(
        r#"
        const i32 PORT = 80
        const list<i32> PORTS = [PORT, 0x1bb; 8080]
        enum Color { RED = 1, BLUE = 2 }
        typedef Color Paint
        struct P { 1: i32 x = -1, 2: double y = 1 }
        struct S {
          1: i32 a = PORT
          2: double b = -2.5e-3
          3: bool c = 1
          4: bool d = false
          5: string e = 'it\'s "so"'
          6: binary f = "x"
          7: Color g = Color.BLUE
          8: Paint h = RED
          9: Color i = 2
          10: list<i32> j = PORTS
          11: map<string, list<bool>> k = {"a": [true, 0], 'b': []}
          12: P l = {"x": PORT, "y": 2}
          13: i8 m = -128
          14: set<double> n = [1, 2.5]
          15: i64 o = Color.BLUE
        }"#,
    );
    let int = Constant::Int;
    let text = |t: &str| Constant::String(t.into());
    for (name, default) in [
        ("a", int(80)),
        ("b", Constant::Float(-0.0025)),
        ("c", Constant::Bool(true)),
        ("d", Constant::Bool(false)),
        ("e", text("it's \"so\"")),
        ("f", Constant::Bytes(b"x".into())),
        ("g", int(2)),
        ("h", int(1)),
        ("i", int(2)),
        ("j", Constant::List(vec![int(80), int(443), int(8080)])),
        (
            "k",
            Constant::Map(vec![
                (text("a"), Constant::List(vec![Constant::Bool(true), Constant::Bool(false)])),
                (text("b"), Constant::List(vec![])),
            ]),
        ),
        ("l", Constant::Map(vec![(text("x"), int(80)), (text("y"), Constant::Float(2.0))])),
        ("m", int(-128)),
        ("n", Constant::List(vec![Constant::Float(1.0), Constant::Float(2.5)])),
        ("o", int(2)),
    ] {
        assert_eq!(message(&schema, "S").field(name).unwrap().default, Some(default), "{name}");
    }
    round_trip(&schema);
}

#[test]
fn includes_are_named_by_their_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    std::fs::create_dir_all(path("sub")).unwrap();
    std::fs::create_dir_all(path("lib")).unwrap();
    let main = "include \"sub/shared.thrift\"\ninclude \"base.thrift\"\n\
        struct M { 1: shared.Item a, 2: base.Id b = base.FIRST, 3: base.Mode c = base.Mode.ON }";
    std::fs::write(path("main.thrift"), main).unwrap();
    let shared = "include \"base.thrift\" struct Item { 1: base.Id id, 2: Item next } struct Unused {}";
    std::fs::write(path("sub/shared.thrift"), shared).unwrap();
    std::fs::write(path("lib/base.thrift"), "typedef i64 Id const Id FIRST = 7 enum Mode { OFF, ON }").unwrap();
    let source = load(path("main.thrift"), &[path("lib")]).unwrap();
    let names: Vec<_> = source.schema.messages.iter().map(|m| (m.name.as_str(), m.imported)).collect();
    assert_eq!(names, [("M", false), ("shared.Item", true)]);
    let m = &source.schema.messages[0];
    assert_eq!(
        (m.fields[1].default.clone(), m.fields[2].default.clone()),
        (Some(Constant::Int(7)), Some(Constant::Int(1)))
    );
    assert_eq!(source.schema.enums[0].name, "base.Mode");
    assert_eq!(source.schema.root().unwrap(), MessageId(0));
    round_trip(&source.schema);

    let error = load(path("main.thrift"), &[]).unwrap_err().to_string();
    assert!(error.starts_with("line 1 column 9: the include `base.thrift` is not in `"), "{error}");
    assert!(error.ends_with("(in sub/shared.thrift)"), "{error}");
    std::fs::write(path("lib/base.thrift"), "include \"../sub/shared.thrift\"").unwrap();
    let error = load(path("main.thrift"), &[path("lib")]).unwrap_err().to_string();
    assert!(error.contains("leads back to the same file") && error.contains("(in base.thrift)"), "{error}");
    std::fs::write(path("lib/base.thrift"), "include \"main.thrift\"").unwrap();
    let error = load(path("main.thrift"), &[path("lib"), dir.path().into()]).unwrap_err().to_string();
    assert!(error.contains("leads back to the same file"), "{error}");
}

#[test]
fn a_file_without_structs_shows_those_it_includes() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.thrift"), "struct A {}").unwrap();
    let source = read("m.thrift", b"include \"a.thrift\"", &[dir.path().into()]).unwrap();
    assert_eq!(source.schema.messages[source.schema.root().unwrap().0 as usize].name, "a.A");
}

#[test]
fn errors_say_file_line_column_and_what_was_expected() {
    for (text, shown) in [
        ("struct S {\n  1: i32\n}", "line 3 column 1: expected the field's name, found `}` (in t.thrift)"),
        ("struct S { 1 i32 a }", "line 1 column 14: expected `:`, found `i32` (in t.thrift)"),
        ("struct S { 1: i32 a", "line 1 column 20: expected a type, found the end of the file (in t.thrift)"),
        ("struct S { 1: Foo a }", "line 1 column 15: no type is named `Foo` (in t.thrift)"),
        ("struct S { 1: x.Foo a }", "line 1 column 15: no type is named `x.Foo` (in t.thrift)"),
        (
            "const i32 C = 1 struct S { 1: C a }",
            "line 1 column 31: expected a type, but `C` is a constant (in t.thrift)",
        ),
        ("struct S { 1: i32 a, 1: i32 b }", "line 1 column 22: two fields have the id 1 (in t.thrift)"),
        ("struct S { 1: i32 a, 2: i32 a }", "line 1 column 22: two fields are named `a` (in t.thrift)"),
        ("struct S {} struct S {}", "line 1 column 20: `S` is declared twice (in t.thrift)"),
        ("struct S { 40000: i32 a }", "line 1 column 12: the field id 40000 does not fit 16 bits (in t.thrift)"),
        ("enum E { A = 2147483647, B }", "line 1 column 26: 2147483648 does not fit 32 bits (in t.thrift)"),
        ("enum E { A, A }", "line 1 column 13: two values are named `A` (in t.thrift)"),
        ("struct S { 1: uuid a }", "line 1 column 15: `uuid` is not supported (in t.thrift)"),
        ("senum E { 'a' }", "line 1 column 1: `senum` is not supported (in t.thrift)"),
        ("struct S { 1: slist a }", "line 1 column 15: `slist` is not supported (in t.thrift)"),
        ("struct S { 1: i8 a = 128 }", "line 1 column 22: 128 does not fit int8 (in t.thrift)"),
        ("struct S { 1: i32 a = 'x' }", "line 1 column 23: expected a whole number, found \"x\" (in t.thrift)"),
        ("struct S { 1: bool a = X }", "line 1 column 24: expected true or false, found `X` (in t.thrift)"),
        (
            "enum E { A } enum F { B } struct S { 1: E e = F.B }",
            "line 1 column 47: expected a value of `E`, found `F.B` (in t.thrift)",
        ),
        ("include 'no.thrift'", "line 1 column 9: the include `no.thrift` has no folder to be in (in t.thrift)"),
        ("typedef A B typedef B A struct S { 1: A a }", "line 1 column 39: typedefs lead to each other"),
        ("typedef list<A> A struct S { 1: A a }", "types nested more than 64 deep, or without end (in t.thrift)"),
        ("const i32 A = B const i32 B = A struct S { 1: i32 a = A }", "naming each other in a circle (in t.thrift)"),
        ("struct S {} foo", "line 1 column 13: expected a definition"),
        ("service S { void f(", "line 1 column 11: the `{` here has no `}` (in t.thrift)"),
    ] {
        let error = fails("t.thrift", text).to_string();
        assert!(error.contains(shown), "{error}\n{text}");
    }
}

#[test]
fn hostile_text_is_refused_in_bounded_time() {
    let lines = |of: &dyn Fn(u32, u32) -> String| (1..5_000).map(|n| of(n, n - 1)).collect::<Vec<_>>().join("\n");
    let double =
        |n, before| format!("typedef map<T{before}, T{before}> T{n}\nconst list<i32> C{n} = [C{before}, C{before}]");
    let doubling = format!("typedef i32 T0\nconst list<i32> C0 = [1]\n{}", lines(&double));
    let chain = lines(&|n, before| format!("typedef list<T{before}> T{n}"));
    let lists = (0..60).fold("i32".to_owned(), |of, _| format!("list<{of}>"));
    for text in [
        format!("{doubling} struct S {{ 1: T59 a }}"),
        format!("{doubling} struct S {{ 1: {lists} a = C59 }}"),
        format!("typedef i32 T0\n{chain} struct S {{ 1: T4999 a }}"),
        format!("struct S {{ 1: {}", "list<".repeat(100_000)),
        format!("const i32 A = {}", "[".repeat(100_000)),
        format!("const i32 A = {}", "{1:".repeat(100_000)),
    ] {
        let error = fails("t.thrift", &text);
        assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    }
}
