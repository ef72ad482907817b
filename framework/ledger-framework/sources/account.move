/// Accounts: the key that must sign for an address, the number of its next transaction, and the numbers of its identifiers.
///
/// A rotated key is listed in `OriginatingAddress`, so that a wallet which knows only the key finds the account.
module aptos_framework::account {
    use std::bcs;
    use std::error;
    use std::features;
    use std::hash;
    use std::option::{Self, Option};
    use std::signer;
    use std::vector;
    use aptos_std::ed25519;
    use aptos_std::from_bcs;
    use aptos_std::multi_ed25519;
    use aptos_std::multi_key;
    use aptos_std::single_key;
    use aptos_std::table::{Self, Table};
    use aptos_std::type_info::{Self, TypeInfo};
    use aptos_framework::chain_id;
    use aptos_framework::chain_status;
    use aptos_framework::create_signer::create_signer;
    use aptos_framework::event::{Self, EventHandle};
    use aptos_framework::guid::{Self, GUID};
    use aptos_framework::system_addresses;

    friend aptos_framework::aptos_account;
    friend aptos_framework::coin;
    friend aptos_framework::genesis;
    friend aptos_framework::multisig_account;
    friend aptos_framework::resource_account;
    friend aptos_framework::stake;
    friend aptos_framework::transaction_validation;

    /// The address has an account.
    const EACCOUNT_ALREADY_EXISTS: u64 = 1;
    /// The address has no account.
    const EACCOUNT_DOES_NOT_EXIST: u64 = 2;
    /// The sequence number has reached its end.
    const ESEQUENCE_NUMBER_TOO_BIG: u64 = 3;
    /// An authentication key has 32 bytes.
    const EMALFORMED_AUTHENTICATION_KEY: u64 = 4;
    /// The address is reserved for the system.
    const ECANNOT_RESERVED_ADDRESS: u64 = 5;
    /// The key given as the current one is not the account's.
    const EWRONG_CURRENT_PUBLIC_KEY: u64 = 7;
    /// A signature over the change of key is wrong.
    const EINVALID_PROOF_OF_KNOWLEDGE: u64 = 8;
    /// The address is not one of those reserved for the framework.
    const ENO_VALID_FRAMEWORK_RESERVED_ADDRESS: u64 = 11;
    /// The key's scheme is not one that can be used here.
    const EINVALID_SCHEME: u64 = 12;
    /// The map from keys to accounts names another account for this key.
    const EINVALID_ORIGINATING_ADDRESS: u64 = 13;
    /// The capability is not on offer to this account.
    const ENO_SUCH_SIGNER_CAPABILITY: u64 = 14;
    /// A resource account can be claimed only while it is unused.
    const ERESOURCE_ACCCOUNT_EXISTS: u64 = 15;
    /// The account has been used and cannot become a resource account.
    const EACCOUNT_ALREADY_USED: u64 = 16;
    /// The account that is said to offer does not exist.
    const EOFFERER_ADDRESS_DOES_NOT_EXIST: u64 = 17;
    /// The right to change the key is not on offer to this account.
    const ENO_SUCH_ROTATION_CAPABILITY_OFFER: u64 = 18;
    /// The capability is on offer to nobody.
    const ENO_SIGNER_CAPABILITY_OFFERED: u64 = 19;
    /// The account has handed out every identifier it can.
    const EEXCEEDED_MAX_GUID_CREATION_NUM: u64 = 20;

    /// Another account has the new key.
    const ENEW_AUTH_KEY_ALREADY_MAPPED: u64 = 21;
    /// The new key is the one the account has.
    const ENEW_AUTH_KEY_SAME_AS_CURRENT: u64 = 22;

