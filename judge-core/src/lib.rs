//! Everything about Agon that is true without a window and without a socket, behind one facade: [`Judge`].
//!
//! A host opens a [`Judge`] on a data folder, makes an [`Actor`] from its own session, and calls one method per
//! contract command. Nothing else is public but the ports a host may have to fill, and the two rooms that need no
//! store: reading packages and judging.

mod actor;
mod clock;
pub mod domain;
mod facade;
mod ids;
pub mod judging;
pub mod package;
pub mod sandbox;

pub use actor::Actor;
pub use clock::{Clock, ManualClock, Sleep, SystemClock};
pub use facade::{Judge, JudgeConfig, OpenError, SandboxChoice};
