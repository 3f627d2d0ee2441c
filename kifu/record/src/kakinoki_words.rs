//! Words and lines of KIF and KI2: numbers, endings, headers, decoration.

use crate::ending::Ending;
use crate::notation::{
    digit, is_blank, kanji_number, leading_number, leading_piece, mark, names_a_move, parse_move,
};
use shogi_core::{Color, Square};

/// The number of a move and what follows it: `12 ７六歩(77)`, `12. ▲７六歩`, `12手目 ７六歩`. `None` for the
/// file digits `９ ８ ７ ...` above a board.
pub fn numbered(line: &str) -> Option<(usize, &str)> {
    let line = line.trim_start_matches(is_blank);
    let line = line.strip_prefix(['第', '(', '（', '[', '［', '【']).unwrap_or(line);
    let (number, rest) = number_and_rest(line)?;
    let text = rest.trim_start_matches(is_blank);
    let mut chars = text.chars();
    let files = chars.next().and_then(digit).is_some() && chars.next().is_some_and(is_blank);
    if files {
        return None;
    }
    if rest.starts_with(is_blank) || text.starts_with(|c| mark(c).is_some()) {
        return Some((number, text));
    }
    let separators = ["手目", "手", ".", "．", "、", ")", "）", "]", "］", "】", ":", "："];
    // `３手詰` is a title.
    let title = text.strip_prefix('手').is_some_and(|text| text.starts_with(['詰', '必', '不']));
    let after = separators.iter().find_map(|separator| text.strip_prefix(separator));
    let after = after.filter(|_| !title);
    // `1７六歩(77)`.
    let at_once = rest.starts_with(|c| ('１'..='９').contains(&c)).then_some(rest);
    let text = after.or(at_once)?;
    let text = text.trim_start_matches(|c| is_blank(c) || matches!(c, ':' | '：'));
    let is_move = text.starts_with(|c| mark(c).is_some())
        || parse_move(text, Square::new(5, 5)).is_ok()
        || ending(text).is_some();
    is_move.then_some((number, text))
}

/// The number of a move at the start of a line: in ASCII up to a full-width digit, which belongs to the move,
/// or in kanji before 手目.
fn number_and_rest(line: &str) -> Option<(usize, &str)> {
    if let Some(at) = line.find("手目") {
        let (number, rest) = line.split_at(at);
        let kanji = |c: char| c == '十' || !c.is_ascii() && digit(c).is_some();
        if !number.is_empty() && number.chars().all(kanji) {
            return Some((usize::from(kanji_number(number)?), rest));
        }
    }
    let end = line.find(|c: char| !c.is_ascii_digit()).unwrap_or(line.len());
    if end > 0 && line[end..].starts_with(|c| ('１'..='９').contains(&c)) {
        return Some((leading_number(&line[..end])?.0, &line[end..]));
    }
    leading_number(line)
}

/// A line that names the side in words, with its symbol instead: `先手：７六歩`, `後手 ３四歩`.
pub fn with_symbol(line: &str) -> Option<String> {
    let sides = [("先手", '▲'), ("下手", '▲'), ("後手", '△'), ("上手", '△')];
    sides.iter().find_map(|(name, symbol)| {
        let rest = line.strip_prefix(name)?;
        let rest = rest.trim_start_matches(|c| is_blank(c) || matches!(c, ':' | '：'));
        only_moves(rest, Square::new(5, 5)).then(|| format!("{symbol}{rest}"))
    })
}

/// The names of Black and White in a line with their symbols and no square: `▲羽生善治 △三浦弘行`.
pub fn names_with_symbols(line: &str) -> Option<[&str; 2]> {
    let (first, rest) =
        (line.chars().next().and_then(mark)?, &line[line.chars().next()?.len_utf8()..]);
    let (at, symbol) = rest.char_indices().find(|&(_, c)| mark(c).is_some())?;
    let name = |text| str::trim_matches(text, |c| is_blank(c) || matches!(c, '、' | ',' | '対'));
    let names = [name(&rest[..at]), name(&rest[at + symbol.len_utf8()..])];
    let squares = line.chars().zip(line.chars().skip(1));
    let square = squares.into_iter().any(|(a, b)| digit(a).is_some() && digit(b).is_some());
    let others = names.iter().any(|name| name.is_empty() || name.contains(|c| mark(c).is_some()));
    let piece = |text: &str| text.starts_with('同') || leading_piece(text).is_some();
    if square || others || names.iter().any(|name| piece(name)) {
        return None;
    }
    match (first, mark(symbol)?) {
        (Color::Black, Color::White) => Some(names),
        (Color::White, Color::Black) => Some([names[1], names[0]]),
        _ => None,
    }
}

