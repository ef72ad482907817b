/// Digital assets without a program of one's own: collections and tokens that a creator runs by transactions alone.
///
/// What the creator may change later is settled when the collection is made.
module aptos_token_objects::aptos_token {
    use std::error;
    use std::option::{Self, Option};
    use std::signer;
    use std::string::String;
    use aptos_framework::object::{Self, ConstructorRef, Object};
    use aptos_token_objects::collection;
    use aptos_token_objects::property_map;
    use aptos_token_objects::royalty;
    use aptos_token_objects::token;

    /// There is no such collection, or it was made otherwise.
    const ECOLLECTION_DOES_NOT_EXIST: u64 = 1;
    /// There is no such token, or it was made otherwise.
    const ETOKEN_DOES_NOT_EXIST: u64 = 2;
    /// The account is not the creator.
    const ENOT_CREATOR: u64 = 3;
    /// The field cannot be changed.
    const EFIELD_NOT_MUTABLE: u64 = 4;
    /// The creator cannot burn the token.
    const ETOKEN_NOT_BURNABLE: u64 = 5;
    /// The properties cannot be changed.
    const EPROPERTIES_NOT_MUTABLE: u64 = 6;

    #[resource_group_member(group = aptos_framework::object::ObjectGroup)]
    /// What the creator may change.
    struct AptosCollection has key {
        mutator_ref: Option<collection::MutatorRef>,
        royalty_mutator_ref: Option<royalty::MutatorRef>,
        mutable_description: bool,
        mutable_uri: bool,
        mutable_token_description: bool,
        mutable_token_name: bool,
        mutable_token_properties: bool,
        mutable_token_uri: bool,
        tokens_burnable_by_creator: bool,
        tokens_freezable_by_creator: bool
    }

    #[resource_group_member(group = aptos_framework::object::ObjectGroup)]
    /// What the creator needs for it.
    struct AptosToken has key {
        burn_ref: Option<token::BurnRef>,
        transfer_ref: Option<object::TransferRef>,
        mutator_ref: Option<token::MutatorRef>,
        property_mutator_ref: property_map::MutatorRef
    }

    /// Makes a collection of at most `max_supply` tokens.
    public entry fun create_collection(
        creator: &signer,
        description: String,
        max_supply: u64,
        name: String,
        uri: String,
        mutable_description: bool,
        mutable_royalty: bool,
        mutable_uri: bool,
        mutable_token_description: bool,
        mutable_token_name: bool,
        mutable_token_properties: bool,
        mutable_token_uri: bool,
        tokens_burnable_by_creator: bool,
        tokens_freezable_by_creator: bool,
        royalty_numerator: u64,
        royalty_denominator: u64
    ) {
        create_collection_object(
            creator, description, max_supply, name, uri, mutable_description, mutable_royalty, mutable_uri,
            mutable_token_description, mutable_token_name, mutable_token_properties, mutable_token_uri,
            tokens_burnable_by_creator, tokens_freezable_by_creator, royalty_numerator, royalty_denominator
        );
    }

    /// The same, and returns the collection.
    public fun create_collection_object(
        creator: &signer,
        description: String,
        max_supply: u64,
        name: String,
        uri: String,
        mutable_description: bool,
        mutable_royalty: bool,
        mutable_uri: bool,
        mutable_token_description: bool,
        mutable_token_name: bool,
        mutable_token_properties: bool,
        mutable_token_uri: bool,
        tokens_burnable_by_creator: bool,
        tokens_freezable_by_creator: bool,
        royalty_numerator: u64,
        royalty_denominator: u64
    ): Object<AptosCollection> {
        let creator_addr = signer::address_of(creator);
        let royalty = royalty::create(royalty_numerator, royalty_denominator, creator_addr);
        let constructor_ref =
            collection::create_fixed_collection(creator, description, max_supply, name, option::some(royalty), uri);
        let object_signer = object::generate_signer(&constructor_ref);
        let mutator_ref =
            if (mutable_description || mutable_uri) {
                option::some(collection::generate_mutator_ref(&constructor_ref))
            } else {
                option::none()
            };
        let royalty_mutator_ref =
            if (mutable_royalty) {
                option::some(royalty::generate_mutator_ref(object::generate_extend_ref(&constructor_ref)))
            } else {
                option::none()
            };
        move_to(
            &object_signer,
            AptosCollection {
                mutator_ref,
                royalty_mutator_ref,
                mutable_description,
                mutable_uri,
                mutable_token_description,
                mutable_token_name,
                mutable_token_properties,
                mutable_token_uri,
                tokens_burnable_by_creator,
                tokens_freezable_by_creator
            }
        );
        object::object_from_constructor_ref(&constructor_ref)
    }