    /// One Ed25519 key.
    const ED25519_SCHEME: u8 = 0;
    /// Several Ed25519 keys with a threshold.
    const MULTI_ED25519_SCHEME: u8 = 1;
    /// One key of any scheme.
    const SINGLE_KEY_SCHEME: u8 = 2;
    /// Several keys of any schemes with a threshold.
    const MULTI_KEY_SCHEME: u8 = 3;
    const MAX_U64: u128 = 18446744073709551615;
    /// Above every number in use, and far below the end of the counter.
    const MAX_GUID_CREATION_NUM: u64 = 0x4000000000000;
    /// The authentication key of an account nobody can sign for.
    const ZERO_AUTH_KEY: vector<u8> = x"0000000000000000000000000000000000000000000000000000000000000000";
    /// The last byte hashed into an address derived from another account's.
    const DERIVE_RESOURCE_ACCOUNT_SCHEME: u8 = 255;

    /// What an address needs to send transactions.
    struct Account has key, store {
        /// Hash of the public key and its scheme, 32 bytes.
        authentication_key: vector<u8>,
        /// The number the next transaction must carry.
        sequence_number: u64,
        /// The number the next identifier gets.
        guid_creation_num: u64,
        coin_register_events: EventHandle<CoinRegisterEvent>,
        key_rotation_events: EventHandle<KeyRotationEvent>,
        rotation_capability_offer: CapabilityOffer<RotationCapability>,
        signer_capability_offer: CapabilityOffer<SignerCapability>
    }

    /// Written when an account's key changes.
    struct KeyRotationEvent has drop, store {
        old_authentication_key: vector<u8>,
        new_authentication_key: vector<u8>
    }

    /// Written when an account can hold a coin for the first time.
    struct CoinRegisterEvent has drop, store {
        type_info: TypeInfo
    }

    /// To whom a capability is on offer.
    struct CapabilityOffer<phantom T> has store {
        for: Option<address>
    }

    /// The right to change an account's key.
    struct RotationCapability has drop, store {
        account: address
    }

    /// The right to act for an account.
    struct SignerCapability has drop, store {
        account: address
    }

    /// From authentication key to the account that has it, for keys that differ from the address.
    struct OriginatingAddress has key {
        address_map: Table<address, address>
    }

    #[event]
    /// An account's key has changed.
    struct KeyRotation has drop, store {
        account: address,
        old_authentication_key: vector<u8>,
        new_authentication_key: vector<u8>
    }

    #[event]
    /// An account's key has changed to one that was shown, though nobody proved to hold it.
    struct KeyRotationToPublicKey has drop, store {
        account: address,
        public_key_scheme: u8,
        public_key: vector<u8>,
        old_auth_key: vector<u8>,
        new_auth_key: vector<u8>
    }

    /// What both keys sign when an account changes from one to the other.
    struct RotationProofChallenge has copy, drop {
        sequence_number: u64,
        originator: address,
        current_auth_key: address,
        new_public_key: vector<u8>
    }

    /// What an account's key signs to offer somebody the right to change it.
    struct RotationCapabilityOfferProofChallengeV2 has drop {
        chain_id: u8,
        sequence_number: u64,
        source_address: address,
        recipient_address: address
    }

    /// What an account's key signs to offer somebody the right to act for it.
    struct SignerCapabilityOfferProofChallengeV2 has copy, drop {
        sequence_number: u64,
        source_address: address,
        recipient_address: address
    }

    /// Publishes the map from keys to accounts. Genesis only.
    public(friend) fun initialize(aptos_framework: &signer) {
        system_addresses::assert_aptos_framework(aptos_framework);
        move_to(aptos_framework, OriginatingAddress { address_map: table::new() });
    }

    /// Creates an account unless the address has one.
    public fun create_account_if_does_not_exist(account_address: address) {
        if (!exists_at(account_address)) {
            create_account(account_address);
        }
    }

    /// Creates the account of an address that is not reserved, and returns its signer.
    public(friend) fun create_account(new_address: address): signer {
        assert!(!exists<Account>(new_address), error::already_exists(EACCOUNT_ALREADY_EXISTS));
        assert!(
            new_address != @vm_reserved && new_address != @aptos_framework && new_address != @0x3,
            error::invalid_argument(ECANNOT_RESERVED_ADDRESS)
        );
        create_account_unchecked(new_address)
    }

