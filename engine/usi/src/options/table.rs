//! The options of the search, the clock and the session.

use super::{Kind, Spec, check, spec, spin};
use crate::skill::{ELO, FULL_STRENGTH};
use monomi_eval::source::DEFAULT;
use monomi_movegen::EnteringKingRule;
use monomi_search::{Score, Value};
use std::num::NonZeroU16;
use std::time::Duration;

/// How to choose a network's layer stack if the evaluation file does not say so.
pub static ROUTINGS: [&str; 22] = [
    "auto",
    "none",
    "k3k3",
    "k9k9",
    "k9k9z",
    "k13k13z",
    "k21k21",
    "k29k29",
    "hand4",
    "hand16",
    "hand64",
    "hand64z",
    "hand256",
    "hand1024",
    "progress2",
    "progress3",
    "progress4",
    "progress8",
    "progress16",
    "progress32",
    "progress8kpabs",
    "progress8ek",
];
/// The names of the rules for entering kings.
const RULE_NAMES: [&str; EnteringKingRule::NAMES.len()] = {
    let mut names = [""; EnteringKingRule::NAMES.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = EnteringKingRule::NAMES[i].1;
        i += 1;
    }
    names
};

fn millis(number: i64) -> Duration {
    Duration::from_millis(number.max(0) as u64)
}

/// Converts centipawns to internal units.
fn value(centipawns: i64) -> Value {
    let pawns = centipawns as f64 / 100.0;
    (pawns * f64::from(Score::PAWN_VALUE)).round() as Value
}

