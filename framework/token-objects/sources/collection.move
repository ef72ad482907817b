/// Collections: objects that describe a set of tokens by one creator and count them.
module aptos_token_objects::collection {
    use std::error;
    use std::features;
    use std::option::{Self, Option};
    use std::signer;
    use std::string::{Self, String};
    use aptos_framework::aggregator_v2::{Self, Aggregator, AggregatorSnapshot};
    use aptos_framework::event;
    use aptos_framework::object::{Self, ConstructorRef, ExtendRef, Object};
    use aptos_token_objects::royalty::{Self, Royalty};

    friend aptos_token_objects::token;

    /// There is no such collection.
    const ECOLLECTION_DOES_NOT_EXIST: u64 = 1;
    /// The collection has as many tokens as it may have.
    const ECOLLECTION_SUPPLY_EXCEEDED: u64 = 2;
    /// The name has more than 128 bytes.
    const ECOLLECTION_NAME_TOO_LONG: u64 = 3;
    /// The link has more than 512 bytes.
    const EURI_TOO_LONG: u64 = 4;
    /// The description has more than 2048 bytes.
    const EDESCRIPTION_TOO_LONG: u64 = 5;
    /// A collection of no tokens is none.
    const EMAX_SUPPLY_CANNOT_BE_ZERO: u64 = 6;
    /// The chain keeps no counts that many transactions may change at once.
    const ECONCURRENT_NOT_ENABLED: u64 = 7;
    /// Many transactions may change the count already.
    const EALREADY_CONCURRENT: u64 = 8;
    /// The collection has more tokens than that.
    const EINVALID_MAX_SUPPLY: u64 = 9;
    /// The collection has no limit to change.
    const ENO_MAX_SUPPLY_IN_COLLECTION: u64 = 10;

    const MAX_COLLECTION_NAME_LENGTH: u64 = 128;
    const MAX_URI_LENGTH: u64 = 512;
    const MAX_DESCRIPTION_LENGTH: u64 = 2048;
    const MAX_U64: u64 = 18446744073709551615;

    #[resource_group_member(group = aptos_framework::object::ObjectGroup)]
    /// What a collection is called.
    struct Collection has key {
        creator: address,
        description: String,
        /// No other collection of the creator has it at birth.
        name: String,
        uri: String,
        mutation_events: event::EventHandle<MutationEvent>
    }

    /// The right to change the description of a collection.
    struct MutatorRef has drop, store {
        self: address
    }

    /// What old chains wrote when a description changed.
    struct MutationEvent has drop, store {
        mutated_field_name: String
    }

    #[event]
    /// A field of the description has changed.
    struct Mutation has drop, store {
        mutated_field_name: String,
        collection: Object<Collection>,
        old_value: String,
        new_value: String
    }

    #[resource_group_member(group = aptos_framework::object::ObjectGroup)]
    /// The count of a collection with a limit.
    struct FixedSupply has key {
        current_supply: u64,
        max_supply: u64,
        total_minted: u64,
        burn_events: event::EventHandle<BurnEvent>,
        mint_events: event::EventHandle<MintEvent>
    }

    #[resource_group_member(group = aptos_framework::object::ObjectGroup)]
    /// The count of a collection without a limit.
    struct UnlimitedSupply has key {
        current_supply: u64,
        total_minted: u64,
        burn_events: event::EventHandle<BurnEvent>,
        mint_events: event::EventHandle<MintEvent>
    }

    #[resource_group_member(group = aptos_framework::object::ObjectGroup)]
    /// A count for many transactions at once. Without a limit, its limit is that of the type.
    struct ConcurrentSupply has key {
        current_supply: Aggregator<u64>,
        total_minted: Aggregator<u64>
    }

    /// What old chains wrote when a token was burnt.
    struct BurnEvent has drop, store {
        index: u64,
        token: address
    }

    /// What old chains wrote when a token was minted.
    struct MintEvent has drop, store {
        index: u64,
        token: address
    }

    #[event]
    /// A token has been burnt.
    struct Burn has drop, store {
        collection: address,
        index: u64,
        token: address,
        previous_owner: address
    }

    #[event]
    /// A token has been minted.
    struct Mint has drop, store {
        collection: address,
        index: AggregatorSnapshot<u64>,
        token: address
    }

    #[event]
    /// The limit has changed.
    struct SetMaxSupply has drop, store {
        collection: Object<Collection>,
        old_max_supply: u64,
        new_max_supply: u64
    }

