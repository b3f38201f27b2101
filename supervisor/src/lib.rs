//! The small program that starts, limits, measures and reaps an untrusted program inside a box.
//!
//! The library is only [`wire`], the frames that the judge and the supervisor exchange: the one part the judge uses.
//! Everything that acts is in the binary, and the binary refuses to act anywhere but as PID 1 of its box.

pub mod wire;
