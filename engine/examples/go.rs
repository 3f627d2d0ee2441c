#![allow(missing_docs, clippy::print_stdout)]
use monomi::search::*;
use monomi_eval::Evaluation;
use monomi_movegen::Position;
struct P;
impl Reporter for P {
    fn info(&mut self, i: &Info) -> std::ops::ControlFlow<()> {
        println!(
            "d {} sd {} {:?} {:?} n {} t {:?} nps {} hf {} pv {:?}",
            i.depth,
            i.seldepth,
            i.score,
            i.bound,
            i.nodes,
            i.time,
            i.nps(),
            i.hashfull,
            i.pv
        );
        std::ops::ControlFlow::Continue(())
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let mut s = Searcher::new(64, Evaluation::internal()).unwrap();
    let mut l = Limits::new();
    l.depth = Some(a[1].parse().unwrap());
    let p = Position::from_sfen(a.get(2).map_or("startpos", |s| s)).unwrap();
    println!("{:?}", s.go(&p, &l, &SearchOptions::default(), &Signals::default(), &mut P));
}
