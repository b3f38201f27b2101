//! Why does the verdict differ: two judgements of the history, and what they were made with.

use agon_contract::command::ExplainDifference;
use agon_contract::delivery::{FieldDifference, ManifestDifference, ManifestField};
use agon_contract::permission::Permission;
use agon_contract::submission::{JudgementState, JudgementView, SubmissionDetail};
use leptos::prelude::*;

use crate::format::{bytes, short_hash, time_limit};
use crate::i18n::{field_name, hall};
use crate::parts::{Notice, Tone, VerdictBadge};
use crate::state::{loaded, query, use_app};

/// What is needed of a judgement to choose it.
#[derive(Clone, Debug, PartialEq)]
struct Choice {
    id: String,
    text: String,
}

/// Judgements with a verdict, newest first.
fn choices_of(judgements: &[JudgementView]) -> Vec<Choice> {
    let judged = judgements.iter().filter(|judgement| judgement.state == JudgementState::Judged);
    judged
        .map(|judgement| {
            let verdict = judgement.verdict.as_ref().map_or(hall().no_verdict, |verdict| verdict.as_str());
            let text = hall().generation_of.fill([&judgement.generation.to_string(), verdict]);
            Choice { id: judgement.id.0.clone(), text }
        })
        .collect()
}

/// The two to begin with: the newest, and the newest of the others whose verdict is another, else just the next.
fn pair_of(judgements: &[JudgementView]) -> Option<(String, String)> {
    let mut judged = judgements.iter().filter(|judgement| judgement.state == JudgementState::Judged);
    let newest = judged.next()?;
    let others: Vec<_> = judged.collect();
    let other = others.iter().find(|other| other.verdict != newest.verdict).or(others.first())?;
    Some((other.id.0.clone(), newest.id.0.clone()))
}

/// Offered when there are two judgements to compare, to whom everybody's submissions are open.
#[component]
pub(super) fn WhyDifferent(detail: Signal<SubmissionDetail>) -> impl IntoView {
    let app = use_app();
    let choices = Memo::new(move |_| detail.with(|detail| choices_of(&detail.judgements)));
    let is_offered =
        Memo::new(move |_| app.may(&Permission::ReadSubmissions) && choices.with(|choices| choices.len() > 1));
    let is_open = RwSignal::new(false);
    move || {
        is_offered.get().then(|| {
            view! {
                <details class="manifest" data-testid="why-differs" on:toggle=move |_| is_open.set(true)>
                    <summary>{hall().why_differs}</summary>
                    {move || is_open.get().then(|| view! { <Compare detail choices /> })}
                </details>
            }
        })
    }
}

#[component]
fn Compare(detail: Signal<SubmissionDetail>, choices: Memo<Vec<Choice>>) -> impl IntoView {
    let pair = detail.with_untracked(|detail| pair_of(&detail.judgements)).unwrap_or_default();
    let (first, second) = (RwSignal::new(pair.0), RwSignal::new(pair.1));
    let difference = query(
        move || Some(ExplainDifference { first: first.get().as_str().into(), second: second.get().as_str().into() }),
        &[],
    );
    view! {
        <div class="compare">
            <label>{hall().compare_first}" "<Choose testid="compare-first" choices chosen=first /></label>
            <label>{hall().compare_second}" "<Choose testid="compare-second" choices chosen=second /></label>
        </div>
        <div class="compared">{loaded(difference, |found| view! { <Found found /> })}</div>
    }
}

#[component]
fn Choose(testid: &'static str, choices: Memo<Vec<Choice>>, chosen: RwSignal<String>) -> impl IntoView {
    view! {
        <select data-testid=testid on:change=move |event| chosen.set(event_target_value(&event))>
            {move || choices.get().into_iter().map(|choice| {
                let is_chosen = chosen.with_untracked(|chosen| *chosen == choice.id);
                view! { <option value=choice.id selected=is_chosen>{choice.text}</option> }
            }).collect_view()}
        </select>
    }
}

