//! Everything about Agon that is true without a window and without a socket, behind one facade: [`Judge`].
//!
//! A host opens a [`Judge`] on a data folder, makes an [`Actor`] from its own session, and calls one method per
//! contract command. Nothing else is public but the ports a host may have to fill, and the rooms that need no
//! store: reading packages, judging, and the self-test.

mod actor;
mod clock;
mod delivery;
pub mod domain;
mod execution;
mod facade;
mod ids;
pub mod judging;
mod module;
mod owner;
pub mod package;
pub mod sandbox;
pub mod self_test;
mod store;
mod watch;
mod worker;

pub use actor::Actor;
pub use clock::{Clock, ManualClock, Sleep, SystemClock};
pub use facade::{
    Begun, Holder, Judge, JudgeConfig, NewAddress, OpenError, RestoreError, Restored, SandboxChoice, judging_in,
    restore, self_test_parts,
};
pub use owner::auth::SessionToken;
