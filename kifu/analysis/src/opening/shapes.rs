//! The shapes of pieces by which openings are recognised.

use shogi_core::PieceKind;

/// Plies in which openings are recognised.
pub(super) const PLIES: usize = 40;
/// Plies in which what builds up slowly is recognised: the silver of a bishop exchange opening, say.
pub(super) const LATE: usize = 60;

/// Pieces of one side by which an opening is recognised.
pub(super) struct Shape {
    pub(super) ja: &'static str,
    pub(super) en: &'static str,
    /// Last ply at which it counts.
    pub(super) until: usize,
    pub(super) pieces: &'static [(PieceKind, u8, u8)],
}

/// The shapes, as indices of [`SHAPES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    DemonSlayer,
    CornerPawn,
    Pacman,
    DifferentDiagonal,
    Ureshino,
    Duck,
    Snipe,
    Subway,
    TwistedRook,
    Fujii,
    Horns,
    QuickIshida,
    Ishida,
    CentralOpen,
    RightKing,
    SnowRoof,
    Fortress,
    Climbing26,
    Climbing27,
    Rapid,
    Reclining,
    Knight45,
    Waki46,
    SideBishop,
    SideRook85,
    SideBishop45,
    SideRook34,
    Aono,
}

/// In the order of [`Known`].
pub(super) const SHAPES: [Shape; 28] = {
    use PieceKind::{Bishop, Gold, King, Knight, Lance, Pawn, Rook, Silver};
    const fn shape(
        ja: &'static str,
        en: &'static str,
        until: usize,
        pieces: &'static [(PieceKind, u8, u8)],
    ) -> Shape {
        Shape { ja, en, until, pieces }
    }
    [
        shape("鬼殺し", "Demon Slayer", 6, &[(Knight, 7, 7), (Bishop, 8, 8), (Pawn, 7, 6)]),
        shape("角頭歩戦法", "Bishop-Head Pawn", 8, &[(Pawn, 8, 6), (Bishop, 8, 8), (Pawn, 7, 6)]),
        shape("パックマン戦法", "Pac-Man", 3, &[(Pawn, 6, 6), (Pawn, 7, 7)]),
        shape("筋違い角", "Off-Diagonal Bishop", 9, &[(Bishop, 4, 5)]),
        shape("嬉野流", "Ureshino Style", 14, &[(Silver, 6, 8), (Bishop, 7, 9), (Pawn, 7, 7)]),
        shape(
            "アヒル戦法",
            "Duck",
            PLIES,
            &[(King, 5, 8), (Silver, 6, 8), (Silver, 4, 8), (Gold, 7, 9), (Gold, 3, 9)],
        ),
        shape("雀刺し", "Sparrow Spearing", LATE, &[(Rook, 1, 8), (Lance, 1, 7)]),
        shape("地下鉄飛車", "Subway Rook", LATE, &[(Rook, 8, 9), (Knight, 7, 7)]),
        shape("ひねり飛車", "Twisted Rook", PLIES, &[(Rook, 7, 6), (Pawn, 7, 7)]),
        shape(
            "藤井システム",
            "Fujii System",
            34,
            &[(Rook, 6, 8), (King, 5, 9), (Silver, 3, 8), (Pawn, 4, 6)],
        ),
        shape(
            "ツノ銀中飛車",
            "Silver Horn Central Rook",
            LATE,
            &[(Rook, 5, 8), (Silver, 6, 7), (Silver, 4, 7)],
        ),
        shape("早石田", "Quick Ishida", 12, &[(Rook, 7, 8), (Pawn, 7, 5), (Pawn, 6, 7)]),
        shape("石田流", "Ishida Style", LATE, &[(Rook, 7, 6), (Pawn, 7, 5)]),
        shape(
            "ゴキゲン中飛車",
            "Cheerful Central Rook",
            16,
            &[(Rook, 5, 8), (Pawn, 7, 6), (Pawn, 6, 7), (Bishop, 8, 8)],
        ),
        shape("右玉", "Right King", LATE, &[(King, 3, 8), (Gold, 4, 8), (Knight, 3, 7)]),
        shape("雁木", "Snow Roof", PLIES, &[(Silver, 6, 7), (Pawn, 6, 6), (Gold, 7, 8)]),
        shape("矢倉", "Fortress", PLIES, &[(Silver, 7, 7), (Pawn, 6, 6), (Gold, 7, 8)]),
        shape("棒銀", "Climbing Silver", 30, &[(Silver, 2, 6)]),
        shape("棒銀", "Climbing Silver", 30, &[(Silver, 2, 7)]),
        shape("早繰り銀", "Rapid Silver", LATE, &[(Silver, 4, 6), (Pawn, 3, 6)]),
        shape("腰掛け銀", "Reclining Silver", LATE, &[(Silver, 5, 6), (Pawn, 4, 6)]),
        shape("４五桂速攻", "Quick Knight", 36, &[(Knight, 4, 5), (Pawn, 4, 6)]),
        shape("脇システム", "Waki System", LATE, &[(Bishop, 4, 6), (Silver, 7, 7), (Gold, 7, 8)]),
        shape("３三角型", "Bishop on 3c", PLIES, &[(Bishop, 7, 7)]),
        shape("８五飛戦法", "Rook on 8e", PLIES, &[(Rook, 2, 5)]),
        shape("４五角戦法", "Bishop on 4e", PLIES, &[(Bishop, 6, 5)]),
        shape("相横歩取り", "Mutual Side Pawn Capture", PLIES, &[(Rook, 3, 4)]),
        shape("青野流", "Aono Style", LATE, &[(Rook, 3, 4), (Knight, 3, 7)]),
    ]
};
