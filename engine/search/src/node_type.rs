//! Node types as type parameters, so that the search is compiled separately for each of them.

/// The type of a node, known at compile time.
pub(super) trait NodeType {
    /// Whether the window is open: the node may be part of the principal variation.
    const PV: bool;
    /// Whether the node is the root.
    const ROOT: bool = false;
    /// Plain NegaScout: no pruning, reductions, extensions or transposition table cutoffs, and
    /// leaves get their static evaluation. The result is the minimax value.
    const EXACT: bool = false;
    /// The type of children searched with the full window.
    type Open: NodeType;
    /// The type of children searched with a null window.
    type Null: NodeType;
}

pub(super) struct Root;
pub(super) struct Pv;
pub(super) struct NonPv;
pub(super) struct ExactRoot;
pub(super) struct ExactPv;
pub(super) struct ExactNonPv;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Open = Pv;
    type Null = NonPv;
}
impl NodeType for Pv {
    const PV: bool = true;
    type Open = Pv;
    type Null = NonPv;
}
impl NodeType for NonPv {
    const PV: bool = false;
    type Open = NonPv;
    type Null = NonPv;
}
impl NodeType for ExactRoot {
    const PV: bool = true;
    const ROOT: bool = true;
    const EXACT: bool = true;
    type Open = ExactPv;
    type Null = ExactNonPv;
}
impl NodeType for ExactPv {
    const PV: bool = true;
    const EXACT: bool = true;
    type Open = ExactPv;
    type Null = ExactNonPv;
}
impl NodeType for ExactNonPv {
    const PV: bool = false;
    const EXACT: bool = true;
    type Open = ExactNonPv;
    type Null = ExactNonPv;
}
