//! The doctor's report: what was read, what was found, and the decision to accept, replace or leave.

use agon_contract::package::{Finding, ImportReport, PackageOverview, Severity};
use leptos::prelude::*;
use leptos_router::components::A;

use super::import::Import;
use crate::format::{bytes, short_hash, time_limit};
use crate::i18n::{finding_advice, finding_title, locale, t};
use crate::parts::{Glyph, Icon, Notice, Tone};
use crate::state::preferences::best_text;

/// What accepting would do.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Decision {
    /// Errors were found.
    Refused,
    /// A new problem.
    Import,
    /// A problem of the same short name has other content.
    Replace,
    /// The same content is already there.
    AlreadyThere(String),
}

fn decision(report: &ImportReport) -> Decision {
    match &report.problem {
        Some(problem) if !report.is_refused() => match &problem.existing {
            None => Decision::Import,
            Some(existing) if existing.same_content => Decision::AlreadyThere(existing.problem_id.0.clone()),
            Some(_) => Decision::Replace,
        },
        Some(_) | None => Decision::Refused,
    }
}

/// Worst first; within a severity as the doctor wrote them.
fn by_severity(findings: &[Finding]) -> Vec<Finding> {
    let rank = |finding: &Finding| match finding.severity {
        Severity::Error => 0,
        Severity::Warning => 1,
        Severity::Note | Severity::Unknown(_) => 2,
    };
    let mut sorted = findings.to_vec();
    sorted.sort_by_key(rank);
    sorted
}

/// The dialog's body and its buttons.
#[component]
pub(super) fn Doctor(report: ImportReport, import: Import, is_importing: bool) -> impl IntoView {
    let decision = decision(&report);
    let findings = by_severity(&report.findings);
    let format = if report.format.is_empty() { t().format_unknown.to_owned() } else { report.format.clone() };
    view! {
        <div class="dialog-body">
            <p class="doctor-source"><strong class="wrap">{report.source_name.clone()}</strong>" "<span class="tag">{format}</span></p>
            {report.problem.clone().map(|overview| view! { <Overview overview /> })}
            <Verdict decision=decision.clone() />
            {(!findings.is_empty()).then(|| view! {
                <h3>{t().findings}</h3>
                <ul class="findings">{findings.into_iter().map(|finding| view! { <FindingRow finding /> }).collect_view()}</ul>
            })}
        </div>
        <footer class="dialog-foot">
            {is_importing.then(|| view! { <span class="loading is-long" role="status">{t().importing}</span> })}
            <button class="button" type="button" data-testid="doctor-leave" on:click=move |_| import.leave()>
                {if is_importing { t().import_in_background } else { t().leave_package }}
            </button>
            <Accept decision import is_importing />
        </footer>
    }
}

#[component]
fn Verdict(decision: Decision) -> impl IntoView {
    let (tone, text) = match decision {
        Decision::Refused => (Tone::Bad, t().package_refused),
        Decision::Import => (Tone::Ok, t().package_fine),
        Decision::Replace => (Tone::Warning, t().package_replaces),
        Decision::AlreadyThere(_) => (Tone::Info, t().package_same),
    };
    view! { <Notice tone testid="doctor-verdict">{text}</Notice> }
}

#[component]
fn Accept(decision: Decision, import: Import, is_importing: bool) -> impl IntoView {
    let button = |text, replace_existing| {
        view! {
            <button
                class="button button-primary"
                type="button"
                data-testid="doctor-accept"
                disabled=is_importing
                on:click=move |_| import.accept(replace_existing)
            >{text}</button>
        }
    };
    match decision {
        Decision::Refused => ().into_any(),
        Decision::Import => button(t().accept_package, false).into_any(),
        Decision::Replace => button(t().replace_problem, true).into_any(),
        Decision::AlreadyThere(id) => {
            view! { <A href=format!("/problems/{id}") attr:class="button button-primary">{t().open_problem}</A> }
                .into_any()
        }
    }
}

