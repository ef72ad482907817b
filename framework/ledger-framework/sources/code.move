/// What code an account has published, package by package, and the request to publish more.
///
/// A request is carried out by the node when the transaction's own code has returned: it checks the modules, links them and writes
/// them. This module keeps the record and refuses what upgrades may not do.
module aptos_framework::code {
    use std::error;
    use std::signer;
    use std::string::String;
    use std::vector;
    use std::option::Option;
    use aptos_std::copyable_any::Any;
    use aptos_framework::event;
    use aptos_framework::object::{Self, Object};
    use aptos_framework::system_addresses;
    use aptos_framework::util;

    friend aptos_framework::genesis;

    /// Another package of the account has a module of this name.
    const EMODULE_NAME_CLASH: u64 = 0x1;
    /// The package cannot be upgraded.
    const EUPGRADE_IMMUTABLE: u64 = 0x2;
    /// An upgrade may not weaken the package's policy.
    const EUPGRADE_WEAKER_POLICY: u64 = 0x3;
    /// An upgrade may not leave out a module.
    const EMODULE_MISSING: u64 = 0x4;
    /// A package this one depends on is not published.
    const EPACKAGE_DEP_MISSING: u64 = 0x5;
    /// A package this one depends on has a weaker policy.
    const EDEP_WEAKER_POLICY: u64 = 0x6;
    /// A package without an upgrade policy may depend on its own account's packages only.
    const EDEP_ARBITRARY_NOT_SAME_ADDRESS: u64 = 0x7;
    /// Packages must have an upgrade policy.
    const EINCOMPATIBLE_POLICY_DISABLED: u64 = 0x8;
    /// The sender does not own the object.
    const ENOT_PACKAGE_OWNER: u64 = 9;
    /// The object has no code.
    const ECODE_OBJECT_DOES_NOT_EXIST: u64 = 10;

    /// Every package published at an account.
    struct PackageRegistry has drop, key, store {
        packages: vector<PackageMetadata>
    }

    /// One package.
    struct PackageMetadata has copy, drop, store {
        name: String,
        upgrade_policy: UpgradePolicy,
        /// How often the package has been upgraded.
        upgrade_number: u64,
        /// Digest of the sources, as the publisher stated it.
        source_digest: String,
        /// The package's manifest, gzip; empty where left out.
        manifest: vector<u8>,
        modules: vector<ModuleMetadata>,
        deps: vector<PackageDep>,
        extension: Option<Any>
    }

    /// A package another one depends on.
    struct PackageDep has copy, drop, store {
        account: address,
        package_name: String
    }

    /// One module of a package.
    struct ModuleMetadata has copy, drop, store {
        name: String,
        /// Source text, gzip; empty where left out.
        source: vector<u8>,
        /// Map from bytecode to source, gzip; empty where left out.
        source_map: vector<u8>,
        extension: Option<Any>
    }

    /// What upgrades may do: 0 anything, 1 compatible changes, 2 nothing.
    struct UpgradePolicy has copy, drop, store {
        policy: u8
    }

    #[event]
    /// Code has been published.
    struct PublishPackage has drop, store {
        code_address: address,
        is_upgrade: bool
    }

    /// A module that published code may depend on; an empty name stands for every module of the account.
    struct AllowedDep has drop {
        account: address,
        module_name: String
    }

    /// The policy of changing anything. Not accepted for new packages.
    public fun upgrade_policy_arbitrary(): UpgradePolicy {
        UpgradePolicy { policy: 0 }
    }

    /// The policy of compatible changes.
    public fun upgrade_policy_compat(): UpgradePolicy {
        UpgradePolicy { policy: 1 }
    }

    /// The policy of no changes.
    public fun upgrade_policy_immutable(): UpgradePolicy {
        UpgradePolicy { policy: 2 }
    }

    /// True where a package may change from one policy to the other.
    public fun can_change_upgrade_policy_to(from: UpgradePolicy, to: UpgradePolicy): bool {
        from.policy <= to.policy
    }

    /// What a package is called.
    public(friend) fun package_name(metadata: &PackageMetadata): String {
        metadata.name
    }

