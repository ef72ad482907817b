/// Tokens: objects that belong to a collection.
///
/// A token is made by the collection's creator: at an address that follows from names, at one that nothing has had before, or with its
/// number as part of its name.
module aptos_token_objects::token {
    use std::error;
    use std::features;
    use std::option::{Self, Option};
    use std::signer;
    use std::string::{Self, String};
    use std::vector;
    use aptos_framework::aggregator_v2::{Self, AggregatorSnapshot, DerivedStringSnapshot};
    use aptos_framework::event;
    use aptos_framework::object::{Self, ConstructorRef, Object};
    use aptos_token_objects::collection::{Self, Collection};
    use aptos_token_objects::royalty::{Self, Royalty};

    /// There is no such token.
    const ETOKEN_DOES_NOT_EXIST: u64 = 1;
    /// The account did not make the collection.
    const ENOT_CREATOR: u64 = 2;
    /// The field cannot be changed.
    const EFIELD_NOT_MUTABLE: u64 = 3;
    /// The name has more than 128 bytes.
    const ETOKEN_NAME_TOO_LONG: u64 = 4;
    /// The link has more than 512 bytes.
    const EURI_TOO_LONG: u64 = 5;
    /// The description has more than 2048 bytes.
    const EDESCRIPTION_TOO_LONG: u64 = 6;
    /// The seed has more than 128 bytes.
    const ESEED_TOO_LONG: u64 = 7;

    const MAX_TOKEN_NAME_LENGTH: u64 = 128;
    const MAX_TOKEN_SEED_LENGTH: u64 = 128;
    const MAX_URI_LENGTH: u64 = 512;
    const MAX_DESCRIPTION_LENGTH: u64 = 2048;
    /// As many digits a number may have that is part of a name.
    const MAX_INDEX_DIGITS: u64 = 20;

    #[resource_group_member(group = aptos_framework::object::ObjectGroup)]
    /// What a token is.
    struct Token has key {
        collection: Object<Collection>,
        /// Zero where the token has `TokenIdentifiers`.
        index: u64,
        description: String,
        /// Empty where the token has `TokenIdentifiers`.
        name: String,
        uri: String,
        mutation_events: event::EventHandle<MutationEvent>
    }

    #[resource_group_member(group = aptos_framework::object::ObjectGroup)]
    /// Number and name of a token, which many transactions may give out at once.
    struct TokenIdentifiers has key {
        index: AggregatorSnapshot<u64>,
        name: DerivedStringSnapshot
    }

    /// The right to burn a token. Exactly one of the two is there: the latter for tokens whose objects stay.
    struct BurnRef has drop, store {
        inner: Option<object::DeleteRef>,
        self: Option<address>
    }

    /// The right to change a token.
    struct MutatorRef has drop, store {
        self: address
    }

    /// What old chains wrote when a token changed.
    struct MutationEvent has drop, store {
        mutated_field_name: String,
        old_value: String,
        new_value: String
    }

    #[event]
    /// A field has changed.
    struct Mutation has drop, store {
        token_address: address,
        mutated_field_name: String,
        old_value: String,
        new_value: String
    }

    // Making a token.

    fun create_common(
        constructor_ref: &ConstructorRef,
        creator_address: address,
        collection: Object<Collection>,
        description: String,
        name_prefix: String,
        name_with_index_suffix: Option<String>,
        royalty: Option<Royalty>,
        uri: String
    ) {
        assert!(
            collection::creator(collection) == creator_address, error::unauthenticated(ENOT_CREATOR)
        );
        let name_length = string::length(&name_prefix);
        if (option::is_some(&name_with_index_suffix)) {
            name_length = name_length + MAX_INDEX_DIGITS
                + string::length(option::borrow(&name_with_index_suffix));
        };
        assert!(name_length <= MAX_TOKEN_NAME_LENGTH, error::out_of_range(ETOKEN_NAME_TOO_LONG));
        assert_description(&description);
        assert_uri(&uri);

        let object_signer = object::generate_signer(constructor_ref);
        let id = collection::increment_supply(&collection, signer::address_of(&object_signer));
        let index = option::destroy_with_default(id, aggregator_v2::create_snapshot<u64>(0));
        let (plain_index, plain_name) =
            if (features::is_concurrent_token_v2_enabled()) {
                let name =
                    if (option::is_some(&name_with_index_suffix)) {
                        let suffix = option::extract(&mut name_with_index_suffix);
                        aggregator_v2::derive_string_concat(name_prefix, &index, suffix)
                    } else {
                        aggregator_v2::create_derived_string(name_prefix)
                    };
                move_to(&object_signer, TokenIdentifiers { index, name });
                (0, string::utf8(b""))
            } else {
                let number = aggregator_v2::read_snapshot(&index);
                if (option::is_some(&name_with_index_suffix)) {
                    string::append(&mut name_prefix, decimal(number));
                    string::append(&mut name_prefix, option::extract(&mut name_with_index_suffix));
                };
                (number, name_prefix)
            };
        move_to(
            &object_signer,
            Token {
                collection,
                index: plain_index,
                description,
                name: plain_name,
                uri,
                mutation_events: object::new_event_handle(&object_signer)
            }
        );
        option::for_each(royalty, |royalty| royalty::init(constructor_ref, royalty));
    }

