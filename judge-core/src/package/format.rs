//! Which version of the Problem Package Format a package says it is, and the keys that version knows.

use super::findings::Findings;
use super::model::PackageFormat;
use super::yaml::Node;

const LEGACY_KEYS: &[&str] = &[
    "problem_format_version",
    "name",
    "uuid",
    "type",
    "author",
    "source",
    "source_url",
    "license",
    "rights_owner",
    "keywords",
    "validation",
    "validator_flags",
    "grading",
    "limits",
    "version",
    "libraries",
    "languages",
    "labels",
];
const V2025_KEYS: &[&str] = &[
    "problem_format_version",
    "name",
    "uuid",
    "version",
    "type",
    "credits",
    "source",
    "license",
    "rights_owner",
    "embargo_until",
    "limits",
    "keywords",
    "languages",
    "allow_file_writing",
    "constants",
];

impl PackageFormat {
    /// The text of reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Legacy => "legacy",
            Self::LegacyIcpc => "legacy-icpc",
            Self::Draft2023 => "2023-07",
            Self::V2025 => "2025-09",
            Self::Bare => "bare",
            Self::Hydro => "hydro",
        }
    }

    /// Rules that `legacy` and `legacy-icpc` share.
    #[must_use]
    pub fn is_legacy(self) -> bool {
        match self {
            Self::Legacy | Self::LegacyIcpc => true,
            Self::Draft2023 | Self::V2025 | Self::Bare | Self::Hydro => false,
        }
    }

    /// Read by an importer of its own.
    #[must_use]
    pub fn is_foreign(self) -> bool {
        match self {
            Self::Bare | Self::Hydro => true,
            Self::Legacy | Self::LegacyIcpc | Self::Draft2023 | Self::V2025 => false,
        }
    }

    fn knows_key(self, key: &str) -> bool {
        match self {
            Self::Legacy | Self::LegacyIcpc => LEGACY_KEYS.contains(&key),
            Self::V2025 | Self::Bare | Self::Hydro => V2025_KEYS.contains(&key),
            Self::Draft2023 => LEGACY_KEYS.contains(&key) || V2025_KEYS.contains(&key),
        }
    }
}

/// The format of `problem.yaml`, or `None` with an error finding.
pub(super) fn detect(yaml: &Node, findings: &mut Findings) -> Option<PackageFormat> {
    let Some(version) = yaml.get("problem_format_version") else { return Some(PackageFormat::Legacy) };
    let text = version.text().unwrap_or_default();
    let format = match text {
        "legacy" => PackageFormat::Legacy,
        "legacy-icpc" => PackageFormat::LegacyIcpc,
        "2023-07" | "2023-07-draft" => PackageFormat::Draft2023,
        "2025-09" => PackageFormat::V2025,
        "draft" => draft(text, PackageFormat::V2025, findings),
        dated => match year_of_draft(dated) {
            Some(year) if year < 2025 => draft(text, PackageFormat::Draft2023, findings),
            Some(_) => draft(text, PackageFormat::V2025, findings),
            None => {
                let message = format!("line {}: `problem_format_version: {text}` is not known here", version.line);
                let remedy = "known are legacy, legacy-icpc, 2023-07 and 2025-09";
                findings.error("format_unknown", "problem.yaml", message, remedy);
                return None;
            }
        },
    };
    Some(format)
}

fn draft(text: &str, nearest: PackageFormat, findings: &mut Findings) -> PackageFormat {
    let message = format!("`{text}` is a draft; read as its nearest release, {}", nearest.as_str());
    findings.warning("format_draft", "problem.yaml", message, "state a released format version");
    nearest
}

/// `2024-06-draft` is of 2024.
fn year_of_draft(text: &str) -> Option<u32> {
    let (year, month) = text.strip_suffix("-draft")?.split_once('-')?;
    (year.len() == 4 && month.len() == 2 && month.parse::<u32>().is_ok()).then(|| year.parse().ok())?
}

/// Keys of `problem.yaml` that its version does not know are read past, and said.
pub(super) fn check_keys(yaml: &Node, format: PackageFormat, findings: &mut Findings) {
    for entry in yaml.entries().unwrap_or_default() {
        if !format.knows_key(&entry.key) {
            let message =
                format!("line {}: `{}` is no key of {} and is ignored", entry.line, entry.key, format.as_str());
            findings.warning("unknown_key", "problem.yaml", message, "remove it or correct its spelling");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::yaml::parse;

    fn detected(version: &str) -> (Option<PackageFormat>, bool) {
        let mut findings = Findings::default();
        let yaml = parse(&format!("problem_format_version: {version}\n")).expect("well formed");
        (detect(&yaml, &mut findings), !findings.into_list().is_empty())
    }

    #[test]
    fn versions_and_drafts() {
        assert_eq!(detected(""), (Some(PackageFormat::Legacy), false));
        assert_eq!(detected("legacy-icpc"), (Some(PackageFormat::LegacyIcpc), false));
        assert_eq!(detected("2023-07-draft"), (Some(PackageFormat::Draft2023), false));
        assert_eq!(detected("2025-09"), (Some(PackageFormat::V2025), false));
        assert_eq!(detected("2025-09-draft"), (Some(PackageFormat::V2025), true));
        assert_eq!(detected("2024-06-draft"), (Some(PackageFormat::Draft2023), true));
        assert_eq!(detected("draft"), (Some(PackageFormat::V2025), true));
        assert_eq!(detected("2031-01"), (None, true));
    }

    #[test]
    fn unknown_keys_name_their_line() {
        let mut findings = Findings::default();
        let yaml = parse("name: x\nlimts: {}\n").expect("well formed");
        check_keys(&yaml, PackageFormat::V2025, &mut findings);
        let list = findings.into_list();
        assert_eq!(list.len(), 1);
        assert!(list[0].message.starts_with("line 2: `limts`"), "{}", list[0].message);
    }
}
