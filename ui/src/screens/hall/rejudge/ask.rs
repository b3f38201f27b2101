//! The dialog that asks for a rejudging: of one submission, or of all that fit some conditions.

use agon_contract::command::Rejudge;
use agon_contract::ids::SubmissionId;
use agon_contract::rejudge::{RejudgeBasis, RejudgeMode, RejudgeSelection};
use agon_contract::verdict::Verdict;
use leptos::prelude::*;
use leptos_router::hooks::use_navigate;

use super::choices::{BasisChoice, ConditionFields, ModeChoice};
use crate::i18n::{hall, t};
use crate::parts::{Dialog, Notice, Refusal, Tone};
use crate::state::action::action;
use crate::state::browser::new_uuid;

/// What is judged again.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Target {
    /// `in_contest` decides what is proposed: a contest's verdict is reviewed before it changes.
    One { submission_id: SubmissionId, number: u64, in_contest: bool },
    /// All that fit; the conditions to begin with.
    Matching(Conditions),
}

/// Conditions as chosen; what is `None` does not narrow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Conditions {
    pub(crate) problem: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) verdict: Option<String>,
}

/// The selection, or nothing while no condition is chosen: nobody judges everything again by accident.
fn selection_of(target: &Target, conditions: &Conditions) -> Option<RejudgeSelection> {
    match target {
        Target::One { submission_id, .. } => {
            Some(RejudgeSelection::Submission { submission_id: submission_id.clone() })
        }
        Target::Matching(_) if *conditions == Conditions::default() => None,
        Target::Matching(_) => Some(RejudgeSelection::Matching {
            problem_id: conditions.problem.as_deref().map(Into::into),
            language_id: conditions.language.as_deref().map(Into::into),
            verdict: conditions.verdict.as_deref().map(Verdict::from),
            contest_id: None,
        }),
    }
}

/// What is proposed: one's own practice counts at once, everything that concerns others is reviewed.
fn proposed_mode(target: &Target) -> RejudgeMode {
    match target {
        Target::One { in_contest: false, .. } => RejudgeMode::Direct,
        Target::One { .. } | Target::Matching(_) => RejudgeMode::Reviewed,
    }
}

/// A request with a key of its own: pressing again after no answer came repeats the key and does nothing twice.
fn keyed(asked: &mut Option<Rejudge>, mut wanted: Rejudge) -> Rejudge {
    if let Some(before) = asked {
        wanted.idempotency_key = before.idempotency_key.clone();
        if *before == wanted {
            return wanted;
        }
    }
    wanted.idempotency_key = new_uuid().as_str().into();
    *asked = Some(wanted.clone());
    wanted
}

/// The dialog; `on_close` unmounts it. A rejudging to be reviewed is opened.
#[component]
pub(crate) fn AskAgain(target: Target, on_close: impl Fn() + Clone + Send + Sync + 'static) -> impl IntoView {
    let navigate = use_navigate();
    let sending = action();
    let asked = StoredValue::new(None::<Rejudge>);
    let mode = RwSignal::new(proposed_mode(&target));
    let basis = RwSignal::new(RejudgeBasis::Newest);
    let conditions = RwSignal::new(match &target {
        Target::One { .. } => Conditions::default(),
        Target::Matching(conditions) => conditions.clone(),
    });
    let is_many = matches!(target, Target::Matching(_));
    let of = target.clone();
    let selection = Memo::new(move |_| conditions.with(|conditions| selection_of(&of, conditions)));
    let (close, closed) = (on_close.clone(), on_close.clone());
    let start = move |_| {
        let Some(selection) = selection.get_untracked() else { return };
        let (mode, basis) = (mode.get_untracked(), basis.get_untracked());
        let wanted = Rejudge { idempotency_key: "".into(), selection, mode: mode.clone(), basis };
        let Some(request) = asked.try_update_value(|asked| keyed(asked, wanted)) else { return };
        let (close, navigate) = (close.clone(), navigate.clone());
        sending.send(request, move |made| {
            close();
            if is_many || mode == RejudgeMode::Reviewed {
                navigate(&format!("/hall/rejudge/{}", made.id), Default::default());
            }
        });
    };
    view! {
        <Dialog title=hall().judge_again.to_owned() on_close testid="ask-again">
            <div class="dialog-body">
                {match &target {
                    Target::One { number, .. } => view! { <p>{hall().rejudge_one.fill([&number.to_string()])}</p> }.into_any(),
                    Target::Matching(_) => view! { <p>{hall().rejudge_matching}</p><ConditionFields conditions /> }.into_any(),
                }}
                <ModeChoice mode />
                {move || (is_many && mode.with(|mode| *mode == RejudgeMode::Direct)).then(|| view! {
                    <Notice tone=Tone::Warning>{hall().mode_direct_warning}</Notice>
                })}
                <BasisChoice basis />
                <Refusal action=sending />
            </div>
            <footer class="dialog-foot">
                {move || selection.with(Option::is_none).then(|| view! { <span class="hint foot-note">{hall().needs_condition}</span> })}
                <button class="button" type="button" on:click=move |_| closed()>{t().close}</button>
                <button
                    class="button button-primary" type="button" data-testid="start-rejudging" on:click=start
                    disabled=move || sending.is_busy.get() || selection.with(Option::is_none)
                >
                    {move || if sending.is_busy.get() { hall().starting_rejudging } else { hall().start_rejudging }}
                </button>
            </footer>
        </Dialog>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(in_contest: bool) -> Target {
        Target::One { submission_id: "s".into(), number: 4, in_contest }
    }

    #[test]
    fn what_concerns_others_is_reviewed_unless_somebody_says_otherwise() {
        assert_eq!(proposed_mode(&one(false)), RejudgeMode::Direct);
        assert_eq!(proposed_mode(&one(true)), RejudgeMode::Reviewed);
        assert_eq!(proposed_mode(&Target::Matching(Conditions::default())), RejudgeMode::Reviewed);
    }

    #[test]
    fn everything_is_never_selected_by_leaving_all_fields_alone() {
        let target = Target::Matching(Conditions::default());
        assert_eq!(selection_of(&target, &Conditions::default()), None);
        let conditions = Conditions { verdict: Some("TLE".into()), ..Conditions::default() };
        let expected = RejudgeSelection::Matching {
            problem_id: None,
            language_id: None,
            verdict: Some(Verdict::TimeLimit),
            contest_id: None,
        };
        assert_eq!(selection_of(&target, &conditions), Some(expected));
    }

    #[test]
    fn the_same_wish_keeps_its_key() {
        let wish = |mode| Rejudge {
            idempotency_key: "".into(),
            selection: RejudgeSelection::Submission { submission_id: "s".into() },
            mode,
            basis: RejudgeBasis::Newest,
        };
        let known = Rejudge { idempotency_key: "k".into(), ..wish(RejudgeMode::Direct) };
        let mut asked = Some(known.clone());
        assert_eq!(keyed(&mut asked, wish(RejudgeMode::Direct)), known);
    }
}
