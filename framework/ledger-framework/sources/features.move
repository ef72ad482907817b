/// Switches of the chain's behaviour, one bit each, read by the node and by Move code.
///
/// Bit `i` of the chain is bit `i % 8` of byte `i / 8`, least significant first. Changes are staged and take effect at the
/// next epoch, so that a block never runs under two settings.
module std::features {
    use std::error;
    use std::signer;
    use std::vector;

    friend aptos_framework::genesis;

    /// Only the framework account may change features.
    const EFRAMEWORK_SIGNER_NEEDED: u64 = 1;
    /// Only the framework account or the virtual machine may apply staged features.
    const ESYSTEM_SIGNER_NEEDED: u64 = 2;
    /// A feature number is below 1024.
    const EFEATURE_NUMBER_TOO_BIG: u64 = 3;

    /// Feature numbers stay below this, which bounds the resource.
    const FEATURES_END: u64 = 1024;

    /// The features that are on.
    struct Features has key {
        features: vector<u8>
    }

    /// The features that will be on from the next epoch.
    struct PendingFeatures has key {
        features: vector<u8>
    }

    /// Turns features on and off at once. Genesis only.
    public(friend) fun change_feature_flags_internal(
        framework: &signer, enable: vector<u64>, disable: vector<u64>
    ) acquires Features {
        assert!(signer::address_of(framework) == @std, error::permission_denied(EFRAMEWORK_SIGNER_NEEDED));
        if (!exists<Features>(@std)) {
            move_to(framework, Features { features: vector[] })
        };
        apply_diff(&mut borrow_global_mut<Features>(@std).features, enable, disable);
    }

    /// Stages features to be turned on and off at the next epoch. The framework account only.
    public fun change_feature_flags_for_next_epoch(
        framework: &signer, enable: vector<u64>, disable: vector<u64>
    ) acquires Features, PendingFeatures {
        assert!(signer::address_of(framework) == @std, error::permission_denied(EFRAMEWORK_SIGNER_NEEDED));
        let staged =
            if (exists<PendingFeatures>(@std)) {
                let PendingFeatures { features } = move_from<PendingFeatures>(@std);
                features
            } else if (exists<Features>(@std)) {
                borrow_global<Features>(@std).features
            } else {
                vector[]
            };
        apply_diff(&mut staged, enable, disable);
        move_to(framework, PendingFeatures { features: staged });
    }

    /// Makes staged features the current ones. The framework account or the virtual machine only.
    public fun on_new_epoch(framework: &signer) acquires Features, PendingFeatures {
        let addr = signer::address_of(framework);
        assert!(addr == @std || addr == @0x0, error::permission_denied(ESYSTEM_SIGNER_NEEDED));
        if (exists<PendingFeatures>(@std)) {
            let PendingFeatures { features } = move_from<PendingFeatures>(@std);
            if (exists<Features>(@std)) {
                borrow_global_mut<Features>(@std).features = features;
            } else {
                move_to(framework, Features { features })
            }
        }
    }

    #[view]
    /// True where `feature` is on.
    public fun is_enabled(feature: u64): bool acquires Features {
        exists<Features>(@std) && contains(&borrow_global<Features>(@std).features, feature)
    }

    /// 20: failures that break an invariant of the machine are kept and charged.
    public fun get_charge_invariant_violation_feature(): u64 { 20 }

    /// 26: events that belong to a module rather than to a handle.
    public fun get_module_event_feature(): u64 { 26 }

    /// True where module events may be emitted.
    public fun module_event_enabled(): bool acquires Features { is_enabled(26) }

    /// True where another account may pay a transaction's fee (22).
    public fun fee_payer_enabled(): bool acquires Features { is_enabled(22) }

    /// True where an account is created for a sender whose fee somebody else pays (34).
    public fun sponsored_automatic_account_creation_enabled(): bool acquires Features { is_enabled(34) }

    /// True where every address counts as an account (91).
    public fun is_default_account_resource_enabled(): bool acquires Features { is_enabled(91) }

    /// True where simulations may leave the keys out (78).
    public fun transaction_simulation_enhancement_enabled(): bool acquires Features { is_enabled(78) }

    /// True where Move code may read the running transaction (59).
    public fun transaction_context_extension_enabled(): bool acquires Features { is_enabled(59) }

    /// True where the supplies of new fungible assets may be changed by many transactions at once (50).
    public fun concurrent_fungible_assets_enabled(): bool acquires Features { is_enabled(50) }

    /// True where a store's balance may be made one that many transactions change at once (67).
    public fun concurrent_fungible_balance_enabled(): bool acquires Features { is_enabled(67) }

    /// True where every new store's balance is one that many transactions may change at once (68).
    public fun default_to_concurrent_fungible_balance_enabled(): bool acquires Features { is_enabled(68) }

    /// True where the numbers of tokens may be given out by many transactions at once (37).
    public fun is_concurrent_token_v2_enabled(): bool acquires Features { is_enabled(37) }

    /// True where coins may be turned into fungible assets (60).
    public fun coin_to_fungible_asset_migration_feature_enabled(): bool acquires Features { is_enabled(60) }

    /// True where accounts may belong to several owners (10).
    public fun multisig_accounts_enabled(): bool acquires Features { is_enabled(10) }

    /// True where an owner's vote is implied by running a transaction, and votes may be given in bulk (55).
    public fun multisig_v2_enhancement_feature_enabled(): bool acquires Features { is_enabled(55) }

    /// True where a payload given beside a stored one must equal it (70).
    public fun abort_if_multisig_payload_mismatch_enabled(): bool acquires Features { is_enabled(70) }

    /// True where events that had handles are module events (57).
    public fun module_event_migration_enabled(): bool acquires Features { is_enabled(57) }

    /// True where packages may be published at objects (52).
    public fun is_object_code_deployment_enabled(): bool acquires Features { is_enabled(52) }

    /// True where a nonce may stand in place of a sequence number (94).
    public fun orderless_transactions_enabled(): bool acquires Features { is_enabled(94) }

    fun apply_diff(features: &mut vector<u8>, enable: vector<u64>, disable: vector<u64>) {
        vector::for_each(enable, |feature| set(features, feature, true));
        vector::for_each(disable, |feature| set(features, feature, false));
    }

    fun set(features: &mut vector<u8>, feature: u64, include: bool) {
        assert!(feature < FEATURES_END, error::invalid_argument(EFEATURE_NUMBER_TOO_BIG));
        let byte_index = feature / 8;
        let mask = 1 << ((feature % 8) as u8);
        while (vector::length(features) <= byte_index) {
            vector::push_back(features, 0)
        };
        let entry = vector::borrow_mut(features, byte_index);
        *entry = if (include) { *entry | mask } else { *entry & (0xff ^ mask) };
    }

    fun contains(features: &vector<u8>, feature: u64): bool {
        let byte_index = feature / 8;
        let mask = 1 << ((feature % 8) as u8);
        byte_index < vector::length(features) && (*vector::borrow(features, byte_index) & mask) != 0
    }
}
