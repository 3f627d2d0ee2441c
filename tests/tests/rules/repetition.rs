//! Repetition compared with a simple record of the game: positions as text, and who gave check.

use monomi_movegen::square::HAND_KINDS;
use monomi_movegen::{PackedMove, Position, Repetition};
use shogi_core::{Color, Hand};
use tests::data;
use tests::games::{Random, random_move};

/// One position of a game.
struct Entry {
    /// Board and side to move as sfen writes them.
    board: String,
    hands: [Hand; 2],
    /// Whether the move that led here gave check.
    check: bool,
}

/// The game since its start or the last null move.
#[derive(Default)]
struct Record(Vec<Entry>);

impl Record {
    fn add(&mut self, position: &Position) {
        let sfen = position.to_sfen();
        let board: Vec<&str> = sfen.split(' ').take(2).collect();
        self.0.push(Entry {
            board: board.join(" "),
            hands: [position.hand(Color::Black), position.hand(Color::White)],
            check: position.in_check(),
        });
    }

    /// The result for the side to move of a cycle from entry `first` to the last one.
    fn verdict(&self, first: usize) -> Repetition {
        let moves = &self.0[first + 1..];
        // The last move was the opponent's, the one before it ours.
        let all_checks = |skip| moves.iter().rev().skip(skip).step_by(2).all(|entry| entry.check);
        match (all_checks(0), all_checks(1)) {
            (_, true) => Repetition::Lose,
            (true, _) => Repetition::Win,
            _ => Repetition::Draw,
        }
    }

    fn repeated(&self, times: usize) -> Option<Repetition> {
        let last = self.0.last()?;
        let same = |entry: &Entry| entry.board == last.board && entry.hands == last.hands;
        let first = (0..self.0.len()).rev().filter(|&i| same(&self.0[i])).nth(times - 1)?;
        Some(self.verdict(first))
    }

    /// How a line of a search ends whose root is `ply` plies back: at the fourth occurrence of a
    /// position; at a repetition of a position after the root; at the third occurrence of any.
    fn in_search(&self, side: usize, ply: usize) -> Option<Repetition> {
        let (last, before) = self.0.split_last()?;
        let covers = |a: Hand, b: Hand| HAND_KINDS.iter().all(|&k| a.count(k) >= b.count(k));
        let relation = |i: usize| {
            let (now, then) = (last.hands[side], before[i].hands[side]);
            match (covers(now, then), covers(then, now)) {
                (true, true) => Some(self.verdict(i)),
                (true, false) => Some(Repetition::Superior),
                (false, true) => Some(Repetition::Inferior),
                (false, false) => None,
            }
        };
        let same_board = || (0..before.len()).rev().filter(|&i| before[i].board == last.board);
        let in_tree = same_board().filter(|&i| before.len() - i < ply).find_map(relation);
        self.repeated(4).or(in_tree).or_else(|| self.repeated(3))
    }
}

/// Often the reverse of the own last move, so that positions repeat; otherwise a random move.
fn wavering_move(
    position: &mut Position,
    own_last: Option<PackedMove>,
    random: &mut Random,
) -> Option<PackedMove> {
    if let Some(mv) = own_last
        && let Some(from) = mv.from_square()
        && random.below(10) < 7
    {
        let back = PackedMove::normal(mv.to(), from, false);
        if position.is_legal(back) {
            return Some(back);
        }
    }
    random_move(position, random)
}

#[test]
fn random_games_of_few_pieces() {
    let starts = [
        "4k4/9/9/9/3R5/9/9/9/4K4 b Gg 1",
        "4k4/9/4p4/9/9/9/4P4/9/4K4 w Bg 1",
        "3k5/9/9/9/9/9/9/9/2R1K4 b - 1",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "9/4k4/9/9/9/9/9/4K4/9 b PGpg 1",
    ];
    let games = if data::full() { 6000 } else { 600 };
    let mut seen = [0; 5];
    let mut fourfold = [0; 3];
    let mut history = [0; 2];
    for (seed, sfen) in starts.into_iter().enumerate() {
        let mut random = Random::new(1000 + seed as u64);
        for _ in 0..games {
            let mut position = Position::from_sfen(sfen).unwrap();
            let mut record = Record::default();
            record.add(&position);
            let mut line = vec![None, None];
            for _ in 0..80 {
                if random.below(40) == 0 && !position.in_check() {
                    position.do_null_move();
                    record = Record::default();
                    line.push(None);
                } else {
                    let own_last = line[line.len() - 2];
                    let Some(mv) = wavering_move(&mut position, own_last, &mut random) else {
                        break;
                    };
                    position.do_move(mv);
                    line.push(Some(mv));
                }
                record.add(&position);
                let side = usize::from(position.side_to_move() == Color::White);
                for ply in [0, 1, 4, 5, 6, 8, 16, usize::MAX] {
                    let expected = record.in_search(side, ply);
                    let found = position.repetition_in_search(ply);
                    assert_eq!(found, expected, "{ply}: {line:?} from {sfen}");
                    if let Some(found) = expected.filter(|_| ply == usize::MAX) {
                        seen[found as usize] += 1;
                    }
                    history[usize::from(ply == 0 && expected.is_some())] += 1;
                }
                let mut repeated = position.repeated_positions(2);
                repeated.retain(|&(key, _)| key == position.key());
                let times = (2..).take_while(|&times| record.repeated(times).is_some()).last();
                assert_eq!(
                    repeated.first().map(|&(_, times)| times),
                    times,
                    "{line:?} from {sfen}"
                );
                for times in 2..=4 {
                    let expected = record.repeated(times);
                    assert_eq!(position.repeated(times), expected, "{times}: {line:?} from {sfen}");
                    if times == 4
                        && let Some(found) = expected
                    {
                        fourfold[found as usize] += 1;
                    }
                }
            }
        }
    }
    tests::report(&format!("draw, win, lose, superior, inferior {seen:?}; fourfold {fourfold:?}"));
    assert!(
        seen.iter().all(|&n| n > 20) && fourfold.iter().all(|&n| n > 5) && history[1] > 100,
        "{seen:?} {fourfold:?} {history:?}"
    );
}

