//! The parameters of pruning, extensions, reductions and history updates.
//!
//! Table sizes and limits are defined where they are used.
//!
//! Margins are in internal units (90 to a pawn), reductions in 1/1024 plies, history bonuses in
//! units of the histories. The values started from those published by Stockfish and YaneuraOu for the
//! same techniques and were tuned together on shogi (trials/notes/search.md, tuning).

macro_rules! tunables {
    ($($(#[$doc:meta])* $name:ident: $default:literal in $min:literal..=$max:literal;)*) => {
        /// The search's parameters.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Params {
            /// The values the engine plays with.
            pub const DEFAULT: Params = Params { $($name: $default,)* };

            /// Name, default, minimum and maximum of each parameter.
            pub const TABLE: &'static [(&'static str, i32, i32, i32)] =
                &[$((stringify!($name), $default, $min, $max),)*];

            /// The parameters to search with: these in builds with the feature `tune`, otherwise the
            /// defaults, which are then constants for the compiler.
            #[inline(always)]
            pub fn in_use(&self) -> &Self {
                if cfg!(feature = "tune") { self } else { &Self::DEFAULT }
            }

            /// Sets a parameter by name; `false` if there is none of that name or the value is out
            /// of range.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) if ($min..=$max).contains(&value) => {
                        self.$name = value;
                        true
                    })*
                    _ => false,
                }
            }
        }
    };
}

