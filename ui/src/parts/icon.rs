//! Line icons as inline SVG on a 16-unit grid; decoration only, so hidden from screen readers.

use leptos::prelude::*;

/// The icons in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyph {
    Practice,
    Submissions,
    SelfTest,
    Settings,
    Import,
    Search,
    Run,
    Stop,
    Send,
    Copy,
    Check,
    Cross,
    Alert,
    Info,
    Shield,
    Save,
    Hall,
    Again,
    Bell,
    Person,
}

impl Glyph {
    /// The path's drawing commands.
    fn path(self) -> &'static str {
        match self {
            Glyph::Practice => "M3 2.5h7.5a2 2 0 0 1 2 2v9H5a2 2 0 0 1-2-2zM3 11.5a2 2 0 0 1 2-2h7.5M6 5.5h4",
            Glyph::Submissions => "M2.5 9.5v4h11v-4M8 2v7.5M5 5l3-3 3 3",
            Glyph::SelfTest => "M1.5 8h3l2-5 3 10 2-5h3",
            Glyph::Settings => "M2 4.5h6M11 4.5h3M2 11.5h3M8 11.5h6M9.5 2.8v3.4M6.5 9.8v3.4",
            Glyph::Import => "M8 2v8M5 7l3 3 3-3M2.5 10.5v3h11v-3",
            Glyph::Search => "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.3 10.3 14 14",
            Glyph::Run => "M4.5 2.8v10.4L13 8z",
            Glyph::Stop => "M4 4h8v8H4z",
            Glyph::Send => "M2 8 14 2.5 11 13.5 7.5 9.5zM7.5 9.5 14 2.5",
            Glyph::Copy => "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
            Glyph::Check => "M3 8.5 6.5 12 13 4.5",
            Glyph::Cross => "M4 4l8 8M12 4l-8 8",
            Glyph::Alert => "M8 2 14.5 13.5h-13zM8 6.5v3.2M8 11.4v.4",
            Glyph::Info => "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 7.3v3.7M8 5v.4",
            Glyph::Shield => "M8 1.8 13.5 4v4c0 3.2-2.3 5.3-5.5 6.4C4.8 13.3 2.5 11.2 2.5 8V4z",
            Glyph::Hall => "M2 13.5h12M3.5 13.5V7M12.5 13.5V7M6.5 13.5V7M9.5 13.5V7M2 7h12L8 2.5z",
            Glyph::Again => "M13.2 8.500a5.2 5.2 0 1 1-1.700-4.300M13.500 2v3.500h-3.500",
            Glyph::Bell => "M3 12h10l-1.300-1.800V7a3.700 3.700 0 0 0-7.400 0v3.200zM6.500 12a1.500 1.500 0 0 0 3 0",
            Glyph::Person => {
                "M8 2.500a2.600 2.600 0 1 1 0 5.200 2.600 2.600 0 0 1 0-5.200zM2.800 13.500c.5-2.700 2.600-4 5.200-4s4.700 1.300 5.200 4"
            }
            Glyph::Save => "M2.5 2.500h9l2 2v9h-11zM5 2.500v3.500h5v-3.500M5 13.500v-4h6v4",
        }
    }
}

/// An icon of the text's size and colour.
#[component]
pub fn Icon(glyph: Glyph) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
            <path d=glyph.path() />
        </svg>
    }
}