#[component]
fn Overview(overview: PackageOverview) -> impl IntoView {
    let limits = overview.limits;
    let time =
        if limits.time_limit_ms == 0 { t().limit_to_be_derived.to_owned() } else { time_limit(limits.time_limit_ms) };
    let cases =
        t().case_counts.fill([&overview.sample_case_count.to_string(), &overview.secret_case_count.to_string()]);
    view! {
        <dl class="facts">
            <dt>{t().column_problem}</dt>
            <dd>{best_text(&overview.titles, locale()).to_owned()}" "<span class="slug">{overview.slug}</span></dd>
            <dt>{t().limits}</dt><dd>{time}" · "{bytes(limits.memory_limit_bytes)}</dd>
            <dt>{t().test_data}</dt><dd>{cases}" · "{bytes(overview.data_bytes)}</dd>
            <dt>{t().statements}</dt><dd>{overview.statement_languages.join(", ")}</dd>
            <dt>{t().jury_submissions}</dt><dd>{overview.submission_count}</dd>
            <dt>{t().content_hash}</dt><dd class="mono" title=overview.package_hash.clone()>{short_hash(&overview.package_hash)}</dd>
        </dl>
    }
}

/// One finding: severity, code in words, file, what is wrong, what to do.
#[component]
pub(crate) fn FindingRow(finding: Finding) -> impl IntoView {
    let (class, glyph, severity) = match &finding.severity {
        Severity::Error => ("finding is-error", Glyph::Cross, t().severity_error),
        Severity::Warning => ("finding is-warning", Glyph::Alert, t().severity_warning),
        Severity::Note | Severity::Unknown(_) => ("finding", Glyph::Info, t().severity_note),
    };
    let advice = finding_advice(&finding.code, &finding.remedy);
    view! {
        <li class=class data-code=finding.code.clone()>
            <span class="finding-severity"><Icon glyph />{severity}</span>
            <div>
                <p class="finding-head">
                    {finding_title(&finding.code).map(|title| view! { <strong>{title}</strong>" " })}
                    {(!finding.path.is_empty()).then(|| view! { <code class="wrap">{finding.path.clone()}</code> })}
                </p>
                // The doctor's own words are English in every language.
                <p class="wrap" lang="en">{finding.message}</p>
                {(!advice.is_empty()).then(|| view! { <p class="remedy">{advice}</p> })}
            </div>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_contract::package::ExistingProblem;
    use agon_contract::problem::{LimitsView, TimeLimitSource};

    fn report(existing: Option<bool>, severity: Severity) -> ImportReport {
        let limits = LimitsView {
            time_limit_ms: 1_000,
            wall_limit_ms: 3_000,
            memory_limit_bytes: 1,
            output_limit_bytes: 1,
            code_limit_bytes: 1,
            time_limit_source: TimeLimitSource::Package,
        };
        let finding = |severity| Finding {
            severity,
            code: "x".into(),
            path: String::new(),
            message: String::new(),
            remedy: String::new(),
        };
        ImportReport {
            format: "2025-09".into(),
            source_name: "a.zip".into(),
            findings: vec![finding(Severity::Note), finding(severity)],
            problem: Some(PackageOverview {
                slug: "a".into(),
                titles: Vec::new(),
                limits,
                sample_case_count: 1,
                secret_case_count: 1,
                data_bytes: 1,
                statement_languages: Vec::new(),
                submission_count: 1,
                package_hash: String::new(),
                existing: existing.map(|same_content| ExistingProblem { problem_id: "p".into(), same_content }),
            }),
        }
    }

    #[test]
    fn the_decision_follows_the_report() {
        assert_eq!(decision(&report(None, Severity::Warning)), Decision::Import);
        assert_eq!(decision(&report(Some(false), Severity::Note)), Decision::Replace);
        assert_eq!(decision(&report(Some(true), Severity::Note)), Decision::AlreadyThere("p".into()));
        assert_eq!(decision(&report(Some(false), Severity::Error)), Decision::Refused);
    }

    #[test]
    fn errors_stand_first() {
        let sorted = by_severity(&report(None, Severity::Error).findings);
        assert_eq!(sorted[0].severity, Severity::Error);
    }
}
