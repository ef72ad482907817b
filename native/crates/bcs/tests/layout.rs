//! Layouts: the JSON rules row by row, refusals with their paths, and both directions by property.

use std::sync::Arc;

use ledger_bcs::layout::{
    JSON_DEPTH_MAX, Layout, LayoutBuilder, LayoutError, Leaf, NodeId, RenderError, encode_json, render_json,
};
use ledger_bcs::{CONTAINER_DEPTH_MAX, Error, Writer};
use proptest::prelude::*;

fn name(text: &str) -> Arc<str> {
    text.into()
}

/// `struct S { coin: Option<u64>, tag: Colour, owner: Object, notes: vector<String>, blob: vector<u8> }`
/// with `enum Colour { Red, Custom { r: u8, g: u8 } }`.
fn sample() -> Layout {
    let mut builder = LayoutBuilder::new();
    let layout = (|| {
        let number = builder.leaf(Leaf::U64)?;
        let byte = builder.leaf(Leaf::U8)?;
        let text = builder.leaf(Leaf::String)?;
        let owner = builder.leaf(Leaf::Object)?;
        let blob = builder.leaf(Leaf::Bytes)?;
        let coin = builder.option(number)?;
        let notes = builder.vector(text)?;
        let custom = vec![(name("r"), byte), (name("g"), byte)];
        let colour = builder.enumeration([(name("Red"), vec![]), (name("Custom"), custom)])?;
        builder.structure([
            (name("coin"), coin),
            (name("tag"), colour),
            (name("owner"), owner),
            (name("notes"), notes),
            (name("blob"), blob),
        ])
    })();
    let root: Result<NodeId, LayoutError> = layout;
    builder.finish(root.expect("a small layout"))
}

fn sample_bytes() -> Vec<u8> {
    let mut writer = Writer::new();
    writer.option(Some(7), Writer::u64);
    writer.variant(1);
    writer.u8(1);
    writer.u8(255);
    writer.raw(&[&[0; 31][..], &[0xa]].concat());
    writer.sequence(["a\"b\\\n", "\u{1}é"], Writer::string);
    writer.bytes(&[0, 0xff]);
    writer.into_bytes()
}

const SAMPLE_JSON: &str = r#"{"coin":{"vec":["7"]},"tag":{"__variant__":"Custom","r":1,"g":255},"owner":{"inner":"0xa"},"notes":["a\"b\\\n","\u0001é"],"blob":"0x00ff"}"#;

fn render(layout: &Layout, bytes: &[u8]) -> Result<String, RenderError> {
    let mut out = b"kept ".to_vec();
    let result = render_json(layout, bytes, 1 << 20, &mut out);
    let text = String::from_utf8(out).expect("JSON is UTF-8");
    let text = text.strip_prefix("kept ").expect("what was there stays").to_owned();
    if result.is_err() {
        assert_eq!(text, "", "a failed rendering leaves nothing");
    }
    result.map(|()| text)
}

#[test]
fn every_rule_of_the_output_shows_in_one_value() {
    assert_eq!(render(&sample(), &sample_bytes()).as_deref(), Ok(SAMPLE_JSON));
}

#[test]
fn rendered_text_reads_back_to_the_same_bytes() {
    assert_eq!(encode_json(&sample(), SAMPLE_JSON, "value"), Ok(sample_bytes()));
}

#[test]
fn fields_may_come_in_any_order_and_enums_in_either_form() {
    let json = r#" { "blob" : [0, 255], "notes":["a\u0022b\\\n","\u0001\u00e9"], "owner":"0xA",
        "tag":{"Custom":{"g":255,"r":1}},"coin":{"vec":["007"]} } "#;
    assert_eq!(encode_json(&sample(), json, "value"), Ok(sample_bytes()));
}

