//! The optional services of this program, and what they ask of the judge.

use std::sync::{Arc, Weak};
use std::time::Duration;

use super::intake::WatchIntake;
use super::{JudgeConfig, Rooms};
use crate::module::{Budgets, Module, Modules, Rules};
use crate::owner::admin::Admin;
use crate::store::journal::Journal;
use crate::watch::{FileWatch, Means, WatchBoard};
use crate::worker::{Board, Workshop};

/// Setting: milliseconds that a module's start may take.
pub(super) const START_BUDGET: &str = "modules.start_ms";

/// The roster of all modules; none of them runs yet. Call it inside the async runtime.
pub(super) fn roster(
    modules: Vec<Arc<dyn Module>>,
    config: &JudgeConfig,
    board: &Board,
    start_budget: Option<Duration>,
) -> Modules {
    let rules = Rules { allowed: config.allowed_modules.clone(), budgets: Budgets::with_start(start_budget) };
    let board = board.clone();
    let told: Arc<dyn Fn() + Send + Sync> = Arc::new(move || board.touch());
    Modules::new(modules, &rules, &config.clock, &told)
}

/// What the file watch sees; each change of it is told to those who wait for progress.
pub(super) fn watch_board(board: &Board) -> WatchBoard {
    let board = board.clone();
    WatchBoard::new(Arc::new(move || board.touch()))
}

/// The module `file_watch` of the judge that is being opened.
pub(super) fn file_watch(
    rooms: &Weak<Rooms>,
    admin: &Admin,
    shop: &Workshop,
    journal: &Arc<Journal>,
    board: &WatchBoard,
) -> Arc<dyn Module> {
    Arc::new(FileWatch::new(Means {
        admin: admin.clone(),
        catalog: shop.catalog.clone(),
        journal: Arc::clone(journal),
        intake: WatchIntake::of(Weak::clone(rooms)),
        staging: shop.folder.run(),
        clock: Arc::clone(&shop.clock),
        board: board.clone(),
    }))
}

/// The budget that somebody set; `None` when nobody did or it is no number.
pub(super) fn start_budget(setting: Option<String>) -> Option<Duration> {
    setting?.parse().ok().map(Duration::from_millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_a_number_of_milliseconds() {
        assert_eq!(start_budget(Some("2500".into())), Some(Duration::from_millis(2500)));
        for nonsense in [None, Some("soon".to_owned()), Some("-1".to_owned())] {
            assert_eq!(start_budget(nonsense), None);
        }
    }
}