    /// Makes a token of the sender's collection. Properties are given as names, types and encodings.
    public entry fun mint(
        creator: &signer,
        collection: String,
        description: String,
        name: String,
        uri: String,
        property_keys: vector<String>,
        property_types: vector<String>,
        property_values: vector<vector<u8>>
    ) acquires AptosCollection, AptosToken {
        mint_token_object(
            creator, collection, description, name, uri, property_keys, property_types, property_values
        );
    }

    /// The same, and returns the token.
    public fun mint_token_object(
        creator: &signer,
        collection: String,
        description: String,
        name: String,
        uri: String,
        property_keys: vector<String>,
        property_types: vector<String>,
        property_values: vector<vector<u8>>
    ): Object<AptosToken> acquires AptosCollection, AptosToken {
        let constructor_ref =
            mint_internal(
                creator, collection, description, name, uri, property_keys, property_types, property_values
            );
        let settings = borrow_global<AptosCollection>(own_collection(creator, &collection));
        if (settings.tokens_freezable_by_creator) {
            let addr = object::address_from_constructor_ref(&constructor_ref);
            let token = borrow_global_mut<AptosToken>(addr);
            option::fill(&mut token.transfer_ref, object::generate_transfer_ref(&constructor_ref));
        };
        object::object_from_constructor_ref(&constructor_ref)
    }

    /// Makes a token that `soul_bound_to` gets and never gives away.
    public entry fun mint_soul_bound(
        creator: &signer,
        collection: String,
        description: String,
        name: String,
        uri: String,
        property_keys: vector<String>,
        property_types: vector<String>,
        property_values: vector<vector<u8>>,
        soul_bound_to: address
    ) acquires AptosCollection {
        mint_soul_bound_token_object(
            creator, collection, description, name, uri, property_keys, property_types, property_values, soul_bound_to
        );
    }

    /// The same, and returns the token.
    public fun mint_soul_bound_token_object(
        creator: &signer,
        collection: String,
        description: String,
        name: String,
        uri: String,
        property_keys: vector<String>,
        property_types: vector<String>,
        property_values: vector<vector<u8>>,
        soul_bound_to: address
    ): Object<AptosToken> acquires AptosCollection {
        let constructor_ref =
            mint_internal(
                creator, collection, description, name, uri, property_keys, property_types, property_values
            );
        let transfer_ref = object::generate_transfer_ref(&constructor_ref);
        object::transfer_with_ref(object::generate_linear_transfer_ref(&transfer_ref), soul_bound_to);
        object::disable_ungated_transfer(&transfer_ref);
        object::object_from_constructor_ref(&constructor_ref)
    }

    fun own_collection(creator: &signer, name: &String): address {
        let addr = collection::create_collection_address(&signer::address_of(creator), name);
        assert!(exists<AptosCollection>(addr), error::not_found(ECOLLECTION_DOES_NOT_EXIST));
        addr
    }

    fun mint_internal(
        creator: &signer,
        collection: String,
        description: String,
        name: String,
        uri: String,
        property_keys: vector<String>,
        property_types: vector<String>,
        property_values: vector<vector<u8>>
    ): ConstructorRef acquires AptosCollection {
        let constructor_ref = token::create(creator, collection, description, name, option::none(), uri);
        let settings = borrow_global<AptosCollection>(own_collection(creator, &collection));
        let mutator_ref =
            if (settings.mutable_token_description || settings.mutable_token_name || settings.mutable_token_uri) {
                option::some(token::generate_mutator_ref(&constructor_ref))
            } else {
                option::none()
            };
        let burn_ref =
            if (settings.tokens_burnable_by_creator) {
                option::some(token::generate_burn_ref(&constructor_ref))
            } else {
                option::none()
            };
        move_to(
            &object::generate_signer(&constructor_ref),
            AptosToken {
                burn_ref,
                transfer_ref: option::none(),
                mutator_ref,
                property_mutator_ref: property_map::generate_mutator_ref(&constructor_ref)
            }
        );
        let properties = property_map::prepare_input(property_keys, property_types, property_values);
        property_map::init(&constructor_ref, properties);
        constructor_ref
    }

