//! What a statement shows besides text: its PDF and its images, read as bytes and shown from `blob:` addresses.

use agon_contract::command::DataRef;
use agon_contract::ids::ProblemId;
use agon_contract::problem::ProblemDetail;
use js_sys::Reflect;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, HtmlElement};

use super::samples::read_whole;
use crate::i18n::t;
use crate::parts::{Glyph, Icon, Loading, Notice, Tone};
use crate::state::browser::{object_url, release_object_url, save_as, window};

#[derive(Clone, PartialEq)]
enum Pdf {
    Loading,
    Failed,
    Ready { url: Option<String>, bytes: Vec<u8> },
}

/// The PDF in a frame where the browser can show one, and always as a file to save.
#[component]
pub(super) fn PdfStatement(detail: Signal<ProblemDetail>, language: String) -> impl IntoView {
    let pdf = RwSignal::new(Pdf::Loading);
    let problem_id = detail.with_untracked(|detail| detail.summary.id.clone());
    let file_name = detail.with_untracked(|detail| format!("{}.{language}.pdf", detail.summary.slug));
    spawn_local(async move {
        let next = match read_whole(DataRef::StatementPdf { problem_id, language }).await {
            Some((bytes, _)) => Pdf::Ready { url: object_url(&bytes, "application/pdf"), bytes },
            None => Pdf::Failed,
        };
        pdf.try_set(next);
    });
    on_cleanup(move || {
        if let Some(Pdf::Ready { url: Some(url), .. }) = pdf.try_get_untracked() {
            release_object_url(&url);
        }
    });
    move || match pdf.get() {
        Pdf::Loading => view! { <Loading /> }.into_any(),
        Pdf::Failed => view! { <Notice tone=Tone::Bad>{t().pdf_failed}</Notice> }.into_any(),
        Pdf::Ready { url, bytes } => {
            let name = file_name.clone();
            view! {
                <p><button class="button" type="button" data-testid="save-pdf" on:click=move |_| save_as(&name, &bytes, "application/pdf")>
                    <Icon glyph=Glyph::Save />{t().save_pdf}
                </button></p>
                {url.filter(|_| shows_pdf()).map(|url| view! { <iframe class="pdf" src=url title=t().statement data-testid="pdf-frame"></iframe> })}
            }
            .into_any()
        }
    }
}

/// Browsers without a viewer would offer a download instead of showing the frame.
fn shows_pdf() -> bool {
    Reflect::get(&window().navigator(), &"pdfViewerEnabled".into())
        .ok()
        .and_then(|answer| answer.as_bool())
        .unwrap_or(true)
}

/// Fills the images that name a file of the package (`data-statement-file`); their bytes come through the backend.
pub(super) fn load_images(body: &Element, problem_id: &ProblemId) {
    let Ok(images) = body.query_selector_all("img[data-statement-file]") else { return };
    for index in 0..images.length() {
        let Some(image) = images.item(index).and_then(|node| node.dyn_into::<HtmlElement>().ok()) else { continue };
        let Some(name) = image.get_attribute("data-statement-file") else { continue };
        let data = DataRef::StatementFile { problem_id: problem_id.clone(), name };
        spawn_local(async move {
            let url = read_whole(data).await.and_then(|(bytes, media_type)| object_url(&bytes, &media_type));
            let shown = match &url {
                Some(url) => image.set_attribute("src", url),
                None => image.set_attribute("class", "image-missing"),
            };
            if shown.is_err() {
                leptos::logging::warn!("an image of the statement could not be placed");
            }
        });
    }
}

/// Links of a statement lead elsewhere: never in this page, which holds the editor. A window that opens no others
/// ignores them.
pub(super) fn open_links_outside(body: &Element) {
    let Ok(links) = body.query_selector_all("a[href]") else { return };
    for index in 0..links.length() {
        let Some(link) = links.item(index).and_then(|node| node.dyn_into::<Element>().ok()) else { continue };
        let set = link.set_attribute("target", "_blank").and(link.set_attribute("rel", "noopener noreferrer"));
        if set.is_err() {
            leptos::logging::warn!("a link of the statement could not be turned outside");
        }
    }
}
