/// Identifiers that are unique over the life of the chain: an address and a number it never gives out again.
module aptos_framework::guid {
    friend aptos_framework::account;
    friend aptos_framework::object;

    /// The account has no counter to number identifiers from.
    const EGUID_GENERATOR_NOT_PUBLISHED: u64 = 0;

    /// An identifier that cannot be copied, so that holding one proves something.
    struct GUID has drop, store {
        id: ID
    }

    /// The copyable name of a `GUID`.
    struct ID has copy, drop, store {
        /// The creator's running number.
        creation_num: u64,
        /// The creator.
        addr: address
    }

    /// Takes the next number of `addr` from `creation_num_ref`.
    public(friend) fun create(addr: address, creation_num_ref: &mut u64): GUID {
        let creation_num = *creation_num_ref;
        *creation_num_ref = creation_num + 1;
        GUID { id: ID { creation_num, addr } }
    }

    /// The name with the given parts. Making one proves nothing.
    public fun create_id(addr: address, creation_num: u64): ID {
        ID { creation_num, addr }
    }

    /// The name of `guid`.
    public fun id(guid: &GUID): ID {
        guid.id
    }

    /// The creator of `guid`.
    public fun creator_address(guid: &GUID): address {
        guid.id.addr
    }

    /// The creator named in `id`.
    public fun id_creator_address(id: &ID): address {
        id.addr
    }

    /// The number of `guid`.
    public fun creation_num(guid: &GUID): u64 {
        guid.id.creation_num
    }

    /// The number in `id`.
    public fun id_creation_num(id: &ID): u64 {
        id.creation_num
    }

    /// True where `id` names `guid`.
    public fun eq_id(guid: &GUID, id: &ID): bool {
        &guid.id == id
    }
}