fn play(sfen: &str, moves: &str) -> Position {
    let mut position = Position::from_sfen(sfen).unwrap();
    for token in moves.split(' ') {
        let mv: PackedMove = token.parse().unwrap();
        assert!(position.is_legal(mv), "{token} in {}", position.to_sfen());
        position.do_move(mv);
    }
    position
}

#[test]
fn fourfold_by_hand() {
    let shuffle = "2h3h 8b7b 3h2h 7b8b";
    let thrice = play("startpos", &[shuffle; 2].join(" "));
    assert_eq!((thrice.repeated(3), thrice.repeated(4)), (Some(Repetition::Draw), None));
    let four = play("startpos", &[shuffle; 3].join(" "));
    assert_eq!(four.repeated(4), Some(Repetition::Draw));

    // The rook chases the king up and down: the checker loses, whoever is to move.
    let start = "9/9/9/9/4k4/9/9/9/R3K4 b - 1";
    let chase = "9i9e 5e5d 9e9d 5d5e 9d9e 5e5d 9e9d 5d5e 9d9e 5e5d 9e9d 5d5e 9d9e 5e5d 9e9d";
    let chased = play(start, chase);
    assert_eq!(chased.repeated(4), Some(Repetition::Win));
    let checker = play(start, &format!("{chase} 5d5e"));
    assert_eq!(checker.repeated(4), Some(Repetition::Lose));
    // With one quiet move in the cycle it is a draw.
    let quiet = "9i9e 5e5d 9e9d 5d5e 9d8d 5e5f 8d9d 5f5e ";
    let twice = play(start, &format!("{quiet}9d9e 5e5d 9e9d 5d5e"));
    // Three occurrences, the last two of them four plies apart.
    assert_eq!(twice.repeated(3), Some(Repetition::Draw));
    assert_eq!(twice.repetition_in_search(4), Some(Repetition::Draw));
    assert_eq!(twice.repetition_in_search(5), Some(Repetition::Lose));
}

#[test]
fn one_occurrence_in_the_game_does_not_end_a_line_of_the_search() {
    let shuffle = "2h3h 8b7b 3h2h 7b8b";
    let once = play("startpos", shuffle);
    assert_eq!([0, 4, 5].map(|ply| once.repetition_in_search(ply).is_some()), [false, false, true]);
    let twice = play("startpos", &[shuffle; 2].join(" "));
    assert_eq!(twice.repetition_in_search(0), Some(Repetition::Draw));
    assert!(Position::startpos().repeated_positions(2).is_empty());
    assert_eq!(once.repeated_positions(2), [(once.key(), 2)]);
    assert_eq!(twice.repeated_positions(3), [(twice.key(), 3)]);
    assert_eq!(twice.repeated_positions(2).len(), 4);
}

#[test]
fn hands_make_superior_and_inferior() {
    // Black loses a pawn and the board repeats.
    let start = "4k4/9/9/9/9/9/9/9/4K4 b 2P 1";
    let poorer = play(start, "5i5h 5a4a P*4b 4a4b 5h5i 4b5a");
    assert_eq!(poorer.repetition_in_search(7), Some(Repetition::Inferior));
    assert_eq!(poorer.repetition_in_search(6), None);
    let richer = play(start, "5i5h 5a4a P*4b 4a4b 5h5i 4b5a 5i5h");
    assert_eq!(richer.repetition_in_search(7), Some(Repetition::Superior));
    assert_eq!(richer.repetition_in_search(6), None);
}
