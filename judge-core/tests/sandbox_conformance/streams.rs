//! Input and output: large, slow, closed early, never blocking and never the host's own file.

use std::io::{Seek, Write};
use std::ops::ControlFlow;

use judge_core::sandbox::{Discard, Limits, Outcome, OutputSink, RunStep, Stdin};

use crate::rig::{LIMITS, MIB, Rig, behave, run};

const LARGE: u64 = 50 * MIB;

fn large_limits() -> Limits {
    Limits { output_bytes: 64 * MIB, cpu_ms: 20_000, wall_ms: 60_000, ..LIMITS }
}

/// Compares what flows by with what was sent, as a validator would.
struct Compare {
    seen: usize,
    equal: bool,
}

fn byte_at(position: usize) -> u8 {
    (position.wrapping_mul(2_654_435_761) >> 7) as u8
}

impl OutputSink for Compare {
    fn accept(&mut self, chunk: &[u8]) -> ControlFlow<()> {
        self.equal &= chunk.iter().enumerate().all(|(offset, byte)| *byte == byte_at(self.seen + offset));
        self.seen += chunk.len();
        ControlFlow::Continue(())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_megabytes_in_and_out_arrive_and_do_not_deadlock() {
    let Some(rig) = Rig::new(0).await else { return };
    let mut opened = rig.open().await;
    let mut file = tempfile::tempfile().expect("a temp file");
    let bytes: Vec<u8> = (0..LARGE as usize).map(byte_at).collect();
    file.write_all(&bytes).expect("written");
    file.rewind().expect("rewound");
    let step = RunStep { stdin: Stdin::File(file), limits: large_limits(), ..behave(&["cat"]) };
    let mut compare = Compare { seen: 0, equal: true };
    let report = opened.run(step, &mut compare).await.expect("a report");
    assert_eq!(report.outcome, Outcome::Exited(0), "{report:?}");
    assert_eq!((compare.seen as u64, report.stdout_bytes), (LARGE, LARGE));
    assert!(compare.equal, "the output is the input");
    opened.destroy().await;
    rig.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn input_that_nobody_reads_and_output_that_nobody_wants_block_nobody() {
    let Some(rig) = Rig::new(0).await else { return };
    let mut opened = rig.open().await;
    let unread = RunStep { stdin: Stdin::Bytes(vec![b'x'; LARGE as usize]), ..behave(&["close-stdin"]) };
    assert_eq!(run(&mut opened, unread).await.1, "closed\n");
    let unwanted = RunStep { limits: large_limits(), ..behave(&["print-bytes", "52428800"]) };
    let report = opened.run(unwanted, &mut Discard).await.expect("a report");
    assert_eq!((report.outcome, report.stdout_bytes), (Outcome::Exited(0), LARGE));
    opened.destroy().await;
    rig.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_output_cap_is_exact_and_storage_is_bounded() {
    let Some(rig) = Rig::new(0).await else { return };
    let mut opened = rig.open().await;
    let limits = Limits { output_bytes: 100_000, ..LIMITS };
    let exactly = RunStep { limits, ..behave(&["print-bytes", "100000"]) };
    let (report, output) = run(&mut opened, exactly).await;
    assert_eq!((report.outcome, output.len()), (Outcome::Exited(0), 100_000));
    let one_more = RunStep { limits, ..behave(&["print-bytes", "100001"]) };
    let (report, output) = run(&mut opened, one_more).await;
    assert_eq!((report.outcome, output.len()), (Outcome::OutputLimit, 100_000));
    let (report, output) = run(&mut opened, RunStep { limits, ..behave(&["flood-lines"]) }).await;
    assert_eq!((report.outcome, output.len()), (Outcome::OutputLimit, 100_000));
    let limits = Limits { stderr_bytes: 1000, ..LIMITS };
    let (report, _output) = run(&mut opened, RunStep { limits, ..behave(&["flood-err"]) }).await;
    assert_eq!(report.outcome, Outcome::OutputLimit);
    assert_eq!((report.stderr.len(), report.stderr_truncated), (1000, true));
    opened.destroy().await;
    rig.finish().await;
}

/// A descriptor of the host's own file would let a program of the same uid change it through `/proc/self/fd/0`.
#[tokio::test(flavor = "multi_thread")]
async fn a_program_cannot_change_the_input_file() {
    let Some(rig) = Rig::new(0).await else { return };
    let mut opened = rig.open().await;
    let path = rig.root.path().join("secret.in");
    std::fs::write(&path, "1 2\n").expect("written");
    let before = std::fs::metadata(&path).expect("it exists").permissions();
    let stdin = Stdin::File(std::fs::File::open(&path).expect("opened"));
    let (_report, output) = run(&mut opened, RunStep { stdin, ..behave(&["write-stdin"]) }).await;
    assert!(output.starts_with("refused refused"), "{output}");
    assert_eq!(std::fs::read_to_string(&path).expect("read"), "1 2\n");
    assert_eq!(std::fs::metadata(&path).expect("it exists").permissions(), before);
    opened.destroy().await;
    rig.finish().await;
}
