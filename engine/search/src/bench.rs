//! The bench: searches a fixed set of positions to a fixed depth and counts the nodes.
//!
//! The node count identifies the behaviour of the search. It is the same on every machine and in
//! debug and release builds. If a change alters it, it changes how the engine plays.

use crate::limits::{Limits, SearchOptions};
use crate::report::{BestMove, SearchResult, Silent};
use crate::searcher::{Searcher, ThreadsError};
use crate::signals::Signals;
use monomi_eval::Evaluation;
use monomi_movegen::Position;
use monomi_support::host::Instant;
use monomi_support::memory::NotEnoughMemory;
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;
use std::time::Duration;

/// Depth of `monomi bench` in plies.
pub const DEPTH: u32 = 12;
/// Size of the table for `monomi bench` in mebibytes.
pub const HASH_MIB: usize = 16;

/// The positions: openings, attacks with full hands, checks and evasions, mates, entering kings,
/// endgames without mating material.
pub const POSITIONS: [&str; 40] = [
    // Start positions, even and handicap.
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "1nsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    // Openings.
    "ln1g3nl/1r1s1kg2/p1p1ppsp1/3p2p1p/1p5P1/2P2PP1P/PPSPPS3/3K3R1/LN1G1G1NL w Bb 24",
    "l2gk2nl/1r1s2g2/p1nppsbpp/2p2pp2/1p5P1/2PPP1P2/PPS2P2P/1BG1GS1R1/LN1K3NL w - 24",
    "l2gk1snl/1rs3gb1/p1n1pp2p/2pp2R2/1p7/1PP5P/P1SPPPP2/2G6/LNB1KGSNL w 3P 24",
    "ln1g1kgnl/1r1s1s1b1/p1pp1ppp1/1p2p3p/9/2PP4P/PP2PPPP1/1BSR3K1/LN1G1GSNL b - 1",
    "l2r3nl/1kg1g4/1sn1p1bp1/ppp1s1p1p/3p1p1P1/P1PPP1P1P/1PSG1PB2/LSG4R1/KN5NL b - 1",
    "lr5nl/3gk1g2/2n1pp1p1/p1ppssp1p/1p3N1P1/P1PPSPP1P/1PS1P4/1KG2G3/LN5RL w Bb 1",
    // Middle games.
    "1n1r3nl/l4ggk1/4spsp1/p1Ppp1p2/3P1P1Pp/P1G1PB3/1P1S1SN1P/1K2G4/LN1R4L w Pb2p 1",
    "ln6l/5sk1P/2bg1snpp/p1p1bp3/1+r1Pp1P2/P2N1P2L/5SNP1/2P2G1K1/L4G3 w RG4Psp 1",
    "ln2k3l/1rg6/3pppgp1/p2s3bp/5sp2/P1pSB4/1P1PPP2P/2GKG4/LN5RL b NPsn3p 1",
    "p3r2nl/2gk2g2/Np1s2sp1/B1P2pp2/2ppp3p/1P1P1S3/LSL1PPN1P/1G1K1G3/7RL w 3Pbn 1",
    "l3r1knl/3g1sg2/2ns5/p4pppp/1p1P3NP/P1pGP1PP1/SP7/2G6/LNK4RL b 2BPs3p 1",
    "+R3g4/2s1g1ksl/2n3np1/p1pPp+bp1p/4P1P2/P2p3RP/5SN2/5G3/LN4K1L b GS4Pbl2p 1",
    "lr2k4/3g1S3/p1Bsp1+P2/1n3pp2/B2ps2P1/PgP2PP2/2NPP4/2G4+s1/L1K1+l2N1 w GL4Prnp 1",
    "lr6l/2skg1g1P/5pn2/p1pPps2p/3n5/PpP2S3/1P2PP1RN/2GSG4/LN1K4L b B2Pb3p 1",
    "l2gkg2l/3s2s2/3ppp+Ppp/p1p6/3n5/PPnB5/3P2+b1P/1pGSg4/LNK2R2L b RSN2P3p 63",
    // Attacks, full hands.
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "l8/4g1+P+N1/p1n1kp1p1/4s4/P8/1PP1R4/1G1PPP3/2KG3+r1/LN7 w B2SNL7Pbgslp 1",
    "l2B1k1nl/4ps3/p6+Pp/3p5/2p6/P1nPSpp2/1P1G3pP/1G1R5/1K5NL b R2GSN4Pbslp 119",
    "l1+Rl2+Bnl/3g2+P2/pspppkp1p/1P5s1/9/2P6/P1NPPPP1P/5S1p1/2rSKG1NL b BGNg2p 53",
    "l2g4l/6s2/p+P1pk4/4ppp1p/2P2n3/3+bgR2P/P5P2/4NPS2/L4GKNL w RGNb2s6p 1",
    "1n2g1R1l/1p1kg2+S1/2s1p2+Pp/2pp1p3/4n2B1/+r5P1P/3PPP1+b1/3S1G3/1NG1K2LL w S6Pnl 1",
    "bk1r1+N3/3+P5/plnp4+P/PppnlgS+S1/g3ppppp/1+bSP1+l1N1/l7R/1G2P1g1s/1K7 b 4p 297",
    // In check.
    "1g2k1snl/1p1g1g1p1/2pppp2p/+R5p2/4K4/6S2/6P1P/5+n3/2L1r2+sL b 2BGSNL3Pn5p 1",
    "l7l/3+P1kgp1/3pbg2p/4p1s2/pps6/3b2P1P/PPN2PpSN/2S1G1g2/L3K+p1RL b R2N3Pp 1",
    "1n1g3nl/+B4gsk1/p1pp1p2p/5bPP1/4pN1p1/2GPsPpl1/P2SK3P/1+r3SG1R/8L b NLP3p 1",
    // Mates in five and seven, and a tsume problem with one king.
    "1k3p1R1/5g3/l1spps1pp/p1p3p2/1P3P1P1/P+bP1P1P2/1G1+s+r3P/K8/LN5NL w N2Pb2gsnl 94",
    "l1+r4p1/3g2p2/3kp+S3/p+P1psP1Bp/2p1bp3/2PNNlP1P/P1SPP1N2/4K1s2/L1G4rL w G2Pgn 118",
    "7nl/6k2/6ppp/5s3/9/9/9/9/9 b RGSN 1",
    // Entering kings, with declarations possible soon or later.
    "l7l/7s1/p2+BP2gp/n+R3Np2/2P2p1+r1/P2Pp4/KP1S+b1PPk/2G3G1g/LNS6 b SN3Pl3p 1",
    "+P7r/+B2+P5/8P/BSP1pgpG1/K8/P1G6/5+p+n+p+l/8k/L+r5+s1 w GSLPs3nl8p 1",
    "+N6n1/2+N6/p3+R+P3/nGP3s2/PK7/2SP5/1P3+pp1p/S1g+b2+p1k/9 w RS2L5Pb2g2l3p 1",
    "+L1G+P+S1+P1+S/P1+N1G+N1P1/1+P+S1K+P2+P/br+b1p1+R1P/k7p/6P2/p3+lg1+p1/+p+sp1+n1p+l1/+pg+l2+p2+n w - 642",
    "1+LG+P+S1+P1+S/+b+S1GG+N1P1/1+P1bK3+P/4p+P2P/2+RP4p/kp6+R/pn2+l3+p/+p+s5+l+n/+pg+p+l+n+p+p2 b - 675",
    "1ks2+P2b/4+Lg3/PN2sl+Bp+P/1p5RP/1ggP1p1N1/4PP2p/l1K3SPn/2PSR+p2L/4G3N b 4P 187",
    // Endgames with little material to win, and positions with very many moves.
    "p+P2+R+R1+S+P/2+LPP3+P/k2K2N+N1/1b4n1P/1P1GppP1g/1p4SPp/P4+l2L/+s1p+b2G2/+s2+l1P+ng1 b p 379",
    "2+N4pk/+L1p1sn+P2/pP4p2/1p2s+L3/3g4p/2Pg1P+R1S/1LRP+n1GPP/+l+nB1p1P1K/Sg2+b4 w 3P 344",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
];

