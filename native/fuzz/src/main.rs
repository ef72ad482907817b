//! Throws mutated modules, mutated code and random arguments at the core:
//! `cargo run --release -p ledger-fuzz -- TARGET SECONDS [SEED]`, TARGET being `decode`, `verify`,
//! `execute` or `transaction`.
//!
//! Seeds are the modules of the built-in framework and the programs of the machine's differential test.
//! A finding is a panic, a status that only a bug of ours has, or bytes that come back otherwise than
//! they were read; the run then ends with exit code 1 and prints the input. No coverage guides it: it is
//! a throw of dice, repeatable by its seed.
#![forbid(unsafe_code)]

mod execute;
mod mutate;
mod seeds;
mod static_targets;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use mutate::Dice;

/// One throw: `Err` is a finding.
type Throw<'a> = Box<dyn FnMut(&mut Dice) -> Result<Depth, String> + 'a>;

/// How far an input got, for the figures.
pub enum Depth {
    /// Refused at the first look.
    Refused,
    /// Accepted and compared, or run.
    Passed,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (Some(target), Some(seconds)) = (args.first(), args.get(1).and_then(|text| text.parse().ok())) else {
        eprintln!("usage: ledger-fuzz decode|verify|execute|transaction SECONDS [SEED]");
        return ExitCode::from(2);
    };
    let seed = args.get(2).and_then(|text| text.parse().ok()).unwrap_or(1);
    let seeds = seeds::modules();
    let Some(mut throw) = named(target, &seeds) else {
        eprintln!("no target {target}");
        return ExitCode::from(2);
    };
    run(target, seed, Duration::from_secs(seconds), &mut throw)
}

fn named<'a>(target: &str, seeds: &'a [Vec<u8>]) -> Option<Throw<'a>> {
    Some(match target {
        "decode" => Box::new(static_targets::decode(seeds)),
        "verify" => Box::new(static_targets::verify(seeds)),
        "transaction" => Box::new(static_targets::transaction()),
        "execute" => Box::new(execute::target(seeds)),
        _ => return None,
    })
}

fn run(target: &str, seed: u64, limit: Duration, throw: &mut Throw<'_>) -> ExitCode {
    let started = Instant::now();
    let (mut count, mut passed) = (0u64, 0u64);
    while started.elapsed() < limit {
        // A thousand throws between two looks at the clock.
        for _ in 0..1000 {
            let mut dice = Dice::new(seed.wrapping_add(count).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            count += 1;
            let outcome = catch_unwind(AssertUnwindSafe(|| throw(&mut dice)));
            match outcome {
                Ok(Ok(Depth::Passed)) => passed += 1,
                Ok(Ok(Depth::Refused)) => {}
                Ok(Err(finding)) => {
                    println!("{target}: finding at throw {count} of seed {seed}: {finding}");
                    return ExitCode::FAILURE;
                }
                Err(_) => {
                    println!("{target}: panic at throw {count} of seed {seed}");
                    return ExitCode::FAILURE;
                }
            }
        }
    }
    println!("{target}: {count} throws, {passed} passed, no finding, seed {seed}, {:?}", started.elapsed());
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_throws_of_every_target_pass_and_none_finds_anything() {
        let seeds = seeds::modules();
        for target in ["decode", "verify", "transaction", "execute"] {
            let mut throw = named(target, &seeds).expect("a target");
            let outcomes: Vec<_> = (0..300).map(|seed| throw(&mut Dice::new(seed * 7919))).collect();
            let passed = outcomes.iter().filter(|outcome| matches!(outcome, Ok(Depth::Passed))).count();
            assert!(passed > 0, "{target}: nothing passed");
            assert!(outcomes.iter().all(Result::is_ok), "{target}: a finding");
        }
    }
}
