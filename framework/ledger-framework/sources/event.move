/// What a transaction tells the outside.
///
/// Module events carry their type alone. Handle events belong to a stream with a running number, kept in a handle that
/// lives in somebody's resource.
module aptos_framework::event {
    use std::bcs;
    use aptos_framework::guid::GUID;

    friend aptos_framework::account;
    friend aptos_framework::object;

    /// A stream of events of one type.
    struct EventHandle<phantom T: drop + store> has store {
        /// The number of events written so far.
        counter: u64,
        /// The name of the stream.
        guid: GUID
    }

    /// Writes an event of a type that the calling module defines.
    public fun emit<T: store + drop>(msg: T) {
        write_module_event_to_store<T>(msg)
    }

    /// A stream without events, named `guid`.
    public(friend) fun new_event_handle<T: drop + store>(guid: GUID): EventHandle<T> {
        EventHandle<T> { counter: 0, guid }
    }

    /// Writes the next event of a stream.
    public fun emit_event<T: drop + store>(handle_ref: &mut EventHandle<T>, msg: T) {
        write_to_event_store<T>(bcs::to_bytes(&handle_ref.guid), handle_ref.counter, msg);
        handle_ref.counter = handle_ref.counter + 1;
    }

    /// The name of a stream.
    public fun guid<T: drop + store>(handle_ref: &EventHandle<T>): &GUID {
        &handle_ref.guid
    }

    /// The number of events written to a stream so far.
    public fun counter<T: drop + store>(handle_ref: &EventHandle<T>): u64 {
        handle_ref.counter
    }

    /// Ends a stream.
    public fun destroy_handle<T: drop + store>(handle: EventHandle<T>) {
        EventHandle<T> { counter: _, guid: _ } = handle;
    }

    native fun write_module_event_to_store<T: drop + store>(msg: T);
    native fun write_to_event_store<T: drop + store>(guid: vector<u8>, count: u64, msg: T);
}
