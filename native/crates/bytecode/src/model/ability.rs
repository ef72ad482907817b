//! Abilities: what a program may do with values of a type.

use std::fmt;
use std::ops::{BitAnd, BitOr};

/// One ability; the discriminant is its bit in an [`AbilitySet`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Ability {
    /// Values may be duplicated.
    Copy = 1,
    /// Values may be thrown away.
    Drop = 2,
    /// Values may live inside a resource.
    Store = 4,
    /// Values may be resources.
    Key = 8,
}

impl Ability {
    /// All four, in bit order.
    pub const ALL: [Ability; 4] = [Ability::Copy, Ability::Drop, Ability::Store, Ability::Key];

    /// What a part must have for the whole to have `self`: itself, but `store` for `key`.
    pub fn requires(self) -> Ability {
        match self {
            Ability::Key => Ability::Store,
            other => other,
        }
    }

    /// The source word, also used in rendered ABIs.
    pub fn name(self) -> &'static str {
        match self {
            Ability::Copy => "copy",
            Ability::Drop => "drop",
            Ability::Store => "store",
            Ability::Key => "key",
        }
    }
}

/// A set of abilities, one bit each (1 copy, 2 drop, 4 store, 8 key).
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AbilitySet(u8);

impl AbilitySet {
    /// No ability.
    pub const EMPTY: Self = Self(0);
    /// Abilities of integers, booleans and addresses, and the most a vector can have.
    pub const PRIMITIVES: Self = Self(1 | 2 | 4);
    /// Abilities of references.
    pub const REFERENCES: Self = Self(1 | 2);
    /// Abilities of `signer`.
    pub const SIGNER: Self = Self(2);
    /// The most a vector can have.
    pub const VECTOR: Self = Self(1 | 2 | 4);
    /// The most a function value can have.
    pub const FUNCTIONS: Self = Self(1 | 2 | 4);
    /// Function values over functions that may change with an upgrade.
    pub const PRIVATE_FUNCTIONS: Self = Self(1 | 2);
    /// Every ability.
    pub const ALL: Self = Self(15);

    /// The set with these bits, or `None` if a bit above `key` is set.
    pub fn from_bits(bits: u8) -> Option<Self> {
        (bits <= Self::ALL.0).then_some(Self(bits))
    }

    /// The bits, 0 to 15.
    #[inline]
    pub fn bits(self) -> u8 {
        self.0
    }

    /// Whether `ability` is in the set.
    #[inline]
    pub fn has(self, ability: Ability) -> bool {
        self.0 & ability as u8 != 0
    }

    /// Whether values may be copied.
    #[inline]
    pub fn has_copy(self) -> bool {
        self.has(Ability::Copy)
    }

    /// Whether values may be dropped.
    #[inline]
    pub fn has_drop(self) -> bool {
        self.has(Ability::Drop)
    }

    /// Whether values may be stored.
    #[inline]
    pub fn has_store(self) -> bool {
        self.has(Ability::Store)
    }

    /// Whether values may be resources.
    #[inline]
    pub fn has_key(self) -> bool {
        self.has(Ability::Key)
    }

    /// The set with `ability` added.
    #[must_use]
    pub fn with(self, ability: Ability) -> Self {
        Self(self.0 | ability as u8)
    }

    /// Whether every ability of `self` is in `other`.
    #[inline]
    pub fn is_subset_of(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// What a part must have for the whole to have all of `self`.
    #[must_use]
    pub fn requires(self) -> Self {
        self.iter().fold(Self::EMPTY, |set, ability| set.with(ability.requires()))
    }

    /// The abilities in bit order.
    pub fn iter(self) -> impl Iterator<Item = Ability> {
        Ability::ALL.into_iter().filter(move |ability| self.has(*ability))
    }

    /// Abilities of a struct, enum or vector instance.
    ///
    /// `declared` is what the definition claims; an ability survives iff every non-phantom type
    /// argument has what that ability requires of a part. `arguments` yields, per type argument,
    /// whether its parameter is phantom and the abilities of the argument.
    #[must_use]
    pub fn of_instance(declared: Self, arguments: impl IntoIterator<Item = (bool, Self)>) -> Self {
        let mut result = declared;
        for (is_phantom, argument) in arguments {
            if is_phantom {
                continue;
            }
            for ability in Ability::ALL {
                if !argument.has(ability.requires()) {
                    result.0 &= !(ability as u8);
                }
            }
        }
        result
    }
}

impl BitAnd for AbilitySet {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for AbilitySet {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl From<Ability> for AbilitySet {
    fn from(ability: Ability) -> Self {
        Self(ability as u8)
    }
}

impl FromIterator<Ability> for AbilitySet {
    fn from_iter<I: IntoIterator<Item = Ability>>(abilities: I) -> Self {
        abilities.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Debug for AbilitySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
