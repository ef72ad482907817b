/// Accounts that programs own: nobody signs for them, and whoever holds their capability acts for them.
module aptos_framework::resource_account {
    use std::error;
    use std::signer;
    use std::vector;
    use aptos_std::simple_map::{Self, SimpleMap};
    use aptos_framework::account::{Self, SignerCapability};
    use aptos_framework::aptos_coin::AptosCoin;
    use aptos_framework::code;
    use aptos_framework::coin;

    /// The account keeps no capabilities.
    const ECONTAINER_NOT_PUBLISHED: u64 = 1;
    /// The account keeps no capability for this resource account.
    const EUNAUTHORIZED_NOT_OWNER: u64 = 2;

    const ZERO_AUTH_KEY: vector<u8> = x"0000000000000000000000000000000000000000000000000000000000000000";

    /// The capabilities for resource accounts that their own modules have not fetched yet, kept with who made them.
    struct Container has key {
        store: SimpleMap<address, SignerCapability>
    }

    /// Makes a resource account under the name `seed`. `optional_auth_key` becomes its key; without one it gets the sender's.
    public entry fun create_resource_account(
        origin: &signer, seed: vector<u8>, optional_auth_key: vector<u8>
    ) acquires Container {
        let (resource, resource_signer_cap) = account::create_resource_account(origin, seed);
        rotate_account_authentication_key_and_store_capability(
            origin, resource, resource_signer_cap, optional_auth_key
        );
    }

    /// The same, with a store of the native coin that holds `fund_amount` of the sender's octas.
    public entry fun create_resource_account_and_fund(
        origin: &signer, seed: vector<u8>, optional_auth_key: vector<u8>, fund_amount: u64
    ) acquires Container {
        let (resource, resource_signer_cap) = account::create_resource_account(origin, seed);
        coin::register<AptosCoin>(&resource);
        coin::transfer<AptosCoin>(origin, signer::address_of(&resource), fund_amount);
        rotate_account_authentication_key_and_store_capability(
            origin, resource, resource_signer_cap, optional_auth_key
        );
    }

    /// Makes a resource account and publishes a package at it, for good: no key has power over it. A module of the package fetches the
    /// capability with `retrieve_resource_account_cap`, or nobody ever does.
    public entry fun create_resource_account_and_publish_package(
        origin: &signer, seed: vector<u8>, metadata_serialized: vector<u8>, code: vector<vector<u8>>
    ) acquires Container {
        let (resource, resource_signer_cap) = account::create_resource_account(origin, seed);
        code::publish_package_txn(&resource, metadata_serialized, code);
        rotate_account_authentication_key_and_store_capability(
            origin, resource, resource_signer_cap, ZERO_AUTH_KEY
        );
    }

    fun rotate_account_authentication_key_and_store_capability(
        origin: &signer, resource: signer, resource_signer_cap: SignerCapability, optional_auth_key: vector<u8>
    ) acquires Container {
        let origin_addr = signer::address_of(origin);
        if (!exists<Container>(origin_addr)) {
            move_to(origin, Container { store: simple_map::new() })
        };
        let container = borrow_global_mut<Container>(origin_addr);
        simple_map::add(&mut container.store, signer::address_of(&resource), resource_signer_cap);
        let auth_key =
            if (vector::is_empty(&optional_auth_key)) {
                account::get_authentication_key(origin_addr)
            } else {
                optional_auth_key
            };
        account::rotate_authentication_key_internal(&resource, auth_key);
    }

    /// Fetches the capability of the calling resource account from who made it; no other key has power over the account afterwards.
    public fun retrieve_resource_account_cap(resource: &signer, source_addr: address): SignerCapability acquires Container {
        assert!(exists<Container>(source_addr), error::not_found(ECONTAINER_NOT_PUBLISHED));
        let resource_addr = signer::address_of(resource);
        let container = borrow_global_mut<Container>(source_addr);
        assert!(
            simple_map::contains_key(&container.store, &resource_addr),
            error::invalid_argument(EUNAUTHORIZED_NOT_OWNER)
        );
        let (_, resource_signer_cap) = simple_map::remove(&mut container.store, &resource_addr);
        if (simple_map::length(&container.store) == 0) {
            let Container { store } = move_from<Container>(source_addr);
            simple_map::destroy_empty(store);
        };
        account::rotate_authentication_key_internal(resource, ZERO_AUTH_KEY);
        resource_signer_cap
    }
}
