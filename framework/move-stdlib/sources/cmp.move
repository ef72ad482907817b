/// An order over values of any type: numbers by size, vectors and structs from the front, enums by variant first.
module std::cmp {
    /// How one value stands to another.
    enum Ordering has copy, drop {
        Less,
        Equal,
        Greater
    }

    /// How the first value stands to the second.
    native public fun compare<T>(first: &T, second: &T): Ordering;

    /// True where the two are the same.
    public fun is_eq(self: &Ordering): bool {
        self is Ordering::Equal
    }

    /// True where the two differ.
    public fun is_ne(self: &Ordering): bool {
        !(self is Ordering::Equal)
    }

    /// True where the first comes before the second.
    public fun is_lt(self: &Ordering): bool {
        self is Ordering::Less
    }

    /// True where the first does not come after the second.
    public fun is_le(self: &Ordering): bool {
        !(self is Ordering::Greater)
    }

    /// True where the first comes after the second.
    public fun is_gt(self: &Ordering): bool {
        self is Ordering::Greater
    }

    /// True where the first does not come before the second.
    public fun is_ge(self: &Ordering): bool {
        !(self is Ordering::Less)
    }
}
