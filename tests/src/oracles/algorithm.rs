//! An enum of all algorithms, for tests and benchmarks that iterate over them.

use super::minimax::{alpha_beta_fail_hard, alpha_beta_fail_soft, negamax};
use super::mtd::mtd;
use super::negascout::{negascout, negascout_fail_hard, negascout_from_best};
use super::pvs::{pvs, pvs_one_function};
use super::scout::{pab, scout};
use super::sss::sss;
use super::tree::{GameTree, INFINITE, Value};

/// A search with a window: tree, node, alpha, beta.
pub type WindowSearch<T> = fn(&T, &<T as GameTree>::Node, Value, Value) -> Value;

/// [`negascout_from_best`] without an observer.
fn monomi_negascout<T: GameTree>(tree: &T, node: &T::Node, alpha: Value, beta: Value) -> Value {
    negascout_from_best(tree, node, alpha, beta, &mut |_, _, _| {})
}

/// A search algorithm. All return the minimax value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// [`negamax`].
    NegaMax,
    /// [`alpha_beta_fail_hard`].
    AlphaBetaFailHard,
    /// [`alpha_beta_fail_soft`].
    AlphaBetaFailSoft,
    /// [`scout`].
    Scout,
    /// [`pab`].
    Pab,
    /// [`pvs`].
    Pvs,
    /// [`pvs_one_function`].
    PvsOneFunction,
    /// [`negascout_fail_hard`].
    NegaScoutFailHard,
    /// [`negascout`].
    NegaScout,
    /// [`negascout_from_best`].
    MonomiNegaScout,
    /// [`mtd`] with a first guess of 0.
    MtdF,
    /// [`mtd`] starting from above: SSS* as an alpha-beta search.
    AbSss,
    /// [`mtd`] starting from below: DUAL*.
    Dual,
    /// [`sss`].
    Sss,
}

impl Algorithm {
    /// All algorithms.
    pub const ALL: [Self; 14] = [
        Self::NegaMax,
        Self::AlphaBetaFailHard,
        Self::AlphaBetaFailSoft,
        Self::Scout,
        Self::Pab,
        Self::Pvs,
        Self::PvsOneFunction,
        Self::NegaScoutFailHard,
        Self::NegaScout,
        Self::MonomiNegaScout,
        Self::MtdF,
        Self::AbSss,
        Self::Dual,
        Self::Sss,
    ];

    /// The name used in the literature.
    pub fn name(self) -> &'static str {
        match self {
            Self::NegaMax => "NegaMax",
            Self::AlphaBetaFailHard => "alpha-beta, fail-hard",
            Self::AlphaBetaFailSoft => "alpha-beta, fail-soft",
            Self::Scout => "Scout",
            Self::Pab => "PAB",
            Self::Pvs => "PVS, two functions",
            Self::PvsOneFunction => "PVS, one function",
            Self::NegaScoutFailHard => "NegaScout, fail-hard",
            Self::NegaScout => "NegaScout",
            Self::MonomiNegaScout => "NegaScout as Monomi's",
            Self::MtdF => "MTD(f)",
            Self::AbSss => "AB-SSS*",
            Self::Dual => "DUAL*",
            Self::Sss => "SSS*",
        }
    }

    /// The minimax value of a tree's root.
    pub fn search<T: GameTree>(self, tree: &T) -> Value {
        let root = &tree.root();
        match self {
            Self::NegaMax => negamax(tree, root),
            Self::AlphaBetaFailHard => alpha_beta_fail_hard(tree, root, -INFINITE, INFINITE),
            Self::AlphaBetaFailSoft => alpha_beta_fail_soft(tree, root, -INFINITE, INFINITE),
            Self::Scout => scout(tree, root),
            Self::Pab => pab(tree, root),
            Self::Pvs => pvs(tree, root, -INFINITE, INFINITE),
            Self::PvsOneFunction => pvs_one_function(tree, root, -INFINITE, INFINITE),
            Self::NegaScoutFailHard => negascout_fail_hard(tree, root, -INFINITE, INFINITE),
            Self::NegaScout => negascout(tree, root, -INFINITE, INFINITE),
            Self::MonomiNegaScout => monomi_negascout(tree, root, -INFINITE, INFINITE),
            Self::MtdF => mtd(tree, 0),
            Self::AbSss => mtd(tree, INFINITE),
            Self::Dual => mtd(tree, -INFINITE),
            Self::Sss => sss(tree),
        }
    }

    /// The search with a window, if the algorithm has one and is fail-soft.
    pub fn fail_soft<T: GameTree>(self) -> Option<WindowSearch<T>> {
        match self {
            Self::AlphaBetaFailSoft => Some(alpha_beta_fail_soft),
            Self::Pvs => Some(pvs),
            Self::PvsOneFunction => Some(pvs_one_function),
            Self::NegaScout => Some(negascout),
            Self::MonomiNegaScout => Some(monomi_negascout),
            _ => None,
        }
    }
}
