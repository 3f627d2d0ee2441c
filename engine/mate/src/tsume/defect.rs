//! What can be wrong with a problem.

use monomi_movegen::PackedMove;
use monomi_support::text::{Lang, messages, say};
use shogi_core::{Color, PieceKind, Square};
use std::fmt;

/// How serious a defect is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Allowed; for information.
    Note,
    /// A flaw (キズ): the problem is sound, but not perfect.
    Flaw,
    /// The problem is unsound (不完全作).
    Unsound,
}

/// Which other move of the attacker mates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CookKind {
    /// Another move (余詰).
    Other,
    /// Only by returning to the same position later (迂回手順).
    Detour,
    /// The same move with or without promotion (成・不成非限定).
    Promotion,
    /// The same slider dropped on another square of the line, such as farther away (以遠打).
    DropSquare,
    /// Another mate instead of the last move, at once or longer.
    LastMove,
}

/// A piece of the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProblemPiece {
    /// Its kind.
    pub kind: PieceKind,
    /// Its owner.
    pub color: Color,
    /// Its square; `None` in the attacker's hand.
    pub square: Option<Square>,
}

messages! {
    /// Something wrong with a problem, or worth to know.
    ///
    /// Its text is without the move of [`Defect::place`], which is put before it.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Defect {
        /// There is no mate (不詰).
        NoMate => "no mate", "不詰";
        /// Neither a shortest mate nor its absence could be proven within the limits.
        Undecided => "not solved within the limits", "制限内で解けません";
        /// The given solution is no line of checks that ends in mate.
        InvalidSolution => "the given solution is no mate", "与えられた手順は詰みではありません";
        /// There is a shorter mate than the given solution (早詰).
        Shorter {
            /// Plies of the shortest mate against the longest defence.
            plies: u16,
            /// Plies of the given solution.
            given: u16,
        } => "mate in {plies} instead of {given}", "早詰（{given} 手でなく {plies} 手）";
        /// The longest defence takes longer than the given solution (変長).
        Longer {
            /// Plies of the shortest mate against the longest defence.
            plies: u16,
            /// Plies of the given solution.
            given: u16,
        } =>
            "the longest defence takes {plies} plies, the given solution {given}",
            "変長（最長の受けは {plies} 手、与えられた手順は {given} 手）";
        /// The main line leaves pieces in the attacker's hand (駒余り).
        PiecesLeft => "pieces left in hand", "駒余り";
        /// Another move of the attacker mates.
        Cook {
            /// Number of the move that it replaces, from 1.
            ply: u16,
            /// The other move.
            mv: PackedMove,
            /// Plies of the mate from there on, the move included, if known.
            plies: Option<u16>,
            /// What kind of move it is.
            kind: CookKind,
        } => |lang, f| cook(*kind, *plies, lang, f);
        /// Whether another move of the attacker mates could not be decided within the limits.
        UndecidedMove {
            /// Number of the move that it would replace, from 1.
            ply: u16,
            /// The other move.
            mv: PackedMove,
        } => "not decided within the limits", "余詰の有無を制限内で判定できません";
        /// Another reply leads to a mate of the same length that leaves no piece, too (変同).
        EqualDefence {
            /// Number of the move that it replaces, from 1.
            ply: u16,
            /// The other reply.
            mv: PackedMove,
        } => "equally long defence", "変同";
        /// A piece is not needed (余分駒): in the defender's hand instead, the problem has the same main
        /// line and is as sound.
        UnneededPiece(piece: ProblemPiece) => |lang, f| {
            let name = piece_text(piece, lang);
            say!(lang, f, "unneeded piece: {name}", "余分駒: {name}")
        };
        /// Both kings are on the board (双玉).
        TwoKings => "two kings", "双玉";
        /// Some pieces are neither on the board nor in a hand.
        MissingPieces {
            /// How many.
            count: u16,
        } =>
            "{count} pieces are neither on the board nor in a hand",
            "盤にも持駒にもない駒が {count} 枚あります";
        /// The attacker's king is in check before the first move.
        KingInCheck =>
            "the attacker's king is in check before the first move",
            "初手の前から攻方の玉に王手がかかっています";
    }
}

