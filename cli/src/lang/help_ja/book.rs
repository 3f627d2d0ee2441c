//! The help of `monomi book` in Japanese.

use super::Table;

pub(super) const TEXTS: Table = &[
    ("book", "定跡を作成・併合・検査・表示します"),
    (
        "book build",
        "棋譜から定跡（.db）を作ります。各手に採用回数・最も多い応手・勝敗（コメント）を記録します",
    ),
    (
        "book build.files",
        "棋譜ファイル（KIF、KI2、CSA、JKF、USI。文字コードは自動判別）、そのフォルダ、または `-`（標準入力）",
    ),
    ("*.output", "書き出す定跡ファイル"),
    ("book build.plies", "各棋譜の先頭から採る手数"),
    ("*.min_count", "採用回数がこれより少ない手を除きます"),
    ("book build.not_lost", "勝った側の指し手（引き分けなら双方の指し手）だけを採ります"),
    (
        "book build.min_rating",
        "レーティングがこれ以上の対局者の指し手だけを採ります（floodgate の CSA 棋譜の記載による）",
    ),
    (
        "book build.score_by_results",
        "勝敗から求めた評価値を書きます（勝敗の比が e 対 1 で 600）。指定しなければ評価値は 0 です",
    ),
    ("book merge", "定跡（.db）を併合します。採用回数は合計し、評価値は探索の深いほうを採ります"),
    ("book merge.books", "定跡ファイル（.db）"),
    (
        "book convert",
        "定跡を .db・.ybb・Apery の .bin の間で変換し（ShogiGUI の .sbk は読み込みのみ）、整列・併合します。メモリより大きな定跡も扱えます",
    ),
    ("book convert.books", "定跡ファイル（.db、.ybb、Apery の .bin、または ShogiGUI の .sbk）"),
    ("book convert.no_depth", ".ybb に深さを書きません（1 手 6 バイトが 4 バイトになります）"),
    ("book convert.memory", "整列に使うメモリ（MiB）。足りない分は一時ファイルで整列します"),
    ("book convert.temp", "一時ファイルのフォルダ［省略時: 出力先のフォルダ］"),
    (
        "book convert.start",
        ".bin の局面を探し始める局面（.bin にはキーしかありません）。繰り返し指定できます［省略時: 平手初期局面］",
    ),
    ("book minimax", "定跡の末端の評価値を根元まで伝えます（ペタショック化）"),
    ("book minimax.book", "定跡ファイル（.db または .ybb）"),
    ("book minimax.shrink", "各局面で最善の評価値の手だけを書きます"),
    ("book minimax.draw_value", "先手から見た引き分けの評価値（後手はその逆）"),
    ("book minimax.threads", "スレッド数［省略時: すべてのコア］"),
    ("book leaves", "定跡の最善の手順が途切れる局面（次に探索すべき局面）を列挙します"),
    ("book leaves.book", "定跡ファイル（.db または .ybb）。なくてもかまいません"),
    ("book leaves.count", "局面数の上限"),
    // Shared by `leaves` and `mine`.
    (
        "*.start",
        "手順の始まる局面、または一行に一局面の一覧のファイル。繰り返し指定できます［省略時: 平手初期局面］",
    ),
    (
        "*.games",
        "相手の棋譜、またはそのフォルダ。棋譜が定跡を外れる局面と、それまでの各局面からの最善手順の末端を選びます。繰り返し指定できます",
    ),
    ("*.margin", "各局面の最善手との評価値の差の上限"),
    ("*.max_eval", "評価値の絶対値がこれを超える手の先には伸ばしません"),
    (
        "*.change",
        "局面の評価値が、その局面を探索したときの値からこれだけ変わっていれば、最善手順の末端を選びます",
    ),
    ("book leaves.plies", "手順の長さの上限"),
    (
        "book mine",
        "定跡を掘ります。最善の手順が途切れる局面を、止めるまですべてのコアで探索して加えます",
    ),
    ("book mine.book", "掘る定跡ファイル（.db または .ybb）。なければ新しく作ります"),
    ("book mine.plies", "手順の長さの上限"),
    ("book mine.multipv", "一局面あたりの候補手の数"),
    ("book mine.positions", "この数の局面を探索したら終わります"),
    ("book mine.time", "この時間がたったら終わります"),
    ("book mine.threads", "スレッド数［省略時: すべてのコア］"),
    ("book mine.hash", "スレッドごとの置換表の大きさ（MiB）［省略時: ノード数に応じた大きさ］"),
    ("book mine.draw_value", "先手から見た引き分けの評価値（後手はその逆）"),
    ("book mine.quiet", "進捗を表示しません"),
    ("book add", "`monomi analyze` で探索した局面を定跡に加えます"),
    ("book add.book", "定跡ファイル（.db または .ybb）"),
    ("book add.results", "`monomi analyze` の結果（JSONL）"),
    ("book diff", "二つの定跡を比べます"),
    ("book diff.first", "定跡ファイル（.db または .ybb）"),
    ("book diff.second", "比べる定跡ファイル"),
    ("book diff.count", "最善手の異なる局面を、評価値の差の大きい順にこの数だけ表示します"),
    (
        "book check",
        "定跡を検査します（読めない行、非合法手、並び順）。問題があれば終了コードは 3 です",
    ),
    ("book check.book", "定跡ファイル（.db または .ybb）"),
    ("book report", "棋譜から相手の指し手をまとめ、勝敗と評価値のあるページと KIF に書きます"),
    (
        "book report.files",
        "棋譜（KIF、KI2、CSA、JKF、USI 形式。文字コードは問いません）、そのフォルダ、または `-`（標準入力）",
    ),
    ("book report.against", "対局者の名前（一部でよい）"),
    ("book report.output", "書き出すフォルダ"),
    ("book report.plies", "各局の最初から取る手数"),
    ("book report.min_count", "この回数より少ない手を省きます"),
    ("book report.nodes", "各手の評価値を求める探索のノード数。0 なら探索しません"),
    ("book report.book", "定跡（.db、.ybb、.bin）を指定すると、どこで外れるかを表示します"),
    ("book show", "ある局面の定跡手を、一覧・木・ブラウザ用のページで表示します"),
    ("book show.book", "定跡ファイル（.db、.ybb、または Apery の .bin）"),
    ("book show.tree", "続く手も、この手数までの木として表示します"),
    (
        "book show.html",
        "続く局面を、ブラウザで見られるページに書きます［--tree の省略時は 30 手先まで］",
    ),
    ("book show.moves", "木の各局面で表示する手の数（評価値の高い順）"),
    ("book show.ignore_ply", "手数が違っても同じ局面とみなします"),
];