    // Making a collection.

    /// Makes a collection of at most `max_supply` tokens, at an address that follows from creator and name.
    public fun create_fixed_collection(
        creator: &signer,
        description: String,
        max_supply: u64,
        name: String,
        royalty: Option<Royalty>,
        uri: String
    ): ConstructorRef {
        assert!(max_supply != 0, error::invalid_argument(EMAX_SUPPLY_CANNOT_BE_ZERO));
        let constructor_ref = create_collection_internal(creator, description, name, royalty, uri);
        let object_signer = &object::generate_signer(&constructor_ref);
        if (features::is_concurrent_token_v2_enabled()) {
            move_to(
                object_signer,
                ConcurrentSupply {
                    current_supply: aggregator_v2::create_aggregator(max_supply),
                    total_minted: aggregator_v2::create_unbounded_aggregator()
                }
            );
        } else {
            move_to(
                object_signer,
                FixedSupply {
                    current_supply: 0,
                    max_supply,
                    total_minted: 0,
                    burn_events: object::new_event_handle(object_signer),
                    mint_events: object::new_event_handle(object_signer)
                }
            );
        };
        constructor_ref
    }

    /// Makes a collection of any number of tokens.
    public fun create_unlimited_collection(
        creator: &signer, description: String, name: String, royalty: Option<Royalty>, uri: String
    ): ConstructorRef {
        let constructor_ref = create_collection_internal(creator, description, name, royalty, uri);
        let object_signer = &object::generate_signer(&constructor_ref);
        if (features::is_concurrent_token_v2_enabled()) {
            move_to(
                object_signer,
                ConcurrentSupply {
                    current_supply: aggregator_v2::create_unbounded_aggregator(),
                    total_minted: aggregator_v2::create_unbounded_aggregator()
                }
            );
        } else {
            move_to(
                object_signer,
                UnlimitedSupply {
                    current_supply: 0,
                    total_minted: 0,
                    burn_events: object::new_event_handle(object_signer),
                    mint_events: object::new_event_handle(object_signer)
                }
            );
        };
        constructor_ref
    }

    fun create_collection_internal(
        creator: &signer, description: String, name: String, royalty: Option<Royalty>, uri: String
    ): ConstructorRef {
        assert!(
            string::length(&name) <= MAX_COLLECTION_NAME_LENGTH, error::out_of_range(ECOLLECTION_NAME_TOO_LONG)
        );
        assert_uri(&uri);
        assert_description(&description);
        let constructor_ref = object::create_named_object(creator, create_collection_seed(&name));
        let object_signer = object::generate_signer(&constructor_ref);
        let mutation_events = object::new_event_handle(&object_signer);
        move_to(
            &object_signer,
            Collection { creator: signer::address_of(creator), description, name, uri, mutation_events }
        );
        option::for_each(royalty, |royalty| royalty::init(&constructor_ref, royalty));
        // A collection stays with its creator.
        let transfer_ref = object::generate_transfer_ref(&constructor_ref);
        object::disable_ungated_transfer(&transfer_ref);
        constructor_ref
    }

    fun assert_uri(uri: &String) {
        assert!(string::length(uri) <= MAX_URI_LENGTH, error::out_of_range(EURI_TOO_LONG));
    }

    fun assert_description(description: &String) {
        assert!(
            string::length(description) <= MAX_DESCRIPTION_LENGTH, error::out_of_range(EDESCRIPTION_TOO_LONG)
        );
    }

    /// The address of the collection `creator` makes with this name.
    public fun create_collection_address(creator: &address, name: &String): address {
        object::create_object_address(creator, create_collection_seed(name))
    }

    /// The name under which the creator makes the collection's object.
    public fun create_collection_seed(name: &String): vector<u8> {
        assert!(
            string::length(name) <= MAX_COLLECTION_NAME_LENGTH, error::out_of_range(ECOLLECTION_NAME_TOO_LONG)
        );
        *string::bytes(name)
    }

    /// The right to change the description of a new collection.
    public fun generate_mutator_ref(ref: &ConstructorRef): MutatorRef {
        let object = object::object_from_constructor_ref<Collection>(ref);
        MutatorRef { self: object::object_address(&object) }
    }

    // Counting.

