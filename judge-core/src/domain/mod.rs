//! Pure rules: languages, limits, comparison, aggregation, expectations. No I/O, no clock, no SQL, no sandbox.

pub mod comparison;
pub mod date;
pub mod expectation;
pub(crate) mod facts;
pub mod glob;
pub mod jury;
pub mod language;
pub mod limits;
pub(crate) mod permission;
pub mod rules;
pub mod scoring;
pub mod time_limit;
