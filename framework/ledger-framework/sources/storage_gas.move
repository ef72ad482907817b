/// Prices of storage that rise with the size of the state, by curves.
///
/// Schedules from feature version 10 on do not read them; the resources are kept up because tools and older rules do.
module aptos_framework::storage_gas {
    use std::error;
    use std::vector;
    use aptos_framework::state_storage;
    use aptos_framework::system_addresses;

    friend aptos_framework::genesis;
    friend aptos_framework::reconfiguration;

    /// A curve's lowest price exceeds its highest, or its highest is beyond the bound.
    const EINVALID_GAS_RANGE: u64 = 2;
    /// The target must be above zero and within the bound.
    const ETARGET_USAGE_TOO_BIG: u64 = 4;
    /// A curve's points must rise in both directions and stay within 10000.
    const EINVALID_MONOTONICALLY_NON_DECREASING_CURVE: u64 = 5;

    const BASIS_POINT_DENOMINATION: u64 = 10000;
    const MAX_U64: u64 = 18446744073709551615;

    /// Current prices, in internal gas.
    struct StorageGas has key {
        per_item_read: u64,
        per_item_create: u64,
        per_item_write: u64,
        per_byte_read: u64,
        per_byte_create: u64,
        per_byte_write: u64
    }

    /// A point of a curve, in parts of 10000 along both axes.
    struct Point has copy, drop, store {
        x: u64,
        y: u64
    }

    /// A price as a function of usage: straight lines through (0, min), the points and (target, max).
    struct GasCurve has copy, drop, store {
        min_gas: u64,
        max_gas: u64,
        points: vector<Point>
    }

    /// The curves of one kind of usage, and the usage at which prices reach their highest.
    struct UsageGasConfig has copy, drop, store {
        target_usage: u64,
        read_curve: GasCurve,
        create_curve: GasCurve,
        write_curve: GasCurve
    }

    /// The curves of items and of bytes.
    struct StorageGasConfig has copy, drop, key {
        item_config: UsageGasConfig,
        byte_config: UsageGasConfig
    }

    /// A point `x`, `y` of a curve, in parts of 10000.
    public fun new_point(x: u64, y: u64): Point {
        assert!(
            x <= BASIS_POINT_DENOMINATION && y <= BASIS_POINT_DENOMINATION,
            error::invalid_argument(EINVALID_MONOTONICALLY_NON_DECREASING_CURVE)
        );
        Point { x, y }
    }

    /// A curve from `min_gas` to `max_gas` through `points`.
    public fun new_gas_curve(min_gas: u64, max_gas: u64, points: vector<Point>): GasCurve {
        assert!(
            min_gas <= max_gas && max_gas <= MAX_U64 / BASIS_POINT_DENOMINATION,
            error::invalid_argument(EINVALID_GAS_RANGE)
        );
        assert_rising(&points);
        GasCurve { min_gas, max_gas, points }
    }

    /// The curves of one kind of usage.
    public fun new_usage_gas_config(
        target_usage: u64, read_curve: GasCurve, create_curve: GasCurve, write_curve: GasCurve
    ): UsageGasConfig {
        assert!(
            target_usage > 0 && target_usage <= MAX_U64 / BASIS_POINT_DENOMINATION,
            error::invalid_argument(ETARGET_USAGE_TOO_BIG)
        );
        UsageGasConfig { target_usage, read_curve, create_curve, write_curve }
    }

    /// The curves of items and of bytes.
    public fun new_storage_gas_config(item_config: UsageGasConfig, byte_config: UsageGasConfig): StorageGasConfig {
        StorageGasConfig { item_config, byte_config }
    }

    /// Replaces the curves; prices follow at the next epoch. The framework account only.
    public fun set_config(aptos_framework: &signer, config: StorageGasConfig) acquires StorageGasConfig {
        system_addresses::assert_aptos_framework(aptos_framework);
        *borrow_global_mut<StorageGasConfig>(@aptos_framework) = config;
    }