/// The result for one position.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Share {
    /// Index of the position, from 0.
    pub index: usize,
    /// The position searched, as SFEN.
    pub sfen: &'static str,
    /// The result of the search.
    pub result: SearchResult,
}

/// A line of the bench.
impl Display for Share {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let best = match self.result.best {
            BestMove::Move(mv) => mv.to_string(),
            BestMove::Resign => "resign".to_owned(),
            BestMove::Win => "win".to_owned(),
        };
        let (number, of, nodes) = (self.index + 1, POSITIONS.len(), self.result.nodes);
        write!(f, "{number:2}/{of} {nodes:>10} nodes  {best:<6} {}", self.sfen)
    }
}

/// Nodes and time of a whole bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Total {
    /// Nodes of all positions; identifies the behaviour of the search.
    pub nodes: u64,
    /// Time of all searches.
    pub time: Duration,
}

impl Total {
    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// The last lines of the bench. Programs that test engines (OpenBench) read the last line with `nodes` and
/// `nps`; the last line of all has the number alone.
impl Display for Total {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (nodes, nps) = (self.nodes, self.nps());
        writeln!(f, "Time: {:.3} s", self.time.as_secs_f64())?;
        writeln!(f, "Nodes/second: {nps}")?;
        writeln!(f, "{nodes} nodes {nps} nps")?;
        write!(f, "Bench: {nodes}")
    }
}

