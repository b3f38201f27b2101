//! A rejudging in a line: what it took, where it stands, how far it is.

use agon_contract::command::ListProblems;
use agon_contract::problem::ProblemSummary;
use agon_contract::rejudge::{ChangeSetCounts, ChangeSetState, ChangeSetView, RejudgeSelection};
use leptos::prelude::*;

use crate::i18n::{change_set_state_name, hall, locale, t};
use crate::state::preferences::best_text;
use crate::state::query::Query;
use crate::state::{App, Topic, query};

/// The catalogue, for the titles of problems.
pub(super) fn titles() -> Query<Vec<ProblemSummary>> {
    query(|| Some(ListProblems { query: String::new() }), &[Topic::Catalog])
}

/// What a rejudging took, as a person would say it: `Sums, C++20, Verdict TLE`.
pub(super) fn selection_text(
    selection: &RejudgeSelection,
    app: &App,
    problems: &[ProblemSummary],
    number: Option<u64>,
) -> String {
    match selection {
        RejudgeSelection::Submission { .. } => {
            number.map_or_else(|| hall().what_submission.to_owned(), |number| format!("#{number}"))
        }
        RejudgeSelection::Matching { problem_id, language_id, verdict, contest_id } => {
            let title = |id: &agon_contract::ids::ProblemId| {
                let known = problems.iter().find(|problem| problem.id == *id);
                known.map_or(hall().no_such_problem.to_owned(), |problem| {
                    best_text(&problem.titles, locale()).to_owned()
                })
            };
            let parts = [
                problem_id.as_ref().map(title),
                language_id.as_ref().map(|id| app.language_name(id)),
                verdict.as_ref().map(|verdict| format!("{} {}", t().column_verdict, verdict.as_str())),
                contest_id.as_ref().map(|_| hall().what_contest.to_owned()),
            ];
            parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
        }
    }
}

/// Submissions of the set that are or will be judged again.
pub(super) fn taken(counts: &ChangeSetCounts) -> u32 {
    counts.total.saturating_sub(counts.left_out)
}

/// Whether the set can be applied now, and if not whether a person must do something first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Readiness {
    Ready,
    Waits,
    NeedsAttention,
    /// Decided, or there is nothing to apply.
    Closed,
}

pub(super) fn readiness(set: &ChangeSetView) -> Readiness {
    if set.state != ChangeSetState::Open {
        Readiness::Closed
    } else if set.counts.waiting + set.counts.judging > 0 {
        Readiness::Waits
    } else if set.counts.needs_attention > 0 {
        Readiness::NeedsAttention
    } else {
        Readiness::Ready
    }
}

/// The state as a tag whose colour says whether somebody has to decide.
#[component]
pub(super) fn StateTag(set: ChangeSetView) -> impl IntoView {
    let class = match readiness(&set) {
        Readiness::Ready => "tag tag-asks",
        Readiness::NeedsAttention => "tag tag-bad",
        Readiness::Waits | Readiness::Closed => "tag",
    };
    view! { <span class=class data-testid="set-state" data-state=set.state.as_str().to_owned()>{change_set_state_name(&set)}</span> }
}

/// How many of the set have their new verdict, as a bar and in words.
#[component]
pub(super) fn Progress(counts: ChangeSetCounts) -> impl IntoView {
    let total = taken(&counts);
    let done = total.saturating_sub(counts.waiting + counts.judging + counts.needs_attention + counts.ended);
    let text = hall().judged_of.fill([&done.to_string(), &total.to_string()]);
    view! {
        <span class="set-progress">
            <progress max=total.max(1) value=done aria-label=hall().progress></progress>
            <span data-testid="set-progress">{text}</span>
        </span>
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use agon_contract::rejudge::{RejudgeBasis, RejudgeMode};

    pub(crate) fn set(counts: ChangeSetCounts) -> ChangeSetView {
        ChangeSetView {
            id: "c".into(),
            number: 1,
            made_by: "u".into(),
            made_at_ms: 0,
            selection: RejudgeSelection::Submission { submission_id: "s".into() },
            mode: RejudgeMode::Reviewed,
            basis: RejudgeBasis::Newest,
            state: ChangeSetState::Open,
            decided_at_ms: None,
            decided_by: None,
            counts,
            items: Vec::new(),
            next_after_ordinal: None,
        }
    }

    #[test]
    fn a_set_can_be_applied_only_when_nothing_of_it_is_under_way() {
        let counts = |waiting, judging, needs_attention| ChangeSetCounts {
            total: 3,
            waiting,
            judging,
            needs_attention,
            ..ChangeSetCounts::default()
        };
        assert_eq!(readiness(&set(counts(1, 0, 1))), Readiness::Waits);
        assert_eq!(readiness(&set(counts(0, 1, 0))), Readiness::Waits);
        assert_eq!(readiness(&set(counts(0, 0, 1))), Readiness::NeedsAttention);
        assert_eq!(readiness(&set(counts(0, 0, 0))), Readiness::Ready);
        let decided = ChangeSetView { state: ChangeSetState::Discarded, ..set(counts(0, 0, 0)) };
        assert_eq!(readiness(&decided), Readiness::Closed);
    }

    #[test]
    fn what_was_left_out_is_not_waited_for() {
        assert_eq!(taken(&ChangeSetCounts { total: 5, left_out: 2, ..ChangeSetCounts::default() }), 3);
    }
}
