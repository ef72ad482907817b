//! Targets that run no program: reading modules, verifying them, reading transactions.

use ledger_bcs::{Decode, Encode};
use ledger_bytecode::{CompiledModule, StatusCode};
use ledger_types::{
    Address, EntryFunction, Identifier, ModuleId, RawTransaction, Transaction, TransactionPayload, TypeTag,
};
use ledger_verifier::{Limits, verify_module};

use crate::Depth;
use crate::mutate::{self, Dice};

/// A module that is read is read again from what it is written as.
pub fn decode(seeds: &[Vec<u8>]) -> impl FnMut(&mut Dice) -> Result<Depth, String> + '_ {
    |dice| {
        let mut bytes = seeds[dice.below(seeds.len())].clone();
        mutate::bytes(dice, &mut bytes);
        let Ok(module) = CompiledModule::deserialize(&bytes) else { return Ok(Depth::Refused) };
        let written = module.serialize();
        match CompiledModule::deserialize(&written) {
            Ok(again) if again == module => Ok(Depth::Passed),
            _ => Err(format!("read otherwise than written: {bytes:02x?}")),
        }
    }
}

/// The verifier answers, and never with a promise of its own broken.
pub fn verify(seeds: &[Vec<u8>]) -> impl FnMut(&mut Dice) -> Result<Depth, String> + '_ {
    let limits = Limits::default();
    let read: Vec<_> = seeds.iter().map(|seed| CompiledModule::deserialize(seed).expect("a seed")).collect();
    move |dice| {
        let which = dice.below(seeds.len());
        let module = if dice.below(3) == 0 {
            let mut bytes = seeds[which].clone();
            mutate::bytes(dice, &mut bytes);
            match CompiledModule::deserialize(&bytes) {
                Ok(module) => module,
                Err(_) => return Ok(Depth::Refused),
            }
        } else {
            let mut module = read[which].clone();
            mutate::code(dice, &mut module);
            module
        };
        match verify_module(&module, &limits) {
            Ok(()) => Ok(Depth::Passed),
            Err(error) if error.status == StatusCode::VERIFIER_INVARIANT_VIOLATION => {
                Err(format!("{error}: {:02x?}", module.serialize()))
            }
            Err(_) => Ok(Depth::Refused),
        }
    }
}

/// A transaction that is read is written as the same bytes.
pub fn transaction() -> impl FnMut(&mut Dice) -> Result<Depth, String> {
    let raw = RawTransaction {
        sender: Address::ONE,
        sequence_number: 7,
        payload: TransactionPayload::EntryFunction(EntryFunction {
            module: ModuleId { address: Address::ONE, name: Identifier::new_unchecked("coin") },
            function: Identifier::new_unchecked("transfer"),
            type_args: vec![TypeTag::Vector(Box::new(TypeTag::U8))],
            args: vec![vec![1; 32], vec![2; 8]],
        }),
        max_gas_amount: 2000,
        gas_unit_price: 100,
        expiration_timestamp_secs: 1 << 40,
        chain_id: 4,
    };
    // A user transaction: variant 0, the raw transaction, then a signature of one Ed25519 key.
    let mut seed = vec![0];
    seed.extend(raw.to_bytes());
    seed.extend([0, 32]);
    seed.extend([3; 32]);
    seed.push(64);
    seed.extend([5; 64]);
    assert!(Transaction::from_bytes(&seed).is_ok(), "the seed is a transaction");
    move |dice| {
        let mut bytes = seed.clone();
        mutate::bytes(dice, &mut bytes);
        match Transaction::from_bytes(&bytes) {
            Ok(transaction) if transaction.to_bytes() == bytes => Ok(Depth::Passed),
            Ok(_) => Err(format!("written otherwise than read: {bytes:02x?}")),
            Err(_) => Ok(Depth::Refused),
        }
    }
}
