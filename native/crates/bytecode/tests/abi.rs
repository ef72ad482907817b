//! ABIs and metadata of compiled modules.

use ledger_bytecode::abi::write_module_json;
use ledger_bytecode::metadata::{Attribute, CompilationMetadata, ErrorDescription, KEY_V1};
use ledger_bytecode::{
    AbilitySet, CompiledModule, Metadata, ModuleMetadata, Signature, Type, TypeNode, module_abi,
};
use ledger_testkit::fixtures;

#[test]
fn an_abi_lists_what_callers_can_reach() {
    let module = CompiledModule::deserialize(fixtures::module("v7/vault")).unwrap();
    let abi = module_abi(&module);
    let functions: Vec<(&str, &[String], &[String])> = abi
        .exposed_functions
        .iter()
        .map(|function| (function.name.as_str(), &function.parameters[..], &function.results[..]))
        .collect();
    let text = |list: &[&str]| list.iter().map(|entry| (*entry).to_owned()).collect::<Vec<_>>();
    let expected = [
        ("balance", text(&["address"]), text(&["u64"])),
        ("boxed", text(&["u64"]), text(&["u64"])),
        ("close", text(&["&signer"]), text(&[])),
        ("close_balance", text(&["address"]), text(&["u64"])),
        ("count", text(&["&signer"]), text(&[])),
        ("open", text(&["&signer"]), text(&[])),
        ("pay", text(&["&signer", "address", "u64"]), text(&[])),
    ];
    let mut sorted = functions.clone();
    sorted.sort();
    let expected: Vec<(&str, &[String], &[String])> =
        expected.iter().map(|(name, parameters, results)| (*name, &parameters[..], &results[..])).collect();
    assert_eq!(sorted, expected);
    let open = abi.exposed_functions.iter().find(|function| function.name == "open").unwrap();
    assert!(open.is_entry && open.type_parameters == [AbilitySet::EMPTY]);
}

#[test]
fn type_text_follows_the_rest_form() {
    let module = CompiledModule::deserialize(fixtures::module("v7/shapes")).unwrap();
    let abi = module_abi(&module);
    let function = |name: &str| abi.exposed_functions.iter().find(|entry| entry.name == name).unwrap();
    assert_eq!(function("swap").parameters, ["0xcafe::shapes::Pair<T0, T1>"]);
    assert_eq!(function("swap").results, ["0xcafe::shapes::Pair<T1, T0>"]);
    assert_eq!(function("first_mut").results, ["&mut T0"]);
    assert_eq!(function("pick").parameters, ["&mut vector<0xcafe::shapes::Point>", "u64"]);
    let wide = abi.structs.iter().find(|entry| entry.name == "Wide").unwrap();
    assert_eq!(wide.fields.last().unwrap(), &("i".to_owned(), "vector<vector<u8>>".to_owned()));
    let shape = abi.structs.iter().find(|entry| entry.name == "Shape").unwrap();
    assert!(shape.is_enum && shape.fields.is_empty());

    let functions = [(2, 1, "|u64,u64|u64"), (0, 0, "||"), (0, 2, "||u64,u64"), (1, 0, "|u64|")];
    for (parameters, results, expected) in functions {
        let mut nodes = vec![TypeNode::Function { abilities: AbilitySet::EMPTY, parameters, results }];
        nodes.extend(std::iter::repeat_n(TypeNode::U64, usize::from(parameters + results)));
        assert_eq!(module.type_text(&nodes), expected);
        nodes.insert(0, TypeNode::Vector);
        assert_eq!(module.type_text(&nodes), format!("vector<{expected}>"));
    }
}

#[test]
fn json_has_the_rest_properties_in_order() {
    let bytes = fixtures::module("v7/signer");
    let mut out = Vec::new();
    write_module_json(bytes, &mut out);
    let text = String::from_utf8(out).unwrap();
    let (code, abi) = text.split_once("\",\"abi\":").unwrap();
    assert!(code.starts_with("{\"bytecode\":\"0xa11ceb0b0700000a"));
    assert_eq!(code.len(), "{\"bytecode\":\"0x".len() + 2 * bytes.len());
    let function = |name: &str, result: &str| {
        format!(
            "{{\"name\":\"{name}\",\"visibility\":\"public\",\"is_entry\":false,\"is_view\":false,\
             \"generic_type_params\":[],\"params\":[\"&signer\"],\"return\":[\"{result}\"]}}"
        )
    };
    let expected = format!(
        "{{\"address\":\"0x1\",\"name\":\"signer\",\"friends\":[],\"exposed_functions\":[{},{}],\"structs\":[]}}}}",
        function("address_of", "address"),
        function("borrow_address", "&address"),
    );
    assert_eq!(abi, expected);

    let mut out = Vec::new();
    write_module_json(&[1, 2], &mut out);
    assert_eq!(out, b"{\"bytecode\":\"0x0102\",\"abi\":null}");
}

