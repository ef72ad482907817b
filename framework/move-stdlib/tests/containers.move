#[test_only]
/// Vectors, options, text and fixed-point numbers: each rule with a case that would break it.
module std::containers {
    use std::bit_vector;
    use std::fixed_point32;
    use std::option;
    use std::string;
    use std::vector;

    #[test]
    fun parts_of_a_vector_keep_their_order() {
        let v = vector[1u64, 2, 3, 4, 5];
        assert!(vector::slice(&v, 1, 3) == vector[2, 3], 0);
        let rest = vector::trim(&mut v, 2);
        assert!(v == vector[1, 2] && rest == vector[3, 4, 5], 1);
        vector::append(&mut v, rest);
        assert!(v == vector[1, 2, 3, 4, 5], 2);
        vector::insert(&mut v, 1, 9);
        assert!(v == vector[1, 9, 2, 3, 4, 5], 3);
        assert!(vector::remove(&mut v, 1) == 9 && v == vector[1, 2, 3, 4, 5], 4);
        assert!(vector::swap_remove(&mut v, 0) == 1 && v == vector[5, 2, 3, 4], 5);
        vector::reverse(&mut v);
        assert!(v == vector[4, 3, 2, 5], 6);
        vector::reverse_slice(&mut v, 1, 3);
        assert!(v == vector[4, 2, 3, 5], 7);
        assert!(vector::replace(&mut v, 0, 8) == 4 && v == vector[8, 2, 3, 5], 8);
        assert!(vector::remove_value(&mut v, &3) == vector[3] && vector::remove_value(&mut v, &3) == vector[], 9);
    }

    #[test]
    fun functions_walk_a_vector_in_order() {
        let v = vector[1u64, 2, 3];
        assert!(vector::map_ref(&v, |x| *x * 10) == vector[10, 20, 30], 0);
        assert!(vector::fold(v, 0, |sum, x| sum * 10 + x) == 123, 1);
        assert!(vector::filter(v, |x| *x != 2) == vector[1, 3], 2);
        assert!(vector::any(&v, |x| *x == 3) && !vector::all(&v, |x| *x == 3), 3);
        let (found, at) = vector::find(&v, |x| *x > 1);
        assert!(found && at == 1, 4);
        assert!(vector::range(2, 5) == vector[2, 3, 4] && vector::range_with_step(0, 5, 2) == vector[0, 2, 4], 5);
        let pairs = vector[];
        vector::zip(v, vector[4u64, 5, 6], |a, b| vector::push_back(&mut pairs, a * b));
        assert!(pairs == vector[4, 10, 18], 6);
    }

    #[test]
    #[expected_failure(abort_code = 0x20000, location = std::vector)]
    fun an_element_beyond_the_end_cannot_be_removed() {
        vector::remove(&mut vector[1u64], 1);
    }

    #[test]
    #[expected_failure(abort_code = 0x20001, location = std::vector)]
    fun a_slice_ends_within_the_vector() {
        vector::slice(&vector[1u64], 0, 2);
    }

    #[test]
    fun an_option_holds_one_value_or_none() {
        let o = option::some(3u64);
        assert!(option::contains(&o, &3) && !option::contains(&o, &4), 0);
        assert!(option::swap(&mut o, 4) == 3 && option::extract(&mut o) == 4 && option::is_none(&o), 1);
        assert!(option::swap_or_fill(&mut o, 5) == option::none(), 2);
        assert!(option::get_with_default(&o, 9) == 5 && option::destroy_with_default(option::none(), 9u64) == 9, 3);
        assert!(option::map(o, |x| x + 1) == option::some(6), 4);
        assert!(option::to_vec(o) == vector[5] && option::from_vec(vector[5u64]) == o, 5);
    }

    #[test]
    #[expected_failure(abort_code = 0x40001, location = std::option)]
    fun nothing_cannot_be_taken_out() {
        option::extract(&mut option::none<u64>());
    }

    #[test]
    #[expected_failure(abort_code = 0x40000, location = std::option)]
    fun a_full_option_cannot_be_filled() {
        option::fill(&mut option::some(1u64), 2);
    }

    #[test]
    #[expected_failure(abort_code = 0x40002, location = std::option)]
    fun two_values_are_no_option() {
        option::from_vec(vector[1u64, 2]);
    }

    #[test]
    fun text_is_cut_between_characters() {
        // Characters of one, two and three bytes.
        let s = string::utf8(x"61c3a9e282ac");
        assert!(string::length(&s) == 6, 0);
        assert!(string::sub_string(&s, 1, 3) == string::utf8(x"c3a9"), 1);
        assert!(string::index_of(&s, &string::utf8(x"e282ac")) == 3, 2);
        assert!(string::index_of(&s, &string::utf8(b"x")) == 6, 3);
        string::insert(&mut s, 3, string::utf8(b"-"));
        assert!(*string::bytes(&s) == x"61c3a92de282ac", 4);
        assert!(option::is_none(&string::try_utf8(x"c3")), 5);
    }

    #[test]
    #[expected_failure(abort_code = 2, location = std::string)]
    fun text_is_not_cut_inside_a_character() {
        string::sub_string(&string::utf8(x"c3a9"), 0, 1);
    }

    #[test]
    #[expected_failure(abort_code = 1, location = std::string)]
    fun half_a_character_is_no_text() {
        string::utf8(x"c3");
    }

    #[test]
    fun fixed_point_numbers_round_as_they_say() {
        let one_and_a_half = fixed_point32::create_from_rational(3, 2);
        assert!(fixed_point32::get_raw_value(one_and_a_half) == 0x180000000, 0);
        assert!(fixed_point32::multiply_u64(5, one_and_a_half) == 7, 1);
        assert!(fixed_point32::divide_u64(5, one_and_a_half) == 3, 2);
        assert!(fixed_point32::floor(one_and_a_half) == 1 && fixed_point32::ceil(one_and_a_half) == 2, 3);
        assert!(fixed_point32::round(one_and_a_half) == 2, 4);
        assert!(fixed_point32::round(fixed_point32::create_from_rational(4, 3)) == 1, 5);
        assert!(fixed_point32::ceil(fixed_point32::create_from_u64(7)) == 7, 6);
    }

    #[test]
    #[expected_failure(abort_code = 0x10001, location = std::fixed_point32)]
    fun nothing_is_divided_by_zero() {
        fixed_point32::create_from_rational(1, 0);
    }

    #[test]
    fun bits_are_set_one_by_one() {
        let bits = bit_vector::new(10);
        bit_vector::set(&mut bits, 9);
        assert!(bit_vector::is_index_set(&bits, 9) && !bit_vector::is_index_set(&bits, 8), 0);
        bit_vector::unset(&mut bits, 9);
        assert!(!bit_vector::is_index_set(&bits, 9) && bit_vector::length(&bits) == 10, 1);
    }
}