    // Looking.

    inline fun borrow<T: key>(token: &Object<T>): &AptosToken {
        let addr = object::object_address(token);
        assert!(exists<AptosToken>(addr), error::not_found(ETOKEN_DOES_NOT_EXIST));
        borrow_global<AptosToken>(addr)
    }

    inline fun borrow_collection<T: key>(collection: &Object<T>): &AptosCollection {
        let addr = object::object_address(collection);
        assert!(exists<AptosCollection>(addr), error::not_found(ECOLLECTION_DOES_NOT_EXIST));
        borrow_global<AptosCollection>(addr)
    }

    #[view]
    /// True where the properties can be changed.
    public fun are_properties_mutable<T: key>(token: Object<T>): bool acquires AptosCollection {
        let collection = token::collection_object(token);
        borrow_collection(&collection).mutable_token_properties
    }

    #[view]
    /// True where the creator can burn the token.
    public fun is_burnable<T: key>(token: Object<T>): bool acquires AptosToken {
        option::is_some(&borrow(&token).burn_ref)
    }

    #[view]
    /// True where the creator can keep the owner from moving the token.
    public fun is_freezable_by_creator<T: key>(token: Object<T>): bool acquires AptosCollection {
        are_collection_tokens_freezable(token::collection_object(token))
    }

    #[view]
    /// True where the description can be changed.
    public fun is_mutable_description<T: key>(token: Object<T>): bool acquires AptosCollection {
        is_mutable_collection_token_description(token::collection_object(token))
    }

    #[view]
    /// True where the name can be changed.
    public fun is_mutable_name<T: key>(token: Object<T>): bool acquires AptosCollection {
        is_mutable_collection_token_name(token::collection_object(token))
    }

    #[view]
    /// True where the link can be changed.
    public fun is_mutable_uri<T: key>(token: Object<T>): bool acquires AptosCollection {
        is_mutable_collection_token_uri(token::collection_object(token))
    }

    #[view]
    /// True where the collection's description can be changed.
    public fun is_mutable_collection_description<T: key>(collection: Object<T>): bool acquires AptosCollection {
        borrow_collection(&collection).mutable_description
    }

    #[view]
    /// True where the collection's royalty can be changed.
    public fun is_mutable_collection_royalty<T: key>(collection: Object<T>): bool acquires AptosCollection {
        option::is_some(&borrow_collection(&collection).royalty_mutator_ref)
    }

    #[view]
    /// True where the collection's link can be changed.
    public fun is_mutable_collection_uri<T: key>(collection: Object<T>): bool acquires AptosCollection {
        borrow_collection(&collection).mutable_uri
    }

    #[view]
    /// True where the descriptions of the collection's tokens can be changed.
    public fun is_mutable_collection_token_description<T: key>(collection: Object<T>): bool acquires AptosCollection {
        borrow_collection(&collection).mutable_token_description
    }

    #[view]
    /// True where the names of the collection's tokens can be changed.
    public fun is_mutable_collection_token_name<T: key>(collection: Object<T>): bool acquires AptosCollection {
        borrow_collection(&collection).mutable_token_name
    }

    #[view]
    /// True where the links of the collection's tokens can be changed.
    public fun is_mutable_collection_token_uri<T: key>(collection: Object<T>): bool acquires AptosCollection {
        borrow_collection(&collection).mutable_token_uri
    }

    #[view]
    /// True where the properties of the collection's tokens can be changed.
    public fun is_mutable_collection_token_properties<T: key>(collection: Object<T>): bool acquires AptosCollection {
        borrow_collection(&collection).mutable_token_properties
    }

