//! The default output validator against what two reference implementations answered to 200 cases.

use std::ops::ControlFlow;

use judge_core::domain::comparison::{Comparison, ComparisonResult, DefaultValidatorArgs};
use serde_json::Value;

/// Base64 without a crate: the fixture is the only user.
fn base64(text: &str) -> Vec<u8> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0u32, 0);
    for byte in text.bytes().filter(|byte| *byte != b'=') {
        let digit = ALPHABET.iter().position(|known| *known == byte).expect("base64 alphabet");
        bits = bits << 6 | u32::try_from(digit).expect("below 64");
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).expect("masked"));
        }
    }
    bytes
}

fn verdict(flags: &str, answer: &[u8], output: &[u8], chunk_bytes: usize) -> &'static str {
    let words: Vec<&str> = flags.split_whitespace().collect();
    let Ok(args) = DefaultValidatorArgs::parse(&words) else { return "JE" };
    let mut comparison = Comparison::new(args, answer);
    for chunk in output.chunks(chunk_bytes) {
        if comparison.push(chunk) == ControlFlow::Break(()) {
            break;
        }
    }
    match comparison.finish().expect("memory cannot fail to be read") {
        ComparisonResult::Accepted => "AC",
        ComparisonResult::Rejected(_) => "WA",
    }
}

#[test]
fn both_references_agree_with_us_wherever_they_agree() {
    let cases = include_str!("fixtures/validator-cases.jsonl");
    let (mut checked, mut either, mut wrong) = (0, 0, Vec::new());
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).expect("a JSON line");
        let field = |name: &str| case[name].as_str().expect("a text field").to_owned();
        let (flags, kattis, domjudge) = (field("flags"), field("kattis"), field("domjudge"));
        let (answer, output) = (base64(&field("ans_b64")), base64(&field("out_b64")));
        for chunk_bytes in [1, 3, 4096] {
            let ours = verdict(&flags, &answer, &output, chunk_bytes);
            if ours != kattis && ours != domjudge {
                wrong.push(format!("{} [{flags}]: {ours}, references say {kattis} and {domjudge}", field("name")));
            }
        }
        checked += 1;
        either += usize::from(kattis != domjudge);
    }
    assert!(wrong.is_empty(), "{} of {checked} cases are wrong:\n{}", wrong.len() / 3, wrong.join("\n"));
    assert_eq!((checked, either), (200, 5), "the fixture is whole");
}
