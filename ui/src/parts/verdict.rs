//! A verdict as letters, shape and colour; the long name is for the tooltip and the screen reader.

use agon_contract::verdict::Verdict;
use leptos::prelude::*;

use crate::i18n::{t, verdict_name};

/// The drawing that tells verdicts apart without colour.
fn shape(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted => "M2.5 6.5 5 9l4.5-6",
        Verdict::WrongAnswer => "M3 3l6 6M9 3l-6 6",
        Verdict::TimeLimit => "M3 2h6L3 10h6zM3 2l6 8",
        Verdict::RunTimeError => "M6 1.5 11 10.500H1zM6 5v2.500M6 9v.2",
        Verdict::MemoryLimit => "M2 10V6.500h2.500V10M4.5 10V4H7v6M7 10V1.500h2.500V10",
        Verdict::OutputLimit => "M2 2.500h8M2 5h8M2 7.500h8M2 10h5",
        Verdict::CompileError => "M4 2 1 6l3 4M8 2l3 4-3 4",
        Verdict::JudgeError => "M6 1 10.5 3.500v5L6 11 1.5 8.500v-5zM6 4v2.500M6 8v.2",
        Verdict::Unknown(_) => "M3 6h.2M6 6h.2M9 6h.2",
    }
}

/// Colour family of a verdict; a judge error is never drawn as the contestant's failure.
fn tone(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted => "ok",
        Verdict::WrongAnswer | Verdict::RunTimeError => "bad",
        Verdict::TimeLimit | Verdict::MemoryLimit | Verdict::OutputLimit => "limit",
        Verdict::CompileError => "compile",
        Verdict::JudgeError | Verdict::Unknown(_) => "ours",
    }
}

/// The badge. `wide` adds the long name as visible text.
#[component]
pub fn VerdictBadge(
    verdict: Verdict,
    #[prop(optional)] wide: bool,
    #[prop(optional)] testid: &'static str,
) -> impl IntoView {
    let name = verdict_name(&verdict);
    let letters = verdict.as_str().to_owned();
    let (title, verdict_code) = (name.clone(), letters.clone());
    let class = format!("verdict verdict-{}", tone(&verdict));
    let testid = (!testid.is_empty()).then_some(testid);
    view! {
        <span class=class title=title data-testid=testid data-verdict=verdict_code>
            <svg class="verdict-shape" viewBox="0 0 12 12" aria-hidden="true" focusable="false">
                <path d=shape(&verdict) />
            </svg>
            <span class="verdict-letters">{letters}</span>
            <span class=if wide { "verdict-name" } else { "visually-hidden" }>{name}</span>
        </span>
    }
}

/// A run that ended well with nothing to compare it with: it is no verdict and does not look like one.
#[component]
pub fn RanBadge() -> impl IntoView {
    view! { <span class="verdict verdict-none" title=t().ran_hint data-testid="ran">{t().ran}</span> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_verdicts_share_a_shape() {
        let mut shapes: Vec<_> = Verdict::KNOWN.iter().map(shape).collect();
        shapes.push(shape(&Verdict::Unknown("APE".into())));
        let count = shapes.len();
        shapes.sort_unstable();
        shapes.dedup();
        assert_eq!(shapes.len(), count);
    }

    #[test]
    fn our_fault_never_looks_like_a_contestants() {
        assert_eq!(tone(&Verdict::JudgeError), "ours");
        let others = Verdict::KNOWN.iter().filter(|verdict| **verdict != Verdict::JudgeError);
        assert!(others.map(tone).all(|tone| tone != "ours"));
    }
}
