//! Rewriting where an instruction writes, or where it jumps.

use crate::ins::Ins;

/// The same instruction writing to `to` instead of `from`, if it writes one value to `from` and does
/// so after all its reads.
pub fn redirect(ins: Ins, from: u16, to: u16) -> Option<Ins> {
    let mut sent = ins;
    let d = match &mut sent {
        Ins::Mov { d, .. }
        | Ins::MovN { d, .. }
        | Ins::LdI { d, .. }
        | Ins::LdK { d, .. }
        | Ins::LdKN { d, .. }
        | Ins::Add { d, .. }
        | Ins::Sub { d, .. }
        | Ins::Mul { d, .. }
        | Ins::Div { d, .. }
        | Ins::Mod { d, .. }
        | Ins::AddK { d, .. }
        | Ins::SubK { d, .. }
        | Ins::MulK { d, .. }
        | Ins::DivK { d, .. }
        | Ins::ModK { d, .. }
        | Ins::Shl { d, .. }
        | Ins::Shr { d, .. }
        | Ins::ShlI { d, .. }
        | Ins::ShrI { d, .. }
        | Ins::And { d, .. }
        | Ins::Or { d, .. }
        | Ins::Xor { d, .. }
        | Ins::AndK { d, .. }
        | Ins::Not { d, .. }
        | Ins::Lt { d, .. }
        | Ins::Le { d, .. }
        | Ins::Eq { d, .. }
        | Ins::Ne { d, .. }
        | Ins::LtI { d, .. }
        | Ins::GeI { d, .. }
        | Ins::LeI { d, .. }
        | Ins::GtI { d, .. }
        | Ins::EqI { d, .. }
        | Ins::NeI { d, .. }
        | Ins::Bin { d, .. }
        | Ins::Add128 { d, .. }
        | Ins::Sub128 { d, .. }
        | Ins::Mul128 { d, .. }
        | Ins::Div128 { d, .. }
        | Ins::Mod128 { d, .. }
        | Ins::Lt128 { d, .. }
        | Ins::Le128 { d, .. }
        | Ins::Add256 { d, .. }
        | Ins::Sub256 { d, .. }
        | Ins::Mul256 { d, .. }
        | Ins::Div256 { d, .. }
        | Ins::Mod256 { d, .. }
        | Ins::Cast { d, .. }
        | Ins::Negate { d, .. }
        | Ins::EqWords { d, .. }
        | Ins::NeWords { d, .. }
        | Ins::Lea { d, .. }
        | Ins::LeaNarrow { d, .. }
        | Ins::RefOff { d, .. }
        | Ins::RefOffNarrow { d, .. }
        | Ins::RefBox { d, .. }
        | Ins::RefVariant { d, .. }
        | Ins::Ld { d, .. }
        | Ins::LdNarrow { d, .. }
        | Ins::LdN { d, .. }
        | Ins::TestVariant { d, .. }
        | Ins::VecLen { d, .. }
        | Ins::VecLenLocal { d, .. }
        | Ins::VecRef { d, .. }
        | Ins::VecRefNarrow { d, .. }
        | Ins::VecLd { d, .. }
        | Ins::VecLdNarrow { d, .. }
        | Ins::VecLdLocal { d, .. }
        | Ins::VecLdNarrowLocal { d, .. }
        | Ins::VecPop { d, .. }
        | Ins::VecPopNarrow { d, .. }
        | Ins::VecPack { d, .. }
        | Ins::VecPackNarrow { d, .. }
        | Ins::Borrow { d, .. }
        | Ins::Exists { d, .. }
        | Ins::MoveFrom { d, .. } => d,
        _ => return None,
    };
    if *d != from {
        return None;
    }
    *d = to;
    Some(sent)
}

/// Sets how far an instruction jumps. Sixteen-bit jumps are only made in code short enough.
pub fn set_jump(ins: &mut Ins, distance: i32) {
    match ins {
        Ins::Jmp { o } | Ins::BrT { o, .. } | Ins::BrF { o, .. } => *o = distance,
        Ins::BrLt { o, .. }
        | Ins::BrLe { o, .. }
        | Ins::BrEq { o, .. }
        | Ins::BrNe { o, .. }
        | Ins::BrLtI { o, .. }
        | Ins::BrGeI { o, .. }
        | Ins::BrLeI { o, .. }
        | Ins::BrGtI { o, .. }
        | Ins::BrEqI { o, .. }
        | Ins::BrNeI { o, .. }
        | Ins::IncLt { o, .. } => *o = distance as i16,
        _ => {}
    }
}

/// How far an instruction may jump, if it does.
pub fn jump(ins: Ins) -> Option<i32> {
    match ins {
        Ins::Jmp { o } | Ins::BrT { o, .. } | Ins::BrF { o, .. } => Some(o),
        Ins::BrLt { o, .. }
        | Ins::BrLe { o, .. }
        | Ins::BrEq { o, .. }
        | Ins::BrNe { o, .. }
        | Ins::BrLtI { o, .. }
        | Ins::BrGeI { o, .. }
        | Ins::BrLeI { o, .. }
        | Ins::BrGtI { o, .. }
        | Ins::BrEqI { o, .. }
        | Ins::BrNeI { o, .. }
        | Ins::IncLt { o, .. } => Some(i32::from(o)),
        _ => None,
    }
}

/// The branch that a comparison into `d` and a branch on `d` make together; the jump is not set.
pub fn fuse(compare: Ins, d: u16, when: bool) -> Option<Ins> {
    let o = 0;
    Some(match (compare, when) {
        (Ins::Lt { d: to, a, b }, true) if to == d => Ins::BrLt { a, b, o },
        (Ins::Lt { d: to, a, b }, false) if to == d => Ins::BrLe { a: b, b: a, o },
        (Ins::Le { d: to, a, b }, true) if to == d => Ins::BrLe { a, b, o },
        (Ins::Le { d: to, a, b }, false) if to == d => Ins::BrLt { a: b, b: a, o },
        (Ins::Eq { d: to, a, b }, true) | (Ins::Ne { d: to, a, b }, false) if to == d => {
            Ins::BrEq { a, b, o }
        }
        (Ins::Ne { d: to, a, b }, true) | (Ins::Eq { d: to, a, b }, false) if to == d => {
            Ins::BrNe { a, b, o }
        }
        (Ins::LtI { d: to, a, i }, true) | (Ins::GeI { d: to, a, i }, false) if to == d => {
            Ins::BrLtI { a, i, o }
        }
        (Ins::GeI { d: to, a, i }, true) | (Ins::LtI { d: to, a, i }, false) if to == d => {
            Ins::BrGeI { a, i, o }
        }
        (Ins::LeI { d: to, a, i }, true) | (Ins::GtI { d: to, a, i }, false) if to == d => {
            Ins::BrLeI { a, i, o }
        }
        (Ins::GtI { d: to, a, i }, true) | (Ins::LeI { d: to, a, i }, false) if to == d => {
            Ins::BrGtI { a, i, o }
        }
        (Ins::EqI { d: to, a, i }, true) | (Ins::NeI { d: to, a, i }, false) if to == d => {
            Ins::BrEqI { a, i, o }
        }
        (Ins::NeI { d: to, a, i }, true) | (Ins::EqI { d: to, a, i }, false) if to == d => {
            Ins::BrNeI { a, i, o }
        }
        _ => return None,
    })
}
