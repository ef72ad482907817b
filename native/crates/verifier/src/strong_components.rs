//! Strongly connected components of a small graph, without recursion.

/// Numbers the components of the graph with `successors[node]` as edges; nodes that reach each other
/// get the same number. Tarjan's algorithm with an explicit stack.
pub(crate) fn components(successors: &[Vec<usize>]) -> Vec<usize> {
    const UNSEEN: usize = usize::MAX;
    let count = successors.len();
    let (mut order, mut low) = (vec![UNSEEN; count], vec![0; count]);
    let mut component = vec![UNSEEN; count];
    let mut pending: Vec<usize> = Vec::new();
    let (mut next_order, mut next_component) = (0, 0);
    // Node, and how many of its successors have been looked at.
    let mut path: Vec<(usize, usize)> = Vec::new();

    for root in 0..count {
        if order[root] != UNSEEN {
            continue;
        }
        path.push((root, 0));
        while let Some((node, looked)) = path.last_mut() {
            let node = *node;
            if *looked == 0 && order[node] == UNSEEN {
                order[node] = next_order;
                low[node] = next_order;
                next_order += 1;
                pending.push(node);
            }
            if let Some(&successor) = successors[node].get(*looked) {
                *looked += 1;
                if order[successor] == UNSEEN {
                    path.push((successor, 0));
                } else if component[successor] == UNSEEN {
                    low[node] = low[node].min(order[successor]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
            if low[node] == order[node] {
                while let Some(member) = pending.pop() {
                    component[member] = next_component;
                    if member == node {
                        break;
                    }
                }
                next_component += 1;
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn nodes_share_a_component_exactly_when_they_reach_each_other() {
        // 0 → 1 → 2 → 0, 2 → 3 → 4 → 3, 5 alone
        let found = components(&[vec![1], vec![2], vec![0, 3], vec![4], vec![3], vec![]]);
        assert!(found[0] == found[1] && found[1] == found[2]);
        assert_eq!(found[3], found[4]);
        assert!(found[0] != found[3] && found[5] != found[3] && found[5] != found[0]);
    }
}
