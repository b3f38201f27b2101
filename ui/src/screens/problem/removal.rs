//! Taking a problem off the list: asked twice, because others may be solving it; nothing is lost by it.

use agon_contract::ApiError;
use agon_contract::command::RemoveProblem;
use agon_contract::permission::Permission;
use agon_contract::problem::ProblemDetail;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::hooks::use_navigate;

use crate::backend::call;
use crate::i18n::{error_line, t};
use crate::parts::{Notice, Tone};
use crate::state::use_app;

/// How far the removal has come.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    Offered,
    Asked,
    Removing,
    Failed(ApiError),
}

/// The button and its question, for those who may remove problems.
#[component]
pub(super) fn Removal(detail: Signal<ProblemDetail>) -> impl IntoView {
    let app = use_app();
    let may_remove = Memo::new(move |_| {
        app.session.with(|session| {
            session.as_ref().is_some_and(|session| session.permissions.contains(&Permission::ManageProblems))
        })
    });
    let step = RwSignal::new(Step::Offered);
    let navigate = use_navigate();
    let remove = Callback::new(move |()| {
        let problem_id = detail.with_untracked(|detail| detail.summary.id.clone());
        let navigate = navigate.clone();
        step.set(Step::Removing);
        spawn_local(async move {
            match call(RemoveProblem { problem_id }).await {
                Ok(_) => navigate("/practice", leptos_router::NavigateOptions::default()),
                Err(error) => drop(step.try_set(Step::Failed(error))),
            }
        });
    });
    move || {
        may_remove.get().then(|| match step.get() {
            Step::Offered => view! {
                <button class="link-button removal" type="button" data-testid="remove-problem" on:click=move |_| step.set(Step::Asked)>
                    {t().remove_problem}
                </button>
            }
            .into_any(),
            Step::Asked | Step::Removing => view! { <Question step remove /> }.into_any(),
            Step::Failed(error) => view! {
                <Notice tone=Tone::Bad testid="remove-failed">
                    {error_line(&error)}" "
                    <button class="button button-small" type="button" on:click=move |_| remove.run(())>{t().try_again}</button>
                </Notice>
            }
            .into_any(),
        })
    }
}

#[component]
fn Question(step: RwSignal<Step>, remove: Callback<()>) -> impl IntoView {
    let is_removing = move || step.get() == Step::Removing;
    view! {
        <Notice tone=Tone::Warning testid="remove-question">
            {t().remove_problem_question}" "
            <button class="button button-small" type="button" data-testid="remove-confirmed" disabled=is_removing on:click=move |_| remove.run(())>
                {t().remove_problem}
            </button>
            " "
            <button class="button button-quiet button-small" type="button" disabled=is_removing on:click=move |_| step.set(Step::Offered)>
                {t().cancel}
            </button>
        </Notice>
    }
}
