//! The kinds of nodes. They are types, so that each kind's search is compiled for itself.

/// The kind of a node, known at compile time.
pub(super) trait Node {
    /// Whether the window is open: the node may be part of the principal variation.
    const PV: bool;
    /// Whether it is the root.
    const ROOT: bool = false;
    /// Whether nothing is pruned, reduced, extended or taken from the table, and leaves are
    /// evaluated as they are: NegaScout as the textbooks have it, returning the minimax value.
    const EXACT: bool = false;
    /// The kind of its children searched with the full window.
    type Open: Node;
    /// The kind of its children searched with a null window.
    type Null: Node;
}

pub(super) struct Root;
pub(super) struct Pv;
pub(super) struct NonPv;
pub(super) struct ExactRoot;
pub(super) struct ExactPv;
pub(super) struct ExactNonPv;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Open = Pv;
    type Null = NonPv;
}
impl Node for Pv {
    const PV: bool = true;
    type Open = Pv;
    type Null = NonPv;
}
impl Node for NonPv {
    const PV: bool = false;
    type Open = NonPv;
    type Null = NonPv;
}
impl Node for ExactRoot {
    const PV: bool = true;
    const ROOT: bool = true;
    const EXACT: bool = true;
    type Open = ExactPv;
    type Null = ExactNonPv;
}
impl Node for ExactPv {
    const PV: bool = true;
    const EXACT: bool = true;
    type Open = ExactPv;
    type Null = ExactNonPv;
}
impl Node for ExactNonPv {
    const PV: bool = false;
    const EXACT: bool = true;
    type Open = ExactNonPv;
    type Null = ExactNonPv;
}