/// Whether a line without numbers and symbols consists of moves: `７六歩 ３四歩`. `last` is the destination
/// of the move before it.
pub fn only_moves(line: &str, last: Option<Square>) -> bool {
    let mut rest = line;
    let mut last = last;
    let mut count = 0;
    loop {
        rest = rest.trim_start_matches(|c| is_blank(c) || matches!(c, '、' | '，' | ','));
        if rest.is_empty() || ending(rest).is_some() || rest.starts_with("まで") {
            return count > 0;
        }
        let Ok((written, after)) = parse_move(rest, last) else { return false };
        (last, rest, count) = (Some(written.to), after, count + 1);
        if let Some(at) = rest.find([')', '）']).filter(|_| rest.starts_with(['(', '（'])) {
            rest = rest[at..].trim_start_matches([')', '）']);
        }
    }
}

/// Whether a line begins with a symbol, or with a square and a piece.
pub fn begins_like_a_move(line: &str) -> bool {
    let text = numbered(line).map_or(line, |(_, text)| text);
    let bare = text.trim_start_matches(|c| mark(c).is_some());
    let mut chars = bare.chars();
    let file = chars.next().and_then(digit).is_some();
    let rank = chars.next().filter(|&c| digit(c).is_some());
    let square = file && rank.is_some();
    // Years and the like have other digits.
    let kanji = rank.is_some_and(|c| !c.is_ascii() && !('１'..='９').contains(&c));
    let piece = chars.as_str().trim_start_matches(is_blank);
    let same = bare.strip_prefix('同').map(|rest| rest.trim_start_matches(is_blank));
    bare.len() < text.len()
        || square && (leading_piece(piece).is_some() || kanji || !text.is_ascii() && text != line)
        || same.is_some_and(|rest| leading_piece(rest).is_some())
}

/// Whether a move with its symbol stands anywhere in a line.
pub fn has_marked_move(line: &str) -> bool {
    let is_move = |(at, c): (usize, char)| {
        mark(c).is_some() && parse_move(&line[at..], Square::new(5, 5)).is_ok()
    };
    line.char_indices().any(is_move)
}

/// The ending at the start of a text, and what follows it.
pub fn ending(text: &str) -> Option<(Ending, &str)> {
    let end = text.find(|c: char| is_blank(c) || matches!(c, '(' | '（')).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    Ending::from_kif(word).map(|ending| (ending, rest))
}

/// The ending that the text after the expected number states in words of its own, and what follows it:
/// `時間切れにより後手の勝ち`, `通信エラー`. `None` if it might be a damaged move.
pub fn ending_in_words(text: &str) -> Option<(Ending, &str)> {
    let (word, rest) = text.split_at(text.find(['(', '（']).unwrap_or(text.len()));
    let word = word.trim_matches(is_blank);
    let of_a_move = |c: char| digit(c).is_some() || c == '同' || mark(c).is_some();
    if word.is_ascii() || word.chars().count() < 2 || word.contains(of_a_move) {
        return None;
    }
    // `投　了`.
    let dense: String = word.chars().filter(|&c| !is_blank(c)).collect();
    let ending = match Ending::from_kif(&dense).or_else(|| closing_words(word)) {
        // Who lost, if any, is not clear.
        Some(Ending::Resign) if word.contains('勝') => None,
        Some(Ending::FoulLoss | Ending::FoulWin) => None,
        Some(Ending::TimeUp) if word.contains('勝') && !word.contains("により") => None,
        known => known,
    };
    let names_a_piece = || {
        let letters = |c: char| leading_piece(c.encode_utf8(&mut [0; 4])).is_some();
        word.contains(letters) || word.contains(['打', '成'])
    };
    match ending {
        None if names_a_piece() => None,
        None => Some((Ending::Other(word.to_owned()), rest)),
        Some(ending) => Some((ending, rest)),
    }
}

