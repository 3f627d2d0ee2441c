use super::*;
use crate::judge::{Material, Pieces};
use PieceKind::*;
use shogi_core::PieceKind;

/// A rook on 8h and a gold on 2h that a bishop on 5e attacks; Black plays his king to 4i.
const FORKED: &str = "4k4/9/9/9/9/9/9/1R2P2G1/4K4 b b 1";

/// Searches with given results: winning probabilities of the side to move by the moves that are left out.
#[derive(Default)]
struct Scripted {
    without: Vec<(&'static str, f64, &'static str)>,
    both: [f64; 2],
    mate: bool,
    asked: usize,
    effort: u32,
    /// The winning probability by every search with more nodes.
    again: Option<f64>,
}

fn moves(text: &str) -> Vec<PackedMove> {
    text.split_ascii_whitespace().map(|mv| mv.parse().unwrap()).collect()
}

impl Evidence for Scripted {
    fn set_effort(&mut self, times: u32) {
        self.effort = times;
    }

    fn reserve(&mut self, _: usize) {}

    fn without(&mut self, _: &Position, left_out: &[PackedMove]) -> Option<(f64, Vec<PackedMove>)> {
        self.asked += 1;
        if let Some(chance) = self.again.filter(|_| self.effort > 1) {
            return Some((chance, Vec::new()));
        }
        let known = self.without.iter().find(|(text, ..)| {
            let mut script = moves(text);
            script.sort_by_key(|mv| mv.bits());
            let mut asked = left_out.to_vec();
            asked.sort_by_key(|mv| mv.bits());
            script == asked
        });
        known.map(|&(_, chance, line)| (chance, moves(line)))
    }

    fn both(&mut self, _: &Position, _: [PackedMove; 2]) -> Option<[f64; 2]> {
        Some(self.both)
    }

    fn is_mate(&mut self, _: &Position) -> Option<bool> {
        Some(self.mate)
    }
}

/// The reason why 5i4i is bad where the reply is a bishop on 5e; without it, the opponent's winning probability is `left`.
fn fork(left: f64) -> Option<Reason> {
    let before = Position::from_sfen(FORKED).unwrap();
    let best = moves("2h3h 5a5b");
    let replies = moves("B*5e 8h7h 5e2h");
    let scene =
        Scene::of_lines((&before, moves("5i4i")[0]), &best, &replies, [0.5, 0.2, 0.2]).unwrap();
    let without = vec![("B*5e", left, "5a5b")];
    reason(&scene, &mut Scripted { without, ..Scripted::default() })
}

#[test]
fn a_claim_is_a_reason_only_if_its_counterfactual_confirms_it() {
    let found = fork(0.5).unwrap();
    assert_eq!(found.claim, "fork");
    assert_eq!(found.words[0], "△５五角の両取り（飛と金）を許す");
    assert_eq!(found.words[1], "allows the fork △B*5e of the rook on 8h and the gold on 2h");
    assert!((found.confirmed - 1.0).abs() < 1e-9);
    assert_eq!((found.squares.as_str(), line::usi(&found.moves)), ("8h 2h", "B*5e".to_owned()));
    assert!(found.of_white && found.counterfactual.ends_with(" without B*5e"), "{found:?}");
    // A little more than half of the loss, and a little less.
    assert!((fork(0.64).unwrap().confirmed - 0.16 / 0.3).abs() < 1e-9);
    assert_eq!(fork(0.66), None);
}

#[test]
fn a_claim_that_is_barely_confirmed_is_searched_again() {
    let before = Position::from_sfen(FORKED).unwrap();
    let (best, replies) = (moves("2h3h 5a5b"), moves("B*5e 8h7h 5e2h"));
    let scene =
        Scene::of_lines((&before, moves("5i4i")[0]), &best, &replies, [0.5, 0.2, 0.2]).unwrap();
    let found = |left, again| {
        let without = vec![("B*5e", left, "5a5b")];
        let mut evidence = Scripted { without, again: Some(again), ..Scripted::default() };
        reason(&scene, &mut evidence).map(|reason| reason.confirmed)
    };
    assert_eq!(found(0.62, 0.7), None);
    assert!((found(0.62, 0.62).unwrap() - 0.6).abs() < 1e-9);
    // What is clear is not searched again.
    assert!((found(0.5, 0.7).unwrap() - 1.0).abs() < 1e-9);
}

