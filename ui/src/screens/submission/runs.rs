//! The table of runs: verdict, CPU, wall clock and memory against the limits, the first failing one marked.

use agon_contract::problem::LimitsView;
use agon_contract::submission::{RunView, SubmissionDetail};
use leptos::prelude::*;

use super::measures::{CpuMeter, MemoryMeter, WallMeter};
use super::pick::shown_judgement;
use super::score::Points;
use crate::format::bytes;
use crate::i18n::{reason_text, t};
use crate::parts::VerdictBadge;

/// A row's identity and whether it is the first failing one.
#[derive(Clone, PartialEq)]
struct Row {
    run: RunView,
    is_first_failing: bool,
}

fn rows_of(detail: &SubmissionDetail) -> Vec<Row> {
    let Some(judgement) = shown_judgement(detail) else { return Vec::new() };
    let first = judgement.first_failing.as_ref();
    judgement.runs.iter().map(|run| Row { is_first_failing: first == Some(&run.case_name), run: run.clone() }).collect()
}

/// Absent while there are no runs.
#[component]
pub(super) fn RunTable(detail: Signal<SubmissionDetail>) -> impl IntoView {
    let rows = Memo::new(move |_| detail.with(rows_of));
    let limits = detail.with_untracked(|detail| detail.limits.clone());
    let is_empty = Memo::new(move |_| rows.with(Vec::is_empty));
    move || {
        let limits = limits.clone();
        (!is_empty.get()).then(|| view! {
            <h2>{t().tests}</h2>
            <table class="table runs">
                <thead><tr>
                    <th scope="col" class="number cell-narrow">"#"</th>
                    <th scope="col" class="cell-narrow">{t().column_verdict}</th>
                    <th scope="col">{t().column_test}</th>
                    <th scope="col" class="number">{t().cpu}</th>
                    <th scope="col" class="number">{t().wall}</th>
                    <th scope="col" class="number">{t().memory}</th>
                    <th scope="col" class="number">{t().column_output}</th>
                    <th scope="col">{t().column_seen}</th>
                </tr></thead>
                <tbody>
                    <For each=move || rows.get() key=|row| (row.run.ordinal, row.is_first_failing, row.run.verdict.clone()) let:row>
                        <RunRow row limits=limits.clone() />
                    </For>
                </tbody>
            </table>
        })
    }
}

#[component]
fn RunRow(row: Row, limits: LimitsView) -> impl IntoView {
    let Row { run, is_first_failing } = row;
    let has_texts = !run.output_head.is_empty() || !run.stderr_head.is_empty();
    view! {
        <tr class:is-first-failing=is_first_failing data-testid=format!("run-row-{}", run.ordinal)>
            <td class="number muted">{run.ordinal}</td>
            <td><VerdictBadge verdict=run.verdict.clone() />{run.score.map(|score| view! { " "<Points score max_score=None /> })}</td>
            <th scope="row"><code>{run.case_name.clone()}</code>{is_first_failing.then(|| view! { <span class="visually-hidden">{t().first_failing}</span> })}</th>
            <td class="number"><CpuMeter run=run.clone() limits=limits.clone() /></td>
            <td class="number"><WallMeter run=run.clone() limits=limits.clone() /></td>
            <td class="number"><MemoryMeter run=run.clone() limits /></td>
            <td class="number">{if run.outcome.is_empty() { "–".to_owned() } else { bytes(run.output_bytes) }}</td>
            <td class="cell-seen">
                <span class="outcome">{reason_text(&run.outcome)}</span>
                {run.disturbed.then(|| view! { <span class="tag" title=t().disturbed_hint>{t().disturbed}</span> })}
                {(!run.message.is_empty()).then(|| view! { <pre class="difference">{reason_text(&run.message)}</pre> })}
                {(!run.team_message.is_empty()).then(|| view! { <TeamMessage text=run.team_message.clone() /> })}
                {has_texts.then(|| view! { <RunTexts run=run.clone() /> })}
            </td>
        </tr>
    }
}

/// What the problem's own output validator has to say to the contestant.
#[component]
fn TeamMessage(text: String) -> impl IntoView {
    view! { <p class="hint">{t().validator_says}</p><pre class="difference">{text}</pre> }
}

#[component]
fn RunTexts(run: RunView) -> impl IntoView {
    let part = |title: &'static str, text: String| {
        (!text.is_empty()).then(|| view! {
        <div class="sample-part"><header><span>{title}</span></header><pre tabindex="0" role="group" aria-label=title>{text}</pre></div>
    })
    };
    view! {
        <details>
            <summary>{t().show_output}</summary>
            {part(t().program_output, run.output_head)}
            {part(t().error_output, run.stderr_head)}
        </details>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screens::submission::pick::tests::{detail, judgement};
    use agon_contract::submission::JudgementState;
    use agon_contract::verdict::Verdict;

    fn run(ordinal: u32, name: &str, verdict: Verdict) -> RunView {
        RunView {
            ordinal,
            case_name: name.into(),
            is_sample: false,
            verdict,
            outcome: "exit 0".into(),
            cpu_ms: 1,
            wall_ms: 1,
            peak_memory_bytes: 1,
            output_bytes: 1,
            message: String::new(),
            output_head: String::new(),
            stderr_head: String::new(),
            disturbed: false,
            score: None,
            team_message: String::new(),
        }
    }

    #[test]
    fn exactly_the_named_test_is_marked() {
        let mut judged = judgement(1, JudgementState::Judged, true, Some(Verdict::WrongAnswer));
        judged.first_failing = Some("secret/02".into());
        judged.runs = vec![
            run(1, "secret/01", Verdict::Accepted),
            run(2, "secret/02", Verdict::WrongAnswer),
            run(3, "secret/03", Verdict::WrongAnswer),
        ];
        let marked: Vec<bool> = rows_of(&detail(vec![judged])).iter().map(|row| row.is_first_failing).collect();
        assert_eq!(marked, [false, true, false]);
    }
}