#[test]
fn text_that_is_not_utf8_is_shown_and_the_rest_with_it() {
    let layout = Layout::of_leaf(Leaf::String);
    assert_eq!(render(&layout, &[2, 0xff, 0x41]).as_deref(), Ok(r#""Unparsable utf-8 0xff41""#));
}

#[test]
fn leaves_render_by_the_rules_of_the_interface() {
    let address = [&[0; 30][..], &[0x0b, 0x0b]].concat();
    let rows: [(Leaf, &[u8], &str); 14] = [
        (Leaf::Bool, &[1], "true"),
        (Leaf::U8, &[255], "255"),
        (Leaf::U32, &[0xff; 4], "4294967295"),
        (Leaf::U64, &[0xff; 8], "\"18446744073709551615\""),
        (Leaf::I8, &[0x80], "-128"),
        (Leaf::I32, &[0xff; 4], "-1"),
        (Leaf::I64, &[0xff; 8], "\"-1\""),
        (Leaf::I128, &[0; 16], "\"0\""),
        (Leaf::Address, &[0; 32], "\"0x0\""),
        (Leaf::Address, &address, "\"0xb0b\""),
        (Leaf::Signer, &address, "\"0xb0b\""),
        (Leaf::Object, &address, "{\"inner\":\"0xb0b\"}"),
        (Leaf::Bytes, &[0], "\"0x\""),
        (Leaf::String, &[0], "\"\""),
    ];
    for (leaf, bytes, expected) in rows {
        assert_eq!(render(&Layout::of_leaf(leaf), bytes).as_deref(), Ok(expected), "{leaf:?}");
    }
}

#[test]
fn bytes_that_are_not_one_value_are_refused_where_they_go_wrong() {
    let at = |error, offset| Err(RenderError::Bcs { error, offset });
    let layout = sample();
    assert_eq!(render(&layout, &[]), at(Error::UnexpectedEnd, 0));
    assert_eq!(render(&layout, &[2]), at(Error::Invalid("an option holds at most one value"), 1));
    assert_eq!(render(&layout, &[0, 2]), at(Error::UnknownVariant { of: "the Move enum", index: 2 }, 2));
    let mut longer = sample_bytes();
    longer.push(0);
    assert_eq!(render(&layout, &longer), at(Error::RemainingInput(1), longer.len() - 1));
    assert_eq!(render(&Layout::of_leaf(Leaf::Bool), &[2]), at(Error::BadBool(2), 1));
}

#[test]
fn a_count_above_the_input_is_refused_before_anything_is_written() {
    let mut builder = LayoutBuilder::new();
    let item = builder.leaf(Leaf::U8).and_then(|byte| builder.structure([(name("field"), byte)]));
    let list = item.and_then(|item| builder.vector(item)).expect("a small layout");
    let layout = builder.finish(list);
    assert!(matches!(
        render(&layout, &[0xff, 0xff, 0xff, 0xff, 0x07, 1]),
        Err(RenderError::Bcs { error: Error::UnexpectedEnd, .. })
    ));
}

#[test]
fn output_stops_at_the_limit() {
    let mut builder = LayoutBuilder::new();
    let long = "x".repeat(200);
    let item = builder.leaf(Leaf::U8).and_then(|byte| builder.structure([(name(&long), byte)]));
    let list = item.and_then(|item| builder.vector(item)).expect("a small layout");
    let layout = builder.finish(list);
    let mut bytes = vec![0xe8, 0x07];
    bytes.extend([1; 1000]);
    let mut out = Vec::new();
    assert_eq!(render_json(&layout, &bytes, 10_000, &mut out), Err(RenderError::OutputTooLarge));
    assert!(out.is_empty() && out.capacity() < 40_000, "capacity {}", out.capacity());
}

/// `depth` structs around one another, the innermost around a byte.
fn nested(depth: u32) -> Result<Layout, LayoutError> {
    let mut builder = LayoutBuilder::new();
    let mut node = builder.leaf(Leaf::U8)?;
    for _ in 0..depth {
        node = builder.structure([(name("f"), node)])?;
    }
    Ok(builder.finish(node))
}

#[test]
fn the_deepest_layout_renders_and_one_deeper_is_refused() {
    let deepest = nested(CONTAINER_DEPTH_MAX - 1).expect("at the limit");
    assert!(render(&deepest, &[5]).is_ok_and(|text| text.contains("{\"f\":5}")));
    assert_eq!(nested(CONTAINER_DEPTH_MAX).err(), Some(LayoutError::TooDeep));
    assert_eq!(LayoutBuilder::new().structure([]), Err(LayoutError::EmptyStruct));
}

/// The stack of a conversion does not grow with the depth of the layout: a thread with little of it
/// converts the deepest one both ways.
#[test]
fn the_deepest_layout_needs_no_deep_stack() {
    let convert = || {
        let layout = nested(CONTAINER_DEPTH_MAX - 1).expect("at the limit");
        render(&layout, &[5]).expect("the deepest value");
        let levels = JSON_DEPTH_MAX as u32;
        let layout = nested(levels).expect("below the limit");
        let json = render(&layout, &[5]).expect("a value");
        assert_eq!(encode_json(&layout, &json, "value"), Ok(vec![5]));
        let json = render(&nested(levels + 1).expect("below the limit"), &[5]).expect("a value");
        assert!(encode_json(&layout, &json, "value").is_err(), "one level above what JSON may have");
    };
    let thread = std::thread::Builder::new().stack_size(64 * 1024).spawn(convert).expect("a thread");
    thread.join().expect("no overflow");
}

#[test]
fn json_is_limited_in_depth() {
    let layout = Layout::of_leaf(Leaf::Bytes);
    let text = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let deepest = encode_json(&layout, &text(JSON_DEPTH_MAX), "value").expect_err("not bytes");
    assert_eq!(deepest.expected, "string<hex>");
    let deeper = encode_json(&layout, &text(JSON_DEPTH_MAX + 1), "value").expect_err("too deep");
    assert_eq!(deeper.expected, "JSON of at most 64 levels");
}

#[test]
fn refusals_name_the_place_and_what_was_expected() {
    let option_of_number = {
        let mut builder = LayoutBuilder::new();
        let option = builder.leaf(Leaf::U64).and_then(|number| builder.option(number));
        let list = option.and_then(|option| builder.vector(option)).expect("a small layout");
        builder.finish(list)
    };
    let sample = sample();
    let leaf = Layout::of_leaf;
    let with = |from: &str, to: &str| SAMPLE_JSON.replacen(from, to, 1);
    let fields = "object with the fields {coin, tag, owner, notes, blob}";
    let rows: Vec<(&Layout, String, &str, &str)> = vec![
        (&option_of_number, r#"[{"vec":["1"]},{"vec":[5]}]"#.into(), "args[1].vec[0]", "string<u64>"),
        (&option_of_number, r#"[{"vec":["1","2"]}]"#.into(), "args[0]", "option of at most one value"),
        (&option_of_number, "[null]".into(), "args[0]", "option: {\"vec\":[]} or {\"vec\":[value]}"),
        (&sample, "{}".into(), "args", fields),
        (&sample, "[]".into(), "args", fields),
        (&sample, with("\"coin\"", "\"coins\""), "args.coin", "this field"),
        (&sample, with("Custom", "Blue"), "args.tag", "enum with one of the variants {Red, Custom}"),
        (&sample, with("255", "256"), "args.tag.g", "integer<u8>"),
        (&sample, with("255", "1.5"), "args.tag.g", "integer<u8>"),
        (&sample, with("255", "\"1\""), "args.tag.g", "integer<u8>"),
        (&sample, with("\"0xa\"", "\"0x\""), "args.owner", "string<address> or {\"inner\": string<address>}"),
        (&sample, with("0x00ff", "0x0ff"), "args.blob", "string<hex>"),
        (&sample, with("\"a\\\"b\\\\\\n\"", "null"), "args.notes[0]", "string"),
        (&sample, SAMPLE_JSON[..20].into(), "args", "JSON (syntax error at byte 20)"),
        (&sample, with("\"7\"", "\"-7\""), "args.coin.vec[0]", "string<u64>"),
    ];
    for (layout, json, path, expected) in rows {
        let error = encode_json(layout, &json, "args").expect_err(&json);
        assert_eq!((error.path.as_str(), error.expected.as_str()), (path, expected), "{json}");
    }
    for (kind, json) in [
        (Leaf::U64, "5"),
        (Leaf::U64, "\" 5\""),
        (Leaf::U64, "\"0x5\""),
        (Leaf::U64, "\"18446744073709551616\""),
        (Leaf::Bool, "1"),
        (Leaf::I8, "128"),
        (Leaf::Signer, "\"0x1\""),
        (Leaf::Address, "\"00x1\""),
        (Leaf::String, "\"\n\""),
        (Leaf::U8, "01"),
        (Leaf::U8, "1 1"),
        (Leaf::U8, ""),
    ] {
        assert!(encode_json(&leaf(kind), json, "args").is_err(), "{kind:?} {json}");
    }
}

#[test]
fn an_option_that_is_the_whole_value_may_be_null_or_bare() {
    let mut builder = LayoutBuilder::new();
    let option = builder.leaf(Leaf::U64).and_then(|number| builder.option(number)).expect("a small layout");
    let layout = builder.finish(option);
    for (json, expected) in
        [("null", vec![0]), ("\"1\"", vec![1, 1, 0, 0, 0, 0, 0, 0, 0]), (r#"{"vec":[]}"#, vec![0])]
    {
        assert_eq!(encode_json(&layout, json, "arguments[0]"), Ok(expected), "{json}");
    }
}

/// A layout with a value of it.
#[derive(Clone, Debug)]
enum Value {
    Leaf(Leaf, Vec<u8>),
    Vector(Vec<Value>, Box<Value>),
    Option(Option<Box<Value>>, Box<Value>),
    Struct(Vec<Value>),
    Enum(usize, Vec<Vec<Value>>),
}

fn leaf_value() -> impl Strategy<Value = Value> {
    let fixed = |leaf, width| {
        prop::collection::vec(any::<u8>(), width).prop_map(move |bytes| Value::Leaf(leaf, bytes))
    };
    let prefixed = |leaf, bytes: Vec<u8>| {
        let mut writer = Writer::new();
        writer.bytes(&bytes);
        Value::Leaf(leaf, writer.into_bytes())
    };
    prop_oneof![
        any::<bool>().prop_map(|value| Value::Leaf(Leaf::Bool, vec![u8::from(value)])),
        fixed(Leaf::U8, 1),
        fixed(Leaf::U32, 4),
        fixed(Leaf::U64, 8),
        fixed(Leaf::U128, 16),
        fixed(Leaf::U256, 32),
        fixed(Leaf::I16, 2),
        fixed(Leaf::I64, 8),
        fixed(Leaf::I256, 32),
        fixed(Leaf::Address, 32),
        fixed(Leaf::Object, 32),
        prop::collection::vec(any::<u8>(), 0..40).prop_map(move |bytes| prefixed(Leaf::Bytes, bytes)),
        any::<String>().prop_map(move |text| prefixed(Leaf::String, text.into_bytes())),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    leaf_value().prop_recursive(5, 40, 5, |inner| {
        prop_oneof![
            // A vector's items share a shape, so they are copies of one sample.
            (inner.clone(), 0..4usize)
                .prop_map(|(sample, count)| Value::Vector(vec![sample.clone(); count], Box::new(sample))),
            (inner.clone(), any::<bool>()).prop_map(|(sample, is_some)| {
                Value::Option(is_some.then(|| Box::new(sample.clone())), Box::new(sample))
            }),
            prop::collection::vec(inner.clone(), 1..4).prop_map(Value::Struct),
            (prop::collection::vec(prop::collection::vec(inner, 0..3), 1..4), any::<prop::sample::Index>())
                .prop_map(|(variants, index)| Value::Enum(index.index(variants.len()), variants)),
        ]
    })
}

fn named(values: &[Value], builder: &mut LayoutBuilder) -> Vec<(Arc<str>, NodeId)> {
    let add = |(index, value)| (name(&format!("_{index}")), layout_of(value, builder));
    values.iter().enumerate().map(add).collect()
}

fn layout_of(value: &Value, builder: &mut LayoutBuilder) -> NodeId {
    let node = match value {
        // `vector<u8>` has a leaf of its own, which Move code would be given in its place.
        Value::Vector(_, item) if matches!(**item, Value::Leaf(Leaf::U8, _)) => builder.leaf(Leaf::Bytes),
        Value::Leaf(leaf, _) => builder.leaf(*leaf),
        Value::Vector(_, item) => {
            let item = layout_of(item, builder);
            builder.vector(item)
        }
        Value::Option(_, item) => {
            let item = layout_of(item, builder);
            builder.option(item)
        }
        Value::Struct(values) => {
            let fields = named(values, builder);
            builder.structure(fields)
        }
        Value::Enum(_, variants) => {
            let variants: Vec<_> = variants
                .iter()
                .enumerate()
                .map(|(index, values)| (name(&format!("V{index}")), named(values, builder)))
                .collect();
            builder.enumeration(variants)
        }
    };
    node.expect("a small layout")
}

fn write(value: &Value, writer: &mut Writer) {
    match value {
        Value::Leaf(_, bytes) => writer.raw(bytes),
        Value::Vector(items, _) => writer.sequence(items, |writer, item| write(item, writer)),
        Value::Option(item, _) => writer.option(item.as_ref(), |writer, item| write(item, writer)),
        Value::Struct(values) => values.iter().for_each(|value| write(value, writer)),
        Value::Enum(index, variants) => {
            writer.variant(*index as u32);
            variants[*index].iter().for_each(|value| write(value, writer));
        }
    }
}

proptest! {
    /// BCS → JSON → BCS is the identity, and what is between is JSON.
    #[test]
    fn any_value_survives_the_way_through_json(value in value()) {
        let mut builder = LayoutBuilder::new();
        let root = layout_of(&value, &mut builder);
        let layout = builder.finish(root);
        let mut writer = Writer::new();
        write(&value, &mut writer);
        let json = render(&layout, writer.as_bytes()).expect("a legal value");
        serde_json::from_str::<serde_json::Value>(&json).expect("rendered text is JSON");
        prop_assert_eq!(encode_json(&layout, &json, "value").expect("rendered text reads back"), writer.into_bytes());
    }

    /// Whatever renders is canonical, and random bytes never do worse than fail.
    #[test]
    fn random_bytes_render_or_are_refused(value in value(), bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut builder = LayoutBuilder::new();
        let root = layout_of(&value, &mut builder);
        let layout = builder.finish(root);
        if let Ok(json) = render(&layout, &bytes)
            && !json.contains("Unparsable utf-8")
        {
            prop_assert_eq!(encode_json(&layout, &json, "value").expect("rendered text reads back"), bytes);
        }
    }

    /// Random text never does worse than fail, and what parses as JSON elsewhere parses here.
    #[test]
    fn random_text_encodes_or_is_refused(text in r#"[\[\]{}:,"\\u0-9a-f.eE+ -]{0,60}"#) {
        let error = encode_json(&Layout::of_leaf(Leaf::Bool), &text, "value").err();
        let is_json = serde_json::from_str::<serde_json::Value>(&text).is_ok();
        let is_syntax = error.is_some_and(|error| error.expected.starts_with("JSON (syntax"));
        // Lone surrogates and numbers out of range are syntax to us, errors to the other parser.
        prop_assert!(!is_json || !is_syntax, "{}", text);
    }
}