    /// Records a package whose modules genesis writes itself.
    public(friend) fun initialize(
        aptos_framework: &signer, package_owner: &signer, metadata: PackageMetadata
    ) acquires PackageRegistry {
        system_addresses::assert_aptos_framework(aptos_framework);
        let addr = signer::address_of(package_owner);
        if (!exists<PackageRegistry>(addr)) {
            move_to(package_owner, PackageRegistry { packages: vector[metadata] })
        } else {
            vector::push_back(&mut borrow_global_mut<PackageRegistry>(addr).packages, metadata)
        }
    }

    /// Publishes `code` as the package `pack` of the calling account.
    public fun publish_package(
        owner: &signer, pack: PackageMetadata, code: vector<vector<u8>>
    ) acquires PackageRegistry {
        assert!(pack.upgrade_policy.policy > 0, error::invalid_argument(EINCOMPATIBLE_POLICY_DISABLED));
        let addr = signer::address_of(owner);
        if (!exists<PackageRegistry>(addr)) {
            move_to(owner, PackageRegistry { packages: vector::empty() })
        };

        let allowed_deps = check_dependencies(addr, &pack);
        let module_names = module_names(&pack);
        let packages = &borrow_global<PackageRegistry>(addr).packages;
        let n = vector::length(packages);
        let index = n;
        let upgrade_number = 0;
        let i = 0;
        while (i < n) {
            let old = vector::borrow(packages, i);
            if (old.name == pack.name) {
                upgrade_number = old.upgrade_number + 1;
                check_upgradability(old, &pack, &module_names);
                index = i;
            } else {
                check_coexistence(old, &module_names)
            };
            i = i + 1;
        };
        pack.upgrade_number = upgrade_number;

        let policy = pack.upgrade_policy.policy;
        let packages = &mut borrow_global_mut<PackageRegistry>(addr).packages;
        let is_upgrade = index < n;
        if (is_upgrade) {
            *vector::borrow_mut(packages, index) = pack
        } else {
            vector::push_back(packages, pack)
        };
        event::emit(PublishPackage { code_address: addr, is_upgrade });
        request_publish_with_allowed_deps(addr, module_names, allowed_deps, code, policy)
    }

    /// Publishes a package of the sender. `metadata_serialized` is the encoding of a `PackageMetadata`.
    public entry fun publish_package_txn(
        owner: &signer, metadata_serialized: vector<u8>, code: vector<vector<u8>>
    ) acquires PackageRegistry {
        publish_package(owner, util::from_bytes<PackageMetadata>(metadata_serialized), code)
    }

    /// Forbids every further change of the packages at an object that `publisher` owns.
    public fun freeze_code_object(publisher: &signer, code_object: Object<PackageRegistry>) acquires PackageRegistry {
        let code_object_addr = object::object_address(&code_object);
        assert!(exists<PackageRegistry>(code_object_addr), error::not_found(ECODE_OBJECT_DOES_NOT_EXIST));
        assert!(
            object::is_owner(code_object, signer::address_of(publisher)),
            error::permission_denied(ENOT_PACKAGE_OWNER)
        );
        let registry = borrow_global_mut<PackageRegistry>(code_object_addr);
        vector::for_each_mut(&mut registry.packages, |pack| {
            pack.upgrade_policy = upgrade_policy_immutable();
        });
        event::emit(PublishPackage { code_address: code_object_addr, is_upgrade: true });
    }

    fun check_upgradability(old: &PackageMetadata, new: &PackageMetadata, new_modules: &vector<String>) {
        assert!(
            old.upgrade_policy.policy < upgrade_policy_immutable().policy,
            error::invalid_argument(EUPGRADE_IMMUTABLE)
        );
        assert!(
            can_change_upgrade_policy_to(old.upgrade_policy, new.upgrade_policy),
            error::invalid_argument(EUPGRADE_WEAKER_POLICY)
        );
        let old_modules = module_names(old);
        let i = 0;
        while (i < vector::length(&old_modules)) {
            assert!(
                vector::contains(new_modules, vector::borrow(&old_modules, i)),
                error::invalid_argument(EMODULE_MISSING)
            );
            i = i + 1;
        }
    }

    fun check_coexistence(old: &PackageMetadata, new_modules: &vector<String>) {
        let i = 0;
        while (i < vector::length(&old.modules)) {
            let old_module = vector::borrow(&old.modules, i);
            assert!(
                !vector::contains(new_modules, &old_module.name), error::already_exists(EMODULE_NAME_CLASH)
            );
            i = i + 1;
        }
    }

