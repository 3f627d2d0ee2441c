//! Node types as type parameters, so that the search is compiled separately for each of them.

/// The type of a node, known at compile time.
pub trait NodeType {
    /// Whether the window is open: the node may be part of the principal variation.
    const PV: bool;
    /// Whether the node is the root.
    const ROOT: bool = false;
    /// The type of children searched with the full window.
    type Open: NodeType;
    /// The type of children searched with a null window.
    type Null: NodeType;
}

pub struct Root;
pub struct Pv;
pub struct NonPv;

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
