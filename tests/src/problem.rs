//! A problem package of the harness: small, exact, with as many secret cases as a story wants.

use std::fs;
use std::path::{Path, PathBuf};

/// The short name of [`write_sums`]'s package.
pub const SUMS: &str = "sums";

/// Writes a package: two integers in, their sum out; one sample and `secret_cases` secret cases.
///
/// The sample and the first secret case are small; from the second on the sums pass 2³¹, so a program that adds in 32
/// bits is right on `secret/01` and wrong from `secret/02` on.
///
/// # Panics
/// It cannot be written.
#[must_use]
pub fn write_sums(folder: &Path, secret_cases: u32) -> PathBuf {
    let package = folder.join(SUMS);
    let write = |path: &str, text: &str| {
        let path = package.join(path);
        fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("a folder can be made");
        fs::write(path, text).expect("a file can be written");
    };
    write(
        "problem.yaml",
        "problem_format_version: 2025-09\nname:\n  en: Sums\n  zh: 求和\n  ja: 足し算\n\
         uuid: 5f0b3c52-6a59-4f8b-9a57-0d7f4a1c2b11\nlimits:\n  time_limit: 1.0\n  memory: 128\n  output: 1\n",
    );
    write("statement/problem.en.md", "Add two integers of at most $10^{12}$.\n");
    write("statement/problem.zh.md", "把两个不超过 $10^{12}$ 的整数相加。\n");
    write("statement/problem.ja.md", "$10^{12}$ 以下の整数二つを足してください。\n");
    write("data/sample/1.in", "1 2\n");
    write("data/sample/1.ans", "3\n");
    for case in 1..=secret_cases {
        let (a, b) = if case == 1 { (40, 2) } else { (2_000_000_000 + u64::from(case), 2_000_000_000) };
        write(&format!("data/secret/{case:02}.in"), &format!("{a} {b}\n"));
        write(&format!("data/secret/{case:02}.ans"), &format!("{}\n", a + b));
    }
    write("submissions/accepted/sum.cpp", crate::programs::RIGHT);
    package
}

/// Packs a package's folder into `<folder>.zip`, its files at the root.
///
/// # Panics
/// `python3` is absent or the folder cannot be read.
#[must_use]
pub fn zip(package: &Path) -> PathBuf {
    let mut packer = std::process::Command::new("python3");
    packer.args(["-c", "import shutil, sys; shutil.make_archive(sys.argv[1], 'zip', sys.argv[1])"]).arg(package);
    assert!(packer.status().is_ok_and(|status| status.success()), "the package cannot be packed");
    package.with_extension("zip")
}
