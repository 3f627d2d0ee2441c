//! The figures of pruning, extensions, reductions and learning, in one table.
//!
//! Only what orders moves, sets the scale of a table or counts plies stands where it is used.
//!
//! Margins are in internal units (90 to a pawn), reductions in 1/1024 plies, histories on their own
//! scale. The starting values follow what Stockfish and YaneuraOu have published for the same
//! ideas, rescaled where the histories here have another range.

macro_rules! tunables {
    ($($(#[$doc:meta])* $name:ident: $default:literal in $min:literal..=$max:literal;)*) => {
        /// The search's tunable numbers.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Params {
            /// The numbers the engine plays with.
            pub const DEFAULT: Params = Params { $($name: $default,)* };

            /// Name, default, smallest and largest value of each number.
            pub const TABLE: &'static [(&'static str, i32, i32, i32)] =
                &[$((stringify!($name), $default, $min, $max),)*];

            /// Changes one number by name; `false` when there is none of that name or the value
            /// is out of its range.
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
    /// Half width of the first aspiration window.
    aspiration_delta: 5 in 3..=60;
    /// Divisor of the squared mean score that widens the first window.
    aspiration_divisor: 9_000 in 4_000..=40_000;

    /// Razoring: margin at depth 0.
    razor_base: 500 in 100..=1_200;
    /// Razoring: margin by the depth squared.
    razor_square: 306 in 50..=800;

    /// Reverse futility: deepest node.
    rfp_depth: 14 in 4..=20;
    /// Reverse futility: margin a ply.
    rfp_margin: 76 in 30..=250;
    /// Reverse futility: less a ply without a table hit.
    rfp_no_tt: 21 in 0..=80;
    /// Reverse futility: plies' margins taken off when improving, in 1/16.
    rfp_improving: 42 in 0..=64;
    /// Reverse futility: a ply's margin taken off when the opponent's side worsens, in 1/1024.
    rfp_worsening: 341 in 0..=1_024;
    /// Reverse futility: so much correction, in 1/131,072 units, adds a unit to the margin.
    rfp_correction: 180_600 in 40_000..=800_000;

    /// Null move: the evaluation must exceed beta by this at depth 0.
    null_base: 378 in 0..=1_000;
    /// Null move: and by this less a ply; below beta when deep.
    null_slope: 16 in 0..=60;
    /// Null move: and by this more when improving.
    null_improving: 53 in 0..=200;
    /// Null move: plies taken off in any case.
    null_reduction: 7 in 3..=11;
    /// Null move: from this depth on a fail high is verified.
    null_verify_depth: 16 in 8..=30;

    /// Internal iterative reduction: shallowest node.
    iir_depth: 6 in 3..=12;

    /// Hindsight: a reduced move's node loses a ply if both sides' evaluations add up to more.
    hindsight_margin: 173 in 40..=500;

    /// ProbCut: above beta by this.
    probcut_margin: 224 in 60..=500;
    /// ProbCut: less when improving.
    probcut_improving: 61 in 0..=200;
    /// ProbCut by the table alone: above beta by this.
    probcut_tt_margin: 416 in 100..=1_000;

    /// Late move pruning: moves at depth 0.
    lmp_base: 3 in 1..=12;
    /// Late move pruning: moves by the depth squared, in 1/16.
    lmp_square: 16 in 4..=48;

    /// Futility of captures: deepest late-move depth.
    capture_futility_depth: 6 in 3..=12;
    /// Futility of captures: margin at depth 0.
    capture_futility_base: 218 in 50..=800;
    /// Futility of captures: margin a ply.
    capture_futility_slope: 223 in 50..=600;
    /// Futility of captures: so much history adds a unit to the margin.
    capture_futility_history: 8 in 2..=64;
    /// SEE pruning of captures and checks: loss allowed a ply.
    capture_see_slope: 167 in 40..=400;
    /// SEE pruning of captures: so much history allows a unit more.
    capture_see_history: 30 in 8..=200;
    /// History pruning: history below minus this a ply.
    history_prune_slope: 4_097 in 1_000..=9_000;
    /// Plies of late-move depth by quiet history.
    history_depth_divisor: 3_220 in 1_000..=12_000;
    /// Butterfly history's weight in it, in 1/32.
    history_depth_butterfly: 71 in 0..=200;
    /// Futility of quiets: deepest late-move depth.
    quiet_futility_depth: 12 in 6..=20;
    /// Futility of quiets: margin at depth 0.
    quiet_futility_base: 42 in 0..=300;
    /// Futility of quiets: more while no move is good enough.
    quiet_futility_no_best: 151 in 0..=400;
    /// Futility of quiets: more if the evaluation is above alpha.
    quiet_futility_above: 86 in 0..=300;
    /// Futility of quiets: margin a ply.
    quiet_futility_slope: 120 in 40..=300;
    /// SEE pruning of quiets: loss allowed by the depth squared.
    quiet_see_square: 25 in 5..=80;

    /// Singular extension: shallowest node.
    singular_depth: 6 in 4..=10;
    /// Singular extension: below the table's value by this a ply, in 1/64.
    singular_margin: 70 in 16..=160;
    /// Singular extension: more at former principal nodes.
    singular_pv_margin: 77 in 0..=200;
    /// Double extension: below the singular bound by this.
    double_margin: -4 in -100..=120;
    /// Double extension: more in the principal variation.
    double_pv_margin: 212 in 50..=500;
    /// Double extension: less for quiet moves.
    double_quiet_margin: 182 in 0..=400;
    /// Triple extension: below the singular bound by this.
    triple_margin: 73 in 0..=300;
    /// Triple extension: more in the principal variation.
    triple_pv_margin: 320 in 50..=600;
    /// Triple extension: less for quiet moves.
    triple_quiet_margin: 218 in 0..=400;
    /// Triple extension: more at former principal nodes.
    triple_tt_pv_margin: 92 in 0..=300;
    /// Double extension: less beyond the iteration's depth.
    double_far_margin: 44 in 0..=200;
    /// Triple extension: less beyond the iteration's depth.
    triple_far_margin: 45 in 0..=200;
    /// Double and triple extension: so much correction, in 1/131,072 units, takes a unit off.
    extension_correction: 210_590 in 50_000..=1_000_000;
    /// Double extension: so much history of the table's moves takes a unit off, in 1/1024.
    double_tt_history: 131_692 in 30_000..=600_000;

    /// Late move reductions: scale of the product of logarithms.
    lmr_scale: 466 in 200..=800;
    /// Late move reductions: in any case.
    lmr_base: 1_133 in 0..=2_500;
    /// Late move reductions: less in wide windows.
    lmr_delta: 585 in 0..=1_200;
    /// Late move reductions: more when not improving, in 1/512 of the product.
    lmr_not_improving: 206 in 0..=512;
    /// More for moves that come to be reduced, beside what pruning assumes.
    lmr_late: 691 in 0..=2_000;
    /// More at nodes that were in a principal variation, for what pruning assumes.
    lmr_tt_pv_pruning: 1_013 in 0..=3_000;
    /// Less at nodes that were in a principal variation.
    lmr_tt_pv: 2_819 in 0..=5_000;
    /// Less there if the table's value is above alpha, or its depth is enough.
    lmr_tt_pv_value: 905 in 0..=2_000;
    /// More at expected cut nodes.
    lmr_cut_node: 3_611 in 0..=4_000;
    /// More if the table's move is a capture.
    lmr_tt_capture: 1_054 in 0..=2_500;
    /// More if the next ply has cut more than once.
    lmr_some_cutoffs: 251 in 0..=1_500;
    /// More if it cuts often.
    lmr_cutoffs: 1_124 in 0..=2_500;
    /// Less for the table's move.
    lmr_tt_move: 2_239 in 0..=4_000;
    /// Less a move already searched: the order says less the later it gets.
    lmr_move_count: 65 in 0..=200;
    /// More without a move from the table at expected cut nodes.
    lmr_no_tt_move: 985 in 0..=2_500;
    /// More at expected all nodes whose next ply cuts.
    lmr_all_node: 1_042 in 0..=2_500;
    /// Less for principal nodes.
    lmr_pv: 973 in 0..=2_000;
    /// Moves not reduced as late ones: a ply less from this reduction on.
    first_move_one: 4_628 in 2_000..=9_000;
    /// Two plies less from this on.
    first_move_two: 5_772 in 3_000..=12_000;
    /// More without a move from the table.
    first_move_no_tt_move: 1_057 in 0..=3_000;
    /// By history: 1/1024 plies for so much of it, in 1/16384.
    lmr_history: 1_712 in 300..=6_000;
    /// By history: what a capture's victim counts in it, for a unit of its value.
    lmr_victim: 7 in 0..=24;
    /// Less by 1/1024 plies for so much correction, in 1/131,072 units.
    lmr_correction: 25_600 in 5_000..=200_000;
    /// More at expected all nodes in proportion, less the deeper: the share, in 1/256 plies.
    lmr_all_share: 273 in 0..=800;
    /// More at expected all nodes in proportion: added to the depth, in 1/256 plies.
    lmr_all_depth: 260 in 32..=1_500;

    /// Reduced moves that beat alpha: a ply deeper if they beat the best value by more than this.
    deeper_margin: 48 in 0..=200;
    /// Reduced moves that beat alpha: a ply less deep if they beat the best value by less.
    shallower_margin: 9 in 0..=60;

    /// History bonus: by depth.
    bonus_slope: 128 in 40..=400;
    /// History bonus: less in any case.
    bonus_base: 77 in 0..=300;
    /// History bonus: at most.
    bonus_max: 1_529 in 500..=3_500;
    /// History bonus: more for the table's move.
    bonus_tt_move: 353 in 0..=1_000;
    /// History bonus: so much history of the move before adds 1 to it.
    bonus_parent_history: 32 in 8..=256;
    /// History bonus: share for captures, in percent.
    bonus_capture: 125 in 20..=300;
    /// History bonus: share for quiet moves, in percent.
    bonus_quiet: 80 in 20..=300;
    /// History malus: by depth.
    malus_slope: 882 in 50..=1_500;
    /// History malus: less in any case.
    malus_base: 204 in 0..=600;
    /// History malus: at most.
    malus_max: 2_122 in 500..=4_000;
    /// History malus: share for captures, in percent.
    malus_capture: 150 in 20..=300;
    /// History malus: share for quiet moves, in 1/64, before it fades.
    malus_quiet: 68 in 16..=192;
    /// History malus: what remains of it from one quiet move to the next, in 1/64.
    malus_fading: 61 in 32..=64;
    /// History malus: share for the refuted move before, in percent.
    malus_previous: 60 in 0..=200;

    /// Quiet histories: share of the bonus near the root, in percent.
    low_ply_share: 75 in 10..=200;
    /// Quiet histories: share of a bonus for the pawn structure, in 1/1024.
    pawn_bonus_share: 850 in 100..=2_000;
    /// Quiet histories: share of a malus for the pawn structure, in 1/1024.
    pawn_malus_share: 550 in 100..=2_000;
    /// Quiet histories: share of the bonus for the continuations, in 1/1024.
    continuation_share: 955 in 100..=2_000;
    /// Continuations: weight behind the move one ply before, in 1/1024.
    continuation_one: 1_157 in 200..=2_000;
    /// Continuations: weight behind the move two plies before, in 1/1024.
    continuation_two: 648 in 100..=2_000;
    /// Continuations: weight behind the move three plies before, in 1/1024.
    continuation_three: 288 in 0..=1_500;
    /// Continuations: weight behind the move four plies before, in 1/1024.
    continuation_four: 576 in 0..=1_500;
    /// Continuations: weight behind the move six plies before, in 1/1024.
    continuation_six: 441 in 0..=1_500;
    /// Continuations: what is tried right behind a move gets this in any case.
    continuation_tried: 88 in 0..=400;

    /// Table cutoffs: bonus of the table's move by depth.
    table_bonus_slope: 130 in 40..=400;
    /// Table cutoffs: less in any case.
    table_bonus_base: 71 in 0..=300;
    /// Table cutoffs: at most.
    table_bonus_max: 1_043 in 300..=3_000;
    /// Table cutoffs: malus of the move before, if it was an early one.
    table_malus: 2_142 in 500..=5_000;
    /// Table cutoffs: up to this many moves are early ones.
    table_malus_moves: 4 in 1..=10;

    /// Fail lows: bonus of the move before by depth.
    fail_low_slope: 135 in 40..=400;
    /// Fail lows: less in any case.
    fail_low_base: 80 in 0..=300;
    /// Fail lows: at most.
    fail_low_max: 1_400 in 400..=4_000;
    /// Fail lows: scale of the bonus by depth.
    fail_low_scale_slope: 59 in 10..=200;
    /// Fail lows: scale by depth at most.
    fail_low_scale_max: 454 in 100..=1_200;
    /// Fail lows: scale less in any case.
    fail_low_scale_base: 232 in 0..=600;
    /// Fail lows: so much history of the move before takes 1 off the scale.
    fail_low_history: 108 in 20..=500;
    /// Fail lows: this many moves before it make the move before a late one.
    fail_low_late_moves: 8 in 3..=20;
    /// Fail lows: scale more for a late move.
    fail_low_late: 169 in 0..=500;
    /// Fail lows: scale more if the value disappoints this side.
    fail_low_here: 145 in 0..=500;
    /// Fail lows: below the evaluation by this, the value disappoints this side.
    fail_low_here_margin: 110 in 20..=400;
    /// Fail lows: scale more if the value disappoints what the other side expected.
    fail_low_there: 154 in 0..=500;
    /// Fail lows: below the evaluation before by this, it does.
    fail_low_there_margin: 73 in 20..=400;
    /// Fail lows: share of the scaled bonus for the continuations, in 1/16384.
    fail_low_continuation: 221 in 40..=800;
    /// Fail lows: share for the butterfly history, in 1/32768.
    fail_low_butterfly: 235 in 40..=800;
    /// Fail lows: share for the pawn structure, in 1/8192.
    fail_low_pawns: 290 in 40..=1_000;
    /// Fail lows: bonus of a capture before.
    fail_low_capture: 1_018 in 200..=3_000;

    /// Evaluation's swing by the move before: a loss counts up to this.
    swing_loss: 214 in 50..=800;
    /// Evaluation's swing: a gain counts up to this.
    swing_gain: 171 in 50..=800;
    /// Evaluation's swing: what a move that changes nothing has gained.
    swing_base: 60 in 0..=250;
    /// Evaluation's swing: weight for the butterfly history.
    swing_butterfly: 10 in 0..=40;
    /// Evaluation's swing: weight for the pawn structure.
    swing_pawns: 12 in 0..=40;

    /// Reduced moves that beat alpha: bonus of their continuations.
    reduced_bonus: 1_426 in 300..=4_000;

    /// History of the table's moves: bonus of one that proved best.
    tt_move_bonus: 805 in 200..=2_500;
    /// History of the table's moves: malus of one that did not.
    tt_move_malus: 787 in 200..=2_500;
    /// History of the table's moves: malus by depth, if another fails high as well.
    multicut_malus_slope: 107 in 20..=400;
    /// History of the table's moves: more of it in any case.
    multicut_malus_base: 424 in 0..=1_500;
    /// History of the table's moves: at most.
    multicut_malus_max: 3_375 in 1_000..=8_000;

    /// Quiescence: futility margin above the static evaluation.
    qs_futility: 328 in 50..=600;
    /// Quiescence: exchanges that lose more than this are left out.
    qs_see: 73 in 0..=300;
    /// Quiescence: captures beyond this many must recapture or check.
    qs_moves: 2 in 1..=8;

    /// Weight of the pawn structure's correction.
    correct_pawns: 12_153 in 0..=30_000;
    /// Weight of the hands' correction.
    correct_hands: 8_620 in 0..=30_000;
    /// Weight of the correction by each side's castle.
    correct_castle: 12_355 in 0..=30_000;
    /// Weight of the correction by the last two moves.
    correct_continuation: 7_982 in 0..=30_000;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_lie_in_their_ranges_and_can_be_set() {
        let mut params = Params::DEFAULT;
        for &(name, default, min, max) in Params::TABLE {
            assert!((min..=max).contains(&default), "{name}");
            assert!(params.set(name, max));
            assert!(!params.set(name, max + 1) && !params.set(name, min - 1));
        }
        assert!(!params.set("no_such_name", 1));
    }
}
