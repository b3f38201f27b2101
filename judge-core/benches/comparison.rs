//! Comparing 50 MB of output with its answer, as a ratio to reading the answer and `memcmp` in the same run.
#![expect(clippy::print_stdout, reason = "a bench reports to its reader")]

use std::fs::File;
use std::hint::black_box;
use std::io::Read;
use std::time::{Duration, Instant};

use judge_core::domain::comparison::{Comparison, ComparisonResult, DefaultValidatorArgs};

const BYTES: usize = 50_000_000;
/// What a pipe of 1 MiB yields at most.
const CHUNK_BYTES: usize = 1 << 20;
const ROUNDS: usize = 9;

fn median(mut run: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[ROUNDS / 2]
}

fn main() {
    let mut numbers = Vec::with_capacity(BYTES + 16);
    let mut state = 1u64;
    while numbers.len() < BYTES {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let end = if state.is_multiple_of(8) { '\n' } else { ' ' };
        numbers.extend_from_slice(format!("{}{end}", state >> 40).as_bytes());
    }
    let one_token = vec![b'7'; BYTES];
    let crlf: Vec<u8> = numbers.iter().flat_map(|b| if *b == b'\n' { vec![b'\r', b'\n'] } else { vec![*b] }).collect();
    let folder = tempfile::tempdir().expect("a temp folder");

    for (name, answer, output, flags) in [
        ("equal numbers", &numbers, &numbers, ""),
        ("equal numbers, float_tolerance", &numbers, &numbers, "float_tolerance 1e-6"),
        ("equal, one token", &one_token, &one_token, ""),
        ("equal, one token, float_tolerance", &one_token, &one_token, "float_tolerance 1e-6"),
        ("CRLF against LF", &numbers, &crlf, ""),
    ] {
        let path = folder.path().join("answer");
        std::fs::write(&path, answer).expect("the answer is written");
        let args = DefaultValidatorArgs::parse(&flags.split_whitespace().collect::<Vec<_>>()).expect("flags");
        let floor = median(|| {
            let mut file = File::open(&path).expect("the answer opens");
            let (mut buffer, mut at) = (vec![0; CHUNK_BYTES], 0);
            loop {
                let length = file.read(&mut buffer).expect("the answer reads");
                if length == 0 {
                    break;
                }
                black_box(buffer[..length] == answer[at..at + length]);
                at += length;
            }
        });
        let ours = median(|| {
            let mut comparison = Comparison::new(args.clone(), File::open(&path).expect("the answer opens"));
            for chunk in output.chunks(CHUNK_BYTES) {
                assert!(comparison.push(chunk).is_continue());
            }
            assert_eq!(comparison.finish().expect("the answer reads"), ComparisonResult::Accepted);
        });
        let speed = output.len() as f64 / 1e6 / ours.as_secs_f64();
        let ratio = ours.as_secs_f64() / floor.as_secs_f64();
        println!("{name:34} {ours:>9.1?} {speed:>7.0} MB/s; read + memcmp {floor:>9.1?}; ratio {ratio:.2}");
    }
}
