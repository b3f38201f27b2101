//! Conditions and ways of a rejudging as a person chooses them.

use agon_contract::command::ListProblems;
use agon_contract::rejudge::{RejudgeBasis, RejudgeMode};
use agon_contract::verdict::Verdict;
use leptos::prelude::*;

use super::ask::Conditions;
use crate::i18n::{hall, locale, t, verdict_name};
use crate::state::preferences::best_text;
use crate::state::{Topic, query, use_app};

/// Problem, language and verdict; each narrows the selection.
#[component]
pub(super) fn ConditionFields(conditions: RwSignal<Conditions>) -> impl IntoView {
    let app = use_app();
    let problems = query(|| Some(ListProblems { query: String::new() }), &[Topic::Catalog]);
    let some = |value: String| (!value.is_empty()).then_some(value);
    let (problem, language, verdict) = (
        move |event| conditions.update(|chosen| chosen.problem = some(event_target_value(&event))),
        move |event| conditions.update(|chosen| chosen.language = some(event_target_value(&event))),
        move |event| conditions.update(|chosen| chosen.verdict = some(event_target_value(&event))),
    );
    let is_problem = move |id: &str| conditions.with_untracked(|chosen| chosen.problem.as_deref() == Some(id));
    view! {
        <div class="form">
            <label for="rejudge-problem">{t().column_problem}</label>
            <select id="rejudge-problem" data-testid="rejudge-problem" on:change=problem>
                <option value="">{t().all_problems}</option>
                {move || problems.ready().unwrap_or_default().into_iter().map(|row| view! {
                    <option value=row.id.0.clone() selected=is_problem(&row.id.0)>{best_text(&row.titles, locale()).to_owned()}</option>
                }).collect_view()}
            </select>
            <label for="rejudge-language">{t().programming_language}</label>
            <select id="rejudge-language" data-testid="rejudge-language" on:change=language>
                <option value="">{hall().all_languages}</option>
                {app.languages.get_untracked().into_iter().map(|language| view! {
                    <option value=language.id.0>{language.name}</option>
                }).collect_view()}
            </select>
            <label for="rejudge-verdict">{t().column_verdict}</label>
            <select id="rejudge-verdict" data-testid="rejudge-verdict" on:change=verdict>
                <option value="">{hall().all_verdicts}</option>
                {Verdict::KNOWN.iter().map(|verdict| view! {
                    <option value=verdict.as_str()>{format!("{} {}", verdict.as_str(), verdict_name(verdict))}</option>
                }).collect_view()}
            </select>
        </div>
    }
}

/// When the new verdicts count.
#[component]
pub(super) fn ModeChoice(mode: RwSignal<RejudgeMode>) -> impl IntoView {
    let choices = [
        (RejudgeMode::Reviewed, hall().mode_reviewed, hall().mode_reviewed_hint),
        (RejudgeMode::Direct, hall().mode_direct, hall().mode_direct_hint),
    ];
    view! {
        <fieldset class="choice-group">
            <legend>{hall().when_counts}</legend>
            {choices.into_iter().map(|(choice, text, hint)| {
                let id = format!("mode-{choice}");
                let (shown, chosen) = (choice.clone(), choice);
                view! {
                    <div class="choice">
                        <input
                            type="radio" name="rejudge-mode" id=id.clone() data-testid=id.clone()
                            prop:checked=move || mode.with(|mode| *mode == shown)
                            on:change=move |_| mode.set(chosen.clone())
                        />
                        <label for=id>{text}</label>
                        <p class="hint">{hint}</p>
                    </div>
                }
            }).collect_view()}
        </fieldset>
    }
}

/// By which facts of the problem.
#[component]
pub(super) fn BasisChoice(basis: RwSignal<RejudgeBasis>) -> impl IntoView {
    let choices = [(RejudgeBasis::Newest, hall().basis_newest), (RejudgeBasis::AsHandedIn, hall().basis_as_handed_in)];
    view! {
        <fieldset class="choice-group">
            <legend>{hall().judged_by}</legend>
            {choices.into_iter().map(|(choice, text)| {
                let id = format!("basis-{choice}");
                let (shown, chosen) = (choice.clone(), choice);
                view! {
                    <div class="choice">
                        <input
                            type="radio" name="rejudge-basis" id=id.clone() data-testid=id.clone()
                            prop:checked=move || basis.with(|basis| *basis == shown)
                            on:change=move |_| basis.set(chosen.clone())
                        />
                        <label for=id>{text}</label>
                    </div>
                }
            }).collect_view()}
        </fieldset>
    }
}
