//! What staff may do with one submission: judge it again, end its judging, send it on when it is stuck.

use agon_contract::command::{CancelJudging, Revive};
use agon_contract::permission::Permission;
use agon_contract::submission::{Stage, SubmissionContext, SubmissionDetail, SubmissionSummary};
use leptos::prelude::*;

use crate::i18n::hall;
use crate::parts::{Confirm, Glyph, Icon, Question, Refusal};
use crate::screens::hall::{AskAgain, Target};
use crate::state::action::action;
use crate::state::use_app;

/// What is open above the page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Ask,
    Cancel,
}

/// What can be done in a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Possible {
    judge_again: bool,
    cancel: bool,
    revive: bool,
}

fn possible_in(stage: &Stage) -> Possible {
    match stage {
        Stage::Finished => Possible { judge_again: true, cancel: false, revive: false },
        Stage::NeedsAttention => Possible { judge_again: false, cancel: true, revive: true },
        Stage::Saved | Stage::Queued | Stage::Compiling | Stage::Running | Stage::WaitingForSandbox => {
            Possible { judge_again: false, cancel: true, revive: false }
        }
        Stage::Unknown(_) => Possible { judge_again: true, cancel: true, revive: false },
    }
}

fn target_of(summary: &SubmissionSummary) -> Target {
    let in_contest = match summary.context {
        SubmissionContext::Practice => false,
        SubmissionContext::Contest { .. } => true,
    };
    Target::One { submission_id: summary.id.clone(), number: summary.number, in_contest }
}

/// The buttons, for those who may.
#[component]
pub(super) fn StaffActions(detail: Signal<SubmissionDetail>) -> impl IntoView {
    let app = use_app();
    let possible = Memo::new(move |_| {
        app.may(&Permission::Rejudge).then(|| detail.with(|detail| possible_in(&detail.summary.progress.stage)))
    });
    let open = RwSignal::new(None::<Open>);
    let reviving = action();
    let revive = move |_| {
        let submission_id = detail.with_untracked(|detail| detail.summary.id.clone());
        reviving.send(Revive { submission_id }, |_| ());
    };
    view! {
        {move || possible.get().map(|possible| view! {
            <span class="staff-actions">
                {possible.revive.then(|| view! {
                    <button class="button button-primary" type="button" data-testid="revive" disabled=reviving.is_busy on:click=revive>
                        <Icon glyph=Glyph::Again />{hall().revive}
                    </button>
                })}
                {possible.judge_again.then(|| view! {
                    <button class="button" type="button" data-testid="judge-again" on:click=move |_| open.set(Some(Open::Ask))>
                        <Icon glyph=Glyph::Again />{hall().judge_again}
                    </button>
                })}
                {possible.cancel.then(|| view! {
                    <button class="button" type="button" data-testid="cancel-judging" on:click=move |_| open.set(Some(Open::Cancel))>
                        <Icon glyph=Glyph::Stop />{hall().cancel_judging}
                    </button>
                })}
            </span>
        })}
        <Refusal action=reviving />
        {move || open.get().map(|what| match what {
            Open::Ask => {
                let target = detail.with_untracked(|detail| target_of(&detail.summary));
                view! { <AskAgain target on_close=move || open.set(None) /> }.into_any()
            }
            Open::Cancel => view! { <CancelQuestion detail on_close=move || open.set(None) /> }.into_any(),
        })}
    }
}

#[component]
fn CancelQuestion(
    detail: Signal<SubmissionDetail>,
    on_close: impl Fn() + Clone + Send + Sync + 'static,
) -> impl IntoView {
    let cancelling = action();
    let (id, number) = detail.with_untracked(|detail| (detail.summary.id.clone(), detail.summary.number));
    let question = Question {
        title: hall().cancel_title.fill([&number.to_string()]),
        says: hall().cancel_says.to_owned(),
        do_it: hall().cancel_now,
        doing: hall().cancelling,
        is_harmful: true,
    };
    let done = on_close.clone();
    let yes = move || {
        let done = done.clone();
        cancelling.send(CancelJudging { submission_id: id.clone() }, move |_| done());
    };
    view! { <Confirm question action=cancelling on_yes=yes on_close /> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_on_can_be_ended_and_what_has_ended_can_be_judged_again() {
        for stage in Stage::KNOWN {
            let possible = possible_in(stage);
            assert_ne!(possible.cancel, possible.judge_again, "{stage}");
            assert_eq!(possible.revive, *stage == Stage::NeedsAttention, "{stage}");
        }
    }
}