    fun create_account_unchecked(new_address: address): signer {
        let new_account = create_signer(new_address);
        let authentication_key = bcs::to_bytes(&new_address);
        assert!(
            vector::length(&authentication_key) == 32,
            error::invalid_argument(EMALFORMED_AUTHENTICATION_KEY)
        );

        // The two handles take the account's first two identifiers.
        let guid_creation_num = 0;
        let coin_register_guid = guid::create(new_address, &mut guid_creation_num);
        let key_rotation_guid = guid::create(new_address, &mut guid_creation_num);
        move_to(
            &new_account,
            Account {
                authentication_key,
                sequence_number: 0,
                guid_creation_num,
                coin_register_events: event::new_event_handle<CoinRegisterEvent>(coin_register_guid),
                key_rotation_events: event::new_event_handle<KeyRotationEvent>(key_rotation_guid),
                rotation_capability_offer: CapabilityOffer { for: option::none() },
                signer_capability_offer: CapabilityOffer { for: option::none() }
            }
        );
        new_account
    }

    /// Creates the account of an address reserved for the framework. Its signer and the right to make it again are returned.
    public(friend) fun create_framework_reserved_account(addr: address): (signer, SignerCapability) {
        assert!(
            system_addresses::is_framework_reserved_address(addr),
            error::permission_denied(ENO_VALID_FRAMEWORK_RESERVED_ADDRESS)
        );
        let account = create_account_unchecked(addr);
        (account, SignerCapability { account: addr })
    }

    #[view]
    /// True where the address has an account.
    public fun exists_at(addr: address): bool {
        exists<Account>(addr)
    }

    #[view]
    /// The number the account's next identifier gets.
    public fun get_guid_next_creation_num(addr: address): u64 acquires Account {
        borrow_global<Account>(addr).guid_creation_num
    }

    #[view]
    /// The number the account's next transaction must carry.
    public fun get_sequence_number(addr: address): u64 acquires Account {
        borrow_global<Account>(addr).sequence_number
    }

    #[view]
    /// The account to which a rotated key belongs, or none.
    public fun originating_address(auth_key: address): Option<address> acquires OriginatingAddress {
        let map = &borrow_global<OriginatingAddress>(@aptos_framework).address_map;
        if (table::contains(map, auth_key)) {
            option::some(*table::borrow(map, auth_key))
        } else {
            option::none()
        }
    }

    #[view]
    /// The hash of the key that must sign for the account, 32 bytes.
    public fun get_authentication_key(addr: address): vector<u8> acquires Account {
        borrow_global<Account>(addr).authentication_key
    }

    #[view]
    /// True where the account has offered somebody the right to act for it.
    public fun is_signer_capability_offered(account_addr: address): bool acquires Account {
        option::is_some(&borrow_global<Account>(account_addr).signer_capability_offer.for)
    }

    #[view]
    /// True where the account has offered somebody the right to change its key.
    public fun is_rotation_capability_offered(account_addr: address): bool acquires Account {
        option::is_some(&borrow_global<Account>(account_addr).rotation_capability_offer.for)
    }

    /// Counts one transaction of the account. Creates the account where a sponsored transaction was its first.
    public(friend) fun increment_sequence_number(addr: address) acquires Account {
        create_account_if_does_not_exist(addr);
        let sequence_number = &mut borrow_global_mut<Account>(addr).sequence_number;
        assert!((*sequence_number as u128) < MAX_U64, error::out_of_range(ESEQUENCE_NUMBER_TOO_BIG));
        *sequence_number = *sequence_number + 1;
    }

    /// Sets the account's key, whoever holds it.
    public(friend) fun rotate_authentication_key_internal(account: &signer, new_auth_key: vector<u8>) acquires Account {
        let addr = signer::address_of(account);
        assert!(exists_at(addr), error::not_found(EACCOUNT_DOES_NOT_EXIST));
        assert!(
            vector::length(&new_auth_key) == 32,
            error::invalid_argument(EMALFORMED_AUTHENTICATION_KEY)
        );
        borrow_global_mut<Account>(addr).authentication_key = new_auth_key;
    }

