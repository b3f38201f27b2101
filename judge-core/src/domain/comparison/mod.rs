//! The default output validator: its arguments and the streaming comparison of an output with its answer.
//! (Problem Package Format, "Default Output Validator Specification".)

mod args;

pub use args::{ArgsError, DefaultValidatorArgs};