/// Names and defaults follow YaneuraOu. Setters are called with numbers in range.
pub static TABLE: [Spec; 32] = [
    spin("USI_Hash", 256, 1, 1 << 25, |o, n| o.hash_mib = n as usize).or(&["Hash"]).in_browsers(16)
    .about(
        "transposition table in MiB",
        "置換表の大きさ（MiB）",
    ),
    check("USI_Ponder", false, |o, on| o.ponder = on).or(&["Ponder"])
    .about(
        "the GUI may let the engine think during the opponent's turn",
        "相手番での先読み（ponder）を使う",
    ),
    check("Stochastic_Ponder", false, |o, on| o.stochastic_ponder = on).native()
    .about(
        "while pondering, search the position before the predicted move",
        "相手番では予想手の前の局面を探索する",
    ),
    check("TsumeRules", false, |o, on| o.tsume_rules = on)
    .about(
        "`go mate` solves by the rules of tsume: shortest mate, longest defence, no useless interpositions; \
         `MultiPV` for the other first moves that mate",
        "`go mate` で詰将棋の規則（最短の詰め、最長の受け、無駄合なし）で解く。`MultiPV` でほかの初手の詰みも表示する",
    ),
    spin("Threads", 1, 1, 1024, |o, n| o.threads = n as usize).or(&["NumberOfThreads"]).native()
    .automatic()
    .about(
        "search threads; by default one less than the cores of the machine, from 1 to 8, and fewer where \
         memory is short. With more than one, searches by nodes or depth differ from run to run",
        "探索スレッド数。初期値はコア数より 1 少ない数（1〜8、メモリが少なければさらに減らす）。2 以上では\
         局面数や深さを固定しても結果は毎回同じとは限らない",
    ),
    spin("MultiPV", 1, 1, 600, |o, n| o.search.multi_pv = n as usize).or(&["USI_MultiPV"])
    .about(
        "number of best lines shown",
        "表示する候補手の数",
    ),
    spin("SkillLevel", FULL_STRENGTH as i64, 0, FULL_STRENGTH as i64, |o, n| {
        o.skill_level = n as u32;
    })
    .about(
        "0 to 19 play weaker: they search less and sometimes choose a slightly worse move. 20 and \
         `go infinite` are full strength. Levels below 20 use only part of the clock, at most \
         `MinimumThinkingTime` per move. About 180 Elo per level on average; very roughly, 4 is 14 \
         kyu, 8 is 3 kyu, 10 is 2 dan and 12 is 4 dan (an estimate, with an error of about three \
         grades; docs/skill.md)",
        "0〜19 は弱く指す（読みが浅く、少し劣る手を選ぶこともある）。20 と `go infinite` は全力。1\
         9 以下では持ち時間の一部しか使わない（1 手あたり最大 `MinimumThinkingTime`）。1 段階あた\
         り平均およそ 180 Elo。おおよその目安は 4 が 14 級、8 が 3 級、10 が二段、12 が四段（推定。\
         誤差は前後 3 級・段程度、docs/skill.ja.md）",
    ),
    check("USI_LimitStrength", false, |o, on| o.limit_strength = on)
    .about(
        "play at the strength of `USI_Elo`",
        "`USI_Elo` の強さで指す",
    ),
    spin("USI_Elo", 1600, *ELO.start() as i64, *ELO.end() as i64, |o, n| o.elo = n as i32)
    .about(
        "with `USI_LimitStrength`, the rating to play at: chooses the nearest `SkillLevel`. An estimate on \
         the scale of FESA (1600 is about 1 kyu) with an error of about 300 (docs/skill.md)",
        "`USI_LimitStrength` が true のときの強さ（レーティング）。最も近い `SkillLevel` を選ぶ。欧州将棋\
         連盟の尺度（1600 がおよそ 1 級）での推定で、誤差は 300 程度（docs/skill.ja.md）",
    ),
    check("USI_ShowWDL", false, |o, on| o.show_wdl = on)
    .about(
        "show `wdl WIN DRAW LOSS` in `info`, in thousandths, from the score: a win is 1 / (1 + exp(-cp / \
         S)) with the network's scale S (docs/analysis.md). Draws are rare in shogi and always 0",
        "`info` に勝ち・引き分け・負けの割合 `wdl` を千分率で表示する。勝ちは評価値から 1 / (1 + exp(-cp / S)) \
         で求める。S は評価関数ごとの定数 (docs/analysis.md)。引き分けは常に 0",
    ),
    spec(
        "NumaPolicy",
        Kind::Text {
            file: false,
            default: "auto",
            set: |o, text| o.numa = !text.eq_ignore_ascii_case("none"),
        },
    )
    .native()
    .about(
        "on Linux machines with several NUMA nodes: keep each search thread on a node, and a copy of the \
         network in the memory of each node; `none` leaves the threads to the system. Other values, which \
         YaneuraOu knows, are the same as `auto`",
        "NUMA ノードが複数ある Linux マシンで、探索スレッドをノードに固定し、ノードごとにネットワークのコピーを\
         置く。`none` なら OS に任せる。やねうら王のその他の値は `auto` と同じ",
    ),
    spin("NetworkDelay", 120, 0, 10_000, |o, n| o.time.network_delay = millis(n))
    .about(
        "milliseconds subtracted from every move's time",
        "毎手の持ち時間から差し引く時間（ミリ秒）",
    ),
    spin("NetworkDelay2", 1120, 0, 10_000, |o, n| o.time.network_delay2 = millis(n)).in_browsers(0)
    .about(
        "milliseconds subtracted where exceeding the time would lose the game",
        "時間切れになりうる場面で差し引く時間（ミリ秒）",
    ),
    spin("MinimumThinkingTime", 2000, 0, 100_000, |o, n| {
        o.time.minimum_thinking_time = millis(n);
    })
    .about(
        "minimum time per move in milliseconds in games with a clock; at most half of an even \
         share of the time unless seconds are rounded up",
        "最小思考時間（ミリ秒）。秒の切り上げをしないときは、1手あたりの平均時間の半分が上限",
    ),
    spin("SlowMover", 100, 1, 1000, |o, n| o.time.slow_mover = n as u32)
    .about(
        "share of the usual thinking time, in percent",
        "思考時間の割合（％）",
    ),
    check("RoundUpToFullSecond", true, |o, on| o.time.round_up_to_full_second = on).in_browsers(0)
    .about(
        "use started seconds completely (only if the clock counts whole seconds)",
        "秒未満を切り上げて使い切る（時計が秒単位のときだけ）",
    ),
    spin("MaxMovesToDraw", 0, 0, 100_000, |o, n| o.search.max_moves_to_draw = n as u32)
    .about(
        "the game is a draw after this many moves; 0 for no limit",
        "この手数で引き分け（0 は無制限）",
    ),
    spin("DrawValueBlack", -2, -30_000, 30_000, |o, n| o.search.draw_value[0] = value(n))
    .about(
        "value of a draw when the engine plays Black, in centipawns",
        "先手のときの引き分けの評価値（センチポーン）",
    ),
    spin("DrawValueWhite", -2, -30_000, 30_000, |o, n| o.search.draw_value[1] = value(n))
    .about(
        "value of a draw when the engine plays White, in centipawns",
        "後手のときの引き分けの評価値（センチポーン）",
    ),
    spec(
        "EnteringKingRule",
        Kind::Combo {
            default: 3,
            values: &RULE_NAMES,
            set: |o, i| o.search.entering_king_rule = EnteringKingRule::NAMES[i].0,
        },
    )
    .about(
        "the rule by which an entering king wins",
        "入玉ルール",
    ),
    spin("ResignValue", 99_999, 0, 99_999, |o, n| o.resign_value = n as i32)
    .about(
        "resign at this many centipawns behind",
        "評価値がこれだけ悪ければ投了する",
    ),
    spin("PvInterval", 300, 0, 100_000_000, |o, n| o.pv_interval = millis(n))
    .about(
        "minimum time between two info lines, in milliseconds",
        "読み筋の表示間隔（ミリ秒）",
    ),
    check("ConsiderationMode", false, |o, on| o.consideration_mode = on)
    .about(
        "print every line, for analysis",
        "検討用にすべての読み筋を表示する",
    ),
    check("OutputFailLHPV", true, |o, on| o.output_fail_lh_pv = on)
    .about(
        "print fail-high and fail-low lines once an iteration takes more than 3 seconds",
        "1 回の反復が 3 秒を超えたら fail high / low の読み筋も表示する",
    ),
    check("GenerateAllLegalMoves", false, |o, on| o.search.generate_all_legal_moves = on)
    .about(
        "also search pointless non-promotions",
        "意味のない不成も探索する",
    ),
    spin("DepthLimit", 0, 0, i32::MAX as i64, |o, n| o.depth_limit = n as u32)
    .about(
        "greatest depth of every search, in plies; 0 for no limit",
        "すべての探索の深さの上限（手数。0 は無制限）",
    ),
    spin("NodesLimit", 0, 0, i64::MAX, |o, n| o.nodes_limit = n as u64)
    .about(
        "most nodes of every search; 0 for no limit",
        "すべての探索の局面数の上限（0 は無制限）",
    ),
    spec(
        "EvalFile",
        Kind::Text { file: true, default: DEFAULT, set: |o, s| o.eval_file = s.to_owned() },
    )
    .native()
    .about(
        "evaluation file (nn.bin)",
        "評価関数ファイル（nn.bin）",
    ),
    spec("EvalDir", Kind::Text { file: false, default: "", set: |o, s| o.eval_dir = s.to_owned() })
        .native()
    .about(
        "folder with an `nn.bin`, used if `EvalFile` is not set",
        "`nn.bin` のあるフォルダ（`EvalFile` の指定がないとき）",
    ),
    // 0: use the file's value.
    spin("FV_SCALE", 0, 0, 128, |o, n| o.eval_options.fv_scale = NonZeroU16::new(n as u16))
        .native()
    .about(
        "divisor from a network's output to centipawns; 0 takes what the file states, else 28 for \
         SFNN and 16 for plain networks. The built-in network always uses 16",
        "ネットワークの出力を評価値に直す除数。0 ならファイルの記載に従い、記載がなければ SFNN は \
         28、通常の NNUE は 16。内蔵のネットワークは常に 16",
    ),
    spec(
        "EvalRouting",
        Kind::Combo {
            default: 0,
            values: &ROUTINGS,
            set: |o, i| o.eval_options.routing = ROUTINGS[i].parse().ok(),
        },
    )
    .native()
    .about(
        "how an SFNN network chooses its layer stack, for files that do not tell \
         (docs/networks.md)",
        "SFNN の層スタックの選択方式。ファイルから判別できないときに指定する（docs/networks.md）",
    ),
    spec(
        "DebugLogFile",
        Kind::Text { file: true, default: "", set: |o, s| o.debug_log_file = s.to_owned() },
    )
    .native()
    .writes()
    .about(
        "write all input and output with times to this file",
        "入出力の全行を時刻つきで書き出すファイル",
    ),
];