    /// Changes the sender's key to the one with hash `new_auth_key`, without a proof that anybody holds it.
    ///
    /// The map from keys to accounts stays as it is: an unproven entry could take the place of the true owner's.
    public entry fun rotate_authentication_key_call(account: &signer, new_auth_key: vector<u8>) acquires Account {
        rotate_authentication_key_internal(account, new_auth_key);
    }

    /// Changes the sender's key to a public key that is shown, without a proof that anybody holds it.
    ///
    /// `scheme` is 0 (Ed25519), 1 (several Ed25519 keys), 2 (any one key) or 3 (several keys).
    public entry fun rotate_authentication_key_from_public_key(
        account: &signer, scheme: u8, new_public_key_bytes: vector<u8>
    ) acquires Account {
        let addr = signer::address_of(account);
        let old_auth_key = get_authentication_key(addr);
        let new_auth_key = authentication_key_of(scheme, new_public_key_bytes);
        rotate_authentication_key_internal(account, new_auth_key);
        if (features::module_event_enabled()) {
            event::emit(
                KeyRotationToPublicKey {
                    account: addr,
                    public_key_scheme: scheme,
                    public_key: new_public_key_bytes,
                    old_auth_key,
                    new_auth_key
                }
            );
        }
    }

    /// Changes the sender's key from one to another, both proven by a signature over the change.
    ///
    /// `from_scheme` and `to_scheme` are 0 (Ed25519) or 1 (several Ed25519 keys). The new key is listed in `OriginatingAddress`.
    public entry fun rotate_authentication_key(
        account: &signer,
        from_scheme: u8,
        from_public_key_bytes: vector<u8>,
        to_scheme: u8,
        to_public_key_bytes: vector<u8>,
        cap_rotate_key: vector<u8>,
        cap_update_table: vector<u8>
    ) acquires Account, OriginatingAddress {
        let addr = signer::address_of(account);
        assert!(exists_at(addr), error::not_found(EACCOUNT_DOES_NOT_EXIST));
        assert!(is_ed25519_scheme(from_scheme), error::invalid_argument(EINVALID_SCHEME));
        let current_auth_key = get_authentication_key(addr);
        assert!(
            authentication_key_of(from_scheme, from_public_key_bytes) == current_auth_key,
            error::unauthenticated(EWRONG_CURRENT_PUBLIC_KEY)
        );
        let challenge = RotationProofChallenge {
            sequence_number: get_sequence_number(addr),
            originator: addr,
            current_auth_key: from_bcs::to_address(current_auth_key),
            new_public_key: to_public_key_bytes
        };
        assert_signed(from_scheme, from_public_key_bytes, cap_rotate_key, challenge);
        assert_signed(to_scheme, to_public_key_bytes, cap_update_table, challenge);
        update_auth_key_and_originating_address(
            addr, current_auth_key, authentication_key_of(to_scheme, to_public_key_bytes)
        );
    }

    /// Lists the account under its present key, for accounts whose key was changed without a proof.
    public entry fun set_originating_address(account: &signer) acquires Account, OriginatingAddress {
        let addr = signer::address_of(account);
        assert!(exists_at(addr), error::not_found(EACCOUNT_DOES_NOT_EXIST));
        let auth_key = from_bcs::to_address(get_authentication_key(addr));
        let map = &mut borrow_global_mut<OriginatingAddress>(@aptos_framework).address_map;
        assert!(!table::contains(map, auth_key), error::invalid_argument(ENEW_AUTH_KEY_ALREADY_MAPPED));
        table::add(map, auth_key, addr);
    }

    fun is_ed25519_scheme(scheme: u8): bool {
        scheme == ED25519_SCHEME || scheme == MULTI_ED25519_SCHEME
    }

