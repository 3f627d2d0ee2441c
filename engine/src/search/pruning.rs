//! The decisions to prune, reduce and extend, as functions of plain numbers.
//!
//! Each is known by its name in the literature; the search asks them, and only they know the
//! margins. References: Heinz, "Extended Futility Pruning" (1998); Buro, "ProbCut" (1995); Donninger,
//! "Null Move and Deep Search" (1993); Anantharaman, Campbell and Hsu, "Singular Extensions" (1990).

use crate::search::params::Params;
use crate::search::score::Value;
pub use crate::search::score::{is_decisive, is_loss, is_win};

/// Razoring: so far below alpha that only captures could help.
#[inline(always)]
pub fn razor(params: &Params, eval: Value, alpha: Value, depth: i32) -> bool {
    eval < alpha - params.razor_base - params.razor_square * depth * depth
}

/// Reverse futility (static null move): so far above beta that the opponent's best reply will not
/// bring it back.
#[inline(always)]
pub fn reverse_futility_margin(
    params: &Params,
    depth: i32,
    improving: bool,
    opponent_worsening: bool,
    tt_hit: bool,
) -> Value {
    let a_ply = params.rfp_margin - if tt_hit { 0 } else { params.rfp_no_tt };
    let improving = if improving { params.rfp_improving * a_ply / 16 } else { 0 };
    let worsening = if opponent_worsening { params.rfp_worsening * a_ply / 1024 } else { 0 };
    a_ply * depth - improving - worsening
}

/// Null move: whether the evaluation promises that a pass may fail high.
#[inline(always)]
pub fn null_move_promises(
    params: &Params,
    static_eval: Value,
    beta: Value,
    depth: i32,
    improving: bool,
) -> bool {
    let improving = if improving { params.null_improving } else { 0 };
    static_eval >= beta - params.null_slope * depth - improving + params.null_base
}

/// Null move: how much less deep to search behind a pass.
#[inline(always)]
pub fn null_move_reduction(params: &Params, depth: i32) -> i32 {
    depth / 3 + params.null_reduction
}

/// Late move pruning: how many moves to look at before the other quiets are left out.
#[inline(always)]
pub fn late_move_count(params: &Params, depth: i32, improving: bool) -> u32 {
    let count = params.lmp_base + params.lmp_square * depth * depth / 16;
    (if improving { count } else { count / 2 }) as u32
}

/// Futility of a capture: what the node could still be worth.
#[inline(always)]
pub fn capture_futility(
    params: &Params,
    eval: Value,
    lmr_depth: i32,
    victim: Value,
    history: i32,
) -> Value {
    eval + params.capture_futility_base
        + params.capture_futility_slope * lmr_depth
        + victim
        + history / params.capture_futility_history
}

/// Futility of a quiet move: what the node could still be worth.
#[inline(always)]
pub fn quiet_futility(
    params: &Params,
    static_eval: Value,
    lmr_depth: i32,
    alpha: Value,
    has_best: bool,
) -> Value {
    static_eval
        + params.quiet_futility_base
        + if has_best { 0 } else { params.quiet_futility_no_best }
        + if static_eval > alpha { params.quiet_futility_above } else { 0 }
        + params.quiet_futility_slope * lmr_depth
}

/// The bound that all other moves must stay below for the table's move to be singular.
#[inline(always)]
pub fn singular_beta(params: &Params, tt_value: Value, depth: i32, former_pv: bool) -> Value {
    let margin = params.singular_margin + if former_pv { params.singular_pv_margin } else { 0 };
    tt_value - margin * depth / 64
}

/// How far to extend a singular move: one ply, or more the clearer it stands out.
#[inline(always)]
pub fn singular_extension(
    params: &Params,
    value: Value,
    singular_beta: Value,
    pv_node: bool,
    quiet: bool,
    tt_pv: bool,
    // Taken off the margins of the second and the third ply.
    off: [Value; 2],
) -> i32 {
    let when = |condition: bool, margin: Value| if condition { margin } else { 0 };
    let double = params.double_margin + when(pv_node, params.double_pv_margin)
        - when(quiet, params.double_quiet_margin)
        - off[0];
    let triple = params.triple_margin
        + when(pv_node, params.triple_pv_margin)
        + when(tt_pv, params.triple_tt_pv_margin)
        - when(quiet, params.triple_quiet_margin)
        - off[1];
    1 + i32::from(value < singular_beta - double) + i32::from(value < singular_beta - triple)
}

/// Late move reductions: 1/1024 plies by depth and move number.
pub struct Reductions {
    /// Logarithms times 1024.
    log: [i32; 256],
}

impl Reductions {
    /// Computes the logarithms.
    pub fn new() -> Self {
        let mut log = [0; 256];
        for (n, entry) in log.iter_mut().enumerate().skip(1) {
            *entry = ((n as f64).ln() * 1024.0).round() as i32;
        }
        Self { log }
    }

    /// Base reduction before the node's and the move's own circumstances.
    #[inline(always)]
    pub fn base(
        &self,
        params: &Params,
        depth: i32,
        move_count: u32,
        improving: bool,
        // The node's window as a share of the root's, in 1/1024.
        window_share: i32,
    ) -> i32 {
        let product =
            (self.log[depth.clamp(0, 255) as usize] * self.log[move_count.min(255) as usize]) >> 10;
        let scale = (params.lmr_scale * product) >> 10;
        let not_improving = if improving { 0 } else { scale * params.lmr_not_improving / 512 };
        scale + not_improving + params.lmr_base - params.lmr_delta * window_share / 1024
    }
}

impl Default for Reductions {
    fn default() -> Self {
        Self::new()
    }
}

/// History bonus of a move that caused a cutoff at this depth.
#[inline(always)]
pub fn history_bonus(params: &Params, depth: i32) -> i32 {
    (params.bonus_slope * depth - params.bonus_base).min(params.bonus_max)
}

/// History malus of the moves tried before it.
#[inline(always)]
pub fn history_malus(params: &Params, depth: i32) -> i32 {
    (params.malus_slope * depth - params.malus_base).min(params.malus_max)
}

/// Bonus of the table's move that settled a node of this depth without a search.
#[inline(always)]
pub fn table_bonus(params: &Params, depth: i32) -> i32 {
    (params.table_bonus_slope * depth - params.table_bonus_base).min(params.table_bonus_max)
}

/// Bonus, still to be scaled, of the move to a node of this depth that failed low.
#[inline(always)]
pub fn fail_low_bonus(params: &Params, depth: i32) -> i32 {
    (params.fail_low_slope * depth - params.fail_low_base).min(params.fail_low_max)
}

/// Malus of the table's moves, when one proved not to be the only one that fails high.
#[inline(always)]
pub fn multicut_malus(params: &Params, depth: i32) -> i32 {
    (params.multicut_malus_base + params.multicut_malus_slope * depth)
        .min(params.multicut_malus_max)
}

/// What the evaluation's change by a move says of that move.
#[inline(always)]
pub fn swing(params: &Params, change: Value) -> i32 {
    change.clamp(-params.swing_loss, params.swing_gain) + params.swing_base
}
