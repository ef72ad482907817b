#[test_only]
/// Packages: what may be published, and what may become of it.
module aptos_framework::packages {
    use aptos_framework::code;
    use aptos_framework::genesis;

    const COMPATIBLE: u8 = 1;
    const IMMUTABLE: u8 = 2;

    fun publish(owner: &signer, name: vector<u8>, policy: u8, modules: vector<vector<u8>>) {
        code::publish_package(owner, code::package_for_test(name, policy, modules, vector[], b""), vector[]);
    }

    #[test(alice = @0xa11ce)]
    fun a_package_is_upgraded_and_counted(alice: &signer) {
        genesis::setup_for_test();
        publish(alice, b"pack", COMPATIBLE, vector[b"one"]);
        publish(alice, b"pack", COMPATIBLE, vector[b"one", b"two"]);
        publish(alice, b"pack", IMMUTABLE, vector[b"one", b"two"]);
        let (policy, number) = code::policy_and_number_for_test(@0xa11ce);
        assert!(policy == IMMUTABLE && number == 2, 0);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x10008, location = aptos_framework::code)]
    fun an_arbitrary_policy_is_refused(alice: &signer) {
        publish(alice, b"pack", 0, vector[b"one"]);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x10002, location = aptos_framework::code)]
    fun an_immutable_package_stays(alice: &signer) {
        genesis::setup_for_test();
        publish(alice, b"pack", IMMUTABLE, vector[b"one"]);
        publish(alice, b"pack", IMMUTABLE, vector[b"one"]);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x10004, location = aptos_framework::code)]
    fun an_upgrade_keeps_every_module(alice: &signer) {
        genesis::setup_for_test();
        publish(alice, b"pack", COMPATIBLE, vector[b"one", b"two"]);
        publish(alice, b"pack", COMPATIBLE, vector[b"one"]);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x80001, location = aptos_framework::code)]
    fun two_packages_of_an_account_share_no_module(alice: &signer) {
        genesis::setup_for_test();
        publish(alice, b"pack", COMPATIBLE, vector[b"one"]);
        publish(alice, b"other", COMPATIBLE, vector[b"one"]);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x60005, location = aptos_framework::code)]
    fun a_dependency_must_be_there(alice: &signer) {
        let pack = code::package_for_test(b"pack", COMPATIBLE, vector[b"one"], vector[@0xb0b], b"base");
        code::publish_package(alice, pack, vector[]);
    }

    #[test(alice = @0xa11ce, bob = @0xb0b)]
    #[expected_failure(abort_code = 0x10006, location = aptos_framework::code)]
    fun a_dependency_is_at_least_as_steady(alice: &signer, bob: &signer) {
        genesis::setup_for_test();
        publish(bob, b"base", COMPATIBLE, vector[b"base"]);
        let pack = code::package_for_test(b"pack", IMMUTABLE, vector[b"one"], vector[@0xb0b], b"base");
        code::publish_package(alice, pack, vector[]);
    }

    #[test(alice = @0xa11ce, bob = @0xb0b)]
    fun a_steady_dependency_is_accepted(alice: &signer, bob: &signer) {
        genesis::setup_for_test();
        publish(bob, b"base", IMMUTABLE, vector[b"base"]);
        let pack = code::package_for_test(b"pack", COMPATIBLE, vector[b"one"], vector[@0xb0b], b"base");
        code::publish_package(alice, pack, vector[]);
        let (policy, number) = code::policy_and_number_for_test(@0xa11ce);
        assert!(policy == COMPATIBLE && number == 0, 0);
    }
}