#[test]
fn a_short_best_line_is_searched_on() {
    let before = Position::from_sfen(FORKED).unwrap();
    let (best, replies) = (moves("2h3h"), moves("5a6b"));
    let scene =
        Scene::of_lines((&before, moves("5i4i")[0]), &best, &replies, [0.5, 0.2, 0.2]).unwrap();
    assert_eq!(scene.follow_up(), None);
    let without = vec![("", 0.5, "5a5b 8h8b+ 5b6c")];
    let longer = with_long_line(&scene, &mut Scripted { without, ..Scripted::default() }).unwrap();
    assert_eq!(line::usi(&longer.best_line), "2h3h 5a5b 8h8b+ 5b6c");
    assert_eq!(longer.follow_up(), moves("8h8b+").first().copied());
    // Without a search that is left, nothing is added.
    assert!(with_long_line(&scene, &mut Scripted::default()).is_none());
    assert!(with_long_line(&longer, &mut Scripted::default()).is_none());
}

/// The account of the game says that the move lost more than the search after it sees: what that search does not see is
/// not the reply's doing.
#[test]
fn what_the_search_does_not_see_confirms_nothing() {
    let before = Position::from_sfen(FORKED).unwrap();
    let (best, replies) = (moves("2h3h 5a5b"), moves("B*5e 8h7h"));
    let scene =
        Scene::of_lines((&before, moves("5i4i")[0]), &best, &replies, [0.5, 0.2, 0.45]).unwrap();
    let without = vec![("B*5e", 0.5, "5a5b")];
    assert_eq!(reason(&scene, &mut Scripted { without, ..Scripted::default() }), None);
}

#[test]
fn replies_of_the_same_kind_are_taken_away_together() {
    let claim = Claim {
        name: "any",
        group: 0,
        propose: |scene| {
            Some(Proposal {
                words: [String::new(), String::new()],
                squares: Vec::new(),
                moves: Vec::new(),
                counterfactual: Counterfactual::Replies(vec![scene.reply()?]),
            })
        },
        example: [""; 4],
    };
    let before = Position::from_sfen(FORKED).unwrap();
    let (best, replies) = (moves("2h3h 5a5b"), moves("B*5e"));
    let scene =
        Scene::of_lines((&before, moves("5i4i")[0]), &best, &replies, [0.5, 0.2, 0.2]).unwrap();
    let mut evidence = Scripted {
        without: vec![("B*5e", 0.8, "B*4d 8h7h"), ("B*5e B*4d", 0.55, "5a5b")],
        ..Scripted::default()
    };
    let found = confirmed(&claim, &scene, &mut evidence).unwrap();
    assert!((found.confirmed - 0.25 / 0.3).abs() < 1e-9);
    assert_eq!(evidence.asked, 2);
    // The third one would have to be refuted as well.
    let without = vec![
        ("B*5e", 0.8, "B*4d"),
        ("B*5e B*4d", 0.8, "B*3c"),
        ("B*5e B*4d B*3c", 0.8, "B*2b"),
        ("B*5e B*4d B*3c B*2b", 0.0, "5a5b"),
    ];
    let mut evidence = Scripted { without, ..Scripted::default() };
    assert_eq!(confirmed(&claim, &scene, &mut evidence), None);
    assert_eq!(evidence.asked, 3);
}

/// Where one side is much better after the change, the winning probabilities of all moves are nearly the same; that alone
/// confirms nothing.
#[test]
fn a_won_position_is_no_confirmation() {
    let before = Position::from_sfen(FORKED).unwrap();
    let (best, replies) = (moves("2h3h 5a5b"), moves("B*5e"));
    let scene =
        Scene::of_lines((&before, moves("5i4i")[0]), &best, &replies, [0.5, 0.2, 0.2]).unwrap();
    let elsewhere = Counterfactual::Elsewhere(Box::new(before.clone()));
    let share = |both| {
        let mut evidence = Scripted { both, ..Scripted::default() };
        elsewhere.test(&scene, &mut evidence).unwrap().share
    };
    assert!(share([0.5, 0.2]).abs() < 0.01);
    // 99.6 % to 98.4 % is the same difference of scores.
    assert!(share([0.996, 0.9842]).abs() < 0.03, "{}", share([0.996, 0.9842]));
    assert!((share([0.99, 0.99]) - 1.0).abs() < 1e-9);
}

