//! What of a rejudging was not taken over, gathered from all its pages, each row with its reason.

use agon_contract::ApiError;
use agon_contract::command::GetChangeSet;
use agon_contract::ids::ChangeSetId;
use agon_contract::rejudge::{ChangeSetItem, ChangeSetItemState, ChangeSetView};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::items::Table;
use crate::backend::call;
use crate::i18n::hall;
use crate::parts::Failure;

/// The largest page that the host gives.
const PAGE: u32 = 200;
/// Rows that are listed; more than a person reads means that something general is wrong.
const LISTED_MAX: usize = 500;

fn is_left(item: &ChangeSetItem) -> bool {
    match item.state {
        ChangeSetItemState::Refused
        | ChangeSetItemState::LeftOut
        | ChangeSetItemState::NeedsAttention
        | ChangeSetItemState::Ended => true,
        ChangeSetItemState::Waiting
        | ChangeSetItemState::Judging
        | ChangeSetItemState::Judged
        | ChangeSetItemState::Applied
        | ChangeSetItemState::Unknown(_) => false,
    }
}

/// Reads the pages one after the other.
async fn gather(change_set_id: ChangeSetId) -> Result<Vec<ChangeSetItem>, ApiError> {
    let mut found = Vec::new();
    let mut after_ordinal = 0;
    loop {
        let request =
            GetChangeSet { change_set_id: change_set_id.clone(), after_ordinal, limit: PAGE, only_changed: false };
        let page = call(request).await?;
        found.extend(page.items.into_iter().filter(is_left));
        match page.next_after_ordinal {
            Some(next) if found.len() < LISTED_MAX => after_ordinal = next,
            _ => return Ok(found),
        }
    }
}

/// Absent while there is nothing of the kind; read again only when the counts say that there is more.
#[component]
pub(super) fn NotTakenOver(view: Signal<ChangeSetView>) -> impl IntoView {
    let id = view.with_untracked(|view| view.id.clone());
    let counted = Memo::new(move |_| {
        view.with(|view| {
            let counts = &view.counts;
            [counts.refused, counts.left_out, counts.needs_attention, counts.ended]
        })
    });
    let found = RwSignal::new(Ok::<_, ApiError>(Vec::new()));
    let again = RwSignal::new(0u32);
    Effect::new(move |_| {
        again.track();
        if counted.get().iter().sum::<u32>() == 0 {
            found.set(Ok(Vec::new()));
            return;
        }
        let id = id.clone();
        spawn_local(async move {
            found.try_set(gather(id).await);
        });
    });
    let rows = Memo::new(move |_| found.with(|found| found.clone().unwrap_or_default()));
    move || match found.with(|found| found.as_ref().err().cloned()) {
        Some(error) => view! { <Failure error on_retry=move || again.update(|count| *count += 1) /> }.into_any(),
        None if rows.with(Vec::is_empty) => ().into_any(),
        None => view! {
            <h2>{hall().refused_rows}</h2>
            <div data-testid="not-taken-over"><Table rows /></div>
        }
        .into_any(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_without_a_taken_verdict_is_listed_and_no_other() {
        let item = |state: &ChangeSetItemState| ChangeSetItem {
            ordinal: 1,
            submission_id: "s".into(),
            number: 1,
            user_id: "u".into(),
            problem_slug: "p".into(),
            language_id: "c".into(),
            state: state.clone(),
            old_verdict: None,
            new_verdict: None,
            reason: String::new(),
        };
        let left: Vec<&str> = ChangeSetItemState::KNOWN
            .iter()
            .filter(|state| is_left(&item(state)))
            .map(|state| state.as_str())
            .collect();
        assert_eq!(left, ["needs_attention", "refused", "left_out", "ended"]);
    }
}
