//! Chains that begin with the genesis of a public network: waypoint, views, blocks.
//!
//! The files are not part of the checkout. `LEDGER_NODE_GENESIS_BLOBS` names a folder whose sub-folders
//! hold a `genesis.blob` and the published waypoint each; without it the test says that it was skipped.

mod support;

use ledger_executor::block::ExecutedBlock;
use ledger_executor::genesis_file::read_genesis_file;
use ledger_executor::view::{Form, view};
use ledger_types::Address;

use support::Chain;

/// What a view answers, or why it does not.
fn ask(chain: &mut Chain, function: &str, types: &str) -> String {
    let body = format!(r#"{{"function":"{function}","type_arguments":[{types}],"arguments":[]}}"#);
    match view(&mut chain.machine, &chain.state, body.as_bytes(), Form::Json, Form::Json, 2_000_000) {
        Ok(metered) => String::from_utf8(metered.body).expect("JSON"),
        Err(error) => format!("{error:?}"),
    }
}

/// Blocks until the clock stands at the newest one's time; how it ended otherwise.
fn make_blocks(chain: &mut Chain) -> Result<(), String> {
    for _ in 0..3 {
        let block = chain.next_block(&[]);
        let view = chain.state.clone();
        let executed = chain
            .executor
            .execute(&mut chain.machine, &block, &view, chain.ledger.usage())
            .map_err(|error| error.to_string())?;
        chain.commit(executed);
    }
    Ok(())
}

#[test]
fn public_networks_boot() {
    let Some(folder) = std::env::var_os("LEDGER_NODE_GENESIS_BLOBS") else {
        println!("skipped: no genesis blobs");
        return;
    };
    let mut networks: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.join("genesis.blob").exists())
        .collect();
    networks.sort();
    let mut booted = 0;
    for network in networks {
        let name = network.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let blob = std::fs::read(network.join("genesis.blob")).expect("a file");
        if blob.is_empty() {
            println!("{name}: no blob");
            continue;
        }
        let genesis = read_genesis_file(&blob).unwrap_or_else(|error| panic!("{name}: {error}"));
        let published = ["genesis_waypoint.txt", "waypoint.txt"]
            .iter()
            .find_map(|file| std::fs::read_to_string(network.join(file)).ok())
            .expect("a published waypoint");
        let waypoint = genesis.waypoint.to_string();
        let is_published = waypoint == published.trim();
        let mut chain = Chain::empty();
        chain.commit(ExecutedBlock::genesis(genesis.change_set));
        let chain_id = ask(&mut chain, "0x1::chain_id::get", "");
        let supply = ask(&mut chain, "0x1::coin::supply", r#""0x1::aptos_coin::AptosCoin""#);
        let blocks = make_blocks(&mut chain);
        let clock = chain
            .resource(&Address::ONE, "0x1::timestamp::CurrentTimeMicroseconds")
            .map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight bytes")));
        println!(
            "{name}: waypoint {waypoint}; chain id {}, a view says {chain_id}; supply {supply}; blocks {blocks:?}",
            genesis.chain_id
        );
        assert!(is_published, "{name}: {waypoint} is not the waypoint its network published");
        assert_eq!(blocks, Ok(()), "{name}");
        assert_eq!(clock, Some(chain.timestamp_usecs), "{name}: the clock");
        assert_eq!(chain.epoch, 2, "{name}: the first block ends the epoch of genesis");
        booted += 1;
    }
    println!("{booted} chains make blocks");
    assert!(booted > 0);
}