    #[view]
    /// True where the creator can burn the collection's tokens.
    public fun are_collection_tokens_burnable<T: key>(collection: Object<T>): bool acquires AptosCollection {
        borrow_collection(&collection).tokens_burnable_by_creator
    }

    #[view]
    /// True where the creator can keep owners from moving the collection's tokens.
    public fun are_collection_tokens_freezable<T: key>(collection: Object<T>): bool acquires AptosCollection {
        borrow_collection(&collection).tokens_freezable_by_creator
    }

    // Changing tokens.

    inline fun authorized_borrow<T: key>(token: &Object<T>, creator: &signer): &AptosToken {
        let addr = object::object_address(token);
        assert!(exists<AptosToken>(addr), error::not_found(ETOKEN_DOES_NOT_EXIST));
        assert!(
            token::creator(*token) == signer::address_of(creator), error::permission_denied(ENOT_CREATOR)
        );
        borrow_global<AptosToken>(addr)
    }

    /// Burns a token, whoever owns it, where the creator may.
    public entry fun burn<T: key>(creator: &signer, token: Object<T>) acquires AptosToken {
        authorized_borrow(&token, creator);
        assert!(is_burnable(token), error::permission_denied(ETOKEN_NOT_BURNABLE));
        let AptosToken { burn_ref, transfer_ref: _, mutator_ref: _, property_mutator_ref } =
            move_from<AptosToken>(object::object_address(&token));
        property_map::burn(property_mutator_ref);
        token::burn(option::extract(&mut burn_ref));
    }

    /// Keeps the owner from moving a token.
    public entry fun freeze_transfer<T: key>(creator: &signer, token: Object<T>) acquires AptosCollection, AptosToken {
        let aptos_token = authorized_borrow(&token, creator);
        assert!(
            are_collection_tokens_freezable(token::collection_object(token))
                && option::is_some(&aptos_token.transfer_ref),
            error::permission_denied(EFIELD_NOT_MUTABLE)
        );
        object::disable_ungated_transfer(option::borrow(&aptos_token.transfer_ref));
    }

    /// Lets the owner move a token again.
    public entry fun unfreeze_transfer<T: key>(creator: &signer, token: Object<T>) acquires AptosCollection, AptosToken {
        let aptos_token = authorized_borrow(&token, creator);
        assert!(
            are_collection_tokens_freezable(token::collection_object(token))
                && option::is_some(&aptos_token.transfer_ref),
            error::permission_denied(EFIELD_NOT_MUTABLE)
        );
        object::enable_ungated_transfer(option::borrow(&aptos_token.transfer_ref));
    }

    /// Says something else of a token.
    public entry fun set_description<T: key>(creator: &signer, token: Object<T>, description: String) acquires AptosCollection, AptosToken {
        assert!(is_mutable_description(token), error::permission_denied(EFIELD_NOT_MUTABLE));
        let aptos_token = authorized_borrow(&token, creator);
        token::set_description(option::borrow(&aptos_token.mutator_ref), description);
    }

    /// Calls a token otherwise.
    public entry fun set_name<T: key>(creator: &signer, token: Object<T>, name: String) acquires AptosCollection, AptosToken {
        assert!(is_mutable_name(token), error::permission_denied(EFIELD_NOT_MUTABLE));
        let aptos_token = authorized_borrow(&token, creator);
        token::set_name(option::borrow(&aptos_token.mutator_ref), name);
    }

    /// Points elsewhere for more of a token.
    public entry fun set_uri<T: key>(creator: &signer, token: Object<T>, uri: String) acquires AptosCollection, AptosToken {
        assert!(is_mutable_uri(token), error::permission_denied(EFIELD_NOT_MUTABLE));
        let aptos_token = authorized_borrow(&token, creator);
        token::set_uri(option::borrow(&aptos_token.mutator_ref), uri);
    }

    inline fun borrow_for_properties<T: key>(token: &Object<T>, creator: &signer): &AptosToken {
        let aptos_token = authorized_borrow(token, creator);
        assert!(are_properties_mutable(*token), error::permission_denied(EPROPERTIES_NOT_MUTABLE));
        aptos_token
    }

