//! The help in Japanese.

mod book;
mod tsume;

/// Texts by their keys.
pub(super) type Table = &'static [(&'static str, &'static str)];

/// Commands by their names (`book build`, the empty name for the program), arguments by command and
/// identifier (`go.nodes`), where its subcommands use the same ones; or by `*` and identifier where
/// they mean the same in several commands.
pub(super) const TEXTS: &[Table] = &[OF_COMMANDS, book::TEXTS, tsume::TEXTS];

/// The text after a command's help. `{examples}` stands for the examples of the English text.
pub(super) const AFTER: &[Table] = &[AFTER_COMMANDS, book::AFTER, tsume::AFTER];

const OF_COMMANDS: Table = &[
    (
        "",
        "将棋エンジン Monomi（物見）です。コマンドを付けずに起動すると USI エンジンとして動作します",
    ),
    ("help", "このヘルプ、または指定したコマンドのヘルプを表示します"),
    ("*.help", "ヘルプを表示します"),
    ("*.version", "バージョンを表示します"),
    ("*.lang", "ヘルプとメッセージの言語［省略時: ロケールの言語］"),
    ("*.lang=en", "英語"),
    ("*.lang=ja", "日本語"),
    ("*.notation=japanese", "▲２三銀成"),
    ("*.notation=western", "S-2c+（英語の書き方）"),
    ("*.notation=usi", "3b2c+（USI の書き方）"),
    // Shared by several commands.
    (
        "*.position",
        "局面。`startpos`（省略時）、SFEN（引用符は省略可。後ろに `moves ...` を続けられます）、または棋譜・局面図のファイル（KIF、KI2、BOD、CSA、JKF、USI。`-` は標準入力）。ファイルでは最初の対局の最終局面",
    ),
    (
        "*.eval_file",
        "評価関数ファイル（nn.bin）、または `<piece-square>`［省略時: 内蔵の評価関数］",
    ),
    (
        "*.fv_scale",
        "評価関数の出力を評価値に直す除数（FV_SCALE）［省略時: ファイルの記載。なければ SFNN は 28、その他は 16］",
    ),
    ("*.eval_routing", "層スタックの選択方式。k3k3、hand16_k3k3 など［省略時: ファイルの記載］"),
    ("*.nodes", "一局面あたりの探索ノード数"),
    ("*.depth", "一局面あたりの探索の深さ（手数）"),
    ("*.movetime", "一局面あたりの思考時間（ミリ秒）"),
    ("*.quiet", "進捗を表示しません"),
    ("app", "ブラウザーの盤で対局・検討・棋譜解析をします。このエンジンがそのまま働きます"),
    ("app.port", "この PC のポート番号［省略時: 7276。使用中なら空いている番号］"),
    ("app.open", "ブラウザーを開きます（既定）"),
    ("app.no_open", "アドレスの表示だけを行います"),
    ("go", "一局面を探索し、読み筋と最善手を表示します"),
    ("go.infinite", "Ctrl-C を押すまで探索します"),
    ("go.searchmoves", "指定した指し手だけを探索します（USI 形式、コンマ区切り）"),
    ("go.multipv", "候補手の数"),
    ("go.threads", "探索スレッド数"),
    ("go.hash", "置換表の大きさ（MiB）"),
    ("go.json", "結果を一つの JSON オブジェクトで出力します"),
    ("go.usi", "端末でも USI 形式で出力します"),
    ("go.notation", "端末での指し手の書き方［省略時: 言語による］"),
    ("analyze", "棋譜を解析します。全局面を探索し、一手ごとに評価します"),
    (
        "analyze.files",
        "棋譜ファイル（KIF、KI2、CSA、JKF、USI。文字コードは自動判別）、そのフォルダ、または `-`（標準入力）",
    ),
    (
        "analyze.positions",
        "ファイルを局面の一覧として読みます。一行に一局面で、SFEN または `startpos`（後ろに `moves ...` を続けられます）。結果は一覧の順に出力します",
    ),
    ("analyze.shard", "一覧の I 行目、I+N 行目、I+2N 行目……だけを探索します（I は 1 から N）"),
    ("analyze.errors", "一覧の、局面でない行の扱い"),
    ("analyze.errors=report", "標準エラー出力に示して飛ばします。終了コードは 3 です"),
    ("analyze.errors=rows", "`error` を持つ行として結果に書きます。終了コードは 0 です"),
    ("analyze.line_offset", "もとの長い一覧のうち、この部分より前にある行数。行番号に加えます"),
    ("analyze.time_per_game", "一局あたりの時間（秒）"),
    ("analyze.threads", "全体のスレッド数［省略時: コア数］"),
    (
        "analyze.jobs",
        "並行して解析する棋譜の数。スレッドを分け合います［省略時: スレッド数］。時間を指定しない解析では無視します",
    ),
    ("analyze.multipv", "一局面あたりの候補手の数"),
    (
        "analyze.hash",
        "置換表の大きさ（MiB）。時間を指定した解析では全体の大きさ［省略時: 256］、それ以外ではスレッドごとの大きさ［省略時: ノード数に応じた大きさ、または 32］",
    ),
    (
        "analyze.win_scale",
        "勝率73%とみなす評価値（点）［省略時: 内蔵の評価関数では 287、ほかはファイルの指定、なければ 600］",
    ),
    (
        "analyze.output",
        "出力先のフォルダ（なければ作ります）。`-` なら一つの形式を標準出力へ書きます",
    ),
    ("analyze.format", "出力形式［省略時: フォルダへは html,kifu、その他は jsonl］"),
    ("analyze.format=jsonl", "一局面一行の JSON（docs/analysis.md）"),
    ("analyze.format=csv", "同じ内容の表（CSV）"),
    ("analyze.format=kif", "注釈付き KIF（Shift_JIS。端末へは UTF-8）"),
    ("analyze.format=kifu", "注釈付き KIF（UTF-8）"),
    ("analyze.format=csa", "注釈付き CSA（UTF-8）"),
    ("analyze.format=html", "ブラウザで見るレポート（一ファイル）"),
    ("analyze.format=svg", "グラフのみ"),
    ("analyze.comment_style", "注釈付き棋譜のコメントの書き方"),
    ("analyze.comment_style=shogihome", "ShogiHome の書式: `#評価値=315`、`#読み筋=...`"),
    ("analyze.comment_style=shogigui", "ShogiGUI の書式: `*解析 0 ○ 候補1 ... 評価値 34 ...`"),
    ("analyze.comment_style=floodgate", "floodgate の書式: `* 315 +7776FU -3334FU`"),
    (
        "analyze.live",
        "HTML レポートにエンジンを組み込みます。読む人がブラウザだけで（オフラインでも）別の手を試せます。ファイルは monomi-live.js［省略時: このプログラムと同じフォルダのもの］",
    ),
    ("analyze.notation", "まとめでの指し手の書き方［省略時: 言語による］"),
    ("analyze.quiet", "まとめと進捗を表示しません"),
    ("analyze.no_reasons", "手が悪い理由と最善手の狙いを調べません（その分の探索を省きます）"),
    (
        "analyze.json_progress",
        "進捗をプログラム向けに出力します（毎秒、標準エラー出力に JSON オブジェクトを一行）",
    ),
    ("merge", "分割して探索した局面の一覧の結果を、一覧の順に一つにまとめます"),
    (
        "merge.files",
        "`monomi analyze --positions --shard I/N -o ...` の結果（.jsonl または .csv）すべて",
    ),
    ("merge.output", "出力ファイル［省略時: 標準出力］"),
    ("drill", "棋譜の悪手から次の一手の問題集を作ります"),
    (
        "drill.files",
        "棋譜ファイル（KIF、KI2、CSA、JKF、USI。文字コードは自動判別）、そのフォルダ、`-`（標準入力）、または `monomi analyze` の結果（.jsonl）",
    ),
    ("drill.output", "出力先のフォルダ（なければ作ります）"),
    ("drill.player", "名前に <名前> を含む対局者の悪手だけを採ります"),
    ("drill.side", "この側の悪手だけを採ります"),
    ("drill.side=black", "先手"),
    ("drill.side=white", "後手"),
    ("drill.most", "問題数の上限。損失の大きいものを残します"),
    ("drill.threads", "全体のスレッド数［省略時: コア数］"),
    (
        "drill.win_scale",
        "勝率73%とみなす評価値（点）［省略時: 内蔵の評価関数では 287、ほかはファイルの指定、なければ 600］",
    ),
    ("csa", "CSA サーバーで対局します（floodgate、大会など）"),
    ("csa.config", "設定ファイル（TOML）"),
    ("csa.host", "サーバーの名前またはアドレス"),
    ("csa.port", "サーバーのポート番号［省略時: 4081］"),
    ("csa.user", "対局者名"),
    ("csa.password_file", "一行目にパスワードを書いたファイル"),
    ("csa.password_env", "パスワードを入れた環境変数［省略時: MONOMI_CSA_PASSWORD］"),
    ("csa.game", "対局名（floodgate-300-10F など）"),
    ("csa.color", "希望する手番［省略時: any］"),
    ("csa.color=any", "指定なし"),
    ("csa.color=black", "先手"),
    ("csa.color=white", "後手"),
    ("csa.extended", "shogi-server の拡張モード（x1）でログインし、対局の間も接続を保ちます"),
    ("csa.tls", "TLS で接続します"),
    ("csa.tls_ca", "標準の証明書の代わりに信頼する証明書のファイル（PEM）"),
    ("csa.engine", "対局させる USI エンジン。そのフォルダで起動します［省略時: Monomi］"),
    ("csa.games", "対局数。0 なら無制限［省略時: 0］"),
    ("csa.ponder", "相手の手番でも考えます［省略時: true］"),
    ("csa.comments", "指し手とともに評価値と読み筋を送ります［省略時: true］"),
    (
        "csa.declaration",
        "入玉宣言（%KACHI）の規則。server は対局条件に従い、記載がなければ 27 点法［省略時: server］",
    ),
    ("csa.declaration=server", "対局条件に従います。記載がなければ floodgate と同じ 27 点法です"),
    ("csa.declaration=27", "27 点法"),
    ("csa.declaration=24", "24 点法"),
    ("csa.declaration=never", "宣言しません"),
    ("csa.resign", "評価値が −（この値）以下なら投了します［省略時: 投了しない］"),
    ("csa.record_folder", "棋譜を書くフォルダ。空なら書きません［省略時: games］"),
    (
        "csa.page",
        "対局中の局面をこのマシンのページで見せるポート。0 なら空いているポート［省略時: 見せない］",
    ),
    (
        "csa.on_event",
        "指し手以外のイベントのたびに実行するコマンド。名前は MONOMI_EVENT、JSON は標準入力で渡します［省略時: なし］",
    ),
    ("csa.log_file", "送受信の全行を書くファイル（パスワードは伏せます）"),
    ("csa.keep_alive", "接続を保つための空行を送る間隔（秒）。0 なら送りません［省略時: 60］"),
    ("csa.silence", "受信がこの時間（秒）なければ接続を切ります［省略時: 3600］"),
    ("csa.options", "エンジンのオプション（USI の名前）。繰り返し指定できます"),
    ("csa.json", "イベントを一行に一つの JSON として標準出力へ書きます"),
    (
        "convert",
        "学習データを変換します。自己対局の記録と PSV・hcpe を相互に変換でき、局面のシャッフルもできます",
    ),
    ("convert.files", "変換元のファイル"),
    ("convert.output", "書き出すファイル"),
    ("convert.from", "変換元の形式（ファイル名にかかわらず）"),
    ("convert.to", "変換先の形式（ファイル名にかかわらず）"),
    ("convert.from=mgr", "Monomi の自己対局の記録"),
    ("convert.from=psv", "やねうら王の PackedSfenValue"),
    ("convert.from=hcpe", "Apery・dlshogi の HuffmanCodedPosAndEval"),
    ("convert.to=mgr", "Monomi の自己対局の記録"),
    ("convert.to=psv", "やねうら王の PackedSfenValue"),
    ("convert.to=hcpe", "Apery・dlshogi の HuffmanCodedPosAndEval"),
    (
        "convert.shuffle",
        "PSV・hcpe への変換で、局面を無作為な順序に並べます。同じシードなら順序も同じです",
    ),
    ("convert.unique", "--shuffle と併用。同じ局面のうち最初のものだけを残します"),
    ("convert.memory", "--shuffle で使うメモリ（MiB）［省略時: 1024］"),
    (
        "convert.leaves",
        "記録から記録への変換で、各局面の静止探索の末端を保存します（学習で局面の代わりに使えます）",
    ),
    ("datagen", "自己対局で学習データを作ります"),
    ("datagen.file", "書き出す、または追記する記録ファイル"),
    ("datagen.games", "ファイルの対局数がこの数になったら終わります"),
    ("datagen.positions", "ファイルの評価値付き局面数がこの数になったら終わります"),
    ("datagen.nodes", "一手あたりの探索ノード数"),
    ("datagen.threads", "同時に指す対局の数［省略時: コア数］"),
    ("datagen.hash", "各対局の置換表の大きさ（MiB）［省略時: --nodes に応じた大きさ］"),
    (
        "datagen.openings",
        "開始局面のファイル: 一行に一つの SFEN、または対局記録（.mgr、--opening-score 以内の局面を使う）［省略時: 平手の初期局面］",
    ),
    (
        "datagen.startpos_share",
        "--openings ではなく平手の初期局面から始め、6〜14 手をランダムに指す対局の割合（0〜1）",
    ),
    (
        "datagen.random_plies",
        "開始局面からランダムに指す手数。数または範囲［省略時: --openings があれば 2-9、なければ 6-14］",
    ),
    (
        "datagen.opening_score",
        "序盤の評価値の絶対値がこれを超えたら別の序盤を選びます（内部の単位、歩一枚が 90）",
    ),
    (
        "datagen.adjudicate_score",
        "評価値の絶対値が --adjudicate-times 回続けてこれを超えたら勝敗を決めます（内部の単位）",
    ),
    ("datagen.adjudicate_times", "--adjudicate-score に必要な回数"),
    ("datagen.max_plies", "この手数で引き分けにします"),
    ("datagen.tree", "探索木の静かな局面も、この数に一つの割合で記録します。0 なら記録しません"),
    (
        "datagen.style",
        "数局ごとに棋風を変えます。評価関数の第一層にこの標準偏差の雑音を加えます（重みの標準偏差は約 9）。0 なら加えません",
    ),
    ("datagen.seed", "乱数のシード［省略時: ファイルのシード、または新しいシード］"),
    ("records", "自己対局の記録ファイルを検査し、統計を表示します"),
    ("records.files", "自己対局の記録ファイル"),
    ("net", "評価関数ファイルの内容を表示し、他のプログラム用に書き換えます"),
    ("net info", "評価関数ファイルの内容と、そう判別した理由を表示します"),
    ("net info.file", "評価関数ファイル（nn.bin）"),
    (
        "net info.eval_routing",
        "層スタックの選択方式（ファイルから判別できないとき）。k3k3、hand16_k3k3 など",
    ),
    ("net convert", "評価関数ファイルを書き換えます（ヘッダの文字列、ハッシュ値と圧縮の有無）"),
    ("net convert.input", "読み込む評価関数ファイル"),
    ("net convert.output", "書き出すファイル"),
    ("net convert.text", "ヘッダの文字列［省略時: 構造を表す文字列］"),
    (
        "net convert.eval_routing",
        "ファイルに書かれていない層スタックの選択方式（k3k3、hand16_k3k3 など）。新しい文字列に入ります",
    ),
    (
        "net convert.no_hashes",
        "二つのハッシュ値を書きません（ハッシュ値が必要な SFNN では使えません）",
    ),
    ("net convert.compressed", "第一層を圧縮します（LEB128）。SFNN では常に圧縮します"),
    ("net convert.force", "既存のファイルを置き換えます"),
    ("eval", "探索せずに局面を評価します"),
    ("mate", "連続王手による詰みを探します（詰将棋）"),
    ("mate.movetime", "一問あたりの時間の上限（ミリ秒）。0 なら無制限"),
    ("mate.nodes", "一問あたりのノード数の上限"),
    ("mate.plies", "この手数以内の詰みだけを探します"),
    ("mate.hash", "置換表の大きさ（MiB）"),
    (
        "mate.threads",
        "各問題を一緒に探索するスレッドの数。2 以上では、見つかる詰み手順とノード数が毎回異なります",
    ),
    (
        "mate.at",
        "各問題の N 手目まで進めた局面を解きます。`last` なら最後の指し手の後の局面 [既定値: 0]",
    ),
    (
        "mate.problems",
        "SFEN、または一行に一つの SFEN を書いたファイル、棋譜・局面図のファイル（KIF、KI2、BOD、CSA、JKF。`-` は標準入力）。棋譜の指し手と、SFEN の後ろの `moves ...`（解答）は無視します（`--at` を参照）",
    ),
    ("perft", "合法手順の数を、初手ごとに数えます"),
    ("perft.depth", "手順の長さ（手数）"),
    ("doctor", "対局前や導入後に、マシン・オプション・ファイルを点検します"),
    (
        "doctor.option",
        "GUI が設定するオプション。複数指定できます（engine_options.txt の指定が優先されます）",
    ),
    (
        "doctor.csa",
        "CSA サーバーとの往復時間も測ります（省略時のポートは 4081）。ログインはしません",
    ),
    ("doctor.seconds", "速度の測定にかける秒数。0 なら測りません"),
    ("bench", "決まった局面を探索します。ノード数が同じなら探索も同じです"),
    ("bench.depth", "各探索の深さ（手数）。ノード数はこれによって変わります"),
    ("bench.hash", "置換表の大きさ（MiB）。ノード数はこれによって変わります"),
    ("completions", "シェルの補完スクリプトを出力します"),
    ("completions.shell", "シェルの名前"),
    ("man", "マニュアルページを出力します"),
    ("man.command", "ページを出力するコマンド［省略時: プログラム全体］"),
    ("man.output", "全ページ（monomi.1、monomi-go.1 など）を書くフォルダ。なければ作ります"),
];