fn sample() -> ModuleMetadata {
    let error = |name: &str| ErrorDescription { name: name.to_owned(), description: "Why.".to_owned() };
    ModuleMetadata {
        // 256 sorts before 1 by its little-endian bytes
        errors: [(1, error("E_ONE")), (256, error("E_BIG")), (0x1_0002, error("E_FULL"))].into(),
        struct_attributes: [
            ("Longer".to_owned(), vec![Attribute::plain(Attribute::EVENT)]),
            (
                "Z".to_owned(),
                vec![Attribute::with_argument(Attribute::RESOURCE_GROUP_MEMBER, "0x1::object::ObjectGroup")],
            ),
        ]
        .into(),
        function_attributes: [("look".to_owned(), vec![Attribute::plain(Attribute::VIEW)])].into(),
    }
}

#[test]
fn metadata_survives_a_round_trip_and_sorts_by_bytes() {
    let metadata = sample();
    let bytes = metadata.encode_v1();
    assert_eq!(ModuleMetadata::decode_v1(&bytes), Ok(metadata));
    // three errors; the first key is 256
    assert_eq!(&bytes[..9], &[3, 0, 1, 0, 0, 0, 0, 0, 0]);
    for cut in 0..bytes.len() {
        assert!(ModuleMetadata::decode_v1(&bytes[..cut]).is_err());
    }
    assert!(ModuleMetadata::decode_v1(&[bytes, vec![0]].concat()).is_err());

    let said = CompilationMetadata {
        is_unstable: true,
        compiler_version: "2.0".to_owned(),
        language_version: "2.5-unstable".to_owned(),
    };
    assert_eq!(CompilationMetadata::decode_value(&said.encode_value()), Ok(said));
}

#[test]
fn attributes_reach_the_abi_but_not_in_version_5() {
    let mut module = CompiledModule::deserialize(fixtures::module("v6/vault")).unwrap();
    let metadata = ModuleMetadata {
        struct_attributes: [("Gold".to_owned(), vec![Attribute::plain(Attribute::EVENT)])].into(),
        function_attributes: [("balance".to_owned(), vec![Attribute::plain(Attribute::VIEW)])].into(),
        ..sample()
    };
    module.tables.metadata.push(Metadata { key: KEY_V1.to_vec(), value: metadata.encode_v1() });
    let seen = |module: &CompiledModule| {
        let abi = module_abi(module);
        let view = abi.exposed_functions.iter().any(|entry| entry.name == "balance" && entry.is_view);
        let event = abi.structs.iter().any(|entry| entry.name == "Gold" && entry.is_event);
        (view, event)
    };
    assert_eq!(seen(&module), (true, true));
    let metadata = ModuleMetadata::of(&module).unwrap();
    assert_eq!(metadata.error(0x1_0001).unwrap().name, "E_ONE");
    assert_eq!(metadata.error(0x1_0002).unwrap().name, "E_FULL");
    assert_eq!(metadata.error(5), None);
    assert_eq!(sample().resource_group_of("Z"), Some("0x1::object::ObjectGroup"));

    module.version = 5;
    assert_eq!(seen(&module), (false, false));
}

#[test]
fn a_script_is_shown_as_main() {
    let mut script = ledger_bytecode::CompiledScript {
        version: 7,
        type_parameters: vec![],
        parameters: ledger_bytecode::SignatureIndex(1),
        access: None,
        code: ledger_bytecode::CodeUnit {
            locals: ledger_bytecode::SignatureIndex(0),
            code: vec![ledger_bytecode::Bytecode::Ret],
        },
        tables: ledger_bytecode::Tables::default(),
    };
    let signer = Type::leaf(TypeNode::Signer);
    script.tables.signatures = vec![Signature::default(), Signature(vec![signer, Type::leaf(TypeNode::U64)])];
    let mut out = Vec::new();
    ledger_bytecode::abi::write_script_json(&script.serialize(), &mut out);
    let text = String::from_utf8(out).unwrap();
    assert!(
        text.ends_with(
            "\"abi\":{\"name\":\"main\",\"visibility\":\"public\",\"is_entry\":true,\"is_view\":false,\
             \"generic_type_params\":[],\"params\":[\"signer\",\"u64\"],\"return\":[]}}"
        ),
        "{text}"
    );
}
