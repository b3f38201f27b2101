//! How far running work is. Held in memory only: after a restart the work itself starts again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agon_contract::ids::{JudgementId, PreviewId};
use agon_contract::submission::RunView;
use agon_contract::verdict::Verdict;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::judging::{JudgedRun, JudgingProgress};
use crate::owner::submission::page::Live;

/// Progress of every running judgement and preview, with a counter that moves at each change.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    entries: Arc<Mutex<Entries>>,
    counter: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Entries {
    judgements: HashMap<JudgementId, RunningJudgement>,
    previews: HashMap<PreviewId, RunningPreview>,
}

#[derive(Debug)]
struct RunningJudgement {
    live: Live,
    kill: CancellationToken,
}

#[derive(Debug)]
struct RunningPreview {
    runs: Vec<RunView>,
    cancel: CancellationToken,
}

impl Board {
    pub(crate) fn new() -> Self {
        Self { entries: Arc::default(), counter: watch::Sender::new(0) }
    }

    /// Moves whenever something on the board or about the backend changed.
    pub(crate) fn counter(&self) -> watch::Receiver<u64> {
        self.counter.subscribe()
    }

    /// Tells waiters that something without an event changed.
    pub(crate) fn touch(&self) {
        self.counter.send_modify(|count| *count += 1);
    }

    pub(crate) fn judgements(&self) -> HashMap<JudgementId, Live> {
        self.lock().judgements.iter().map(|(id, running)| (id.clone(), running.live.clone())).collect()
    }

    /// Runs of a running preview so far.
    pub(crate) fn preview_runs(&self, id: &PreviewId) -> Option<Vec<RunView>> {
        self.lock().previews.get(id).map(|preview| preview.runs.clone())
    }

    /// Puts a judgement on the board until the guard is dropped; `kill` tells its worker that nobody wants it any more.
    pub(super) fn judgement(&self, id: &JudgementId, kill: CancellationToken) -> JudgementEntry {
        let live = Live::default();
        self.lock().judgements.insert(id.clone(), RunningJudgement { live, kill });
        self.touch();
        JudgementEntry { board: self.clone(), id: id.clone() }
    }

    /// Kills a running judgement's box, after its end was stored by whoever ended it.
    pub(crate) fn kill_judgement(&self, id: &JudgementId) {
        if let Some(running) = self.lock().judgements.get(id) {
            running.kill.cancel();
        }
    }

    /// Kills a running preview's box; its end is stored by whoever cancels it.
    pub(crate) fn cancel_preview(&self, id: &PreviewId) {
        if let Some(preview) = self.lock().previews.get(id) {
            preview.cancel.cancel();
        }
    }

    /// Puts a preview on the board until the guard is dropped.
    pub(super) fn preview(&self, id: &PreviewId, cancel: CancellationToken) -> PreviewEntry {
        self.lock().previews.insert(id.clone(), RunningPreview { runs: Vec::new(), cancel });
        self.touch();
        PreviewEntry { board: self.clone(), id: id.clone() }
    }

    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A judgement's place on the board.
pub(super) struct JudgementEntry {
    board: Board,
    id: JudgementId,
}

impl JudgementEntry {
    fn change(&self, change: impl FnOnce(&mut Live)) {
        if let Some(running) = self.board.lock().judgements.get_mut(&self.id) {
            change(&mut running.live);
        }
        self.board.touch();
    }

    /// It has ended, and its end cannot be stored now.
    pub(super) fn waits_for_store(&self, reason: &str) {
        self.change(|live| live.waits_because = Some(reason.to_owned()));
    }
}

impl JudgingProgress for JudgementEntry {
    fn compiling(&self) {
        self.change(|live| live.is_compiling = true);
    }

    fn running(&self, _runs_total: u32) {
        self.change(|live| live.is_compiling = false);
    }

    fn run_finished(&self, run: &JudgedRun) {
        self.change(|live| {
            live.is_compiling = false;
            live.runs_done = run.ordinal;
        });
    }
}

impl Drop for JudgementEntry {
    fn drop(&mut self) {
        self.board.lock().judgements.remove(&self.id);
        self.board.touch();
    }
}

/// A preview's place on the board.
pub(super) struct PreviewEntry {
    board: Board,
    id: PreviewId,
}

impl JudgingProgress for PreviewEntry {
    fn run_finished(&self, run: &JudgedRun) {
        debug_assert!(run.verdict != Verdict::CompileError, "a run is never a compile error");
        if let Some(preview) = self.board.lock().previews.get_mut(&self.id) {
            preview.runs.push(run.view(true));
        }
        self.board.touch();
    }
}

impl Drop for PreviewEntry {
    fn drop(&mut self) {
        self.board.lock().previews.remove(&self.id);
        self.board.touch();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(ordinal: u32) -> JudgedRun {
        JudgedRun {
            ordinal,
            case_name: format!("secret/{ordinal}"),
            is_sample: false,
            verdict: Verdict::Accepted,
            outcome: "exit 0".into(),
            cpu_ms: 1,
            wall_ms: 1,
            peak_memory_bytes: 1,
            output_bytes: 1,
            message: String::new(),
            output_head: b"out".to_vec(),
            stderr_head: Vec::new(),
            is_disturbed: false,
            score: None,
            team_message: String::new(),
        }
    }

    #[test]
    fn progress_is_there_while_it_runs_and_gone_afterwards() {
        let board = Board::new();
        let id = JudgementId::from("j");
        let kill = CancellationToken::new();
        let entry = board.judgement(&id, kill.clone());
        assert_eq!(board.judgements()[&id], Live::default());
        entry.running(2);
        entry.run_finished(&run(1));
        let ran = Live { is_compiling: false, runs_done: 1, waits_because: None };
        assert_eq!(board.judgements()[&id], ran);
        entry.waits_for_store("no room");
        assert_eq!(board.judgements()[&id], Live { waits_because: Some("no room".to_owned()), ..ran });
        board.kill_judgement(&JudgementId::from("another"));
        assert!(!kill.is_cancelled());
        board.kill_judgement(&id);
        assert!(kill.is_cancelled());
        let before = *board.counter().borrow();
        drop(entry);
        assert!(board.judgements().is_empty());
        assert!(*board.counter().borrow() > before);
    }

    #[test]
    fn a_preview_shows_its_finished_runs_with_their_output() {
        let board = Board::new();
        let id = PreviewId::from("p");
        assert_eq!(board.preview_runs(&id), None);
        let cancel = CancellationToken::new();
        let entry = board.preview(&id, cancel.clone());
        entry.run_finished(&run(1));
        assert_eq!(board.preview_runs(&id).expect("running")[0].output_head, "out");
        board.cancel_preview(&id);
        assert!(cancel.is_cancelled());
        drop(entry);
        assert_eq!(board.preview_runs(&id), None);
    }
}
