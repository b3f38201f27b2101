//! The default output validator: its arguments and the streaming comparison of an output with its answer.
//!
//! Source of every rule: Problem Package Format, "Default Output Validator Specification". Where both reference
//! implementations agree against its letter (hexadecimal numbers, a dangling exponent, a repeated tolerance) they are
//! followed, so that a verdict here is the verdict there; `tests/comparison_golden.rs` holds the cases.

mod args;
mod difference;
mod normal;
mod number;
mod stream;
mod text;
mod token;

pub use args::{ArgsError, DefaultValidatorArgs};
pub use difference::{Difference, DifferenceKind};
pub use normal::NormalForm;
pub use stream::{Comparison, ComparisonResult};
