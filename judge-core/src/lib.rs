//! Placeholder until the room is built.

pub mod sandbox;
