//! A line that needs attention: an icon, a text, perhaps buttons.

use leptos::prelude::*;

use super::icon::{Glyph, Icon};

/// How loud a notice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Info,
    Ok,
    Warning,
    Bad,
}

impl Tone {
    fn class(self) -> &'static str {
        match self {
            Tone::Info => "notice notice-info",
            Tone::Ok => "notice notice-ok",
            Tone::Warning => "notice notice-warning",
            Tone::Bad => "notice notice-bad",
        }
    }

    fn glyph(self) -> Glyph {
        match self {
            Tone::Info => Glyph::Info,
            Tone::Ok => Glyph::Check,
            Tone::Warning | Tone::Bad => Glyph::Alert,
        }
    }
}

/// A notice that a screen reader announces when it appears.
#[component]
pub fn Notice(tone: Tone, #[prop(optional)] testid: &'static str, children: Children) -> impl IntoView {
    let testid = (!testid.is_empty()).then_some(testid);
    let role = if tone == Tone::Bad { "alert" } else { "status" };
    view! {
        <div class=tone.class() role=role data-testid=testid>
            <Icon glyph=tone.glyph() />
            <div class="notice-text">{children()}</div>
        </div>
    }
}
