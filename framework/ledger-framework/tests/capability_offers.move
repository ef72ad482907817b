#[test_only]
/// Offers of the rights to act for an account and to change its key. The signatures were made outside, over encodings put together by hand.
module aptos_framework::capability_offers {
    use std::signer;
    use aptos_framework::account;
    use aptos_framework::genesis;

    const OWNER: address = @0xcc405722b15c00a19d37e51d9a756de1e61b780ad0935f3363bc7fce64edbdad;
    const KEY: vector<u8> = x"ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c";
    const SIGNER_OFFER: vector<u8> =
        x"b3acc2fd6dd3db5bd85bb3b7b82daaaa0b03a520ccb77237f0f1e324248848aada330dce0d4faca02ef32bd2d5485b5bdf263aceb2fa2294063d4d72c53fce08";
    const ROTATION_OFFER: vector<u8> =
        x"5294ae7241bb39139d6393d76ca4c77900f508a8b0dda36e5883fd09725b5d62facde35d7a55f2f37971ce768aa80624d7641cd69c45fc95fabc250e2a794102";

    fun make(): (signer, signer) {
        genesis::setup_for_test();
        (account::create_account_for_test(OWNER), account::create_account_signer_for_test(@0xb0b))
    }

    #[test]
    fun an_account_lets_another_act_for_it_and_takes_it_back() {
        let (owner, bob) = make();
        account::offer_signer_capability(&owner, SIGNER_OFFER, 0, KEY, @0xb0b);
        assert!(account::get_signer_capability_offer_for(OWNER) == @0xb0b, 0);
        assert!(signer::address_of(&account::create_authorized_signer(&bob, OWNER)) == OWNER, 1);
        account::revoke_signer_capability(&owner, @0xb0b);
        assert!(!account::is_signer_capability_offered(OWNER), 2);
    }

    #[test]
    fun an_account_lets_another_change_its_key_and_takes_it_back() {
        let (owner, _) = make();
        account::offer_rotation_capability(&owner, ROTATION_OFFER, 0, KEY, @0xb0b);
        assert!(account::get_rotation_capability_offer_for(OWNER) == @0xb0b, 0);
        account::revoke_any_rotation_capability(&owner);
        assert!(!account::is_rotation_capability_offered(OWNER), 1);
    }

    #[test]
    #[expected_failure(abort_code = 0x10008, location = aptos_framework::account)]
    fun one_offer_is_not_the_other() {
        let (owner, _) = make();
        account::offer_signer_capability(&owner, ROTATION_OFFER, 0, KEY, @0xb0b);
    }

    #[test]
    #[expected_failure(abort_code = 0x10008, location = aptos_framework::account)]
    fun an_offer_is_made_to_who_was_named() {
        let (owner, _) = make();
        account::create_account_for_test(@0xca401);
        account::offer_signer_capability(&owner, SIGNER_OFFER, 0, KEY, @0xca401);
    }

    #[test]
    #[expected_failure(abort_code = 0x10007, location = aptos_framework::account)]
    fun only_the_accounts_key_offers() {
        let (_, bob) = make();
        account::offer_signer_capability(&bob, SIGNER_OFFER, 0, KEY, @0xb0b);
    }

    #[test]
    #[expected_failure(abort_code = 0x60012, location = aptos_framework::account)]
    fun who_was_not_asked_changes_no_key() {
        let (_, bob) = make();
        account::rotate_authentication_key_with_rotation_capability(&bob, OWNER, 0, KEY, ROTATION_OFFER);
    }
}
