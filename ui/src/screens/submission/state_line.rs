//! The state line: saved → queued → compiling → running 7/20 → verdict, live and in words.

use agon_contract::reason::ReasonKind;
use agon_contract::submission::{Progress, Stage, SubmissionDetail};
use agon_contract::verdict::Verdict;
use leptos::prelude::*;

use crate::i18n::{reason_text, t};
use crate::parts::{Glyph, Icon, Notice, Tone, VerdictBadge};

/// The steps on the way to a verdict, in order.
const STEPS: usize = 4;

/// Which step a stage is at, counted from 0; `STEPS` when the way is over.
fn step_of(stage: &Stage) -> usize {
    match stage {
        Stage::Saved => 0,
        Stage::Queued | Stage::WaitingForSandbox | Stage::NeedsAttention => 1,
        Stage::Compiling => 2,
        Stage::Running => 3,
        Stage::Finished | Stage::Unknown(_) => STEPS,
    }
}

/// How many steps were gone: a program that did not compile never ran.
fn steps_done(stage: &Stage, verdict: Option<&Verdict>) -> usize {
    let is_refused = *stage == Stage::Finished && verdict == Some(&Verdict::CompileError);
    if is_refused { STEPS - 1 } else { step_of(stage) }
}

/// A stage in words, with its count while running.
pub(super) fn stage_text(progress: &Progress) -> String {
    match &progress.stage {
        Stage::Saved => t().stage_saved.to_owned(),
        Stage::Queued => t().stage_queued.to_owned(),
        Stage::Compiling => t().stage_compiling.to_owned(),
        Stage::Running => t().running_of.fill([&progress.runs_done.to_string(), &progress.runs_total.to_string()]),
        Stage::WaitingForSandbox => t().stage_waiting_for_sandbox.to_owned(),
        Stage::Finished => t().stage_finished.to_owned(),
        Stage::NeedsAttention => t().stage_needs_attention.to_owned(),
        Stage::Unknown(name) => name.clone(),
    }
}

/// A list row's state: the verdict when there is one, else the stage in words.
#[component]
pub(crate) fn StateWord(progress: Progress, verdict: Option<Verdict>) -> impl IntoView {
    let is_over = progress.stage == Stage::Finished;
    match verdict {
        Some(verdict) if is_over => view! { <VerdictBadge verdict /> }.into_any(),
        // A verdict that is being replaced stays readable beside what goes on.
        Some(verdict) => view! { <VerdictBadge verdict />" "<span class="stage">{stage_text(&progress)}</span> }.into_any(),
        None => view! { <span class="stage" class:is-stuck=progress.stage == Stage::NeedsAttention>{stage_text(&progress)}</span> }.into_any(),
    }
}

/// The line itself. A screen reader hears the present step only.
#[component]
pub(crate) fn StateLine(detail: Signal<SubmissionDetail>) -> impl IntoView {
    let progress = Memo::new(move |_| detail.with(|detail| detail.summary.progress.clone()));
    let verdict = Memo::new(move |_| detail.with(|detail| detail.summary.verdict.clone()));
    let at = Memo::new(move |_| progress.with(|progress| step_of(&progress.stage)));
    let done = Memo::new(move |_| {
        progress.with(|progress| verdict.with(|verdict| steps_done(&progress.stage, verdict.as_ref())))
    });
    let name = move |step: usize| match step {
        0 => t().stage_saved.to_owned(),
        1 => progress.with(|progress| match progress.stage {
            Stage::WaitingForSandbox | Stage::NeedsAttention => stage_text(progress),
            _ => t().stage_queued.to_owned(),
        }),
        2 => t().stage_compiling.to_owned(),
        _ => progress.with(|progress| {
            if progress.runs_total > 0 && progress.runs_done > 0 {
                stage_text_running(progress)
            } else {
                t().stage_running.to_owned()
            }
        }),
    };
    view! {
        <div
            class="state-line"
            data-testid="state-line"
            data-stage=move || progress.with(|progress| progress.stage.as_str().to_owned())
        >
            <ol aria-hidden="true">
                {(0..STEPS).map(|step| view! {
                    <li class="step" class:is-done=move || done.get().gt(&step) class:is-now=move || at.get() == step>
                        {move || (done.get() > step).then(|| view! { <Icon glyph=Glyph::Check /> })}
                        {move || name(step)}
                    </li>
                }).collect_view()}
            </ol>
            {move || verdict.get().map(|verdict| view! { <VerdictBadge verdict wide=true testid="verdict" /> })}
            <span class="visually-hidden" role="status">
                {move || match verdict.get() {
                    Some(verdict) => crate::i18n::verdict_name(&verdict),
                    None => progress.with(stage_text),
                }}
            </span>
        </div>
        {move || waiting_note(&progress.get())}
    }
}

fn stage_text_running(progress: &Progress) -> String {
    t().running_of.fill([&progress.runs_done.to_string(), &progress.runs_total.to_string()])
}

/// Why it waits, and that nobody is blamed for it.
fn waiting_note(progress: &Progress) -> Option<impl IntoView + use<>> {
    let reason = progress.reason.clone();
    // What everybody is told says no more than the note itself.
    let is_said = reason.is_empty() || reason == ReasonKind::JudgingPaused.words();
    let (tone, text) = match progress.stage {
        Stage::WaitingForSandbox => (Tone::Warning, t().waiting_for_sandbox_note),
        Stage::NeedsAttention => (Tone::Bad, t().needs_attention_note),
        Stage::Saved | Stage::Queued | Stage::Compiling | Stage::Running | Stage::Finished | Stage::Unknown(_) => {
            return None;
        }
    };
    Some(view! {
        <Notice tone testid="waiting-reason">
            {text}
            {(!is_said).then(|| view! { <p class="hint wrap">{reason_text(&reason)}</p> })}
        </Notice>
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_only_go_forward_on_the_way_to_a_verdict() {
        let way = [Stage::Saved, Stage::Queued, Stage::Compiling, Stage::Running, Stage::Finished];
        let steps: Vec<usize> = way.iter().map(step_of).collect();
        assert_eq!(steps, [0, 1, 2, 3, STEPS]);
    }

    #[test]
    fn a_program_that_did_not_compile_never_ran() {
        assert_eq!(steps_done(&Stage::Finished, Some(&Verdict::CompileError)), 3);
        assert_eq!(steps_done(&Stage::Finished, Some(&Verdict::WrongAnswer)), STEPS);
        assert_eq!(steps_done(&Stage::Running, None), 3);
    }

    #[test]
    fn running_says_how_far() {
        let progress = Progress { stage: Stage::Running, runs_done: 7, runs_total: 20, reason: String::new() };
        assert_eq!(stage_text(&progress), "Running 7/20");
    }

    #[test]
    fn only_waiting_and_stuck_ask_for_attention() {
        for stage in Stage::KNOWN {
            let progress = Progress { stage: stage.clone(), runs_done: 0, runs_total: 0, reason: String::new() };
            let expected = matches!(stage, Stage::WaitingForSandbox | Stage::NeedsAttention);
            assert_eq!(waiting_note(&progress).is_some(), expected, "{stage}");
        }
    }
}