fn mates(plies: usize, by_checks: bool, was_threatened: bool) -> [String; 2] {
    let before = Position::from_sfen(FORKED).unwrap();
    let (best, replies) = (moves("2h3h"), moves("B*5e"));
    let mut scene =
        Scene::of_lines((&before, moves("5i4i")[0]), &best, &replies, [0.5, 0.0, 0.0]).unwrap();
    (scene.mate, scene.by_checks, scene.was_threatened) = (Some(plies), by_checks, was_threatened);
    reason(&scene, &mut Scripted::default()).unwrap().words
}

#[test]
fn mates_are_named_without_a_search() {
    assert_eq!(
        mates(3, true, true),
        ["詰めろを受けず3手詰", "does not parry the threatmate: mate in 3"]
    );
    assert_eq!(mates(5, true, false), ["5手詰を許す", "allows mate in 5"]);
    assert_eq!(mates(9, false, false), ["9手で詰まされる", "allows a forced mate in 9"]);
}

#[test]
fn an_escape_square_is_closed_only_if_there_is_no_mate_without_the_piece() {
    let before = Position::from_sfen("4k4/9/9/9/9/9/9/9/4KG3 b r 1").unwrap();
    let (best, replies) = (moves("4i3i"), moves("R*5b"));
    let mut scene =
        Scene::of_lines((&before, moves("4i4h")[0]), &best, &replies, [0.5, 0.0, 0.0]).unwrap();
    (scene.mate, scene.by_checks) = (Some(5), true);
    let claim = |mate| reason(&scene, &mut Scripted { mate, ..Scripted::default() }).unwrap().claim;
    assert_eq!((claim(false).as_str(), claim(true).as_str()), ("escape-closed", "mate"));
}

#[test]
fn what_the_best_line_loses_as_well_is_not_lost_by_the_move() {
    let before = Position::from_sfen(FORKED).unwrap();
    let (best, replies) = (moves("2h3h"), moves("B*5e"));
    let scene =
        Scene::of_lines((&before, moves("5i4i")[0]), &best, &replies, [0.5, 0.2, 0.2]).unwrap();
    let line = |pieces: &[(PieceKind, i8)]| {
        let pieces = Pieces::of(pieces);
        Material { pieces, balance: pieces.worth(), ..Material::default() }
    };
    let of = |kept: &[(PieceKind, i8)], could: &[(PieceKind, i8)]| {
        let scene = Scene { kept: line(kept), could: line(could), ..scene.clone() };
        (scene.lost(), scene.missed())
    };
    let silver = |count| Pieces::of(&[(Silver, count)]);
    assert_eq!(of(&[(Silver, -1)], &[]), (Some(silver(-1)), None));
    assert_eq!(of(&[(Silver, -1)], &[(Silver, -1)]), (None, None));
    assert_eq!(of(&[(Silver, -1), (Knight, -1)], &[(Knight, -1)]), (Some(silver(-1)), None));
    assert_eq!(of(&[], &[(Silver, 1)]), (None, Some(silver(1))));
    assert_eq!(of(&[(Silver, 1)], &[(Silver, 1)]), (None, None));
    // A pawn or two are no reason.
    assert_eq!(of(&[(Pawn, -2)], &[]), (None, None));
}

/// Each claim says of its example what it is to say.
#[test]
fn claims_say_of_their_examples_what_they_are_to_say() {
    for claim in CLAIMS.iter().copied().flatten() {
        let [sfen, best, played, words] = claim.example;
        if sfen.is_empty() {
            continue;
        }
        let before = Position::from_sfen(sfen).unwrap();
        let (best, line) = (moves(best), moves(played));
        let scene =
            Scene::of_lines((&before, line[0]), &best, &line[1..], [0.5, 0.2, 0.2]).unwrap();
        let said = (claim.propose)(&scene).map(|proposal| proposal.words[0].clone());
        assert_eq!(said.as_deref(), Some(words), "{}", claim.name);
    }
}

#[test]
fn results_with_reasons_can_be_stored() {
    let explanation = Explanation {
        reason: fork(0.5),
        plan: Some(["次に▲４五桂".to_owned(), "prepares N-4e".to_owned()]),
    };
    let text = serde_json::to_string(&explanation).unwrap();
    assert_eq!(serde_json::from_str::<Explanation>(&text).unwrap(), explanation);
}
