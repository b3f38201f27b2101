//! Black-box stories on real parts, and the harness they stand on: a real engine, a real server, a real window.
//!
//! Everything the harness starts is its own: a process group that is ended with its guard, a folder that is looked
//! through before it is removed. A story that leaves a box, a process, a file or a socket behind fails.

#![expect(clippy::print_stderr, reason = "skips and failing programs' words must be seen in a test's output")]

pub mod axe;
pub mod browser;
pub mod children;
pub mod cli;
pub mod client;
pub mod disk;
pub mod engine;
pub mod first_light;
pub mod keyboard;
pub mod packages;
pub mod page;
pub mod parts;
pub mod problem;
pub mod programs;
pub mod promises;
pub mod rooms;
pub mod seed;
pub mod serve;
pub mod shim;
pub mod soak;
pub mod stage;
pub mod wait;
pub mod webdriver;
pub mod window;
pub mod work;
