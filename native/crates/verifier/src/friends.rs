//! Friends are other modules of the same address.

use ledger_bytecode::{CompiledModule, StatusCode, Table};

use crate::error::{Verdict, VerificationError};

/// Checks the friend declarations.
pub(crate) fn verify(module: &CompiledModule) -> Verdict {
    let own = module[module.self_handle];
    for (index, friend) in module.friends.iter().enumerate() {
        let fault = |status, message| Err(VerificationError::entry(status, Table::Friends, index, message));
        if *friend == own {
            let message = "a module that is its own friend";
            return fault(StatusCode::INVALID_FRIEND_DECL_WITH_SELF, message);
        }
        if module[friend.address] != module[own.address] {
            return fault(
                StatusCode::INVALID_FRIEND_DECL_WITH_MODULES_OUTSIDE_ACCOUNT_ADDRESS,
                "a friend at another address",
            );
        }
    }
    Ok(())
}
