//! The self-test: real boxes and real programs, one green or red item for each thing a verdict depends on.
//!
//! The facade's `Judge::self_test` and `agon self-test` only call [`run`] with their own [`Parts`]; no item is made
//! anywhere else. Every item says what was seen and, when it failed, what to do. What cannot be tried because
//! something before it failed is red too: "not run" is never green. Nothing is judged for anybody and nothing is
//! stored; compilers really run, because the compile cache is a throw-away one.

mod answers;
mod backend;
mod bench;
mod calibration;
mod isolation;
mod ledger;
mod limits;
mod machine;
mod protections;
#[cfg(test)]
mod tests;
mod toolchains;
mod workshop;

use std::path::PathBuf;
use std::sync::Arc;

use agon_contract::sandbox::{SelfTestItem, SelfTestReport};

use crate::clock::Clock;
use crate::judging::languages;
use crate::sandbox::{BoxPurpose, ImageRef, Sandbox};
use bench::Bench;
use ledger::Ledger;
use machine::ClocksBefore;
use workshop::Workshop;

/// What is tested.
#[derive(Clone)]
pub struct Parts {
    pub sandbox: Arc<dyn Sandbox>,
    /// The image that submissions are judged in.
    pub image: ImageRef,
    /// Where the supervisor program should be.
    pub supervisor: PathBuf,
    pub data_folder: PathBuf,
    pub clock: Arc<dyn Clock>,
}

/// How many items [`run`] enters on a backend that reports this many protections and has room to work.
#[must_use]
pub fn count(protections: usize) -> usize {
    let backend_and_box = 4;
    let answers_calibration_clock_disk = 4;
    backend_and_box
        + protections
        + isolation::WALLS.len()
        + limits::PROVOCATIONS.len()
        + languages().len()
        + answers_calibration_clock_disk
}

/// Tries everything, in an order in which a failure explains those after it, and tells `heard` each item as it ends.
/// With the engine away it answers at once. Takes some ten seconds otherwise: it provokes every limit.
pub async fn run(parts: &Parts, heard: &(dyn Fn(&SelfTestItem) + Send + Sync)) -> SelfTestReport {
    let clocks = ClocksBefore::read(parts);
    let mut ledger = Ledger::new(parts.clock.as_ref(), heard);
    let status = backend::look(parts, &mut ledger).await;
    let mut bench = Bench::new(parts, BoxPurpose::Run);
    let sandbox = protections::look(parts, status, &mut bench, &mut ledger).await;
    isolation::look(&mut bench, &mut ledger).await;
    limits::look(&mut bench, &mut ledger).await;
    bench.close().await;
    match Workshop::open(parts) {
        Ok(workshop) => {
            toolchains::look(parts, &workshop, &mut ledger).await;
            answers::look(&workshop, &mut ledger).await;
            calibration::look(&workshop, &mut ledger).await;
        }
        Err(error) => ledger.enter("workshop", ledger.start(), workshop::no_room(&error)),
    }
    machine::look(parts, clocks, &mut ledger);
    let items = ledger.close();
    SelfTestReport { passed: items.iter().all(|item| item.passed), started_at_ms: clocks.wall_ms, items, sandbox }
}