impl Defect {
    /// How serious it is.
    pub fn severity(&self) -> Severity {
        match self {
            Self::NoMate
            | Self::Undecided
            | Self::UndecidedMove { .. }
            | Self::InvalidSolution
            | Self::Shorter { .. }
            | Self::PiecesLeft
            | Self::Cook { kind: CookKind::Other, .. } => Severity::Unsound,
            Self::Cook { kind: CookKind::LastMove, .. } | Self::TwoKings | Self::KingInCheck => {
                Severity::Note
            }
            Self::Cook { .. }
            | Self::Longer { .. }
            | Self::EqualDefence { .. }
            | Self::UnneededPiece(_)
            | Self::MissingPieces { .. } => Severity::Flaw,
        }
    }

    /// A name for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoMate => "no_mate",
            Self::Undecided => "undecided",
            Self::InvalidSolution => "invalid_solution",
            Self::Shorter { .. } => "shorter_mate",
            Self::Longer { .. } => "longer_defence",
            Self::PiecesLeft => "pieces_left",
            Self::Cook { kind: CookKind::Other, .. } => "cook",
            Self::Cook { kind: CookKind::Detour, .. } => "detour",
            Self::Cook { kind: CookKind::Promotion, .. } => "promotion",
            Self::Cook { kind: CookKind::DropSquare, .. } => "drop_square",
            Self::Cook { kind: CookKind::LastMove, .. } => "last_move",
            Self::UndecidedMove { .. } => "undecided_move",
            Self::EqualDefence { .. } => "equal_defence",
            Self::UnneededPiece(_) => "unneeded_piece",
            Self::TwoKings => "two_kings",
            Self::MissingPieces { .. } => "missing_pieces",
            Self::KingInCheck => "king_in_check",
        }
    }

    /// The number and the move that it is about.
    pub fn place(&self) -> Option<(u16, PackedMove)> {
        match self {
            Self::Cook { ply, mv, .. }
            | Self::UndecidedMove { ply, mv }
            | Self::EqualDefence { ply, mv } => Some((*ply, *mv)),
            _ => None,
        }
    }
}

fn cook(kind: CookKind, plies: Option<u16>, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match kind {
        CookKind::Other => say!(lang, f, "also mates", "余詰"),
        CookKind::Detour => say!(lang, f, "also mates by a detour", "迂回手順"),
        CookKind::Promotion => {
            say!(lang, f, "also mates (promotion is free)", "成・不成非限定")
        }
        CookKind::DropSquare => {
            say!(lang, f, "also mates (the square of the drop is free)", "打ち場所非限定・以遠打")
        }
        CookKind::LastMove if plies == Some(1) => {
            return say!(lang, f, "another last move", "最終手余詰");
        }
        CookKind::LastMove => say!(lang, f, "also mates instead of the last move", "最終手余詰"),
    }?;
    match plies {
        Some(plies) => say!(lang, f, " in {plies}", "（{plies} 手）"),
        None => Ok(()),
    }
}

fn piece_text(piece: &ProblemPiece, lang: Lang) -> String {
    const NAMES: [(&str, &str); 15] = [
        ("", ""),
        ("P", "歩"),
        ("L", "香"),
        ("N", "桂"),
        ("S", "銀"),
        ("G", "金"),
        ("B", "角"),
        ("R", "飛"),
        ("K", "玉"),
        ("+P", "と"),
        ("+L", "成香"),
        ("+N", "成桂"),
        ("+S", "成銀"),
        ("+B", "馬"),
        ("+R", "龍"),
    ];
    let (en, ja) = NAMES[piece.kind as usize % 15];
    match (piece.square, lang) {
        (Some(square), Lang::En) => {
            format!("{en} on {}{}", square.file(), char::from(b'a' + square.rank() - 1))
        }
        (Some(square), Lang::Ja) => {
            let kanji = ["一", "二", "三", "四", "五", "六", "七", "八", "九"];
            format!("{}{}{ja}", square.file(), kanji[usize::from(square.rank() - 1) % 9])
        }
        (None, Lang::En) => format!("{en} in hand"),
        (None, Lang::Ja) => format!("持駒の{ja}"),
    }
}
