//! The submitted files as they were sent.

use agon_contract::submission::SubmissionDetail;
use leptos::prelude::*;

use crate::editor::coloured_html;
use crate::editor::syntax::Syntax;
use crate::format::bytes;
use crate::i18n::t;
use crate::parts::CopyButton;

/// Folded, because the verdict comes first.
#[component]
pub(super) fn Sources(detail: Signal<SubmissionDetail>) -> impl IntoView {
    let files = detail.with_untracked(|detail| detail.files.clone());
    view! {
        <h2>{t().source_code}</h2>
        {files.into_iter().map(|file| {
            let extension = file.name.rsplit('.').next().unwrap_or_default();
            let html = coloured_html(&file.text, Syntax::from_extension(extension));
            let size = bytes(file.text.len() as u64);
            let (copied, label) = (file.text.clone(), t().copy_what.fill([&file.name, ""]));
            view! {
                <details class="source" data-testid="source">
                    <summary><code>{file.name.clone()}</code>" "<span class="muted">{size}</span></summary>
                    <div class="compiler-body">
                        <CopyButton text=move || copied.clone() label />
                        <pre class="code" tabindex="0" role="group" aria-label=file.name.clone()><code inner_html=html></code></pre>
                    </div>
                </details>
            }
        }).collect_view()}
    }
}