    /// Checks that what a package depends on is there and at least as steady. Returns the modules it may link to.
    fun check_dependencies(publish_address: address, pack: &PackageMetadata): vector<AllowedDep> acquires PackageRegistry {
        let allowed = vector::empty();
        let deps = &pack.deps;
        let i = 0;
        while (i < vector::length(deps)) {
            let dep = vector::borrow(deps, i);
            assert!(exists<PackageRegistry>(dep.account), error::not_found(EPACKAGE_DEP_MISSING));
            if (system_addresses::is_framework_reserved_address(dep.account)) {
                // The system's own packages change by the chain's rules, not by a package policy.
                vector::push_back(
                    &mut allowed, AllowedDep { account: dep.account, module_name: std::string::utf8(b"") }
                );
            } else {
                check_dependency(publish_address, pack, dep, &mut allowed);
            };
            i = i + 1;
        };
        allowed
    }

    fun check_dependency(
        publish_address: address, pack: &PackageMetadata, dep: &PackageDep, allowed: &mut vector<AllowedDep>
    ) acquires PackageRegistry {
        let packages = &borrow_global<PackageRegistry>(dep.account).packages;
        let found = false;
        let i = 0;
        while (i < vector::length(packages)) {
            let dep_pack = vector::borrow(packages, i);
            if (dep_pack.name == dep.package_name) {
                found = true;
                assert!(
                    dep_pack.upgrade_policy.policy >= pack.upgrade_policy.policy,
                    error::invalid_argument(EDEP_WEAKER_POLICY)
                );
                if (dep_pack.upgrade_policy == upgrade_policy_arbitrary()) {
                    assert!(
                        dep.account == publish_address, error::invalid_argument(EDEP_ARBITRARY_NOT_SAME_ADDRESS)
                    )
                };
                let j = 0;
                while (j < vector::length(&dep_pack.modules)) {
                    let module_name = vector::borrow(&dep_pack.modules, j).name;
                    vector::push_back(allowed, AllowedDep { account: dep.account, module_name });
                    j = j + 1;
                };
                break
            };
            i = i + 1;
        };
        assert!(found, error::not_found(EPACKAGE_DEP_MISSING));
    }

    fun module_names(pack: &PackageMetadata): vector<String> {
        let names = vector::empty();
        let i = 0;
        while (i < vector::length(&pack.modules)) {
            vector::push_back(&mut names, vector::borrow(&pack.modules, i).name);
            i = i + 1;
        };
        names
    }

    /// Asks the node to publish `bundle` at `owner` when the transaction's code has returned. Once in a transaction.
    native fun request_publish(
        owner: address, expected_modules: vector<String>, bundle: vector<vector<u8>>, policy: u8
    );

    /// The same, limiting what the modules may link to.
    native fun request_publish_with_allowed_deps(
        owner: address,
        expected_modules: vector<String>,
        allowed_deps: vector<AllowedDep>,
        bundle: vector<vector<u8>>,
        policy: u8
    );

    #[test_only]
    /// A package of modules without code. `deps` are accounts, each with the name of a package.
    public fun package_for_test(
        name: vector<u8>, policy: u8, modules: vector<vector<u8>>, deps: vector<address>, dep_name: vector<u8>
    ): PackageMetadata {
        PackageMetadata {
            name: std::string::utf8(name),
            upgrade_policy: UpgradePolicy { policy },
            upgrade_number: 0,
            source_digest: std::string::utf8(b""),
            manifest: vector[],
            modules: vector::map(modules, |module_name| ModuleMetadata {
                name: std::string::utf8(module_name),
                source: vector[],
                source_map: vector[],
                extension: std::option::none()
            }),
            deps: vector::map(deps, |account| PackageDep { account, package_name: std::string::utf8(dep_name) }),
            extension: std::option::none()
        }
    }

    #[test_only]
    /// Policy and number of the only package of an account.
    public fun policy_and_number_for_test(owner: address): (u8, u64) acquires PackageRegistry {
        let pack = vector::borrow(&borrow_global<PackageRegistry>(owner).packages, 0);
        (pack.upgrade_policy.policy, pack.upgrade_number)
    }
}