    /// Counts a new token. Returns its number, from 1, or none where the collection does not count.
    public(friend) fun increment_supply(
        collection: &Object<Collection>, token: address
    ): Option<AggregatorSnapshot<u64>> acquires ConcurrentSupply, FixedSupply, UnlimitedSupply {
        let collection_addr = object::object_address(collection);
        let minted =
            if (exists<ConcurrentSupply>(collection_addr)) {
                let supply = borrow_global_mut<ConcurrentSupply>(collection_addr);
                assert!(
                    aggregator_v2::try_add(&mut supply.current_supply, 1),
                    error::out_of_range(ECOLLECTION_SUPPLY_EXCEEDED)
                );
                aggregator_v2::add(&mut supply.total_minted, 1);
                event::emit(
                    Mint {
                        collection: collection_addr,
                        index: aggregator_v2::snapshot(&supply.total_minted),
                        token
                    }
                );
                return option::some(aggregator_v2::snapshot(&supply.total_minted))
            } else if (exists<FixedSupply>(collection_addr)) {
                let supply = borrow_global_mut<FixedSupply>(collection_addr);
                assert!(
                    supply.current_supply < supply.max_supply, error::out_of_range(ECOLLECTION_SUPPLY_EXCEEDED)
                );
                supply.current_supply = supply.current_supply + 1;
                supply.total_minted = supply.total_minted + 1;
                supply.total_minted
            } else if (exists<UnlimitedSupply>(collection_addr)) {
                let supply = borrow_global_mut<UnlimitedSupply>(collection_addr);
                supply.current_supply = supply.current_supply + 1;
                supply.total_minted = supply.total_minted + 1;
                supply.total_minted
            } else {
                return option::none()
            };
        event::emit(
            Mint { collection: collection_addr, index: aggregator_v2::create_snapshot(minted), token }
        );
        option::some(aggregator_v2::create_snapshot(minted))
    }

    /// Counts a token that is gone.
    public(friend) fun decrement_supply(
        collection: &Object<Collection>, token: address, index: Option<u64>, previous_owner: address
    ) acquires ConcurrentSupply, FixedSupply, UnlimitedSupply {
        let collection_addr = object::object_address(collection);
        if (exists<ConcurrentSupply>(collection_addr)) {
            aggregator_v2::sub(&mut borrow_global_mut<ConcurrentSupply>(collection_addr).current_supply, 1);
        } else if (exists<FixedSupply>(collection_addr)) {
            let supply = borrow_global_mut<FixedSupply>(collection_addr);
            supply.current_supply = supply.current_supply - 1;
        } else if (exists<UnlimitedSupply>(collection_addr)) {
            let supply = borrow_global_mut<UnlimitedSupply>(collection_addr);
            supply.current_supply = supply.current_supply - 1;
        } else {
            return
        };
        event::emit(
            Burn { collection: collection_addr, index: option::destroy_some(index), token, previous_owner }
        );
    }

    /// Lets many transactions at once change the count, where the chain keeps such counts.
    public fun upgrade_to_concurrent(ref: &ExtendRef) acquires FixedSupply, UnlimitedSupply {
        assert!(
            features::is_concurrent_token_v2_enabled(), error::invalid_argument(ECONCURRENT_NOT_ENABLED)
        );
        let addr = object::address_from_extend_ref(ref);
        let (current, limit, minted) =
            if (exists<FixedSupply>(addr)) {
                let FixedSupply { current_supply, max_supply, total_minted, burn_events, mint_events } =
                    move_from<FixedSupply>(addr);
                event::destroy_handle(burn_events);
                event::destroy_handle(mint_events);
                (current_supply, max_supply, total_minted)
            } else {
                assert!(exists<UnlimitedSupply>(addr), error::invalid_argument(EALREADY_CONCURRENT));
                let UnlimitedSupply { current_supply, total_minted, burn_events, mint_events } =
                    move_from<UnlimitedSupply>(addr);
                event::destroy_handle(burn_events);
                event::destroy_handle(mint_events);
                (current_supply, MAX_U64, total_minted)
            };
        let supply = ConcurrentSupply {
            current_supply: aggregator_v2::create_aggregator_with_value(current, limit),
            total_minted: aggregator_v2::create_unbounded_aggregator_with_value(minted)
        };
        move_to(&object::generate_signer_for_extending(ref), supply);
    }

    // Looking.

    inline fun borrow<T: key>(collection: &Object<T>): &Collection {
        let addr = object::object_address(collection);
        assert!(exists<Collection>(addr), error::not_found(ECOLLECTION_DOES_NOT_EXIST));
        borrow_global<Collection>(addr)
    }

