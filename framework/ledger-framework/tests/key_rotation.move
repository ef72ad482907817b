#[test_only]
/// Changes of an account's key, with keys and signatures that a public SDK made.
module aptos_framework::key_rotation {
    use std::bcs;
    use std::option;
    use aptos_framework::account;
    use aptos_framework::genesis;

    const OWNER: address = @0xe533c570fd1e23255fcd12ef9b2fddd51e58d567fc32797ee1fdc95a576b2b1a;
    const OLD_KEY: vector<u8> = x"4d3e447cfa01662e0d253d0263f040a29dd42f893b9cf861070694bd19dafd45";
    const NEW_KEY: vector<u8> = x"3ec138668c705fe69e67fcb9890bd531116d0e4f070c368db4bdfef0f753a2f9";
    const NEW_AUTH_KEY: vector<u8> = x"71687e431b3d9aae2834e25260dbfdfd499baae05df7482e2fd5e2406c36fc16";
    const OLD_KEY_SIGNATURE: vector<u8> =
        x"828a732a03330f4885b1b58e0a5afd63947cd3d2687e153eda72b82bb6f17a3c4f91b3812d2f8212e55d72868201a8ad0dfb9ccf3d2e12740ba10680d55c6b0b";
    const NEW_KEY_SIGNATURE: vector<u8> =
        x"583d4837970359dcd924947c02ca0c64142f286050a35b4b56be96083047f1a92f49cac1035d5d80f869576f47ff36d165a97b7aa624fdb800d69bccd28c5c0d";
    const ANY_KEY: vector<u8> = x"00203ec138668c705fe69e67fcb9890bd531116d0e4f070c368db4bdfef0f753a2f9";

    #[test]
    fun both_keys_prove_a_rotation() {
        genesis::setup_for_test();
        let owner = account::create_account_for_test(OWNER);
        account::rotate_authentication_key(
            &owner, 0, OLD_KEY, 0, NEW_KEY, OLD_KEY_SIGNATURE, NEW_KEY_SIGNATURE
        );
        assert!(account::get_authentication_key(OWNER) == NEW_AUTH_KEY, 0);
        let listed = account::originating_address(@0x71687e431b3d9aae2834e25260dbfdfd499baae05df7482e2fd5e2406c36fc16);
        assert!(option::destroy_some(listed) == OWNER, 1);
    }

    #[test]
    #[expected_failure(abort_code = 0x10008, location = aptos_framework::account)]
    fun a_signature_of_the_other_key_proves_nothing() {
        genesis::setup_for_test();
        let owner = account::create_account_for_test(OWNER);
        account::rotate_authentication_key(
            &owner, 0, OLD_KEY, 0, NEW_KEY, OLD_KEY_SIGNATURE, OLD_KEY_SIGNATURE
        );
    }

    #[test]
    #[expected_failure(abort_code = 0x40007, location = aptos_framework::account)]
    fun the_current_key_must_be_the_accounts() {
        genesis::setup_for_test();
        let owner = account::create_account_for_test(OWNER);
        account::rotate_authentication_key(
            &owner, 0, NEW_KEY, 0, NEW_KEY, OLD_KEY_SIGNATURE, NEW_KEY_SIGNATURE
        );
    }

    #[test]
    fun a_shown_key_of_any_scheme_is_accepted() {
        genesis::setup_for_test();
        let owner = account::create_account_for_test(OWNER);
        account::rotate_authentication_key_from_public_key(&owner, 0, NEW_KEY);
        assert!(account::get_authentication_key(OWNER) == NEW_AUTH_KEY, 0);
        account::rotate_authentication_key_from_public_key(&owner, 2, ANY_KEY);
        assert!(
            account::get_authentication_key(OWNER) == x"b90f51ec2f97805351ad52e5da6c068a1d98d7b5d81e9318bac97405a40b30de", 1
        );
        let unlisted = account::originating_address(@0x71687e431b3d9aae2834e25260dbfdfd499baae05df7482e2fd5e2406c36fc16);
        assert!(option::is_none(&unlisted), 2);
        account::set_originating_address(&owner);
        account::rotate_authentication_key_call(&owner, bcs::to_bytes(&OWNER));
        assert!(account::get_authentication_key(OWNER) == bcs::to_bytes(&OWNER), 3);
    }

    #[test]
    #[expected_failure(abort_code = 0x10002, location = aptos_std::single_key)]
    fun a_shown_key_of_an_unknown_scheme_is_refused() {
        genesis::setup_for_test();
        let owner = account::create_account_for_test(OWNER);
        account::rotate_authentication_key_from_public_key(&owner, 2, NEW_KEY);
    }

    #[test]
    #[expected_failure(abort_code = 0x10001, location = aptos_std::single_key)]
    fun a_shown_key_of_the_wrong_length_is_refused() {
        genesis::setup_for_test();
        let owner = account::create_account_for_test(OWNER);
        account::rotate_authentication_key_from_public_key(&owner, 2, x"002000");
    }
}