    fun decimal(value: u64): String {
        let digits = vector[];
        while (value >= 10) {
            vector::push_back(&mut digits, ((value % 10) as u8) + 48);
            value = value / 10;
        };
        vector::push_back(&mut digits, (value as u8) + 48);
        vector::reverse(&mut digits);
        string::utf8(digits)
    }

    fun assert_description(description: &String) {
        assert!(
            string::length(description) <= MAX_DESCRIPTION_LENGTH, error::out_of_range(EDESCRIPTION_TOO_LONG)
        );
    }

    fun assert_uri(uri: &String) {
        assert!(string::length(uri) <= MAX_URI_LENGTH, error::out_of_range(EURI_TOO_LONG));
    }

    fun own_collection(creator: &signer, name: &String): Object<Collection> {
        object::address_to_object<Collection>(
            collection::create_collection_address(&signer::address_of(creator), name)
        )
    }

    /// Makes a token at an address that nothing has had before.
    public fun create_token(
        creator: &signer,
        collection: Object<Collection>,
        description: String,
        name: String,
        royalty: Option<Royalty>,
        uri: String
    ): ConstructorRef {
        let creator_address = signer::address_of(creator);
        let constructor_ref = object::create_object(creator_address);
        create_common(
            &constructor_ref, creator_address, collection, description, name, option::none(), royalty, uri
        );
        constructor_ref
    }

    /// The same, by the name that the calling account gave its collection.
    public fun create(
        creator: &signer,
        collection_name: String,
        description: String,
        name: String,
        royalty: Option<Royalty>,
        uri: String
    ): ConstructorRef {
        create_token(creator, own_collection(creator, &collection_name), description, name, royalty, uri)
    }

    /// Makes a token called by prefix, number and suffix, at an address that nothing has had before.
    public fun create_numbered_token_object(
        creator: &signer,
        collection: Object<Collection>,
        description: String,
        name_with_index_prefix: String,
        name_with_index_suffix: String,
        royalty: Option<Royalty>,
        uri: String
    ): ConstructorRef {
        let creator_address = signer::address_of(creator);
        let constructor_ref = object::create_object(creator_address);
        create_common(
            &constructor_ref, creator_address, collection, description, name_with_index_prefix,
            option::some(name_with_index_suffix), royalty, uri
        );
        constructor_ref
    }

    /// The same, by the name that the calling account gave its collection.
    public fun create_numbered_token(
        creator: &signer,
        collection_name: String,
        description: String,
        name_with_index_prefix: String,
        name_with_index_suffix: String,
        royalty: Option<Royalty>,
        uri: String
    ): ConstructorRef {
        create_numbered_token_object(
            creator, own_collection(creator, &collection_name), description, name_with_index_prefix,
            name_with_index_suffix, royalty, uri
        )
    }

    /// Makes a token at an address that follows from creator, collection and name. Its object stays when it is burnt.
    public fun create_named_token_object(
        creator: &signer,
        collection: Object<Collection>,
        description: String,
        name: String,
        royalty: Option<Royalty>,
        uri: String
    ): ConstructorRef {
        let seed = create_token_seed(&collection::name(collection), &name);
        create_named(creator, collection, description, name, seed, royalty, uri)
    }

    /// The same, by the name that the calling account gave its collection.
    public fun create_named_token(
        creator: &signer,
        collection_name: String,
        description: String,
        name: String,
        royalty: Option<Royalty>,
        uri: String
    ): ConstructorRef {
        let seed = create_token_seed(&collection_name, &name);
        create_named(
            creator, own_collection(creator, &collection_name), description, name, seed, royalty, uri
        )
    }

