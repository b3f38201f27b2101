//! The judgement history and the sealed manifest: what explains a verdict later.

use agon_contract::submission::{JudgementState, JudgementView, SubmissionDetail};
use leptos::prelude::*;

use super::score::Points;
use crate::format::{duration, short_hash};
use crate::i18n::{reason_text, t};
use crate::parts::{Moment, VerdictBadge};

fn state_text(state: &JudgementState) -> String {
    match state {
        JudgementState::Pending => t().judgement_pending.to_owned(),
        JudgementState::Judging => t().judgement_judging.to_owned(),
        JudgementState::Judged => t().judgement_judged.to_owned(),
        JudgementState::Abandoned => t().judgement_abandoned.to_owned(),
        JudgementState::Cancelled => t().judgement_cancelled.to_owned(),
        JudgementState::Unknown(name) => name.clone(),
    }
}

/// Every judging of the submission, newest first. An abandoned one shows its reason and no verdict.
#[component]
pub(super) fn History(detail: Signal<SubmissionDetail>) -> impl IntoView {
    let judgements = Memo::new(move |_| detail.with(|detail| detail.judgements.clone()));
    view! {
        <h2>{t().judgements}</h2>
        <table class="table" data-testid="judgements">
            <thead><tr>
                <th scope="col" class="number cell-narrow">{t().generation}</th>
                <th scope="col">{t().column_state}</th>
                <th scope="col" class="cell-narrow">{t().column_verdict}</th>
                <th scope="col">{t().reason}</th>
                <th scope="col">{t().machine}</th>
                <th scope="col">{t().sandbox_image}</th>
                <th scope="col" class="number">{t().finished}</th>
                <th scope="col" class="number">{t().column_took}</th>
            </tr></thead>
            <tbody>
                {move || judgements.get().into_iter().map(|judgement| view! { <JudgementRow judgement /> }).collect_view()}
            </tbody>
        </table>
    }
}

#[component]
fn JudgementRow(judgement: JudgementView) -> impl IntoView {
    let verdict = judgement.verdict.filter(|_| judgement.state == JudgementState::Judged);
    let took =
        judgement.started_at_ms.zip(judgement.finished_at_ms).map(|(start, end)| duration((end - start).max(0) as u64));
    view! {
        <tr>
            <td class="number">{judgement.generation}</td>
            <td>{state_text(&judgement.state)}{judgement.is_current.then(|| view! { " "<span class="tag">{t().current}</span> })}
                {judgement.is_held.then(|| view! { " "<span class="tag" data-testid="held-back" title=t().held_back_hint>{t().held_back}</span> })}</td>
            <td>{verdict.map(|verdict| view! { <VerdictBadge verdict /> })}{judgement.score.map(|score| view! { " "<Points score max_score=judgement.max_score /> })}</td>
            <td class="wrap">{reason_text(&judgement.reason)}</td>
            <td class="wrap">{judgement.machine}</td>
            <td class="mono" title=judgement.image_id.clone()>{short_hash(&judgement.image_id)}</td>
            <td class="number">{judgement.finished_at_ms.map(|at_ms| view! { <Moment at_ms /> })}</td>
            <td class="number">{took}</td>
        </tr>
    }
}

/// Hashes of everything the verdict depends on.
#[component]
pub(super) fn Manifest(detail: Signal<SubmissionDetail>) -> impl IntoView {
    let manifest = detail.with_untracked(|detail| detail.manifest.clone());
    let rows = [
        (t().manifest_sources, manifest.sources_hash),
        (t().manifest_package, manifest.package_hash),
        (t().manifest_data, manifest.data_hash),
        (t().manifest_validator, manifest.validator_hash),
        (t().manifest_language, manifest.language_hash),
    ];
    view! {
        <details class="manifest" data-testid="manifest">
            <summary>{t().manifest}</summary>
            <p class="hint">{t().manifest_hint}</p>
            <dl class="facts">
                {rows.into_iter().map(|(name, hash)| view! { <dt>{name}</dt><dd class="mono wrap">{hash}</dd> }).collect_view()}
                <dt>{t().manifest_policy}</dt><dd class="mono">{manifest.policy_version}</dd>
            </dl>
        </details>
    }
}
