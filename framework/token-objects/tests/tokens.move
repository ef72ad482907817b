#[test_only]
/// Tokens: their numbers, names, royalties and properties.
module aptos_token_objects::tokens {
    use std::option;
    use std::string::{Self, String};
    use aptos_framework::genesis;
    use aptos_framework::object::{Self, Object};
    use aptos_token_objects::aptos_token::{Self, AptosToken};
    use aptos_token_objects::collection::{Self, Collection};
    use aptos_token_objects::property_map;
    use aptos_token_objects::royalty;
    use aptos_token_objects::token::{Self, Token};

    fun text(bytes: vector<u8>): String {
        string::utf8(bytes)
    }

    fun make(creator: &signer, allow: bool): Object<Collection> {
        genesis::setup_for_test();
        aptos_token::create_collection(
            creator, text(b"about"), 2, text(b"Birds"), text(b"uri"), allow, allow, allow, allow, allow, allow, allow,
            allow, allow, 1, 100
        );
        object::address_to_object<Collection>(
            collection::create_collection_address(&@0xa11ce, &text(b"Birds"))
        )
    }

    fun mint(creator: &signer, name: vector<u8>): Object<AptosToken> {
        aptos_token::mint_token_object(
            creator, text(b"Birds"), text(b"a bird"), text(name), text(b"uri"), vector[text(b"wings")],
            vector[text(b"u64")], vector[x"0200000000000000"]
        )
    }

    #[test(alice = @0xa11ce)]
    fun tokens_are_numbered_and_described(alice: &signer) {
        let birds = make(alice, true);
        let wren = mint(alice, b"Wren");
        let robin = mint(alice, b"Robin");
        assert!(collection::count(birds) == option::some(2), 0);
        assert!(token::index(wren) == 1 && token::index(robin) == 2, 1);
        assert!(token::name(wren) == text(b"Wren") && token::creator(wren) == @0xa11ce, 2);
        assert!(token::collection_name(wren) == text(b"Birds"), 3);
        let royalty = option::destroy_some(token::royalty(wren));
        assert!(royalty::numerator(&royalty) == 1 && royalty::payee_address(&royalty) == @0xa11ce, 4);
        aptos_token::set_name(alice, wren, text(b"Jenny"));
        assert!(token::name(wren) == text(b"Jenny"), 5);
        aptos_token::burn(alice, robin);
        assert!(collection::count(birds) == option::some(1), 6);
    }

    #[test(alice = @0xa11ce)]
    fun properties_keep_their_types(alice: &signer) {
        make(alice, true);
        let wren = mint(alice, b"Wren");
        assert!(property_map::read_u64(wren, text(b"wings")) == 2, 0);
        aptos_token::add_typed_property<AptosToken, bool>(alice, wren, text(b"sings"), true);
        assert!(property_map::read_bool(wren, text(b"sings")) && property_map::length(wren) == 2, 1);
        aptos_token::update_property(alice, wren, text(b"wings"), text(b"0x1::string::String"), x"0374776f");
        assert!(property_map::read_string(wren, text(b"wings")) == text(b"two"), 2);
        aptos_token::remove_property(alice, wren, text(b"sings"));
        assert!(!property_map::contains_key(wren, text(b"sings")), 3);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x10006, location = aptos_token_objects::property_map)]
    fun a_property_is_read_as_its_type(alice: &signer) {
        make(alice, true);
        property_map::read_u8(mint(alice, b"Wren"), text(b"wings"));
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x10007, location = aptos_token_objects::property_map)]
    fun a_property_has_a_known_type(alice: &signer) {
        make(alice, true);
        aptos_token::add_property(alice, mint(alice, b"Wren"), text(b"colour"), text(b"Colour"), x"02");
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x50004, location = aptos_token_objects::aptos_token)]
    fun what_was_settled_stays(alice: &signer) {
        make(alice, false);
        aptos_token::set_uri(alice, mint(alice, b"Wren"), text(b"elsewhere"));
    }

    #[test(alice = @0xa11ce, bob = @0xb0b)]
    #[expected_failure(abort_code = 0x50003, location = aptos_token_objects::aptos_token)]
    fun only_the_creator_freezes(alice: &signer, bob: &signer) {
        make(alice, true);
        aptos_token::freeze_transfer(bob, mint(alice, b"Wren"));
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x50003, location = aptos_framework::object)]
    fun a_frozen_token_stays(alice: &signer) {
        make(alice, true);
        let wren = mint(alice, b"Wren");
        aptos_token::freeze_transfer(alice, wren);
        object::transfer(alice, wren, @0xb0b);
    }

    #[test(alice = @0xa11ce, bob = @0xb0b)]
    #[expected_failure(abort_code = 0x50003, location = aptos_framework::object)]
    fun a_soul_bound_token_stays(alice: &signer, bob: &signer) {
        make(alice, true);
        let wren =
            aptos_token::mint_soul_bound_token_object(
                alice, text(b"Birds"), text(b""), text(b"Wren"), text(b""), vector[], vector[], vector[], @0xb0b
            );
        assert!(object::owner(wren) == @0xb0b, 0);
        object::transfer(bob, wren, @0xa11ce);
    }

    #[test(alice = @0xa11ce)]
    fun numbers_become_part_of_names(alice: &signer) {
        make(alice, true);
        let ref =
            token::create_numbered_token(
                alice, text(b"Birds"), text(b""), text(b"Bird #"), text(b"!"), option::none(), text(b"")
            );
        let bird = object::object_from_constructor_ref<Token>(&ref);
        assert!(token::name(bird) == text(b"Bird #1!"), 0);
        let named =
            token::create_named_token(alice, text(b"Birds"), text(b""), text(b"Wren"), option::none(), text(b""));
        assert!(
            object::address_from_constructor_ref(&named)
                == token::create_token_address(&@0xa11ce, &text(b"Birds"), &text(b"Wren")),
            1
        );
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x20002, location = aptos_token_objects::royalty)]
    fun a_royalty_is_at_most_the_price(alice: &signer) {
        std::signer::address_of(alice);
        royalty::create(2, 1, @0xa11ce);
    }
}
