//! What the chain's features say of code that comes in: versions, names, parts of the language.

use ledger_bytecode::{ReadLimits, VERSION_MIN};
use ledger_verifier::{CompatibilityRules, FeatureSwitches, Limits};

use crate::features::{Feature, Features};

/// Longest identifier where the chain sets no limit of its own.
const IDENTIFIER_LENGTH_MAX: u16 = u16::MAX;

/// The same where it does.
const LIMITED_IDENTIFIER_LENGTH_MAX: u16 = 255;

/// Versions after the oldest, each with the feature that admits it.
const VERSIONS: [(u32, Feature); 5] = [
    (6, Feature::BytecodeV6),
    (7, Feature::BytecodeV7),
    (8, Feature::BytecodeV8),
    (9, Feature::BytecodeV9),
    (10, Feature::BytecodeV10),
];

/// Versions and names that may come in. A version is in when its own feature or that of a newer one is on.
pub fn read_limits(features: &Features) -> ReadLimits {
    let newest = VERSIONS.iter().rev().find(|(_, feature)| features.is_on(*feature));
    let identifier_length_max = if features.is_on(Feature::LimitIdentifierLength) {
        LIMITED_IDENTIFIER_LENGTH_MAX
    } else {
        IDENTIFIER_LENGTH_MAX
    };
    ReadLimits { version_max: newest.map_or(VERSION_MIN, |(version, _)| *version), identifier_length_max }
}

/// Limits of verification. Access specifiers are refused: the machine does not watch over them.
pub fn limits(features: &Features) -> Limits {
    let features = FeatureSwitches {
        enums: features.is_on(Feature::Enums),
        access_specifiers: false,
        function_values: features.is_on(Feature::FunctionValues),
    };
    Limits { features, ..Limits::default() }
}

/// What an upgrade must keep.
pub fn compatibility(features: &Features) -> CompatibilityRules {
    let check_friends = !features.is_on(Feature::TreatFriendAsPrivate);
    CompatibilityRules { check_friends, ..CompatibilityRules::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(bits: &[usize]) -> Features {
        let mut resource = vec![16; 17];
        resource[1..].fill(0);
        for bit in bits {
            resource[1 + bit / 8] |= 1 << (bit % 8);
        }
        Features::from_resource(Some(&resource)).unwrap()
    }

    #[test]
    fn the_newest_feature_that_is_on_names_the_newest_version() {
        for (bits, version) in [(&[][..], 5), (&[5], 6), (&[5, 40], 7), (&[5, 40, 106], 10)] {
            assert_eq!(read_limits(&features(bits)).version_max, version, "{bits:?}");
        }
    }

    #[test]
    fn names_and_language_follow_the_features() {
        assert_eq!(read_limits(&features(&[38])).identifier_length_max, 255);
        assert!(limits(&features(&[74])).features.enums);
        assert!(!limits(&features(&[74])).features.function_values);
        assert!(compatibility(&features(&[])).check_friends);
        assert!(!compatibility(&features(&[2])).check_friends);
    }
}
