/**
 * Fits a copy of the framework to the compiler's own virtual machine, which runs the Move unit tests.
 *
 * That machine has no native function for events, aggregators, the size of the state and the framework's own
 * decoding, keeps the one that makes signers in module
 * `account`, and names the one that verifies signatures otherwise. Every change is one row below; a row that
 * no longer finds its text is an error, so a stand-in cannot go stale unseen.
 */

import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { FRAMEWORK_FOLDER } from "./packages.mjs";

/** Modules replaced as a whole. */
const STAND_INS = ["aggregator", "aggregator_v2", "function_info"];

/** `[module, text in the sources, text in the copy]`. Modules outside the ledger framework are named by their path. */
const EDITS = [
  [
    "../../move-stdlib/sources/cmp",
    "native public fun compare<T>(first: &T, second: &T): Ordering;",
    `/// Of integers only: by their encodings from the back.
    public fun compare<T>(first: &T, second: &T): Ordering {
        let a = std::bcs::to_bytes(first);
        let b = std::bcs::to_bytes(second);
        while (!std::vector::is_empty(&a)) {
            let (x, y) = (std::vector::pop_back(&mut a), std::vector::pop_back(&mut b));
            if (x < y) return Ordering::Less;
            if (x > y) return Ordering::Greater;
        };
        Ordering::Equal
    }`,
  ],
  [
    "code",
    `native fun request_publish_with_allowed_deps(
        owner: address,
        expected_modules: vector<String>,
        allowed_deps: vector<AllowedDep>,
        bundle: vector<vector<u8>>,
        policy: u8
    );`,
    `fun request_publish_with_allowed_deps(
        _owner: address,
        _expected_modules: vector<String>,
        _allowed_deps: vector<AllowedDep>,
        _bundle: vector<vector<u8>>,
        _policy: u8
    ) {}`,
  ],
  [
    "object",
    "native fun create_user_derived_object_address_impl(source: address, derive_from: address): address;",
    `fun create_user_derived_object_address_impl(source: address, derive_from: address): address {
        let bytes = bcs::to_bytes(&source);
        vector::append(&mut bytes, bcs::to_bytes(&derive_from));
        vector::push_back(&mut bytes, OBJECT_DERIVED_SCHEME);
        from_bcs::to_address(hash::sha3_256(bytes))
    }`,
  ],
  [
    "event",
    "native fun write_module_event_to_store<T: drop + store>(msg: T);",
    "fun write_module_event_to_store<T: drop + store>(_msg: T) {}",
  ],
  [
    "event",
    "native fun write_to_event_store<T: drop + store>(guid: vector<u8>, count: u64, msg: T);",
    "fun write_to_event_store<T: drop + store>(_guid: vector<u8>, _count: u64, _msg: T) {}",
  ],
  [
    "aggregator_factory",
    "native fun new_aggregator(aggregator_factory: &mut AggregatorFactory, limit: u128): Aggregator;",
    "fun new_aggregator(_factory: &mut AggregatorFactory, limit: u128): Aggregator { aptos_framework::aggregator::new(limit) }",
  ],
  [
    "state_storage",
    "native fun get_state_storage_usage_only_at_epoch_beginning(): Usage;",
    "fun get_state_storage_usage_only_at_epoch_beginning(): Usage { Usage { items: 0, bytes: 0 } }",
  ],
  [
    "util",
    "native public(friend) fun from_bytes<T>(bytes: vector<u8>): T;",
    "public(friend) fun from_bytes<T>(bytes: vector<u8>): T { aptos_std::from_bcs::from_bytes(bytes) }",
  ],
  [
    "from_bcs",
    "friend aptos_std::any;",
    "friend aptos_std::any;\n    friend aptos_framework::util;\n    friend aptos_framework::aggregator_v2;",
  ],
  [
    "ed25519",
    `native fun signature_verify_strict_internal(
        signature: vector<u8>, public_key: vector<u8>, message: vector<u8>
    ): bool;`,
    `native fun verify_internal(message: vector<u8>, public_key: vector<u8>, signature: vector<u8>): bool;
    fun signature_verify_strict_internal(
        signature: vector<u8>, public_key: vector<u8>, message: vector<u8>
    ): bool {
        verify_internal(message, public_key, signature)
    }`,
  ],
  [
    "account",
    "use aptos_framework::create_signer::create_signer;",
    "native public(friend) fun create_signer(addr: address): signer;\n    friend aptos_framework::reconfiguration;\n    friend aptos_framework::object;\n    friend aptos_framework::fungible_asset;",
  ],
];

/** Modules of which no native function is there; calling one ends a test. */
const WITHOUT_NATIVES = ["dispatchable_fungible_asset"];

/** Changes the ledger framework in `copy` so that the test machine can run it. */
export function fitToTestMachine(copy) {
  const folder = path.join(copy, "ledger-framework", "sources");
  for (const name of STAND_INS) {
    copyFileSync(
      path.join(FRAMEWORK_FOLDER, "test-machine", `${name}.move`),
      path.join(folder, `${name}.move`),
    );
  }
  for (const [name, from, to] of EDITS) {
    const file = path.join(folder, `${name}.move`);
    const text = readFileSync(file, "utf8");
    if (!text.includes(from)) throw new Error(`${name}.move no longer holds: ${from}`);
    writeFileSync(file, text.replace(from, to));
  }
  for (const name of WITHOUT_NATIVES) {
    const file = path.join(folder, `${name}.move`);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replaceAll(/native (fun [^;]*);/g, "$1 { let _ = function; abort 0xdead }"));
  }
  rmSync(path.join(folder, "create_signer.move"));
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replaceAll("aptos_framework::create_signer::", "aptos_framework::account::"));
  }
}
