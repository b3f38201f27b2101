//! A question before something that cannot be taken back: what will happen, and two ways out.

use leptos::prelude::*;

use super::dialog::Dialog;
use super::refusal::Refusal;
use crate::i18n::t;
use crate::state::action::Action;

/// The words of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub title: String,
    pub says: String,
    /// The button that does it, and its words while it is being done.
    pub do_it: &'static str,
    pub doing: &'static str,
    /// Whether something is thrown away.
    pub is_harmful: bool,
}

/// `on_yes` starts the action; the caller closes by unmounting when it is done.
#[component]
pub fn Confirm(
    question: Question,
    action: Action,
    on_yes: impl Fn() + Send + 'static,
    on_close: impl Fn() + Clone + Send + 'static,
) -> impl IntoView {
    let Question { title, says, do_it, doing, is_harmful } = question;
    let close = on_close.clone();
    let class = if is_harmful { "button button-harmful" } else { "button button-primary" };
    view! {
        <Dialog title on_close testid="confirm">
            <div class="dialog-body">
                <p>{says}</p>
                <Refusal action />
            </div>
            <footer class="dialog-foot">
                <button class="button" type="button" data-testid="confirm-no" on:click=move |_| close()>{t().close}</button>
                <button class=class type="button" data-testid="confirm-yes" disabled=action.is_busy on:click=move |_| on_yes()>
                    {move || if action.is_busy.get() { doing } else { do_it }}
                </button>
            </footer>
        </Dialog>
    }
}
