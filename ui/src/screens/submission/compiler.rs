//! What the compiler said.

use leptos::prelude::*;

use crate::i18n::t;
use crate::parts::CopyButton;

/// Open when compiling failed, folded when it only warned.
#[component]
pub(crate) fn CompilerText(text: String, failed: bool) -> impl IntoView {
    let title = if failed { t().compiler_failed } else { t().compiler_said };
    let copied = text.clone();
    let shown = if text.is_empty() { t().compiler_silent.to_owned() } else { text };
    view! {
        <details class="compiler" class:is-failed=failed open=failed data-testid="compiler-text">
            <summary><span>{title}</span></summary>
            <div class="compiler-body">
                <CopyButton text=move || copied.clone() label=t().copy_what.fill([title, ""]) />
                <pre tabindex="0" role="group" aria-label=title>{shown}</pre>
            </div>
        </details>
    }
}
