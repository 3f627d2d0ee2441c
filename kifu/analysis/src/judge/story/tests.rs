use super::*;

fn both(story: &Story) -> [String; 2] {
    [Lang::En, Lang::Ja].map(|lang| story.in_lang(lang).to_string())
}

/// The story of a game in which Black moves first, from its curve in percent.
fn told(black: &[i32], loser: Option<(Color, Defeat)>) -> Story {
    let black = black.iter().map(|&percent| f64::from(percent) / 100.0).collect();
    let name = |_| ("▲４三と".to_owned(), Some("▲５二金".to_owned()));
    tell(&Curve::new(black, Color::Black), loser, false, name)
}

const BLACK: Option<(Color, Defeat)> = Some((Color::Black, Defeat::Resignation));

#[test]
fn moves_can_be_left_open() {
    let mut story = told(&[50, 50, 50, 20, 20, 10], BLACK);
    let names = both(&story);
    assert_eq!(story.leave_moves_open(), Some(2));
    let open = both(&story);
    let filled = open
        .each_ref()
        .map(|text| text.replacen("{played}", "▲４三と", 1).replacen("{better}", "▲５二金", 1));
    assert!(open != names && filled == names, "{open:?}");
    assert_eq!(told(&[50, 50, 50], None).leave_moves_open(), None);
}

#[test]
fn stories_are_told_in_both_languages() {
    let cases: [(&[i32], _, [&str; 2]); 9] = [
        (
            &[50, 82, 82, 40, 40, 30, 10],
            BLACK,
            [
                "Black was ahead until move 3 (▲４三と, 82 % to 40 %); ▲５二金 kept the advantage.",
                "先手は3手目▲４三と（勝率82％→40％）まで優勢だった。▲５二金なら優勢を保っていた。",
            ],
        ),
        (
            &[50, 50, 50, 20, 20, 10],
            BLACK,
            [
                "The game was even until move 3 (▲４三と, 50 % to 20 %); ▲５二金 kept the balance.",
                "3手目▲４三と（先手の勝率50％→20％）まで互角だった。▲５二金なら互角を保っていた。",
            ],
        ),
        (
            &[30, 30, 30, 10, 10, 5],
            BLACK,
            [
                "Black was behind, and lost the last chance with move 3 (▲４三と, 30 % to 10 %); ▲５二金 was better.",
                "先手は苦しい形勢から、3手目▲４三と（勝率30％→10％）で最後のチャンスを逃した。▲５二金のほうがよかった。",
            ],
        ),
        // Black was winning for six moves, lost that in small steps, and the largest of them was the last.
        (
            &[
                50, 90, 90, 97, 96, 93, 91, 82, 82, 73, 73, 64, 64, 55, 55, 46, 46, 37, 37, 12, 12,
                5,
            ],
            BLACK,
            [
                "Black had winning chances of 85 % or more for 6 moves in all (97 % after move 3). \
                 The lead changed hands for good at move 15 (Black 55 % to 46 %). \
                 Black lost the last chance with move 19 (▲４三と, 37 % to 12 %); ▲５二金 was better.",
                "先手は計6手にわたり勝率85％以上だった（最高は3手目の97％）。\
                 先手は15手目（勝率55％→46％）で逆転を許し、その後は優位に立てなかった。\
                 先手は19手目▲４三と（勝率37％→12％）で最後のチャンスを逃した。▲５二金のほうがよかった。",
            ],
        ),
        // Both were winning once.
        (
            &[50, 50, 97, 15, 15, 55, 55, 10, 10],
            BLACK,
            [
                "Black had winning chances of up to 97 % (after move 2). \
                 White had winning chances of 85 % or more for 2 moves in all (85 % after move 3). \
                 Black lost the last chance with move 7 (▲４三と, 55 % to 10 %); ▲５二金 kept the balance.",
                "先手の勝率は一時97％（2手目）に達していた。\
                 後手は計2手にわたり勝率85％以上だった（最高は3手目の85％）。\
                 先手は7手目▲４三と（勝率55％→10％）で最後のチャンスを逃した。▲５二金なら互角を保っていた。",
            ],
        ),
        // White led, but was not winning.
        (
            &[50, 50, 50, 22, 22, 55, 55, 10, 10],
            BLACK,
            [
                "White had winning chances of up to 78 % (after move 3). \
                 Black lost the game with move 7 (▲４三と, 55 % to 10 %); ▲５二金 kept the balance.",
                "後手の勝率は一時78％（3手目）に達していた。\
                 先手の敗着は7手目▲４三と（勝率55％→10％）だった。▲５二金なら互角を保っていた。",
            ],
        ),
        (
            &[90, 90, 90, 100, 100],
            BLACK,
            [
                "Black resigned although winning (winning chances of 100 %).",
                "先手は勝勢（勝率100％）の局面で投了した。",
            ],
        ),
        (
            &[50, 20, 62],
            Some((Color::Black, Defeat::Time)),
            [
                "White had winning chances of up to 80 % (after move 1). \
                 Black lost on time with winning chances of 62 %.",
                "後手の勝率は一時80％（1手目）に達していた。先手は勝率62％の局面で時間切れ負けになった。",
            ],
        ),
        (
            &[20, 20, 18, 18, 12],
            BLACK,
            [
                "Black was behind from the start; no single move decided the game.",
                "先手は最初から苦しかった。はっきりした敗着はない。",
            ],
        ),
    ];
    for (curve, loser, texts) in cases {
        assert_eq!(both(&told(curve, loser)), texts);
    }
    let open = Story {
        leads: Vec::new(),
        turn: None,
        outcome: Outcome::Open(Side { color: Color::Black, handicap: true }, 0.6),
    };
    let [en, ja] = both(&open);
    assert_eq!(en, "The game was open at its end (Black 60 %, White 40 %).");
    assert_eq!(ja, "最終局面では勝負がついていない（下手60％、上手40％）。");
    let upper = Side { color: Color::White, handicap: true };
    assert_eq!(upper.in_lang(Lang::Ja).to_string(), "上手");
}

