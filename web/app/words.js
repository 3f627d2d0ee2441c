// Texts of the app in Japanese and English, added to those of the report.
const HANDICAP_NAMES = {
  平手: "Even", 香落ち: "Lance", 右香落ち: "Right lance", 角落ち: "Bishop", 飛車落ち: "Rook", 飛落ち: "Rook", 飛香落ち: "Rook and lance", 二枚落ち: "2 pieces", 三枚落ち: "3 pieces", 四枚落ち: "4 pieces",
  五枚落ち: "5 pieces", 左五枚落ち: "5 pieces, left", 六枚落ち: "6 pieces", 左七枚落ち: "7 pieces, left", 右七枚落ち: "7 pieces, right", 七枚落ち: "7 pieces", 八枚落ち: "8 pieces", 十枚落ち: "10 pieces",
};
const APP_WORDS = {
  ja: {
    title: "Monomi 物見", tabPlay: "対局", tabAnalyse: "棋譜解析", tabSetup: "局面編集", tabMate: "詰将棋", menu: "機能",
    yourSide: "あなた", black: "先手（下手）", white: "後手（上手）", either: "振り駒", level: "強さ", full: "全力", levelOf: (n) => `レベル ${n}`,
    handicap: "手合割", clockOf: "持ち時間", noClock: "なし", minutes: "分", byoyomi: "秒読み", increment: "加算", perMove: "一手の時間", secondsOf: (n) => `${n}秒`,
    newGame: "対局開始", undo: "待った", resign: "投了", declare: "入玉宣言", hint: "検討を表示", flipBoard: "盤を反転", analyseGame: "この棋譜を解析",
    loading: "エンジンを読み込んでいます…", failed: (why) => `エンジンを読み込めません: ${why}`, yourTurn: "あなたの手番です", thinking: "Monomi が考えています…", ready: "対局を開始してください",
    won: (name, how) => `${name}の勝ち（${how}）`, drawn: "引き分け（千日手）", mateEnd: "詰み", resignEnd: "投了", timeEnd: "時間切れ", perpetual: "連続王手の千日手", declareEnd: "入玉宣言",
    you: "あなた", monomi: "Monomi", moveField: "指し手", moveHint: "例 7g7f、P*5e", playMove: "指す", illegal: (m) => `${m} は指せません`, promoteAsk: "成りますか？", cancel: "取消",
    recordText: "棋譜（KIF・KI2・CSA・JKF・USI・SFEN）を貼り付けるか、ファイルを選んでください", openFile: "ファイルを開く", analyseButton: "解析する", stopButton: "中止", nodesOf: "一手あたりの読み", quick: "速い", normal: "標準", deep: "深い",
    chooseGame: "対局", faults: "読めなかった部分", progress: (n, of) => `${n} / ${of} 局面`, saveReport: "レポートを保存", backToInput: "別の棋譜", toBoard: "盤で見る", reportTitle: "解析レポート",
    piecesToPlace: "置く駒", erase: "消す", promoteToggle: "成駒", turnToMove: "手番", sfenField: "SFEN", apply: "反映", emptyBoard: "詰将棋用", startBoard: "平手", playHere: "ここから対局", analyseHere: "この局面を検討", solveHere: "詰みを探す",
    handOf: (name, piece) => `${name}の持駒 ${piece}`, editHint: "駒を選んで升目をクリックすると置けます。置いた駒をもう一度クリックすると消えます。持駒は＋と−のボタンで増減します。", positionFault: (why) => `この局面は使えません: ${why}`,
    mateHint: "攻め方（手番側）の王手の連続による詰みを探します。見つかった手順は最長の抵抗に対するものとは限りませんが、すべての応手に対して詰みが証明されています。", solve: "解く", limitOf: "制限時間", solving: "解いています…", mateFound: (n) => `${n}手詰`, noMate: "詰みはありません（不詰を証明）", unknown: "時間内に解けませんでした",
    handicapName: (name) => name, cursorAt: (s) => `${s}`, emptySquare: "空き", candidates: "候補手", depthWord: "深さ", nodesWord: "局面", offline: "オフラインでも使えます", dropFiles: "棋譜ファイルをここにドロップすることもできます",
  },
  en: {
    title: "Monomi", tabPlay: "Play", tabAnalyse: "Analyse a game", tabSetup: "Set up", tabMate: "Tsume", menu: "Functions",
    yourSide: "You play", black: "Black (first)", white: "White", either: "Random", level: "Strength", full: "Full strength", levelOf: (n) => `Level ${n}`,
    handicap: "Handicap", clockOf: "Clock", noClock: "None", minutes: "min", byoyomi: "byoyomi", increment: "increment", perMove: "Time per move", secondsOf: (n) => `${n} s`,
    newGame: "Start game", undo: "Take back", resign: "Resign", declare: "Declare win", hint: "Show analysis", flipBoard: "Flip board", analyseGame: "Analyse this game",
    loading: "Loading the engine…", failed: (why) => `The engine cannot be loaded: ${why}`, yourTurn: "Your move", thinking: "Monomi is thinking…", ready: "Start a game",
    won: (name, how) => `${name} wins (${how})`, drawn: "Draw (repetition)", mateEnd: "mate", resignEnd: "resignation", timeEnd: "time", perpetual: "perpetual check", declareEnd: "declaration",
    you: "You", monomi: "Monomi", moveField: "Move", moveHint: "such as 7g7f, P*5e", playMove: "Play", illegal: (m) => `${m} is not legal here`, promoteAsk: "Promote?", cancel: "Cancel",
    recordText: "Paste a record (KIF, KI2, CSA, JKF, USI, SFEN) or open a file", openFile: "Open file", analyseButton: "Analyse", stopButton: "Stop", nodesOf: "Search per move", quick: "quick", normal: "normal", deep: "deep",
    chooseGame: "Game", faults: "Parts that could not be read", progress: (n, of) => `${n} of ${of} positions`, saveReport: "Save report", backToInput: "Another record", toBoard: "Show on board", reportTitle: "Report of the analysis",
    piecesToPlace: "Piece to place", erase: "Erase", promoteToggle: "promoted", turnToMove: "To move", sfenField: "SFEN", apply: "Apply", emptyBoard: "For tsume", startBoard: "Even game", playHere: "Play from here", analyseHere: "Analyse position", solveHere: "Look for mate",
    handOf: (name, piece) => `${name}'s hand: ${piece}`, editHint: "Choose a piece and click on squares to place it; click on it again to remove it. The + and − buttons change the hands.", positionFault: (why) => `This position cannot be used: ${why}`,
    mateHint: "Looks for a mate by continuous checks for the side to move. The line shown need not be the longest defence, but the mate is proven against every one.", solve: "Solve", limitOf: "Time limit", solving: "Solving…", mateFound: (n) => `Mate in ${n}`, noMate: "No mate (proven)", unknown: "Not solved in this time",
    handicapName: (name) => HANDICAP_NAMES[name] ?? name, cursorAt: (s) => `${s}`, emptySquare: "empty", candidates: "Candidates", depthWord: "depth", nodesWord: "nodes", offline: "Also works offline", dropFiles: "You can also drop a record here",
  },
};
for (const [language, words] of Object.entries(APP_WORDS)) Object.assign(WORDS[language], words);
