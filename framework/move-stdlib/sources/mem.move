/// Exchange of values in place, without copying or dropping them.
module std::mem {
    /// Exchanges the values behind two references.
    native public fun swap<T>(left: &mut T, right: &mut T);

    /// Puts `new` behind `ref` and returns what was there.
    public fun replace<T>(ref: &mut T, new: T): T {
        swap(ref, &mut new);
        new
    }
}
