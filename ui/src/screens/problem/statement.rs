//! The statement pane: the text in a chosen language with its samples, or the PDF.

use agon_contract::command::GetStatement;
use agon_contract::problem::{ProblemDetail, StatementFormat, StatementView};
use leptos::html;
use leptos::prelude::*;

use super::comparison_words::{compared, license};
use super::removal::Removal;
use super::samples::{Samples, mount_placed_samples};
use super::statement_files::{PdfStatement, load_images, open_links_outside};
use crate::i18n::{locale, t};
use crate::parts::{Notice, Tone};
use crate::screens::practice::FindingRow;
use crate::state::preferences::primary;
use crate::state::{loaded, query};

/// The language of the statement to open with: the interface's, else English, else the first.
fn opening_language(languages: &[String], wanted: &str) -> Option<String> {
    let find = |code: &str| languages.iter().find(|language| primary(language) == code);
    find(wanted).or_else(|| find("en")).or_else(|| languages.first()).cloned()
}

/// Language codes of the statements, each once.
fn languages_of(detail: &ProblemDetail) -> Vec<String> {
    let mut languages: Vec<String> = detail.statements.iter().map(|statement| statement.language.clone()).collect();
    languages.dedup();
    languages
}

/// The pane.
#[component]
pub(super) fn StatementPane(detail: Signal<ProblemDetail>) -> impl IntoView {
    let languages = detail.with_untracked(languages_of);
    let chosen = RwSignal::new(opening_language(&languages, locale().code()));
    let problem_id = detail.with_untracked(|detail| detail.summary.id.clone());
    let statement =
        query(move || chosen.get().map(|language| GetStatement { problem_id: problem_id.clone(), language }), &[]);
    view! {
        <section class="pane statement-pane" aria-label=t().statement data-testid="statement">
            {(languages.len() > 1).then(|| view! { <StatementLanguages languages=languages.clone() chosen /> })}
            <div class="pane-scroll" tabindex="0" role="group" aria-label=t().statement>
                {if languages.is_empty() {
                    view! { <Notice tone=Tone::Info>{t().no_statement}</Notice> <Samples detail from=0 /> }.into_any()
                } else {
                    loaded(statement, move |statement| view! { <StatementBody statement detail /> }).into_any()
                }}
                <Origin detail />
                <ImportFindings detail />
                <Removal detail />
            </div>
        </section>
    }
}

#[component]
fn StatementLanguages(languages: Vec<String>, chosen: RwSignal<Option<String>>) -> impl IntoView {
    view! {
        <div class="pane-bar">
            <div class="segments" role="group" aria-label=t().statement_language>
                {languages.into_iter().map(|language| {
                    let own = language.clone();
                    let is_chosen = move || chosen.with(|chosen| chosen.as_ref() == Some(&own)).to_string();
                    let name = crate::i18n::Locale::from_code(&language).map_or_else(|| language.clone(), |known| known.own_name().to_owned());
                    view! {
                        <button type="button" lang=language.clone() aria-pressed=is_chosen data-testid=format!("statement-{language}")
                            on:click=move |_| chosen.set(Some(language.clone()))>{name}</button>
                    }
                }).collect_view()}
            </div>
        </div>
    }
}

#[component]
fn StatementBody(statement: Signal<StatementView>, detail: Signal<ProblemDetail>) -> impl IntoView {
    move || {
        let statement = statement.get();
        match statement.format {
            StatementFormat::Pdf => view! {
                <PdfStatement detail language=statement.language />
                <Samples detail from=0 />
            }
            .into_any(),
            StatementFormat::Html | StatementFormat::LatexText | StatementFormat::Unknown(_) => view! {
                {(statement.format == StatementFormat::LatexText).then(|| view! { <Notice tone=Tone::Info>{t().latex_as_text}</Notice> })}
                <StatementHtml statement detail />
            }
            .into_any(),
        }
    }
}

/// The core made this HTML and sanitised it; here samples and images take their places in it.
#[component]
fn StatementHtml(statement: StatementView, detail: Signal<ProblemDetail>) -> impl IntoView {
    let node = NodeRef::<html::Div>::new();
    let placed = statement.placed_samples as usize;
    let samples = detail.with_untracked(|detail| detail.samples.clone());
    let problem_id = detail.with_untracked(|detail| detail.summary.id.clone());
    Effect::new(move |_| {
        let Some(body) = node.get() else { return };
        mount_placed_samples(&body, &samples, &problem_id);
        load_images(&body, &problem_id);
        open_links_outside(&body);
    });
    view! {
        <div class="statement" lang=statement.language.clone() node_ref=node inner_html=statement.html></div>
        <Samples detail from=placed />
    }
}

/// Where the problem comes from, as far as the package says.
#[component]
fn Origin(detail: Signal<ProblemDetail>) -> impl IntoView {
    move || {
        let detail = detail.get();
        let rows = [
            (t().credits, detail.credits),
            (t().source_of_problem, detail.source),
            (t().license, license(&detail.license)),
        ];
        let compared = compared(&detail.validator_args).join("; ");
        let secret = detail.secret_case_count.to_string();
        view! {
            <dl class="facts origin">
                <dt>{t().secret_tests}</dt><dd>{secret}</dd>
                {(!compared.is_empty()).then(|| view! { <dt>{t().output_compared}</dt><dd>{compared}</dd> })}
                {rows.into_iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| view! {
                    <dt>{name}</dt><dd class="wrap">{text}</dd>
                }).collect_view()}
            </dl>
        }
    }
}

/// What the doctor noted when the problem was taken in.
#[component]
fn ImportFindings(detail: Signal<ProblemDetail>) -> impl IntoView {
    let findings = Memo::new(move |_| detail.with(|detail| detail.findings.clone()));
    move || {
        let findings = findings.get();
        (!findings.is_empty()).then(|| {
            view! {
                <details class="import-findings" data-testid="import-findings">
                    <summary>{t().findings}" ("{findings.len()}")"</summary>
                    <ul class="findings">
                        {findings.into_iter().map(|finding| view! { <FindingRow finding /> }).collect_view()}
                    </ul>
                </details>
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_opens_in_the_interfaces_language_if_it_exists() {
        let languages = |codes: &[&str]| codes.iter().map(|code| (*code).to_owned()).collect::<Vec<_>>();
        assert_eq!(opening_language(&languages(&["en", "zh-CN"]), "zh").as_deref(), Some("zh-CN"));
        assert_eq!(opening_language(&languages(&["sv", "en"]), "ja").as_deref(), Some("en"));
        assert_eq!(opening_language(&languages(&["sv"]), "ja").as_deref(), Some("sv"));
        assert_eq!(opening_language(&[], "ja"), None);
    }
}
