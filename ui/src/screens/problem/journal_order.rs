//! One journal entry at a time, in the order they were asked for: a newer text is never overtaken by an older one. Each
//! says which text it was made from, so that the host can tell when another window has typed meanwhile.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};

use agon_contract::ApiError;
use agon_contract::command::{DraftSaved, SaveDraft};
use agon_contract::ids::{LanguageId, ProblemId};

use crate::backend::call;
use crate::state::browser::sleep_ms;

/// How often an entry that waits for its turn looks again.
const LOOK_MS: u32 = 15;

thread_local! {
    /// When the text of a problem and a language was saved that this window has seen last.
    static SEEN: RefCell<HashMap<(ProblemId, LanguageId), i64>> = RefCell::new(HashMap::new());
    static LINE: RefCell<Line> = const { RefCell::new(Line { next: 0, waiting: VecDeque::new() }) };
}

/// Tickets in order; the first one writes.
struct Line {
    next: u64,
    waiting: VecDeque<u64>,
}

impl Line {
    fn enter(&mut self) -> u64 {
        self.next += 1;
        self.waiting.push_back(self.next);
        self.next
    }

    fn is_first(&self, ticket: u64) -> bool {
        self.waiting.front() == Some(&ticket)
    }

    fn leave(&mut self, ticket: u64) {
        self.waiting.retain(|other| *other != ticket);
    }
}

/// Notes the text that is shown now; `None`: there was none.
pub(super) fn has_seen(problem_id: ProblemId, language_id: LanguageId, saved_at_ms: Option<i64>) {
    SEEN.with_borrow_mut(|seen| match saved_at_ms {
        Some(at_ms) => drop(seen.insert((problem_id, language_id), at_ms)),
        None => drop(seen.remove(&(problem_id, language_id))),
    });
}

/// Saves behind every entry asked for earlier, whatever screen asked.
pub(super) async fn save_in_order(request: SaveDraft) -> Result<DraftSaved, ApiError> {
    let ticket = LINE.with_borrow_mut(Line::enter);
    while !LINE.with_borrow(|line| line.is_first(ticket)) {
        sleep_ms(LOOK_MS).await;
    }
    let (problem_id, language_id) = (request.problem_id.clone(), request.language_id.clone());
    let based_on_ms = SEEN.with_borrow(|seen| seen.get(&(problem_id.clone(), language_id.clone())).copied());
    let saved = call(SaveDraft { based_on_ms: Some(based_on_ms.unwrap_or(0)), ..request }).await;
    if let Ok(saved) = &saved {
        has_seen(problem_id, language_id, Some(saved.saved_at_ms));
    }
    LINE.with_borrow_mut(|line| line.leave(ticket));
    saved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tickets_are_served_in_order() {
        let mut line = Line { next: 0, waiting: VecDeque::new() };
        let (first, second) = (line.enter(), line.enter());
        assert!(line.is_first(first) && !line.is_first(second));
        line.leave(first);
        assert!(line.is_first(second));
        line.leave(second);
        let third = line.enter();
        assert!(line.is_first(third));
    }
}