    /// Makes a token at an address that follows from creator, collection, name and `seed`.
    public fun create_named_token_from_seed(
        creator: &signer,
        collection: Object<Collection>,
        description: String,
        name: String,
        seed: String,
        royalty: Option<Royalty>,
        uri: String
    ): ConstructorRef {
        let seed = create_token_name_with_seed(&collection::name(collection), &name, &seed);
        create_named(creator, collection, description, name, seed, royalty, uri)
    }

    fun create_named(
        creator: &signer,
        collection: Object<Collection>,
        description: String,
        name: String,
        seed: vector<u8>,
        royalty: Option<Royalty>,
        uri: String
    ): ConstructorRef {
        let constructor_ref = object::create_named_object(creator, seed);
        create_common(
            &constructor_ref, signer::address_of(creator), collection, description, name, option::none(), royalty, uri
        );
        constructor_ref
    }

    /// Makes a token at an address made of the creator's next identifier.
    public fun create_from_account(
        creator: &signer,
        collection_name: String,
        description: String,
        name: String,
        royalty: Option<Royalty>,
        uri: String
    ): ConstructorRef {
        let constructor_ref = object::create_object_from_account(creator);
        create_common(
            &constructor_ref, signer::address_of(creator), own_collection(creator, &collection_name), description, name,
            option::none(), royalty, uri
        );
        constructor_ref
    }

    /// The address of the named token.
    public fun create_token_address(creator: &address, collection: &String, name: &String): address {
        object::create_object_address(creator, create_token_seed(collection, name))
    }

    /// The address of the named token with a seed.
    public fun create_token_address_with_seed(
        creator: address, collection: String, name: String, seed: String
    ): address {
        object::create_object_address(&creator, create_token_name_with_seed(&collection, &name, &seed))
    }

    /// The name under which the creator makes the object of a named token.
    public fun create_token_seed(collection: &String, name: &String): vector<u8> {
        assert!(
            string::length(name) <= MAX_TOKEN_NAME_LENGTH, error::out_of_range(ETOKEN_NAME_TOO_LONG)
        );
        let seed = *string::bytes(collection);
        vector::append(&mut seed, b"::");
        vector::append(&mut seed, *string::bytes(name));
        seed
    }

    /// The name under which the creator makes the object of a named token with a seed.
    public fun create_token_name_with_seed(collection: &String, name: &String, seed: &String): vector<u8> {
        assert!(string::length(seed) <= MAX_TOKEN_SEED_LENGTH, error::out_of_range(ESEED_TOO_LONG));
        let seeds = create_token_seed(collection, name);
        vector::append(&mut seeds, *string::bytes(seed));
        seeds
    }

    /// The right to change a new token.
    public fun generate_mutator_ref(ref: &ConstructorRef): MutatorRef {
        let object = object::object_from_constructor_ref<Token>(ref);
        MutatorRef { self: object::object_address(&object) }
    }

    /// The right to burn a new token.
    public fun generate_burn_ref(ref: &ConstructorRef): BurnRef {
        if (object::can_generate_delete_ref(ref)) {
            BurnRef { inner: option::some(object::generate_delete_ref(ref)), self: option::none() }
        } else {
            BurnRef { inner: option::none(), self: option::some(object::address_from_constructor_ref(ref)) }
        }
    }

    /// The token that a reference burns.
    public fun address_from_burn_ref(ref: &BurnRef): address {
        if (option::is_some(&ref.inner)) {
            object::address_from_delete_ref(option::borrow(&ref.inner))
        } else {
            *option::borrow(&ref.self)
        }
    }

    // Looking.

    inline fun borrow<T: key>(token: &Object<T>): &Token {
        let addr = object::object_address(token);
        assert!(exists<Token>(addr), error::not_found(ETOKEN_DOES_NOT_EXIST));
        borrow_global<Token>(addr)
    }

    inline fun borrow_mut(mutator_ref: &MutatorRef): &mut Token {
        assert!(exists<Token>(mutator_ref.self), error::not_found(ETOKEN_DOES_NOT_EXIST));
        borrow_global_mut<Token>(mutator_ref.self)
    }

    #[view]
    /// Who made the token's collection.
    public fun creator<T: key>(token: Object<T>): address acquires Token {
        collection::creator(borrow(&token).collection)
    }

