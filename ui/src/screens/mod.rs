//! The screens and the shell around them.

mod account;
mod hall;
mod not_found;
mod notices;
mod practice;
mod problem;
mod root;
mod sandbox_indicator;
mod self_test;
mod services;
mod settings;
mod shell;
mod submission;
mod submissions;
mod top_bar;

pub use root::Root;
