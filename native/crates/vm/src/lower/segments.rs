//! Gas segments: what one charge pays for.
//!
//! A segment is a block, or the part of one up to something that pays by value or hands control away. So
//! nothing is paid before what may come first, and control runs through a segment without a branch.

use ledger_bytecode::Bytecode;

use super::Lowerer;
use crate::ins::{Ins, Segment};

/// A segment whose end is not reached.
#[derive(Default)]
pub(super) struct OpenSegment {
    /// Its first bytecode.
    pub(super) first: usize,
    /// Static cost so far, with that of a copied loop head.
    pub(super) cost: u64,
    /// The instruction that charges it; `None` until the segment needs its first instruction.
    pub(super) header: Option<usize>,
    /// Last bytecode before a copied loop head, and the head's first.
    pub(super) copied: Option<(usize, usize)>,
}

impl Lowerer<'_> {
    /// Emits the instruction that charges the segment; its cost is filled in at the end.
    pub(super) fn open_segment(&mut self) {
        self.segment.header = Some(self.ins.len());
        self.ins.push(Ins::Charge(0));
        self.offsets.push(self.segment.first as u16);
    }

    pub(super) fn close_segment(&mut self, last: usize) {
        let OpenSegment { first, cost, header, copied } = std::mem::take(&mut self.segment);
        if header.is_none() && cost == 0 {
            return;
        }
        let header = header.unwrap_or_else(|| {
            self.segment = OpenSegment { first, ..OpenSegment::default() };
            self.open_segment();
            self.last = None;
            self.ins.len() - 1
        });
        self.ins[header] = match u32::try_from(cost) {
            Ok(cost) => Ins::Charge(cost),
            Err(_) => Ins::ChargeK(self.word(cost)),
        };
        let (last, head) = copied.map_or((last, None), |(last, head)| (last, Some(head as u16)));
        self.segments.push(Segment { first: first as u16, last: last as u16, head });
    }

    /// Whether a bytecode may pay more than its static cost, or hand control to something that pays.
    pub(super) fn pays_by_value(&self, at: usize) -> bool {
        use Bytecode as B;
        matches!(
            self.bytecode[at],
            B::Call(_)
                | B::CallGeneric(_)
                | B::CopyLoc(_)
                | B::ReadRef
                | B::Eq
                | B::Neq
                | B::Exists(_)
                | B::ExistsGeneric(_)
                | B::MutBorrowGlobal(_)
                | B::MutBorrowGlobalGeneric(_)
                | B::ImmBorrowGlobal(_)
                | B::ImmBorrowGlobalGeneric(_)
                | B::MoveFrom(_)
                | B::MoveFromGeneric(_)
                | B::MoveTo(_)
                | B::MoveToGeneric(_)
        ) && self.paid_by_value
    }

    /// Cost of what follows each bytecode in its segment.
    pub(super) fn rest_cost(&self) -> Box<[u64]> {
        let mut rest = vec![0; self.cost.len()];
        for segment in &self.segments {
            let mut sum = match segment.head {
                Some(head) => self.head_cost(usize::from(head)),
                None => 0,
            };
            for at in (usize::from(segment.first)..=usize::from(segment.last)).rev() {
                rest[at] = sum;
                sum += self.cost[at];
            }
        }
        rest.into()
    }

    /// Cost of a loop head, up to its conditional branch.
    pub(super) fn head_cost(&self, head: usize) -> u64 {
        let mut sum = 0;
        for at in head..self.bytecode.len() {
            sum += self.cost[at];
            if self.bytecode[at].ends_block() {
                break;
            }
        }
        sum
    }

    pub(super) fn pay(&mut self, cost: u64) {
        self.pay_at(usize::from(self.offset), cost);
    }

    pub(super) fn pay_at(&mut self, offset: usize, cost: u64) {
        self.segment.cost += cost;
        if !self.copying {
            self.cost[offset] += cost;
        }
    }
}
