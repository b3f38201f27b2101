//! One journal entry at a time, in the order they were asked for: a newer text is never overtaken by an older one.

use std::cell::RefCell;
use std::collections::VecDeque;

use agon_contract::ApiError;
use agon_contract::command::{DraftSaved, SaveDraft};

use crate::backend::call;
use crate::state::browser::sleep_ms;

/// How often an entry that waits for its turn looks again.
const LOOK_MS: u32 = 15;

thread_local! {
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

/// Saves behind every entry asked for earlier, whatever screen asked.
pub(super) async fn save_in_order(request: SaveDraft) -> Result<DraftSaved, ApiError> {
    let ticket = LINE.with_borrow_mut(Line::enter);
    while !LINE.with_borrow(|line| line.is_first(ticket)) {
        sleep_ms(LOOK_MS).await;
    }
    let saved = call(request).await;
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