const AFTER_COMMANDS: Table = &[
    (
        "",
        "\
局面は `startpos` または SFEN で（引用符は省略可）、後ろに `moves ...` を続けられます。
USI のコマンドをコンマで区切って引数に指定することもできます。
{examples}

終了コード: 0 正常終了、1 失敗、2 引数または局面の誤り、3 一部の入力を読めなかったが完了、
130 中断。",
    ),
    (
        "app",
        "\
アプリはプログラムに内蔵されています。このエンジンの全スレッド、オプションファイル、評価関数、定跡を
使います。使えるのは最初にアドレスを開いたブラウザーだけで、同時に開けるのは一ページです。この PC の
外とは通信しません。
{examples}",
    ),
    (
        "go",
        "\
制限を指定しなければ 1 秒間探索します。Ctrl-C を押すと、それまでの最善手を表示して終わります。
SFEN の代わりに棋譜や局面図のファイル（KIF、KI2、BOD、CSA、JKF、USI）、または `-`（標準入力）を
指定すると、その最後の局面を探索します。

端末には読みやすい形で出力します。それ以外と --usi の指定時は USI 形式です。

{examples}",
    ),
    (
        "analyze",
        "\
制限を指定しなければ一局面あたり 200,000 ノードを探索します。時間を指定しない解析（--nodes、
--depth）の結果は何度実行しても同じです。--output を指定しなければ、まとめを表示します。

{examples}

Ctrl-C・SIGTERM・SIGHUP を受けると 2 秒以内に止まります。同じコマンドで続きから再開できます。

終了コード: 0 正常終了、1 失敗、2 引数の誤り、3 一部の棋譜や行を最後まで読めなかった、130 中断。",
    ),
    (
        "drill",
        "\
勝率を10%以上損ねた手と詰みを逃した手を問題にします（探索し直して悪くないと分かった手は除きます）。
最善手との差が勝率3%以内の手はすべて正解です。棋譜は `monomi analyze` と同じように探索し、その結果
（.jsonl）を渡したときは問題の局面だけを探索し直します。

フォルダには、ブラウザで（オフラインでも）解ける drill.monomi.html と、ShogiHome の次の一手問題集
drill.monomi.json を書きます。

{examples}

Ctrl-C で中断します。同じコマンドで続きから再開できます。

終了コード: 0 正常終了、1 失敗、または問題にできる手がない、2 引数の誤り、3 一部の棋譜を最後まで
読めなかった、130 中断。",
    ),
    (
        "csa",
        "\
設定ファイル（TOML）のキーはオプションと同じ名前です。両方を指定した場合はオプションが優先します。
全キーの例は docs/csa.toml に、floodgate などのサーバーについては docs/servers.md にあります。

パスワードは --password-file、または --password-env の環境変数（省略時 MONOMI_CSA_PASSWORD）から
読みます。どちらもなければ入力を求めます。

SIGTERM または Ctrl-C を受けると、進行中の対局を終えてから終了します。もう一度受けるとただちに
終了し、その対局は負けになります。

{examples}

終了コード: 0 正常終了、1 失敗（ログインの拒否など）、2 引数または設定の誤り、130 中断（二度目）。",
    ),
    (
        "convert",
        "\
{examples}

形式はファイル名から判別します（.mgr は自己対局の記録、.psv と .bin は PackedSfenValue、.hcpe は
HuffmanCodedPosAndEval）。評価値は内部の単位（歩一枚が 90）のまま書きます。対局の初めにランダムに
指した手と、末端局面、探索木の局面は .psv と .hcpe に書きません（書かなかった数を表示します）。

--shuffle と --unique はどの大きさのファイルでも使えます。--memory に入らない分は、出力先の
フォルダの一時ファイル（局面全体と同じ大きさ）に置きます。シャッフルした局面は対局としてまとまらない
ため、検証用の対局はシャッフルの前のファイルから取ってください。

終了コード: 0 正常終了、1 失敗、2 引数の誤り、3 一部の入力を読めなかったが完了。",
    ),
    (
        "datagen",
        "\
{examples}

中断しても、同じコマンドで続きから再開できます。Ctrl-C を押すと進行中の対局を終えてから止まり、
もう一度押すとただちに止まります。ファイルの形式は docs/records.md にあります。

終了コード: 0 正常終了、1 失敗、2 引数の誤り、130 中断。",
    ),
    (
        "merge",
        "\
同じ一覧を同じ設定と評価関数で探索した各部分の結果が、すべて一つずつ必要です。そうでなければ、
問題のあるファイルの名前を示します。
{examples}

終了コード: 0 正常終了、1 失敗、2 引数の誤り。",
    ),
    (
        "records",
        "\
{examples}

複数のファイルはまとめて集計します。形式は docs/records.md にあります。

終了コード: 0 正常終了、1 失敗、2 引数の誤り、3 完了したがファイルに破損がある（位置を表示し、
残りの部分を集計します）。",
    ),
    ("net", "{examples}"),
    ("net info", "{examples}"),
    (
        "net convert",
        "\
{examples}

進行度のファイルで層スタックを選ぶ評価関数では、書き出し先にもそのファイルが必要です。",
    ),
    ("eval", "{examples}"),
    (
        "mate",
        "\
{examples}

終了コード: 0 完了（解けたかどうかによらない）、1 失敗、2 引数または局面の誤り、3 ファイルの一部の
行を読めなかったが完了、130 中断（分かったことを表示）。",
    ),
    ("perft", "不成を含むすべての合法手を数えます。\n\n{examples}"),
    (
        "doctor",
        "\
表示の先頭は、「○」が正常、「・」が参考、「△」が要確認、「×」が問題です。

{examples}

終了コード: 0 問題なし、1 問題あり（そのままでは負けるか、指定したファイルが使えない）、
2 引数の誤り、3 要確認のみ。",
    ),
    ("bench", "{examples}"),
    ("completions", "{examples}"),
    ("man", "{examples}"),
];