/// Rulers, frames of boards, the file digits above them, and the signatures of programs.
pub fn is_decoration(line: &str) -> bool {
    let plain = |c: char| !c.is_alphanumeric() && mark(c).is_none();
    let digits = line.chars().filter(|&c| digit(c).is_some()).count();
    let files = digits == 9 && line.chars().all(|c| is_blank(c) || digit(c).is_some() || plain(c));
    line.chars().all(plain) || files || line.to_ascii_lowercase().contains("generated by")
}

/// The time of one move, in seconds: `( 0:16/00:00:16)`, `(0:00:16/...)`, `(0:01.5/...)`, `(1分3秒)`. The first
/// brackets with a time are meant: `打(00)` says that the piece has no origin.
pub fn time(text: &str) -> Option<u32> {
    text.split(['(', '（']).skip(1).find_map(|group| {
        let inner = group.split([')', '）']).next()?;
        let now = inner.split(['/', '／']).next()?;
        let is_time = |c| matches!(c, ':' | '：' | '分' | '秒');
        if now.len() == inner.len() && !now.contains(is_time) {
            return None;
        }
        let parts = now.trim_matches(is_blank).trim_end_matches('秒').split([':', '：', '分']);
        parts.filter(|part| !part.is_empty()).try_fold(0u32, |sum, part| {
            // Fractions of a second are dropped.
            let whole = part.split(['.', '．']).next().unwrap_or_default();
            let (part, rest) = leading_number(whole.trim_matches(is_blank))?;
            let part = u32::try_from(part).ok().filter(|_| rest.is_empty())?;
            sum.checked_mul(60)?.checked_add(part)
        })
    })
}

/// The ending that the text after `まで` states: `123手で先手の勝ち`.
pub fn closing_words(text: &str) -> Option<Ending> {
    let has = |word: &str| text.contains(word);
    if has("時間切れ") || has("切れ負け") || has("タイムアップ") {
        Some(Ending::TimeUp)
    } else if has("反則勝ち") {
        Some(Ending::FoulWin)
    } else if has("打ち歩詰") || has("王手放置") || has("二歩") {
        Some(Ending::IllegalMove)
    } else if has("反則") {
        Some(Ending::FoulLoss)
    } else if has("入玉") || has("宣言") || has("トライ") {
        Some(Ending::Declaration)
    } else if has("千日手") {
        Some(Ending::Repetition)
    } else if has("持将棋") {
        Some(Ending::Impasse)
    } else if has("中断") {
        Some(Ending::Interrupted)
    } else if has("不詰") {
        Some(Ending::NoMate)
    } else if has("詰") {
        Some(Ending::Mate)
    } else if has("引き分け") || has("引分") {
        Some(Ending::Draw)
    } else if has("勝") || has("投了") {
        Some(Ending::Resign)
    } else {
        None
    }
}

/// The side of which closing words say that it lost by breaking the rules: `4手で後手の反則負け`,
/// `4手で先手の反則勝ち`, `反則により先手の勝ち`.
pub fn foul_of(text: &str) -> Option<Color> {
    let named = |name: &str, color: Color| {
        let rest = &text[text.rfind(name)? + name.len()..];
        let rest = rest.strip_prefix('の').unwrap_or(rest);
        match rest.strip_prefix("反則").unwrap_or(rest).chars().next()? {
            '勝' => Some(color.flip()),
            '負' => Some(color),
            _ => None,
        }
    };
    let sides = [
        ("先手", Color::Black),
        ("下手", Color::Black),
        ("後手", Color::White),
        ("上手", Color::White),
    ];
    sides.into_iter().find_map(|(name, color)| named(name, color))
}