    /// Publishes flat curves at the prices they start with. Genesis only.
    public(friend) fun initialize(aptos_framework: &signer) {
        system_addresses::assert_aptos_framework(aptos_framework);
        move_to(
            aptos_framework,
            StorageGasConfig {
                item_config: UsageGasConfig {
                    target_usage: 2000000000,
                    read_curve: flat(300000),
                    create_curve: flat(5000000),
                    write_curve: flat(300000)
                },
                byte_config: UsageGasConfig {
                    target_usage: 1000000000000,
                    read_curve: flat(300),
                    create_curve: flat(5000),
                    write_curve: flat(5000)
                }
            }
        );
        move_to(
            aptos_framework,
            StorageGas {
                per_item_read: 300000,
                per_item_create: 5000000,
                per_item_write: 300000,
                per_byte_read: 300,
                per_byte_create: 5000,
                per_byte_write: 5000
            }
        );
    }

    /// Sets prices by the usage of the state.
    public(friend) fun on_reconfig() acquires StorageGas, StorageGasConfig {
        let (items, bytes) = state_storage::current_items_and_bytes();
        let config = borrow_global<StorageGasConfig>(@aptos_framework);
        let gas = borrow_global_mut<StorageGas>(@aptos_framework);
        let item = &config.item_config;
        gas.per_item_read = price(item.target_usage, items, &item.read_curve);
        gas.per_item_create = price(item.target_usage, items, &item.create_curve);
        gas.per_item_write = price(item.target_usage, items, &item.write_curve);
        let byte = &config.byte_config;
        gas.per_byte_read = price(byte.target_usage, bytes, &byte.read_curve);
        gas.per_byte_create = price(byte.target_usage, bytes, &byte.create_curve);
        gas.per_byte_write = price(byte.target_usage, bytes, &byte.write_curve);
    }

    fun flat(gas: u64): GasCurve {
        GasCurve { min_gas: gas, max_gas: gas, points: vector[] }
    }

    /// The price at `usage`, by the line between the two points around it.
    fun price(target: u64, usage: u64, curve: &GasCurve): u64 {
        let at = if (usage >= target) { BASIS_POINT_DENOMINATION } else { usage * BASIS_POINT_DENOMINATION / target };
        let points = &curve.points;
        let left = Point { x: 0, y: 0 };
        let right = Point { x: BASIS_POINT_DENOMINATION, y: BASIS_POINT_DENOMINATION };
        let i = 0;
        while (i < vector::length(points)) {
            let point = *vector::borrow(points, i);
            if (point.x > at) {
                right = point;
                break
            };
            left = point;
            i = i + 1;
        };
        let share =
            if (right.x == left.x) {
                right.y
            } else {
                left.y + (at - left.x) * (right.y - left.y) / (right.x - left.x)
            };
        curve.min_gas + (curve.max_gas - curve.min_gas) * share / BASIS_POINT_DENOMINATION
    }

    fun assert_rising(points: &vector<Point>) {
        let before = Point { x: 0, y: 0 };
        let i = 0;
        while (i < vector::length(points)) {
            let point = *vector::borrow(points, i);
            assert!(
                before.x < point.x && before.y <= point.y,
                error::invalid_argument(EINVALID_MONOTONICALLY_NON_DECREASING_CURVE)
            );
            before = point;
            i = i + 1;
        }
    }

    #[test]
    fun a_price_lies_on_the_line_between_two_points() {
        let curve = new_gas_curve(100, 1100, vector[new_point(5000, 1000)]);
        assert!(price(1000, 0, &curve) == 100, 0);
        assert!(price(1000, 250, &curve) == 150, 1);
        assert!(price(1000, 500, &curve) == 200, 2);
        assert!(price(1000, 750, &curve) == 650, 3);
        assert!(price(1000, 5000, &curve) == 1100, 4);
    }
}
