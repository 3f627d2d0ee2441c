//! Monomi in browsers, Node.js and Python. These tests wait for other programs most of the time, so they run beside
//! each other.

mod app;
mod python;
mod web;
