//! The rules of shogi: move generation, make and unmake, repetition, declaration, static exchange
//! evaluation and mate in one.

mod declaration;
mod legal_moves;
mod mate1;
mod perft;
mod playouts;
mod properties;
mod repetition;
mod see;
