//! What every sandbox backend must do, on the real engine: outcomes, walls, leftovers, faults, and a clean life.
//!
//! Scenario numbers are those of the reference list; a probe program does what contestants' programs do.

mod engine;
mod escapes;
mod faults;
mod leftovers;
mod lives;
mod outcomes;
mod rig;
mod streams;
