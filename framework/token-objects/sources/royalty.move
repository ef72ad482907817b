/// What a collection or token asks of each sale for its creator. Markets read it; the chain does not enforce it.
module aptos_token_objects::royalty {
    use std::error;
    use std::option::{Self, Option};
    use aptos_framework::object::{Self, ConstructorRef, ExtendRef, Object};

    friend aptos_token_objects::token;


    /// There is no royalty.
    const EROYALTY_DOES_NOT_EXIST: u64 = 1;
    /// A royalty is at most the whole price.
    const EROYALTY_EXCEEDS_MAXIMUM: u64 = 2;
    /// The denominator is zero.
    const EROYALTY_DENOMINATOR_IS_ZERO: u64 = 3;

    #[resource_group_member(group = aptos_framework::object::ObjectGroup)]
    /// `numerator / denominator` of the price, for `payee_address`.
    struct Royalty has copy, drop, key {
        numerator: u64,
        denominator: u64,
        payee_address: address
    }

    /// The right to set the royalty of an object.
    struct MutatorRef has drop, store {
        inner: ExtendRef
    }

    /// Gives a new object a royalty.
    public fun init(ref: &ConstructorRef, royalty: Royalty) {
        move_to(&object::generate_signer(ref), royalty);
    }

    /// Sets the royalty, whether there is one or not.
    public fun update(mutator_ref: &MutatorRef, royalty: Royalty) acquires Royalty {
        let addr = object::address_from_extend_ref(&mutator_ref.inner);
        if (exists<Royalty>(addr)) {
            move_from<Royalty>(addr);
        };
        move_to(&object::generate_signer_for_extending(&mutator_ref.inner), royalty);
    }

    /// A royalty of `numerator / denominator`, at most 1.
    public fun create(numerator: u64, denominator: u64, payee_address: address): Royalty {
        assert!(denominator != 0, error::out_of_range(EROYALTY_DENOMINATOR_IS_ZERO));
        assert!(numerator <= denominator, error::out_of_range(EROYALTY_EXCEEDS_MAXIMUM));
        Royalty { numerator, denominator, payee_address }
    }

    /// The right to set the royalty of a new object later.
    public fun generate_mutator_ref(ref: ExtendRef): MutatorRef {
        MutatorRef { inner: ref }
    }

    /// True where an object has a royalty.
    public fun exists_at(addr: address): bool {
        exists<Royalty>(addr)
    }

    /// Takes the royalty of an object away.
    public(friend) fun delete(addr: address) acquires Royalty {
        assert!(exists<Royalty>(addr), error::not_found(EROYALTY_DOES_NOT_EXIST));
        move_from<Royalty>(addr);
    }

    /// The royalty of an object, or none.
    public fun get<T: key>(maybe_royalty: Object<T>): Option<Royalty> acquires Royalty {
        let addr = object::object_address(&maybe_royalty);
        if (exists<Royalty>(addr)) {
            option::some(*borrow_global<Royalty>(addr))
        } else {
            option::none()
        }
    }

    /// The part's upper number.
    public fun numerator(royalty: &Royalty): u64 {
        royalty.numerator
    }

    /// The part's lower number.
    public fun denominator(royalty: &Royalty): u64 {
        royalty.denominator
    }

    /// Who gets it.
    public fun payee_address(royalty: &Royalty): address {
        royalty.payee_address
    }
}