tunables! {
    /// Aspiration window: half its initial width.
    aspiration_delta: 14 in 3..=60;
    /// Aspiration window: divisor of the mean squared value that widens it.
    aspiration_divisor: 7_714 in 4_000..=40_000;

    /// Reverse futility pruning: maximum depth.
    rfp_depth: 14 in 4..=20;
    /// Reverse futility pruning: margin per ply.
    rfp_margin: 71 in 30..=250;
    /// Reverse futility pruning: less per ply without a table hit.
    rfp_no_tt: 23 in 0..=80;
    /// Reverse futility pruning: less when improving, in 1/16 of a ply's margin.
    rfp_improving: 40 in 0..=64;
    /// Reverse futility pruning: less when the opponent is worsening, in 1/1024 of a ply's margin.
    rfp_worsening: 345 in 0..=1_024;
    /// Reverse futility pruning: correction, in 1/131,072 units, that adds 1 to the margin.
    rfp_correction: 187_696 in 40_000..=800_000;

    /// Null move pruning: the evaluation must exceed beta by this at depth 0 ...
    null_base: 324 in 0..=1_000;
    /// Null move pruning: ... by this less per ply ...
    null_slope: 16 in 0..=60;
    /// Null move pruning: ... and by this less when improving.
    null_improving: 53 in 0..=200;
    /// Null move pruning: constant part of the reduction, in plies.
    null_reduction: 9 in 3..=11;
    /// Null move pruning: fail highs are verified from this depth on.
    null_verify_depth: 16 in 8..=30;

    /// Internal iterative reduction: minimum depth.
    iir_depth: 6 in 3..=12;

    /// ProbCut: margin above beta.
    probcut_margin: 212 in 60..=500;
    /// ProbCut: less when improving.
    probcut_improving: 58 in 0..=200;

    /// Late move pruning: number of moves at depth 0.
    lmp_base: 3 in 1..=12;
    /// Late move pruning: moves per squared depth, in 1/16.
    lmp_square: 16 in 4..=48;

    /// Futility pruning of captures: maximum depth after reduction.
    capture_futility_depth: 6 in 3..=12;
    /// Futility pruning of captures: margin at depth 0.
    capture_futility_base: 236 in 50..=800;
    /// Futility pruning of captures: margin per ply.
    capture_futility_slope: 240 in 50..=600;
    /// Futility pruning of captures: history that adds 1 to the margin.
    capture_futility_history: 11 in 2..=64;
    /// SEE pruning of captures and checks: loss allowed per ply.
    capture_see_slope: 156 in 40..=400;
    /// SEE pruning of captures: history that allows a loss of 1 more.
    capture_see_history: 30 in 8..=200;
    /// History pruning: prune if history is below minus this per ply.
    history_prune_slope: 4_097 in 1_000..=9_000;
    /// Futility and SEE pruning of quiets: history that adds a ply to the depth after reduction.
    history_depth_divisor: 3_220 in 1_000..=12_000;
    /// Futility and SEE pruning of quiets: weight of the butterfly history in it, in 1/32.
    history_depth_butterfly: 71 in 0..=200;
    /// Futility pruning of quiets: maximum depth after reduction.
    quiet_futility_depth: 12 in 6..=20;
    /// Futility pruning of quiets: margin at depth 0.
    quiet_futility_base: 42 in 0..=300;
    /// Futility pruning of quiets: more as long as there is no best move.
    quiet_futility_no_best: 151 in 0..=400;
    /// Futility pruning of quiets: more if the evaluation is above alpha.
    quiet_futility_above: 86 in 0..=300;
    /// Futility pruning of quiets: margin per ply.
    quiet_futility_slope: 120 in 40..=300;
    /// SEE pruning of quiets: loss allowed per squared depth after reduction.
    quiet_see_square: 25 in 5..=80;

    /// Singular extension: minimum depth.
    singular_depth: 5 in 4..=10;
    /// Singular extension: bound below the table's value by this per ply, in 1/64.
    singular_margin: 70 in 16..=160;
    /// Singular extension: more at former PV nodes.
    singular_pv_margin: 75 in 0..=200;
    /// Double extension: distance below the singular bound.
    double_margin: -6 in -100..=120;
    /// Double extension: more at PV nodes.
    double_pv_margin: 202 in 50..=500;
    /// Double extension: less for quiet moves.
    double_quiet_margin: 182 in 0..=400;
    /// Triple extension: distance below the singular bound.
    triple_margin: 72 in 0..=300;
    /// Triple extension: more at PV nodes.
    triple_pv_margin: 380 in 50..=600;
    /// Triple extension: less for quiet moves.
    triple_quiet_margin: 230 in 0..=400;
    /// Triple extension: more at present and former PV nodes.
    triple_tt_pv_margin: 95 in 0..=300;
    /// Double extension: less at plies beyond the iteration's depth.
    double_far_margin: 50 in 0..=200;
    /// Triple extension: less at plies beyond the iteration's depth.
    triple_far_margin: 48 in 0..=200;
    /// Double and triple extension: correction, in 1/131,072 units, that takes 1 off.
    extension_correction: 242_483 in 50_000..=1_000_000;
    /// Double extension: TT move history that takes 1 off, times 1024.
    double_tt_history: 132_445 in 30_000..=600_000;

    /// Late move reduction: scale of the product of logarithms.
    lmr_scale: 496 in 200..=800;
    /// Late move reduction: constant part.
    lmr_base: 1_194 in 0..=2_500;
    /// Late move reduction: less at full root window width, proportional to the window.
    lmr_delta: 740 in 0..=1_200;
    /// Late move reduction: more when not improving, in 1/512 of the scaled product.
    lmr_not_improving: 204 in 0..=512;
    /// Extra reduction applied by LMR only, not by pruning.
    lmr_late: 674 in 0..=2_000;
    /// More at present and former PV nodes, for pruning and LMR.
    lmr_tt_pv_pruning: 998 in 0..=3_000;
    /// Less at present and former PV nodes, for LMR only.
    lmr_tt_pv: 2_839 in 0..=5_000;
    /// Less there if the table's value is above alpha, and if its depth suffices (twice at cut nodes).
    lmr_tt_pv_value: 893 in 0..=2_000;
    /// More at cut nodes.
    lmr_cut_node: 3_678 in 0..=4_000;
    /// More if the table's move is a capture.
    lmr_tt_capture: 1_037 in 0..=2_500;
    /// More if the next ply has had more than one cutoff.
    lmr_some_cutoffs: 250 in 0..=1_500;
    /// More if it has had more than two.
    lmr_cutoffs: 1_128 in 0..=2_500;
    /// Less for the table's move.
    lmr_tt_move: 2_295 in 0..=4_000;
    /// Less per move already tried: late in the list the order means less.
    lmr_move_count: 52 in 0..=200;
    /// More at cut nodes without a move from the table.
    lmr_no_tt_move: 977 in 0..=2_500;
    /// More at all nodes if the next ply has had more than one cutoff.
    lmr_all_node: 1_024 in 0..=2_500;
    /// More for captures and pawn promotions.
    lmr_capture: 280 in -2_000..=2_000;
    /// More for drops.
    lmr_drop: 250 in -2_000..=2_000;
    /// Less at PV nodes.
    lmr_pv: 969 in 0..=2_000;
    /// First move of a null-window node: a ply less from this reduction on.
    first_move_one: 4_760 in 2_000..=9_000;
    /// First move: two plies less from this reduction on.
    first_move_two: 5_654 in 3_000..=12_000;
    /// First move: added to the reduction without a move from the table.
    first_move_no_tt_move: 1_048 in 0..=3_000;
    /// By history: less per unit of history, in 1/16384.
    lmr_history: 1_487 in 300..=6_000;
    /// By history: history units per unit of the captured piece's value.
    lmr_victim: 7 in 0..=24;
    /// By correction: correction, in 1/131,072 units, that reduces by 1/1024 ply less.
    lmr_correction: 25_198 in 5_000..=200_000;
    /// All nodes: the reduction grows by this over depth (in 1/256 plies) plus the next parameter.
    lmr_all_share: 267 in 0..=800;
    /// All nodes: added to the depth in 1/256 plies.
    lmr_all_depth: 260 in 32..=1_500;

    /// Re-search after LMR: a ply deeper if the value exceeds the best value by more than this.
    deeper_margin: 55 in 0..=200;
    /// Re-search after LMR: a ply less deep if the value exceeds the best value by less than this.
    shallower_margin: 8 in 0..=60;

    /// History bonus: per ply of depth.
    bonus_slope: 154 in 40..=400;
    /// History bonus: constant subtracted.
    bonus_base: 70 in 0..=300;
    /// History bonus: maximum.
    bonus_max: 1_560 in 500..=3_500;
    /// History bonus: more for the table's move.
    bonus_tt_move: 360 in 0..=1_000;
    /// History bonus: history of the previous move that adds 1.
    bonus_parent_history: 38 in 8..=256;
    /// History bonus: share for captures, in percent.
    bonus_capture: 118 in 20..=300;
    /// History bonus: share for quiet moves, in percent.
    bonus_quiet: 93 in 20..=300;
    /// History malus: per ply of depth.
    malus_slope: 860 in 50..=1_500;
    /// History malus: constant subtracted.
    malus_base: 205 in 0..=600;
    /// History malus: maximum.
    malus_max: 1_900 in 500..=4_000;
    /// History malus: share for captures, in percent.
    malus_capture: 130 in 20..=300;
    /// History malus: share for the first quiet move, in 1/64.
    malus_quiet: 79 in 16..=192;
    /// History malus: share for the opponent's refuted move, in percent.
    malus_previous: 62 in 0..=200;

    /// Low ply history: share of the bonus, in percent.
    low_ply_share: 80 in 10..=200;
    /// Continuation history: share of the bonus, in 1/1024.
    continuation_share: 1_083 in 100..=2_000;
    /// Continuation history: weight of the move one ply before, in 1/1024.
    continuation_one: 1_361 in 200..=2_000;
    /// Continuation history: weight of the move two plies before, in 1/1024.
    continuation_two: 657 in 100..=2_000;
    /// Continuation history: weight of the move three plies before, in 1/1024.
    continuation_three: 280 in 0..=1_500;
    /// Continuation history: weight of the move four plies before, in 1/1024.
    continuation_four: 508 in 0..=1_500;
    /// Continuation history: weight of the move six plies before, in 1/1024.
    continuation_six: 486 in 0..=1_500;
    /// Continuation history: added to every update after the move one ply before.
    continuation_tried: 86 in 0..=400;

    /// TT cutoff: bonus of the table's move per ply of depth.
    table_bonus_slope: 127 in 40..=400;
    /// TT cutoff: constant subtracted.
    table_bonus_base: 71 in 0..=300;
    /// TT cutoff: maximum bonus.
    table_bonus_max: 1_129 in 300..=3_000;
    /// TT cutoff: malus of the opponent's last move if it was an early one.
    table_malus: 2_320 in 500..=5_000;
    /// TT cutoff: moves up to this number are early ones.
    table_malus_moves: 4 in 1..=10;

    /// Fail low: bonus of the opponent's last move per ply of depth.
    fail_low_slope: 160 in 40..=400;
    /// Fail low: constant subtracted.
    fail_low_base: 72 in 0..=300;
    /// Fail low: maximum, before scaling.
    fail_low_max: 1_604 in 400..=4_000;
    /// Fail low: scale of the bonus per ply of depth.
    fail_low_scale_slope: 62 in 10..=200;
    /// Fail low: maximum of that.
    fail_low_scale_max: 509 in 100..=1_200;
    /// Fail low: constant subtracted from the scale.
    fail_low_scale_base: 192 in 0..=600;
    /// Fail low: history of the opponent's last move that takes 1 off the scale.
    fail_low_history: 105 in 20..=500;
    /// Fail low: moves beyond this number are late ones.
    fail_low_late_moves: 7 in 3..=20;
    /// Fail low: scale more for a late move.
    fail_low_late: 186 in 0..=500;
    /// Fail low: scale more if the value is well below this side's evaluation.
    fail_low_here: 146 in 0..=500;
    /// Fail low: margin for that.
    fail_low_here_margin: 119 in 20..=400;
    /// Fail low: scale more if the value is well below the evaluation one ply before.
    fail_low_there: 147 in 0..=500;
    /// Fail low: margin for that.
    fail_low_there_margin: 69 in 20..=400;
    /// Fail low: share of the scaled bonus for the continuation history, in 1/16384.
    fail_low_continuation: 222 in 40..=800;
    /// Fail low: share for the butterfly history, in 1/32768.
    fail_low_butterfly: 240 in 40..=800;
    /// Fail low: bonus if the opponent's last move was a capture.
    fail_low_capture: 991 in 200..=3_000;

    /// Evaluation gain of the opponent's last move: losses count up to this.
    gain_max_loss: 251 in 50..=800;
    /// Evaluation gain: gains count up to this.
    gain_max: 176 in 50..=800;
    /// Evaluation gain: constant added.
    gain_base: 46 in 0..=250;
    /// Evaluation gain: factor for the butterfly history.
    gain_butterfly: 9 in 0..=40;

    /// Re-search after LMR: bonus for the continuation history.
    reduced_bonus: 1_646 in 300..=4_000;

    /// TT move history: bonus if the table's move was best.
    tt_move_bonus: 762 in 200..=2_500;
    /// TT move history: malus if it was not.
    tt_move_malus: 740 in 200..=2_500;
    /// TT move history: malus per ply of depth after a multi-cut.
    multicut_malus_slope: 111 in 20..=400;
    /// TT move history: constant part of that malus.
    multicut_malus_base: 590 in 0..=1_500;
    /// TT move history: maximum of that malus.
    multicut_malus_max: 3_491 in 1_000..=8_000;

    /// Quiescence: futility margin.
    qs_futility: 334 in 50..=600;
    /// Quiescence: moves that lose more than this in exchanges are pruned.
    qs_see: 69 in 0..=300;
    /// Quiescence: captures after this many must recapture or check.
    qs_moves: 2 in 1..=8;

    /// Correction history: weight of the pawn table.
    correct_pawns: 11_771 in 0..=30_000;
    /// Correction history: weight of the hand table.
    correct_hands: 8_263 in 0..=30_000;
    /// Correction history: weight of each castle table.
    correct_castle: 11_931 in 0..=30_000;
    /// Correction history: weight of each table of last moves.
    correct_continuation: 8_538 in 0..=30_000;
    /// Correction history: share of a bonus that the pawn table gets, in 1/128.
    correct_pawns_rate: 134 in 0..=400;
    /// Correction history: the same for the hand table.
    correct_hands_rate: 160 in 0..=400;
    /// Correction history: the same for each castle table.
    correct_castle_rate: 195 in 0..=400;
    /// Correction history: the same for the table of the last and the second last move.
    correct_continuation_rate: 132 in 0..=400;
    /// Correction history: the same for the table of the last and the fourth last move.
    correct_continuation_far_rate: 66 in 0..=400;

    /// Ordering of captures: weight of the captured piece's exchange value.
    order_victim: 9 in 1..=60;
    /// Ordering of captures: score that allows a loss of 1 in exchanges.
    order_capture_see: 19 in 4..=90;
    /// Ordering of quiet moves: weight of the butterfly history, in 1/64.
    order_butterfly: 127 in 0..=500;
    /// Ordering of quiet moves: weight of the continuation history of the last move, in 1/64.
    order_one: 65 in 0..=500;
    /// Ordering of quiet moves: the same for the second last move.
    order_two: 65 in 0..=500;
    /// Ordering of quiet moves: the same for the third last move.
    order_three: 55 in 0..=500;
    /// Ordering of quiet moves: the same for the fourth last move.
    order_four: 61 in 0..=500;
    /// Ordering of quiet moves: the same for the sixth last move.
    order_six: 70 in 0..=500;
    /// Ordering of quiet moves: bonus of a check that does not lose material.
    order_check: 19_458 in 0..=60_000;
    /// Ordering of quiet moves: what a check may lose in exchanges and still get the bonus.
    order_check_loss: 71 in 0..=600;
    /// Ordering of quiet moves: bonus for leaving the attack of a less valuable piece, in times the
    /// exchange value of the piece that moves.
    order_escape: 32 in 0..=100;
    /// Ordering of quiet moves: below minus this they come after the losing captures.
    order_good_quiet: 12_542 in 0..=60_000;
    /// Ordering of quiet moves: below minus this per ply of depth they are not sorted.
    order_sort: 3_646 in 0..=20_000;

    /// Time management: percentage of an even share of the time.
    time_share: 95 in 30..=300;
    /// Time management: weight of the fall of the value since the previous move, in 1/100,000.
    time_fall_previous: 2_115 in 0..=10_000;
    /// Time management: weight of its fall since four iterations ago, in 1/100,000.
    time_fall_recent: 987 in 0..=10_000;
    /// Time management: minimum of the factor for falling values, in 1/1000.
    time_fall_min: 500 in 100..=1_500;
    /// Time management: maximum of that factor, in 1/1000.
    time_fall_max: 1_500 in 600..=4_000;
    /// Time management: more for changes of the best move, in 1/1000.
    time_changes: 1_896 in 0..=6_000;
    /// Time management: factor if the best move has had nearly all nodes, in 1/1000.
    time_settled: 666 in 100..=1_000;
    /// Time management: share of the nodes from which that is so, in 1/1000.
    time_settled_share: 924 in 400..=1_000;
    /// Time management: how much more stable a move is that has not changed for long, in 1/1000.
    time_stability: 790 in 0..=3_000;
    /// Time management: number of iterations without a change that is half of that, in 1/100.
    time_center: 1_157 in 300..=2_500;
    /// Time management: share of the time after which an iteration is repeated, in 1/1000.
    time_repeat: 503 in 100..=1_000;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_in_range_and_ranges_are_enforced() {
        let mut params = Params::DEFAULT;
        for &(name, default, min, max) in Params::TABLE {
            assert!((min..=max).contains(&default), "{name}");
            assert!(params.set(name, max));
            assert!(!params.set(name, max + 1) && !params.set(name, min - 1));
        }
        assert!(!params.set("no_such_name", 1));
    }
}
