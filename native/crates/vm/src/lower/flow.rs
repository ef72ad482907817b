//! Control flow of a bytecode body: leaders, reachability, and which owning locals hold a value.

use ledger_bytecode::Bytecode;

/// Whether a local holds a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Availability {
    /// Never.
    Unset,
    /// Always.
    Set,
    /// On some paths.
    Maybe,
}

/// What is known of each instruction and each block before lowering.
pub struct Flow {
    /// By bytecode offset: whether a block starts there.
    pub leader: Vec<bool>,
    /// By bytecode offset: whether it can be reached; unreachable code has passed no dataflow check
    /// and is not lowered.
    pub reachable: Vec<bool>,
    /// By bytecode offset of a reachable leader: the locals as its block begins.
    pub entry: Vec<Option<Box<[Availability]>>>,
    /// Locals that are `Maybe` where some block begins.
    pub maybe: Vec<bool>,
}

impl Flow {
    /// Analyses `code`. `parameters` locals are set at the start, of `locals` in all.
    pub fn new(code: &[Bytecode], parameters: usize, locals: usize) -> Self {
        let mut leader = vec![false; code.len() + 1];
        leader[0] = true;
        for (at, instruction) in code.iter().enumerate() {
            if let Some(target) = instruction.branch_target() {
                leader[usize::from(target)] = true;
            }
            if instruction.ends_block() {
                leader[at + 1] = true;
            }
        }
        let mut flow = Self {
            leader,
            reachable: vec![false; code.len()],
            entry: vec![None; code.len()],
            maybe: vec![false; locals],
        };
        let mut first = vec![Availability::Unset; locals];
        first[..parameters].fill(Availability::Set);
        flow.solve(code, first.into());
        flow
    }

    /// Runs the blocks until nothing changes: each local goes up at most once, to `Maybe`.
    fn solve(&mut self, code: &[Bytecode], first: Box<[Availability]>) {
        let mut work = vec![0usize];
        self.entry[0] = Some(first);
        while let Some(start) = work.pop() {
            let Some(mut state) = self.entry[start].clone() else { continue };
            let mut at = start;
            loop {
                self.reachable[at] = true;
                match code[at] {
                    Bytecode::MoveLoc(local) => state[usize::from(local)] = Availability::Unset,
                    Bytecode::StLoc(local) => state[usize::from(local)] = Availability::Set,
                    _ => {}
                }
                if let Some(target) = code[at].branch_target() {
                    self.join(usize::from(target), &state, &mut work);
                }
                if code[at].is_unconditional_branch() {
                    break;
                }
                at += 1;
                if at >= code.len() {
                    break;
                }
                if self.leader[at] {
                    self.join(at, &state, &mut work);
                    break;
                }
            }
        }
    }

    fn join(&mut self, target: usize, state: &[Availability], work: &mut Vec<usize>) {
        let Some(known) = self.entry.get_mut(target) else { return };
        let Some(known) = known else {
            *known = Some(state.into());
            work.push(target);
            return;
        };
        let mut changed = false;
        for (local, (have, come)) in known.iter_mut().zip(state).enumerate() {
            if *have != *come && *have != Availability::Maybe {
                *have = Availability::Maybe;
                self.maybe[local] = true;
                changed = true;
            }
        }
        if changed {
            work.push(target);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_local_set_on_one_path_only_is_maybe_after_they_meet() {
        let code = [
            Bytecode::LdTrue,
            Bytecode::BrTrue(4),
            Bytecode::LdTrue,
            Bytecode::StLoc(0),
            Bytecode::Ret,
            Bytecode::Nop,
        ];
        let flow = Flow::new(&code, 0, 1);
        assert_eq!(flow.entry[4].as_deref(), Some(&[Availability::Maybe][..]));
        assert!(flow.maybe[0] && !flow.reachable[5]);
    }
}