    inline fun borrow_mut(mutator_ref: &MutatorRef): &mut Collection {
        assert!(exists<Collection>(mutator_ref.self), error::not_found(ECOLLECTION_DOES_NOT_EXIST));
        borrow_global_mut<Collection>(mutator_ref.self)
    }

    #[view]
    /// How many tokens there are, or none where the collection does not count.
    public fun count<T: key>(collection: Object<T>): Option<u64> acquires ConcurrentSupply, FixedSupply, UnlimitedSupply {
        let addr = object::object_address(&collection);
        assert!(exists<Collection>(addr), error::not_found(ECOLLECTION_DOES_NOT_EXIST));
        if (exists<ConcurrentSupply>(addr)) {
            option::some(aggregator_v2::read(&borrow_global<ConcurrentSupply>(addr).current_supply))
        } else if (exists<FixedSupply>(addr)) {
            option::some(borrow_global<FixedSupply>(addr).current_supply)
        } else if (exists<UnlimitedSupply>(addr)) {
            option::some(borrow_global<UnlimitedSupply>(addr).current_supply)
        } else {
            option::none()
        }
    }

    #[view]
    /// Who made it.
    public fun creator<T: key>(collection: Object<T>): address acquires Collection {
        borrow(&collection).creator
    }

    #[view]
    /// What is said of it.
    public fun description<T: key>(collection: Object<T>): String acquires Collection {
        borrow(&collection).description
    }

    #[view]
    /// What it is called.
    public fun name<T: key>(collection: Object<T>): String acquires Collection {
        borrow(&collection).name
    }

    #[view]
    /// Where more is said of it.
    public fun uri<T: key>(collection: Object<T>): String acquires Collection {
        borrow(&collection).uri
    }

    // Changing.

    /// Calls it otherwise. Its address stays.
    public fun set_name(mutator_ref: &MutatorRef, name: String) acquires Collection {
        assert!(
            string::length(&name) <= MAX_COLLECTION_NAME_LENGTH, error::out_of_range(ECOLLECTION_NAME_TOO_LONG)
        );
        let collection = borrow_mut(mutator_ref);
        let old_value = collection.name;
        collection.name = name;
        emit_mutation(mutator_ref, b"name", old_value, name);
    }

    /// Says something else of it.
    public fun set_description(mutator_ref: &MutatorRef, description: String) acquires Collection {
        assert_description(&description);
        let collection = borrow_mut(mutator_ref);
        let old_value = collection.description;
        collection.description = description;
        emit_mutation(mutator_ref, b"description", old_value, description);
    }

    /// Points elsewhere for more.
    public fun set_uri(mutator_ref: &MutatorRef, uri: String) acquires Collection {
        assert_uri(&uri);
        let collection = borrow_mut(mutator_ref);
        let old_value = collection.uri;
        collection.uri = uri;
        emit_mutation(mutator_ref, b"uri", old_value, uri);
    }

    fun emit_mutation(mutator_ref: &MutatorRef, field: vector<u8>, old_value: String, new_value: String) {
        event::emit(
            Mutation {
                mutated_field_name: string::utf8(field),
                collection: object::address_to_object(mutator_ref.self),
                old_value,
                new_value
            }
        );
    }

    /// Sets another limit, not below the number of tokens there are.
    public fun set_max_supply(mutator_ref: &MutatorRef, max_supply: u64) acquires ConcurrentSupply, FixedSupply {
        let addr = mutator_ref.self;
        let old_max_supply =
            if (exists<ConcurrentSupply>(addr)) {
                let supply = borrow_global_mut<ConcurrentSupply>(addr);
                let current = aggregator_v2::read(&supply.current_supply);
                let old = aggregator_v2::max_value(&supply.current_supply);
                assert!(max_supply >= current, error::out_of_range(EINVALID_MAX_SUPPLY));
                supply.current_supply = aggregator_v2::create_aggregator_with_value(current, max_supply);
                old
            } else {
                assert!(exists<FixedSupply>(addr), error::invalid_argument(ENO_MAX_SUPPLY_IN_COLLECTION));
                let supply = borrow_global_mut<FixedSupply>(addr);
                let old = supply.max_supply;
                assert!(max_supply >= supply.current_supply, error::out_of_range(EINVALID_MAX_SUPPLY));
                supply.max_supply = max_supply;
                old
            };
        event::emit(
            SetMaxSupply {
                collection: object::address_to_object(addr),
                old_max_supply,
                new_max_supply: max_supply
            }
        );
    }
}