/// What a text says between two parts of it, read as numbers.
fn numbers(text: &str, before: &str, after: &str) -> Vec<f64> {
    let Some((_, rest)) = text.split_once(before) else { return Vec::new() };
    let part = rest.split(after).next().unwrap_or_default();
    all_numbers(part)
}

fn all_numbers(text: &str) -> Vec<f64> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

/// Reads a story in English and compares every sentence of it with the curve.
fn contradiction(text: &str, black: &[f64], loser: Option<Color>) -> Option<String> {
    let end = black.len() - 1;
    let of = |side: &str| -> Vec<f64> {
        let own = |&black: &f64| if side == "Black" { black } else { 1.0 - black };
        black.iter().map(own).collect()
    };
    let hundred = |chance: f64| (chance * 100.0).round();
    let long = |chances: &[f64]| chances.iter().filter(|&&chance| chance >= 0.85).count() > 5;
    let check = |is_right: bool, what: &str| (!is_right).then(|| what.to_owned());
    // The move that the story names: the game until then is what the other sentences are about.
    let named = [" until move ", " with move "]
        .iter()
        .find_map(|words| numbers(text, words, " %)").first().copied());
    let until = named.map_or(end, |number| number as usize - 1);
    let turn = numbers(text, "for good at move ", " (").first().map(|&number| number as usize - 1);
    for (side, other) in [("Black", "White"), ("White", "Black")] {
        let own = of(side);
        let color = if side == "Black" { Color::Black } else { Color::White };
        let says = |words: &str| text.contains(&format!("{side} {words}"));
        if says("was behind") && own[..=until].iter().any(|&chance| chance >= 0.6) {
            return Some(format!("{side} was not behind"));
        }
        if says("was behind from the start") && own.iter().any(|&chance| chance > 0.5) {
            return Some(format!("{side} was not always behind"));
        }
        // A clear lead before the decision is named.
        let told = says("had winning chances of 85 %") || says("resigned although winning");
        if long(&own[..=until]) && !told && loser != Some(color.flip()) {
            return Some(format!("{side} was winning for long"));
        }
        if let Some(rest) = text.split_once(&format!("{side} had winning chances of ")) {
            let said = all_numbers(rest.1.split(')').next().unwrap_or_default());
            let (most, ply) = match (said.as_slice(), rest.1.starts_with("up to")) {
                ([most, ply], true) => (*most, *ply as usize),
                ([most], true) => (*most, 0),
                ([_, moves, most, ply @ ..], false) => {
                    let count = |until: usize| {
                        own[..=until].iter().filter(|&&chance| chance >= 0.85).count()
                    };
                    if !(0..=end).any(|until| count(until) as f64 == *moves) {
                        return Some(format!("{side} was not winning for {moves} moves"));
                    }
                    (*most, ply.first().map_or(0, |&ply| ply as usize))
                }
                said => return Some(format!("{side}: {said:?}")),
            };
            // Without a decisive move the winner's earlier lead counts until the lead changed hands.
            let ends = [Some(until), turn.filter(|_| named.is_none())].into_iter().flatten();
            let is_most = |end: usize| own[..=end].iter().all(|&c| hundred(c) <= most);
            if hundred(own[ply]) != most || !ends.into_iter().any(is_most) {
                return Some(format!("{side} had not {most} % after move {ply}"));
            }
        }
        for words in
            ["was ahead until move ", "was winning until move ", "lost the last chance with move "]
        {
            let Some(number) = numbers(text, words, " (").first().copied() else { continue };
            if !says(words) && !text.contains(&format!("{side} was behind, and {words}")) {
                continue;
            }
            let at = number as usize - 1;
            let fine = match words {
                "lost the last chance with move " => {
                    own[at + 1..].iter().all(|&later| later < own[at] || hundred(later) <= 15.0)
                }
                "was winning until move " => own[at] >= 0.85,
                _ => own[at] >= 0.6,
            };
            if !fine {
                return Some(format!("{side} {words}{number}"));
            }
            // The other side had led before, or was winning for long.
            let led = of(other)[..=at].iter().any(|&chance| chance >= 0.75);
            if words != "lost the last chance with move "
                && led
                && !text.contains(&format!("{other} had winning chances"))
            {
                return Some(format!("{other} led before"));
            }
        }
        if let Some((_, rest)) = text.split_once("The lead changed hands for good at move ")
            && let said = all_numbers(rest.split(')').next().unwrap_or_default())
            && rest.contains(&format!("({side} "))
        {
            let at = said[0] as usize - 1;
            let last = own[at] > 0.5 && own[at + 1..].iter().all(|&chance| chance <= 0.5);
            if !last || said[1..] != [hundred(own[at]), hundred(own[at + 1])] {
                return Some("the lead did not change there".to_owned());
            }
        } else if says("was ahead until") || says("was winning until") {
            // Without that sentence the move itself ended the lead.
            let later = own[until + 1..end.max(until + 1)].iter().any(|&chance| chance > 0.5);
            if later {
                return Some(format!("{side} led again"));
            }
        }
    }
    if text.contains("even until") {
        let even = black[..=until].iter().all(|&chance| chance > 0.25 && chance < 0.75);
        if let Some(what) = check(even, "it was not even") {
            return Some(what);
        }
    }
    None
}