    #[view]
    /// What the token's collection is called.
    public fun collection_name<T: key>(token: Object<T>): String acquires Token {
        collection::name(borrow(&token).collection)
    }

    #[view]
    /// The token's collection.
    public fun collection_object<T: key>(token: Object<T>): Object<Collection> acquires Token {
        borrow(&token).collection
    }

    #[view]
    /// What is said of the token.
    public fun description<T: key>(token: Object<T>): String acquires Token {
        borrow(&token).description
    }

    #[view]
    /// What it is called.
    public fun name<T: key>(token: Object<T>): String acquires Token, TokenIdentifiers {
        let plain = borrow(&token).name;
        let addr = object::object_address(&token);
        if (exists<TokenIdentifiers>(addr)) {
            aggregator_v2::read_derived_string(&borrow_global<TokenIdentifiers>(addr).name)
        } else {
            plain
        }
    }

    #[view]
    /// Where more is said of it.
    public fun uri<T: key>(token: Object<T>): String acquires Token {
        borrow(&token).uri
    }

    #[view]
    /// What is asked of its sales: the token's own royalty, or the collection's, or none.
    public fun royalty<T: key>(token: Object<T>): Option<Royalty> acquires Token {
        let collection = borrow(&token).collection;
        let own = royalty::get(token);
        if (option::is_some(&own)) own else royalty::get(collection)
    }

    #[view]
    /// Its number in the collection, from 1.
    public fun index<T: key>(token: Object<T>): u64 acquires Token, TokenIdentifiers {
        let plain = borrow(&token).index;
        let addr = object::object_address(&token);
        if (exists<TokenIdentifiers>(addr)) {
            aggregator_v2::read_snapshot(&borrow_global<TokenIdentifiers>(addr).index)
        } else {
            plain
        }
    }

    // Changing.

    /// Ends a token, and its object where that may be.
    public fun burn(burn_ref: BurnRef) acquires Token, TokenIdentifiers {
        let addr = address_from_burn_ref(&burn_ref);
        let BurnRef { inner, self: _ } = burn_ref;
        assert!(exists<Token>(addr), error::not_found(ETOKEN_DOES_NOT_EXIST));
        let token = object::address_to_object<Token>(addr);
        let previous_owner = object::owner(token);
        let index = index(token);
        option::for_each(inner, |delete_ref| object::delete(delete_ref));
        if (royalty::exists_at(addr)) {
            royalty::delete(addr)
        };
        let Token { collection, index: _, description: _, name: _, uri: _, mutation_events } = move_from<Token>(addr);
        if (exists<TokenIdentifiers>(addr)) {
            let TokenIdentifiers { index: _, name: _ } = move_from<TokenIdentifiers>(addr);
        };
        event::destroy_handle(mutation_events);
        collection::decrement_supply(&collection, addr, option::some(index), previous_owner);
    }

    /// Says something else of it.
    public fun set_description(mutator_ref: &MutatorRef, description: String) acquires Token {
        assert_description(&description);
        let token = borrow_mut(mutator_ref);
        let old_value = token.description;
        token.description = description;
        emit_mutation(mutator_ref, b"description", old_value, description);
    }

    /// Calls it otherwise.
    public fun set_name(mutator_ref: &MutatorRef, name: String) acquires Token, TokenIdentifiers {
        assert!(
            string::length(&name) <= MAX_TOKEN_NAME_LENGTH, error::out_of_range(ETOKEN_NAME_TOO_LONG)
        );
        let old_value = name(object::address_to_object<Token>(mutator_ref.self));
        if (exists<TokenIdentifiers>(mutator_ref.self)) {
            borrow_global_mut<TokenIdentifiers>(mutator_ref.self).name = aggregator_v2::create_derived_string(name);
        } else {
            borrow_mut(mutator_ref).name = name;
        };
        emit_mutation(mutator_ref, b"name", old_value, name);
    }

    /// Points elsewhere for more.
    public fun set_uri(mutator_ref: &MutatorRef, uri: String) acquires Token {
        assert_uri(&uri);
        let token = borrow_mut(mutator_ref);
        let old_value = token.uri;
        token.uri = uri;
        emit_mutation(mutator_ref, b"uri", old_value, uri);
    }

    fun emit_mutation(mutator_ref: &MutatorRef, field: vector<u8>, old_value: String, new_value: String) {
        event::emit(
            Mutation {
                token_address: mutator_ref.self, mutated_field_name: string::utf8(field), old_value, new_value
            }
        );
    }
}
