/// The one place where a signer for an arbitrary address is made. Its friends are all there are.
module aptos_framework::create_signer {
    friend aptos_framework::account;
    friend aptos_framework::aptos_account;
    friend aptos_framework::coin;
    friend aptos_framework::fungible_asset;
    friend aptos_framework::genesis;
    friend aptos_framework::multisig_account;
    friend aptos_framework::object;
    friend aptos_framework::reconfiguration;

    /// A signer for `addr`, whoever asks.
    native public(friend) fun create_signer(addr: address): signer;
}