/// Searches all positions one after the other on one thread without a clock, and reports each
/// result when it is ready. The table and histories are kept from one position to the next, as in a
/// game.
///
/// # Errors
/// Not enough memory for the table, or `each` fails.
pub fn run<E: From<NotEnoughMemory>>(
    depth: u32,
    hash_mib: usize,
    evaluation: Arc<Evaluation>,
    mut each: impl FnMut(&Share) -> Result<(), E>,
) -> Result<Total, E> {
    let mut searcher = Searcher::new(hash_mib, evaluation)?;
    let mut total = Total { nodes: 0, time: Duration::ZERO };
    for (index, sfen) in POSITIONS.into_iter().enumerate() {
        let Ok(root) = Position::from_sfen(sfen) else { continue };
        let start = Instant::now();
        let limits = Limits { depth: Some(depth), start, ..Limits::new() };
        let (options, signals) = (SearchOptions::default(), Signals::default());
        let result = searcher.go(&root, &limits, &options, &signals, &mut Silent);
        total.time += start.elapsed();
        total.nodes += result.nodes;
        each(&Share { index, sfen, result })?;
    }
    Ok(total)
}

/// How to measure the speed of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SpeedTest {
    /// Number of search threads.
    pub threads: usize,
    /// Size of the table in mebibytes.
    pub hash_mib: usize,
    /// Time of all searches together.
    pub time: Duration,
}

impl SpeedTest {
    /// The usual test: on this many threads, 16 MiB for each, 20 seconds.
    pub fn on(threads: usize) -> Self {
        Self { threads, hash_mib: 16 * threads, time: Duration::from_secs(20) }
    }

    /// Searches all positions for equal times, until `signals` stops the test.
    ///
    /// # Errors
    /// Not enough memory, or the threads cannot be started.
    pub fn run(
        &self,
        evaluation: Arc<Evaluation>,
        signals: &Signals,
    ) -> Result<Total, ThreadsError> {
        let mut searcher =
            Searcher::new(self.hash_mib, evaluation).map_err(ThreadsError::Memory)?;
        searcher.set_threads(self.threads)?;
        searcher.touch_memory();
        let options = SearchOptions::default();
        let mut total = Total { nodes: 0, time: Duration::ZERO };
        for sfen in POSITIONS {
            let Ok(root) = Position::from_sfen(sfen) else { continue };
            if signals.stopped() {
                break;
            }
            let start = Instant::now();
            let movetime = Some(self.time / POSITIONS.len() as u32);
            let limits = Limits { movetime, start, ..Limits::new() };
            let result = searcher.go(&root, &limits, &options, signals, &mut Silent);
            total.time += start.elapsed();
            total.nodes += result.nodes;
        }
        Ok(total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_sound_and_varied() {
        let mut keys: Vec<u64> = Vec::new();
        let mut checks = 0;
        for sfen in POSITIONS {
            let position = Position::from_sfen(sfen).unwrap_or_else(|e| panic!("{sfen}: {e}"));
            assert!(position.has_legal_move(), "{sfen}");
            checks += usize::from(position.in_check());
            keys.push(position.key());
        }
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), POSITIONS.len());
        assert!(checks >= 4);
    }

    #[test]
    fn the_same_number_each_time() {
        let evaluation = Evaluation::internal();
        let run = || {
            let mut seen = 0;
            let total = run(2, 1, Arc::clone(&evaluation), |share| {
                assert!(share.result.best != BestMove::Resign, "{}", share.sfen);
                seen += 1;
                Ok::<(), NotEnoughMemory>(())
            })
            .unwrap();
            assert_eq!(seen, POSITIONS.len());
            total.nodes
        };
        assert_eq!(run(), run());
    }
}
