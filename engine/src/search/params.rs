//! Every number of the search that could be another number, in one table.
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

    /// Futility of captures: margin at depth 0.
    capture_futility_base: 218 in 50..=800;
    /// Futility of captures: margin a ply.
    capture_futility_slope: 223 in 50..=600;
    /// SEE pruning of captures and checks: loss allowed a ply.
    capture_see_slope: 167 in 40..=400;
    /// History pruning: history below minus this a ply.
    history_prune_slope: 4_097 in 1_000..=9_000;
    /// Plies of late-move depth by quiet history.
    history_depth_divisor: 3_220 in 1_000..=12_000;
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
    /// More if the next ply cuts often.
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
    unlikely_one: 4_628 in 2_000..=9_000;
    /// Two plies less from this on.
    unlikely_two: 5_772 in 3_000..=12_000;
    /// More without a move from the table.
    unlikely_no_tt_move: 1_057 in 0..=3_000;
    /// By history: 1/1024 plies for so much of it, in 1/16384.
    lmr_history: 1_712 in 300..=6_000;

    /// History bonus: by depth.
    bonus_slope: 128 in 40..=400;
    /// History bonus: less in any case.
    bonus_base: 77 in 0..=300;
    /// History bonus: at most.
    bonus_max: 1_529 in 500..=3_500;
    /// History bonus: more for the table's move.
    bonus_tt_move: 353 in 0..=1_000;
    /// History malus: by depth.
    malus_slope: 882 in 50..=1_500;
    /// History malus: less in any case.
    malus_base: 204 in 0..=600;
    /// History malus: at most.
    malus_max: 2_122 in 500..=4_000;

    /// Quiescence: futility margin above the static evaluation.
    qs_futility: 328 in 50..=600;
    /// Quiescence: exchanges that lose more than this are left out.
    qs_see: 73 in 0..=300;

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