    /// The hash an account stores for a public key. Aborts where the bytes are no key of the scheme.
    fun authentication_key_of(scheme: u8, public_key_bytes: vector<u8>): vector<u8> {
        if (scheme == ED25519_SCHEME) {
            ed25519::unvalidated_public_key_to_authentication_key(
                &ed25519::new_unvalidated_public_key_from_bytes(public_key_bytes)
            )
        } else if (scheme == MULTI_ED25519_SCHEME) {
            multi_ed25519::unvalidated_public_key_to_authentication_key(
                &multi_ed25519::new_unvalidated_public_key_from_bytes(public_key_bytes)
            )
        } else if (scheme == SINGLE_KEY_SCHEME) {
            single_key::to_authentication_key(&single_key::new_public_key_from_bytes(public_key_bytes))
        } else {
            assert!(scheme == MULTI_KEY_SCHEME, error::invalid_argument(EINVALID_SCHEME));
            multi_key::to_authentication_key(&multi_key::new_public_key_from_bytes(public_key_bytes))
        }
    }

    fun assert_signed<T: drop>(scheme: u8, public_key_bytes: vector<u8>, signature: vector<u8>, challenge: T) {
        assert!(is_ed25519_scheme(scheme), error::invalid_argument(EINVALID_SCHEME));
        let is_valid =
            if (scheme == ED25519_SCHEME) {
                ed25519::signature_verify_strict_t(
                    &ed25519::new_signature_from_bytes(signature),
                    &ed25519::new_unvalidated_public_key_from_bytes(public_key_bytes),
                    challenge
                )
            } else {
                multi_ed25519::signature_verify_strict_t(
                    &multi_ed25519::new_signature_from_bytes(signature),
                    &multi_ed25519::new_unvalidated_public_key_from_bytes(public_key_bytes),
                    challenge
                )
            };
        assert!(is_valid, error::invalid_argument(EINVALID_PROOF_OF_KNOWLEDGE));
    }

    /// Aborts unless the key of `account` has signed `message`. The key is given, since the account keeps its hash only; `account_scheme`
    /// is 0 (Ed25519) or 1 (several Ed25519 keys).
    public fun verify_signed_message<T: drop>(
        account: address,
        account_scheme: u8,
        account_public_key: vector<u8>,
        signed_message_bytes: vector<u8>,
        message: T
    ) acquires Account {
        assert!(exists_at(account), error::not_found(EACCOUNT_DOES_NOT_EXIST));
        assert!(is_ed25519_scheme(account_scheme), error::invalid_argument(EINVALID_SCHEME));
        assert!(
            authentication_key_of(account_scheme, account_public_key) == get_authentication_key(account),
            error::invalid_argument(EWRONG_CURRENT_PUBLIC_KEY)
        );
        assert_signed(account_scheme, account_public_key, signed_message_bytes, message);
    }

    // Offers.

    /// Offers `recipient_address` the right to change the sender's key, in place of whomever it was offered to before. The key signs a
    /// `RotationCapabilityOfferProofChallengeV2`.
    public entry fun offer_rotation_capability(
        account: &signer,
        rotation_capability_sig_bytes: vector<u8>,
        account_scheme: u8,
        account_public_key_bytes: vector<u8>,
        recipient_address: address
    ) acquires Account {
        let addr = signer::address_of(account);
        assert!(exists_at(recipient_address), error::not_found(EACCOUNT_DOES_NOT_EXIST));
        let proof_challenge = RotationCapabilityOfferProofChallengeV2 {
            chain_id: chain_id::get(),
            sequence_number: get_sequence_number(addr),
            source_address: addr,
            recipient_address
        };
        verify_signed_message(
            addr, account_scheme, account_public_key_bytes, rotation_capability_sig_bytes, proof_challenge
        );
        option::swap_or_fill(&mut borrow_global_mut<Account>(addr).rotation_capability_offer.for, recipient_address);
    }