pub(super) const AFTER: Table = &[
    (
        "book",
        "\
{examples}

対局で使う定跡は、USI オプション BookFile と BookDir で指定します。

終了コード: 0 正常終了、1 失敗、2 引数または局面の誤り、3 一部の入力を読めなかった、または定跡に
問題がある。",
    ),
    ("book build", "{examples}"),
    ("book merge", "書き出す定跡は、BookOnTheFly に必要な順に並んでいます。\n\n{examples}"),
    (
        "book convert",
        "\
形式は名前で決まります: .ybb、.bin（Apery）、その他は .db。
.ybb には応手・採用回数・勝敗が、.bin には深さがありません。
複数の定跡は併合し、採用回数は合計、評価値は探索の深いほうを採ります。
出力は BookOnTheFly に必要な順に並んでいます。

{examples}",
    ),
    (
        "book minimax",
        "\
定跡内の別の局面（先後を入れ替えた局面を含む）に進む手の評価値は、その局面の評価値になります。深さは
末端までの手数です。定跡内の局面に進む合法手が欠けていれば加えます。千日手は引き分け（深さ 9999）、
連続王手の千日手は王手をかけた側の負けです。やねうら王の `makebook peta_shock` と同じ値になります。
対局には、書き出した定跡を使います。

{examples}",
    ),
    (
        "book leaves",
        "\
双方の最善手順の末端から始めて、最善手順からの損の合計が小さい順に並べます。
評価値は `monomi book minimax` と同じもので、その場で計算します。

{examples}",
    ),
    (
        "book add",
        "\
定跡は出力と同じファイルでも、まだないファイルでもかまいません。
探索したすべての手（--multipv）を、評価値と深さとともに加えます。
すでにある手の評価値は、探索の深いほうを採ります。

{examples}",
    ),
    (
        "book mine",
        "\
コアごとに別の局面を探索します。定跡にはその探索の評価値を残します。
対局用には `monomi book minimax` で変換してください。
毎分と終了時に保存し、同じコマンドで続きから再開します。
--positions も --time も指定しなければ、Ctrl-C で止めるまで続けます。

{examples}

終了コード: 0 成功、1 失敗、2 引数の誤り、3 読めない棋譜や行がある、130 中断（すべて保存済み）。",
    ),
    ("book diff", "{examples}"),
    ("book check", "{examples}"),
    (
        "book report",
        "\
名前に「名前」を含む（大文字と小文字は区別しません）対局者の棋譜を集め、先手番と後手番のそれぞれに
ついて、ブラウザで見られるページと変化付きの KIF をフォルダに書きます。双方の指し手、その回数、
指した側から見た勝敗、探索による評価値が入ります。--book を指定すると、その定跡をどこで外れるかも
表示します。

{examples}

終了コード: 0 成功、1 失敗（その対局者の棋譜がないなど）、2 引数の誤り、3 読めない棋譜がある、
130 中断。",
    ),
    ("book show", "{examples}"),
];