/// A header: `先手：名前`. The times of a damaged move have a colon, too. Those that change the position may
/// have another sign or a blank instead of the colon.
pub fn header(line: &str) -> Option<(&str, &str)> {
    let split = line.split_once(['：', ':']);
    let (key, value) = match split {
        Some(pair) => pair,
        None => {
            let pair = line.split_once(['＝', '=']).or_else(|| line.split_once(is_blank))?;
            let known = is_handicap(pair.0) || pair.0 == "手番" || hand_of(pair.0).is_some();
            known.then_some(pair)?
        }
    };
    let (key, value) = (key.trim_matches(is_blank), value.trim_matches(is_blank));
    let hand = hand_of(key).is_some();
    let plausible = !key.contains(['(', '（']) && !names_a_move(key) && !begins_like_a_move(key);
    (hand || plausible).then_some((key, value))
}

/// Whether a header gives the handicap.
pub fn is_handicap(key: &str) -> bool {
    key.starts_with("手合") || key.starts_with("ハンデ") || matches!(key, "手割合" | "駒落ち")
}

/// The side whose hand a header gives, if it is a header of a hand; `None` inside if the side is not clear.
pub fn hand_of(key: &str) -> Option<Option<Color>> {
    let key: String = key.chars().filter(|&c| !is_blank(c)).collect();
    let owner =
        ["持駒", "持ち駒", "もち駒", "手駒"].iter().find_map(|name| key.strip_suffix(name))?;
    let owner = owner.strip_suffix('の').unwrap_or(owner);
    let mut chars = owner.chars();
    let Some(first) = chars.next() else { return Some(Some(Color::Black)) };
    // `先手(名前)の持駒`, but no name that begins like a side.
    let rest = chars.as_str();
    let more = ["手番", "手側", "手", "方", "め方", "け方", "番"];
    let rest = more.iter().find_map(|word| rest.strip_prefix(word)).unwrap_or(rest);
    let clear = mark(first).is_some() || rest.is_empty() || rest.starts_with(['(', '（']);
    Some(side_named(owner).filter(|_| clear))
}

/// The side to move that a line without a colon names: `後手番`, `△番`, `後手の手番`, `手番は後手`.
pub fn turn(line: &str) -> Option<Color> {
    let line: String = line.chars().filter(|&c| !is_blank(c)).collect();
    if let Some(side) = line.strip_prefix("手番").or_else(|| line.strip_prefix("次の手番")) {
        let side = side.trim_start_matches(['は', 'の', '＝', '=']);
        return side_named(side).filter(|_| !side.starts_with(['：', ':']));
    }
    let sides = ["先手", "後手", "上手", "下手", "先", "後", "▲", "△", "▼", "▽", "☗", "☖"];
    let side = sides.iter().find(|side| line.starts_with(**side))?;
    let rest = line[side.len()..].trim_start_matches('の');
    let short = rest.chars().count() <= 4;
    (rest.starts_with("番") || rest.starts_with("手番"))
        .then(|| side_named(side))
        .flatten()
        .filter(|_| short)
}

/// The side that a word names: 後手, 後手番, △, white.
pub fn side_named(word: &str) -> Option<Color> {
    let first = word.chars().next()?;
    mark(first).or(match first.to_ascii_lowercase() {
        '先' | '下' | '黒' | '攻' | '詰' | 'b' | 's' => Some(Color::Black),
        '後' | '上' | '白' | '玉' | '受' | 'w' | 'g' => Some(Color::White),
        _ => None,
    })
}

/// The time in the brackets at the start of a text, and what follows them.
pub fn brackets(text: &str) -> (Option<u32>, &str) {
    let mut rest = text.trim_start_matches(is_blank);
    let seconds = time(text);
    while rest.starts_with(['(', '（']) {
        // A line may be cut off in its brackets.
        let end = rest
            .find([')', '）'])
            .map_or(rest.len(), |at| at + rest[at..].chars().next().map_or(0, char::len_utf8));
        rest = rest[end..].trim_start_matches(is_blank);
    }
    (seconds, rest)
}

/// The first move of a text, for messages.
pub fn one_word(text: &str) -> &str {
    let skip = text.chars().next().map_or(0, char::len_utf8);
    let end = text[skip..].find(|c| mark(c).is_some()).map_or(text.len(), |at| skip + at);
    text[..end].trim_matches(is_blank)
}