    /// Changes the key of an account that has offered the sender the right to. The new key proves itself as in
    /// `rotate_authentication_key`.
    public entry fun rotate_authentication_key_with_rotation_capability(
        delegate_signer: &signer,
        rotation_cap_offerer_address: address,
        new_scheme: u8,
        new_public_key_bytes: vector<u8>,
        cap_update_table: vector<u8>
    ) acquires Account, OriginatingAddress {
        assert!(exists_at(rotation_cap_offerer_address), error::not_found(EOFFERER_ADDRESS_DOES_NOT_EXIST));
        assert!(
            option::contains(
                &borrow_global<Account>(rotation_cap_offerer_address).rotation_capability_offer.for,
                &signer::address_of(delegate_signer)
            ),
            error::not_found(ENO_SUCH_ROTATION_CAPABILITY_OFFER)
        );
        let current_auth_key = get_authentication_key(rotation_cap_offerer_address);
        let challenge = RotationProofChallenge {
            sequence_number: get_sequence_number(signer::address_of(delegate_signer)),
            originator: rotation_cap_offerer_address,
            current_auth_key: from_bcs::to_address(current_auth_key),
            new_public_key: new_public_key_bytes
        };
        assert_signed(new_scheme, new_public_key_bytes, cap_update_table, challenge);
        update_auth_key_and_originating_address(
            rotation_cap_offerer_address, current_auth_key, authentication_key_of(new_scheme, new_public_key_bytes)
        );
    }

    /// Takes back the offer to `to_be_revoked_address` of the right to change the sender's key.
    public entry fun revoke_rotation_capability(account: &signer, to_be_revoked_address: address) acquires Account {
        assert!(exists_at(to_be_revoked_address), error::not_found(EACCOUNT_DOES_NOT_EXIST));
        let offer = borrow_global<Account>(signer::address_of(account)).rotation_capability_offer.for;
        assert!(
            option::contains(&offer, &to_be_revoked_address), error::not_found(ENO_SUCH_ROTATION_CAPABILITY_OFFER)
        );
        revoke_any_rotation_capability(account);
    }

    /// Takes back the offer of the right to change the sender's key.
    public entry fun revoke_any_rotation_capability(account: &signer) acquires Account {
        let offer = &mut borrow_global_mut<Account>(signer::address_of(account)).rotation_capability_offer.for;
        assert!(option::is_some(offer), error::not_found(ENO_SUCH_ROTATION_CAPABILITY_OFFER));
        option::extract(offer);
    }

    /// Offers `recipient_address` the right to act for the sender, in place of whomever it was offered to before. The key signs a
    /// `SignerCapabilityOfferProofChallengeV2`.
    public entry fun offer_signer_capability(
        account: &signer,
        signer_capability_sig_bytes: vector<u8>,
        account_scheme: u8,
        account_public_key_bytes: vector<u8>,
        recipient_address: address
    ) acquires Account {
        let addr = signer::address_of(account);
        assert!(exists_at(recipient_address), error::not_found(EACCOUNT_DOES_NOT_EXIST));
        let proof_challenge = SignerCapabilityOfferProofChallengeV2 {
            sequence_number: get_sequence_number(addr),
            source_address: addr,
            recipient_address
        };
        verify_signed_message(
            addr, account_scheme, account_public_key_bytes, signer_capability_sig_bytes, proof_challenge
        );
        option::swap_or_fill(&mut borrow_global_mut<Account>(addr).signer_capability_offer.for, recipient_address);
    }

    /// Takes back the offer to `to_be_revoked_address` of the right to act for the sender.
    public entry fun revoke_signer_capability(account: &signer, to_be_revoked_address: address) acquires Account {
        assert!(exists_at(to_be_revoked_address), error::not_found(EACCOUNT_DOES_NOT_EXIST));
        let offer = borrow_global<Account>(signer::address_of(account)).signer_capability_offer.for;
        assert!(option::contains(&offer, &to_be_revoked_address), error::not_found(ENO_SUCH_SIGNER_CAPABILITY));
        revoke_any_signer_capability(account);
    }

    /// Takes back the offer of the right to act for the sender.
    public entry fun revoke_any_signer_capability(account: &signer) acquires Account {
        let offer = &mut borrow_global_mut<Account>(signer::address_of(account)).signer_capability_offer.for;
        assert!(option::is_some(offer), error::not_found(ENO_SUCH_SIGNER_CAPABILITY));
        option::extract(offer);
    }