#[component]
fn Found(found: Signal<ManifestDifference>) -> impl IntoView {
    move || {
        let found = found.get();
        if found.fields.is_empty() {
            return view! {
                <Notice tone=Tone::Info testid="same-everything">
                    <strong>{hall().same_everything}</strong>" "{hall().same_everything_hint}
                </Notice>
            }
            .into_any();
        }
        let side = |verdict: Option<agon_contract::verdict::Verdict>, failing: Option<String>| {
            view! {
                {verdict.map(|verdict| view! { <VerdictBadge verdict /> })}
                {failing.map(|name| view! { " "<code>{name}</code> })}
            }
        };
        view! {
            <table class="table" data-testid="differences">
                <thead><tr>
                    <th scope="col">{hall().column_field}</th>
                    <th scope="col">{side(found.first.verdict, found.first.first_failing)}</th>
                    <th scope="col">{side(found.second.verdict, found.second.first_failing)}</th>
                </tr></thead>
                <tbody>{found.fields.into_iter().map(|field| view! { <Row field /> }).collect_view()}</tbody>
            </table>
        }
        .into_any()
    }
}

#[component]
fn Row(field: FieldDifference) -> impl IntoView {
    let value = |raw: &str| {
        let shown = shown_value(&field.field, raw);
        view! { <td class="wrap mono" title=raw.to_owned()>{shown}</td> }
    };
    view! {
        <tr data-testid=format!("differs-{}", field.field)>
            <th scope="row">{field_name(&field.field)}</th>
            {value(&field.first)}
            {value(&field.second)}
        </tr>
    }
}

/// A value as people read it; what is not of the expected shape stays as it is.
fn shown_value(field: &ManifestField, raw: &str) -> String {
    if raw.is_empty() {
        return hall().not_recorded.to_owned();
    }
    let number = raw.parse::<u64>().ok();
    match field {
        ManifestField::TimeLimitMs => number.map_or_else(|| raw.to_owned(), time_limit),
        ManifestField::MemoryLimitBytes | ManifestField::OutputLimitBytes => {
            number.map_or_else(|| raw.to_owned(), bytes)
        }
        ManifestField::Sources
        | ManifestField::LanguageDefinition
        | ManifestField::Package
        | ManifestField::TestData
        | ManifestField::Validator
        | ManifestField::SandboxImage => short_hash(raw),
        ManifestField::Language | ManifestField::PolicyVersion | ManifestField::Machine | ManifestField::Unknown(_) => {
            raw.to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::pick::tests::judgement;
    use super::*;
    use agon_contract::verdict::Verdict;

    #[test]
    fn the_pair_to_begin_with_has_two_verdicts_if_there_are_two() {
        let of = |generation, verdict: Verdict| judgement(generation, JudgementState::Judged, false, Some(verdict));
        let pair =
            |judgements: &[JudgementView]| pair_of(judgements).map(|(first, second)| format!("{first} {second}"));
        let three = [of(5, Verdict::Accepted), of(4, Verdict::Accepted), of(2, Verdict::TimeLimit)];
        assert_eq!(pair(&three).as_deref(), Some("j2 j5"));
        assert_eq!(pair(&three[..2]).as_deref(), Some("j4 j5"));
        assert_eq!(pair(&three[..1]), None);
    }

    #[test]
    fn abandoned_judgements_are_not_compared() {
        let judged = judgement(2, JudgementState::Judged, true, Some(Verdict::Accepted));
        let abandoned = judgement(1, JudgementState::Abandoned, false, None);
        assert_eq!(choices_of(&[judged, abandoned]).len(), 1);
    }

    #[test]
    fn values_are_shown_in_their_units_and_absent_ones_as_absent() {
        assert_eq!(shown_value(&ManifestField::TimeLimitMs, "1500"), "1.5 s");
        assert_eq!(shown_value(&ManifestField::MemoryLimitBytes, "268435456"), "256 MiB");
        assert_eq!(shown_value(&ManifestField::TestData, "sha256:0123456789abcdef"), "0123456789ab");
        assert_eq!(shown_value(&ManifestField::Machine, ""), "not recorded");
        assert_eq!(shown_value(&ManifestField::TimeLimitMs, "soon"), "soon");
    }
}
