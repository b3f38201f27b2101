//! Sample cases with copy buttons: in the places the statement gives them, the rest below it.

use agon_contract::command::{DataRef, ReadData};
use agon_contract::ids::ProblemId;
use agon_contract::problem::{ProblemDetail, SampleView};
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, HtmlElement};

use crate::backend::call;
use crate::format::{bytes, decode_base64};
use crate::i18n::t;
use crate::parts::CopyButton;
use crate::state::browser::save_as;

/// Where the core leaves room for a sample: `<div class="sample-slot" data-index="0">`, counted from 0.
const SLOT: &str = ".sample-slot";
/// The contract's bound for one slice.
const SLICE_BYTES: u32 = 1024 * 1024;

/// Puts samples into the slots of the statement's HTML.
pub(super) fn mount_placed_samples(body: &Element, samples: &[SampleView], problem_id: &ProblemId) {
    let Ok(slots) = body.query_selector_all(SLOT) else { return };
    for index in 0..slots.length() {
        let Some(slot) = slots.item(index).and_then(|node| node.dyn_into::<HtmlElement>().ok()) else { continue };
        let number = slot.get_attribute("data-index").and_then(|text| text.parse::<usize>().ok());
        if let Some((number, sample)) = number.and_then(|number| Some((number, samples.get(number)?.clone()))) {
            let problem_id = problem_id.clone();
            // The slot goes with the statement; the view lives as long.
            leptos::mount::mount_to(slot, move || view! { <Sample sample number problem_id /> }).forget();
        }
    }
}

/// The samples from an index on.
#[component]
pub(super) fn Samples(detail: Signal<ProblemDetail>, from: usize) -> impl IntoView {
    let samples = Memo::new(move |_| detail.with(|detail| detail.samples.clone()));
    let problem_id = detail.with_untracked(|detail| detail.summary.id.clone());
    move || {
        samples
            .get()
            .into_iter()
            .enumerate()
            .skip(from)
            .map(|(number, sample)| {
                view! {
                    <Sample sample number problem_id=problem_id.clone() />
                }
            })
            .collect_view()
    }
}

#[component]
fn Sample(sample: SampleView, number: usize, problem_id: ProblemId) -> impl IntoView {
    let label = t().sample_number.fill([&(number + 1).to_string()]);
    let input = DataRef::SampleInput { problem_id: problem_id.clone(), case_name: sample.name.clone() };
    let answer = DataRef::SampleAnswer { problem_id, case_name: sample.name.clone() };
    if !sample.interaction.is_empty() {
        return view! {
            <section class="sample" data-testid=format!("sample-{}", number + 1)>
                <h3>{label}</h3>
                <Interaction text=sample.interaction />
            </section>
        }
        .into_any();
    }
    view! {
        <section class="sample" data-testid=format!("sample-{}", number + 1)>
            <h3>{label.clone()}</h3>
            <div class="sample-pair">
                <SampleText title=t().input sample_label=label.clone() text=sample.input total_bytes=sample.input_bytes data=input />
                <SampleText title=t().output sample_label=label text=sample.answer total_bytes=sample.answer_bytes data=answer />
            </div>
        </section>
    }
    .into_any()
}

/// A conversation: what the program reads on the left, what it writes on the right, one line below the other.
#[component]
fn Interaction(text: String) -> impl IntoView {
    let line = |line: &str| {
        let (reads, writes) = match line.split_at_checked(1) {
            Some(("<", rest)) => (rest.to_owned(), String::new()),
            Some((">", rest)) => (String::new(), rest.to_owned()),
            Some(_) | None => (line.to_owned(), line.to_owned()),
        };
        view! { <tr><td>{reads}</td><td>{writes}</td></tr> }
    };
    view! {
        <table class="interaction">
            <thead><tr><th scope="col">{t().program_reads}</th><th scope="col">{t().program_writes}</th></tr></thead>
            <tbody>{text.lines().filter(|line| !line.is_empty()).map(line).collect_view()}</tbody>
        </table>
    }
}

#[component]
fn SampleText(
    title: &'static str,
    sample_label: String,
    text: String,
    total_bytes: u64,
    data: DataRef,
) -> impl IntoView {
    let is_cut = total_bytes > agon_contract::problem::SAMPLE_PREVIEW_BYTES;
    let copied = text.clone();
    let file_name = format!("{sample_label} {title}.txt");
    view! {
        <div class="sample-part">
            <header><span>{title}</span><CopyButton text=move || copied.clone() label=t().copy_what.fill([title, &sample_label]) /></header>
            <pre tabindex="0" role="group" aria-label=format!("{sample_label} {title}")>{text}</pre>
            {is_cut.then(|| view! {
                <p class="hint">
                    {t().cut_at.fill([&bytes(total_bytes)])}
                    <SaveWhole data=data.clone() file_name=file_name.clone() />
                </p>
            })}
        </div>
    }
}

#[component]
fn SaveWhole(data: DataRef, file_name: String) -> impl IntoView {
    let failed = RwSignal::new(false);
    let save = move |_| {
        let (data, file_name) = (data.clone(), file_name.clone());
        leptos::task::spawn_local(async move {
            match read_whole(data).await {
                Some((whole, _)) => save_as(&file_name, &whole, "text/plain"),
                None => drop(failed.try_set(true)),
            }
        });
    };
    view! {
        " "
        <button class="link-button" type="button" on:click=save>{t().save_whole}</button>
        {move || failed.get().then_some(t().copy_failed)}
    }
}

/// Reads something whole, slice by slice; `None` when a slice did not come. Answers the bytes and their media type.
pub(super) async fn read_whole(data: DataRef) -> Option<(Vec<u8>, String)> {
    let mut whole = Vec::new();
    loop {
        let slice =
            call(ReadData { data: data.clone(), offset: whole.len() as u64, length: SLICE_BYTES }).await.ok()?;
        let part = decode_base64(&slice.base64)?;
        whole.extend_from_slice(&part);
        if whole.len() as u64 >= slice.total_bytes || part.is_empty() {
            return (whole.len() as u64 == slice.total_bytes).then_some((whole, slice.media_type));
        }
    }
}