    /// Adds a property from the name of its type and its encoding.
    public entry fun add_property<T: key>(
        creator: &signer, token: Object<T>, key: String, type: String, value: vector<u8>
    ) acquires AptosCollection, AptosToken {
        let aptos_token = borrow_for_properties(&token, creator);
        property_map::add(&aptos_token.property_mutator_ref, key, type, value);
    }

    /// Adds a property.
    public entry fun add_typed_property<T: key, V: drop>(
        creator: &signer, token: Object<T>, key: String, value: V
    ) acquires AptosCollection, AptosToken {
        let aptos_token = borrow_for_properties(&token, creator);
        property_map::add_typed(&aptos_token.property_mutator_ref, key, value);
    }

    /// Takes a property away.
    public entry fun remove_property<T: key>(creator: &signer, token: Object<T>, key: String) acquires AptosCollection, AptosToken {
        let aptos_token = borrow_for_properties(&token, creator);
        property_map::remove(&aptos_token.property_mutator_ref, key);
    }

    /// Changes a property from the name of its type and its encoding.
    public entry fun update_property<T: key>(
        creator: &signer, token: Object<T>, key: String, type: String, value: vector<u8>
    ) acquires AptosCollection, AptosToken {
        let aptos_token = borrow_for_properties(&token, creator);
        property_map::update(&aptos_token.property_mutator_ref, key, type, value);
    }

    /// Changes a property.
    public entry fun update_typed_property<T: key, V: drop>(
        creator: &signer, token: Object<T>, key: String, value: V
    ) acquires AptosCollection, AptosToken {
        let aptos_token = borrow_for_properties(&token, creator);
        property_map::update_typed(&aptos_token.property_mutator_ref, key, value);
    }

    // Changing collections.

    inline fun authorized_borrow_collection<T: key>(collection: &Object<T>, creator: &signer): &AptosCollection {
        let addr = object::object_address(collection);
        assert!(exists<AptosCollection>(addr), error::not_found(ECOLLECTION_DOES_NOT_EXIST));
        assert!(
            collection::creator(*collection) == signer::address_of(creator), error::permission_denied(ENOT_CREATOR)
        );
        borrow_global<AptosCollection>(addr)
    }

    /// Says something else of a collection.
    public entry fun set_collection_description<T: key>(
        creator: &signer, collection: Object<T>, description: String
    ) acquires AptosCollection {
        let aptos_collection = authorized_borrow_collection(&collection, creator);
        assert!(aptos_collection.mutable_description, error::permission_denied(EFIELD_NOT_MUTABLE));
        collection::set_description(option::borrow(&aptos_collection.mutator_ref), description);
    }

    /// Asks something else of each sale.
    public fun set_collection_royalties<T: key>(
        creator: &signer, collection: Object<T>, royalty: royalty::Royalty
    ) acquires AptosCollection {
        let aptos_collection = authorized_borrow_collection(&collection, creator);
        assert!(
            option::is_some(&aptos_collection.royalty_mutator_ref), error::permission_denied(EFIELD_NOT_MUTABLE)
        );
        royalty::update(option::borrow(&aptos_collection.royalty_mutator_ref), royalty);
    }

    /// Asks something else of each sale.
    entry fun set_collection_royalties_call<T: key>(
        creator: &signer,
        collection: Object<T>,
        royalty_numerator: u64,
        royalty_denominator: u64,
        payee_address: address
    ) acquires AptosCollection {
        let royalty = royalty::create(royalty_numerator, royalty_denominator, payee_address);
        set_collection_royalties(creator, collection, royalty);
    }

    /// Points elsewhere for more of a collection.
    public entry fun set_collection_uri<T: key>(creator: &signer, collection: Object<T>, uri: String) acquires AptosCollection {
        let aptos_collection = authorized_borrow_collection(&collection, creator);
        assert!(aptos_collection.mutable_uri, error::permission_denied(EFIELD_NOT_MUTABLE));
        collection::set_uri(option::borrow(&aptos_collection.mutator_ref), uri);
    }
}
