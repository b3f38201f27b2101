//! Points: of a submission against what could be reached, and group by group.

use agon_contract::score::Score;
use agon_contract::submission::{GroupView, SubmissionDetail};
use leptos::prelude::*;

use super::pick::shown_judgement;
use crate::i18n::t;
use crate::parts::VerdictBadge;

/// `40 / 100`, or the points alone where there is no maximum.
fn points_text(score: Score, max_score: Option<Score>) -> String {
    max_score.map_or_else(|| score.to_string(), |max_score| format!("{score} / {max_score}"))
}

/// Points in a line of text.
#[component]
pub(crate) fn Points(score: Score, max_score: Option<Score>) -> impl IntoView {
    view! { <span class="points">{points_text(score, max_score)}</span> }
}

/// The whole score in large, and the table of groups; absent for pass-fail problems.
#[component]
pub(super) fn ScoreBoard(detail: Signal<SubmissionDetail>) -> impl IntoView {
    let shown = Memo::new(move |_| {
        detail.with(|detail| {
            let judgement = shown_judgement(detail)?;
            let score = judgement.score?;
            Some((score, judgement.max_score, judgement.groups.clone()))
        })
    });
    move || {
        shown.get().map(|(score, max_score, groups)| {
            view! {
                <p class="score-line" data-testid="score">{t().score}" "<strong><Points score max_score /></strong></p>
                {(!groups.is_empty()).then(|| view! { <Groups groups /> })}
            }
        })
    }
}

#[component]
fn Groups(groups: Vec<GroupView>) -> impl IntoView {
    view! {
        <h2>{t().groups}</h2>
        <table class="table groups" data-testid="groups">
            <thead><tr>
                <th scope="col">{t().group}</th>
                <th scope="col" class="cell-narrow">{t().column_verdict}</th>
                <th scope="col" class="number">{t().column_score}</th>
            </tr></thead>
            <tbody>{groups.into_iter().map(|group| view! { <GroupRow group /> }).collect_view()}</tbody>
        </table>
    }
}

#[component]
fn GroupRow(group: GroupView) -> impl IntoView {
    let GroupView { name, verdict, score, max_score, is_blocked } = group;
    let seen = if is_blocked {
        view! { <span class="muted">{t().group_blocked}</span> }.into_any()
    } else {
        view! { <VerdictBadge verdict /> }.into_any()
    };
    view! {
        <tr>
            <th scope="row"><code>{name}</code></th>
            <td>{seen}</td>
            <td class="number"><Points score max_score /></td>
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_stand_against_what_could_be_reached() {
        assert_eq!(points_text(Score::of(40.0), Some(Score::of(100.0))), "40 / 100");
        assert_eq!(points_text(Score::of(57.99999), None), "57.99999");
    }
}