    #[view]
    /// To whom the right to act for the account is on offer. Aborts where it is on offer to nobody.
    public fun get_signer_capability_offer_for(account_addr: address): address acquires Account {
        let offer = &borrow_global<Account>(account_addr).signer_capability_offer.for;
        assert!(option::is_some(offer), error::not_found(ENO_SIGNER_CAPABILITY_OFFERED));
        *option::borrow(offer)
    }

    #[view]
    /// To whom the right to change the account's key is on offer. Aborts where it is on offer to nobody.
    public fun get_rotation_capability_offer_for(account_addr: address): address acquires Account {
        let offer = &borrow_global<Account>(account_addr).rotation_capability_offer.for;
        assert!(option::is_some(offer), error::not_found(ENO_SIGNER_CAPABILITY_OFFERED));
        *option::borrow(offer)
    }

    /// The signer of an account that has offered the calling account the right to act for it.
    public fun create_authorized_signer(account: &signer, offerer_address: address): signer acquires Account {
        assert!(exists_at(offerer_address), error::not_found(EOFFERER_ADDRESS_DOES_NOT_EXIST));
        assert!(
            option::contains(
                &borrow_global<Account>(offerer_address).signer_capability_offer.for, &signer::address_of(account)
            ),
            error::not_found(ENO_SUCH_SIGNER_CAPABILITY)
        );
        create_signer(offerer_address)
    }

    fun update_auth_key_and_originating_address(
        addr: address, old_authentication_key: vector<u8>, new_authentication_key: vector<u8>
    ) acquires Account, OriginatingAddress {
        assert!(
            old_authentication_key != new_authentication_key,
            error::invalid_argument(ENEW_AUTH_KEY_SAME_AS_CURRENT)
        );
        let map = &mut borrow_global_mut<OriginatingAddress>(@aptos_framework).address_map;
        let old_key_address = from_bcs::to_address(old_authentication_key);
        if (table::contains(map, old_key_address)) {
            assert!(
                table::remove(map, old_key_address) == addr, error::not_found(EINVALID_ORIGINATING_ADDRESS)
            );
        };
        let new_key_address = from_bcs::to_address(new_authentication_key);
        assert!(
            !table::contains(map, new_key_address), error::invalid_argument(ENEW_AUTH_KEY_ALREADY_MAPPED)
        );
        table::add(map, new_key_address, addr);

        let account = borrow_global_mut<Account>(addr);
        account.authentication_key = new_authentication_key;
        event::emit_event(
            &mut account.key_rotation_events,
            KeyRotationEvent { old_authentication_key, new_authentication_key }
        );
        if (features::module_event_enabled()) {
            event::emit(KeyRotation { account: addr, old_authentication_key, new_authentication_key });
        }
    }

    /// The next identifier of the account.
    public fun create_guid(account_signer: &signer): GUID acquires Account {
        let addr = signer::address_of(account_signer);
        let account = borrow_global_mut<Account>(addr);
        let guid = guid::create(addr, &mut account.guid_creation_num);
        assert!(account.guid_creation_num < MAX_GUID_CREATION_NUM, error::out_of_range(EEXCEEDED_MAX_GUID_CREATION_NUM));
        guid
    }

    /// A stream of events named by the account's next identifier.
    public fun new_event_handle<T: drop + store>(account: &signer): EventHandle<T> acquires Account {
        event::new_event_handle(create_guid(account))
    }

    /// Writes that the account can hold coins of `CoinType`.
    public(friend) fun register_coin<CoinType>(account_addr: address) acquires Account {
        let account = borrow_global_mut<Account>(account_addr);
        event::emit_event(
            &mut account.coin_register_events,
            CoinRegisterEvent { type_info: type_info::type_of<CoinType>() }
        );
    }