/// On curves of all kinds: in steps and jumps, won and lost, with errors of both sides or of nobody.
#[test]
fn no_sentence_contradicts_the_curve() {
    let mut random = fastrand::Rng::with_seed(67);
    let mut sentences = std::collections::BTreeMap::new();
    for number in 0..30_000 {
        let length = random.usize(1..140);
        let (step, jumps) = (random.f64(), random.f64() * 0.2);
        // Usually only the side that moves loses something, as in the account of a game.
        let account = random.u8(0..4) > 0;
        let mut value = random.f64() * if random.bool() { 0.5 } else { 5.0 } - 1.0;
        let mut black = Vec::new();
        for ply in 0..=length {
            black.push(1.0 / (1.0 + f64::exp(-value)));
            let change =
                random.f64() * step + if random.f64() < jumps { random.f64() * 7.0 } else { 0.0 };
            let falls = if account { ply % 2 == 0 } else { random.bool() };
            value += if falls { -change } else { change };
        }
        let defeats = [Defeat::Resignation, Defeat::Time, Defeat::Rules, Defeat::Mate];
        let loser = match random.u8(0..4) {
            0 => None,
            1 => Some((Color::Black, random.choice(defeats).unwrap())),
            2 => Some((Color::White, random.choice(defeats).unwrap())),
            // The one who is behind.
            _ if black[length] < 0.5 => Some((Color::Black, Defeat::Resignation)),
            _ => Some((Color::White, Defeat::Resignation)),
        };
        let name = |at| ("▲x".to_owned(), (at % 3 > 0).then(|| "▲y".to_owned()));
        let story = tell(&Curve::new(black.clone(), Color::Black), loser, false, name);
        let [en, ja] = both(&story);
        let lost = loser.map(|(loser, _)| loser);
        if let Some(what) = contradiction(
            &en,
            &black,
            lost.or_else(|| {
                Color::all().into_iter().find(|color| {
                    let end = black[length];
                    (if *color == Color::Black { end } else { 1.0 - end }) <= 0.3
                })
            }),
        ) {
            panic!("game {number}: {what}: {en}\n{black:.2?} {loser:?}");
        }
        let sorted = |text: &str| {
            let mut all = all_numbers(text);
            all.sort_by(f64::total_cmp);
            all
        };
        assert_eq!(sorted(&en), sorted(&ja), "{en} {ja}");
        if let Some((loser, _)) = loser {
            let lost = Side { color: loser, handicap: false }.in_lang(Lang::En).to_string();
            assert!(en.contains(&lost) || en.starts_with("The game was even"), "{en}");
        }
        let words: String = en.chars().filter(|c| !c.is_ascii_digit()).collect();
        for sentence in words.split_inclusive(['.', ';', '(']) {
            *sentences.entry(sentence.trim().to_owned()).or_insert(0) += 1;
        }
    }
    // Every kind of story occurred.
    for words in [
        "even until",
        "was ahead until",
        "was winning until",
        "lost the last chance",
        "was behind,",
        "fell behind gradually",
        "from the start",
        "No single mistake",
        "lost the game with",
        "changed hands",
        "had winning chances of up",
        "or more for",
        "resigned although",
        "was open",
    ] {
        let count: i32 =
            sentences.iter().filter(|(text, _)| text.contains(words)).map(|(_, n)| n).sum();
        assert!(count > 20, "{words}: {count} in {sentences:#?}");
    }
}
