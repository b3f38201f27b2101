//! Pure rules: limits, comparison, aggregation, expectations. No I/O, no clock, no SQL, no sandbox.

pub mod comparison;
pub mod expectation;
pub mod glob;
pub mod limits;