    /// The address of the resource account that `source` makes with `seed`.
    public fun create_resource_address(source: &address, seed: vector<u8>): address {
        let bytes = bcs::to_bytes(source);
        vector::append(&mut bytes, seed);
        vector::push_back(&mut bytes, DERIVE_RESOURCE_ACCOUNT_SCHEME);
        from_bcs::to_address(hash::sha3_256(bytes))
    }

    /// Creates an account nobody can sign for, and returns its signer and the right to make the signer again.
    ///
    /// An account that exists at the address is taken over while it is unused: no transaction sent, no capability on offer.
    public fun create_resource_account(source: &signer, seed: vector<u8>): (signer, SignerCapability) acquires Account {
        let resource_addr = create_resource_address(&signer::address_of(source), seed);
        let resource = if (exists_at(resource_addr)) {
            let account = borrow_global<Account>(resource_addr);
            assert!(
                option::is_none(&account.signer_capability_offer.for),
                error::already_exists(ERESOURCE_ACCCOUNT_EXISTS)
            );
            assert!(account.sequence_number == 0, error::invalid_state(EACCOUNT_ALREADY_USED));
            create_signer(resource_addr)
        } else {
            create_account_unchecked(resource_addr)
        };

        rotate_authentication_key_internal(&resource, ZERO_AUTH_KEY);
        let account = borrow_global_mut<Account>(resource_addr);
        account.signer_capability_offer.for = option::some(resource_addr);
        (resource, SignerCapability { account: resource_addr })
    }

    /// The signer an account gave the right to.
    public fun create_signer_with_capability(capability: &SignerCapability): signer {
        create_signer(capability.account)
    }

    /// The account a capability is for.
    public fun get_signer_capability_address(capability: &SignerCapability): address {
        capability.account
    }

    /// Aborts unless the chain is being made or `addr` has an account.
    public(friend) fun assert_account_exists(addr: address) {
        assert!(chain_status::is_genesis() || exists_at(addr), error::not_found(EACCOUNT_DOES_NOT_EXIST));
    }

    #[test_only]
    /// Creates an account for tests.
    public fun create_account_for_test(new_address: address): signer {
        if (system_addresses::is_framework_reserved_address(new_address)) {
            create_account_unchecked(new_address)
        } else {
            create_account(new_address)
        }
    }

    #[test_only]
    /// The signer of any address, for tests.
    public fun create_account_signer_for_test(addr: address): signer {
        create_signer(addr)
    }

    #[test_only]
    /// Another signer for the same address, for tests that call several functions which consume one.
    public fun copy_signer_for_test(of: &signer): signer {
        create_signer(signer::address_of(of))
    }

    #[test]
    fun a_fresh_account_answers_for_its_address() acquires Account {
        let account = create_account(@0xcafe);
        assert!(signer::address_of(&account) == @0xcafe, 0);
        assert!(get_sequence_number(@0xcafe) == 0, 1);
        assert!(get_authentication_key(@0xcafe) == bcs::to_bytes(&@0xcafe), 2);
        assert!(get_guid_next_creation_num(@0xcafe) == 2, 3);
        increment_sequence_number(@0xcafe);
        assert!(get_sequence_number(@0xcafe) == 1, 4);
    }

    #[test]
    #[expected_failure(abort_code = 0x80001, location = Self)]
    fun an_account_is_created_once() {
        create_account(@0xcafe);
        create_account(@0xcafe);
    }

    #[test]
    #[expected_failure(abort_code = 0x10005, location = Self)]
    fun a_reserved_address_is_refused() {
        create_account(@0x1);
    }

    #[test]
    fun a_resource_account_belongs_to_nobody() acquires Account {
        let source = create_account(@0xcafe);
        let (resource, capability) = create_resource_account(&source, b"seed");
        let addr = signer::address_of(&resource);
        assert!(addr == create_resource_address(&@0xcafe, b"seed"), 0);
        assert!(get_authentication_key(addr) == ZERO_AUTH_KEY, 1);
        assert!(get_signer_capability_address(&capability) == addr, 2);
        assert!(is_signer_capability_offered(addr), 3);
    }
}