/// Names of values in usage lines.
pub(super) const VALUE_NAMES: Table = &[
    ("A", "A"),
    ("B", "B"),
    ("BOOK", "定跡"),
    ("BOOL", "true|false"),
    ("CENTIPAWNS", "評価値"),
    ("PORT", "番号"),
    ("RULE", "ルール"),
    ("SIDE", "手番"),
    ("HOST[:PORT]", "ホスト[:ポート]"),
    ("PROGRAM", "プログラム"),
    ("COMMAND", "コマンド"),
    ("DEPTH", "深さ"),
    ("DEVIATION", "標準偏差"),
    ("DIR", "フォルダ"),
    ("FILE", "ファイル"),
    ("FORMAT", "形式"),
    ("I/N", "I/N"),
    ("INPUT", "入力"),
    ("LANG", "言語"),
    ("COLOR", "手番"),
    ("MIB", "MIB"),
    ("MOVES", "指し手"),
    ("MS", "ミリ秒"),
    ("N", "N"),
    ("N-M", "N-M"),
    ("N|last", "N|last"),
    ("NAME", "名前"),
    ("NAME=VALUE", "名前=値"),
    ("NOTATION", "書き方"),
    ("OUTPUT", "出力"),
    ("PLIES", "手数"),
    ("ROUTING", "方式"),
    ("SECONDS", "秒"),
    ("SEED", "シード"),
    ("SFEN", "SFEN"),
    ("SFEN|FILE", "SFEN|ファイル"),
    ("SHARE", "割合"),
    ("SHELL", "シェル"),
    ("STYLE", "書式"),
    ("TEXT", "文字列"),
    ("UNITS", "評価値"),
    ("WHERE", "場所"),
];
