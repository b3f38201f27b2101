//! Japanese words of what stands behind verdicts and states.

use agon_contract::reason::ReasonKind;

/// The words with a place `{N}` for each value.
pub(super) fn words(kind: ReasonKind) -> &'static str {
    match kind {
        ReasonKind::ExitCode => "終了コード {0}",
        ReasonKind::CpuLimit => "CPU 時間 {0} ms、制限 {1} ms",
        ReasonKind::Idle => "待機：{1} ms の間に CPU は {0} ms のみ",
        ReasonKind::MemoryLimit => "{0} MiB 使用、制限 {1} MiB",
        ReasonKind::OutputLimit => "制限 {0} バイト",
        ReasonKind::ForkLimit => "プロセス数の制限超過",
        ReasonKind::NotStarted => "起動できませんでした：errno {0}",
        ReasonKind::TokenMissing => {
            "出力がここで終わっています（{0} 行目、{1} バイト目）。{2} 番目の語がありません：正しくは `{3}`"
        }
        ReasonKind::TokenExtra => {
            "{0} 番目の語（{1} 行目、{2} バイト目）：出力はここで終わるはずですが `{3}` があります"
        }
        ReasonKind::NumberDiffers => "{0} 番目の語（{1} 行目、{2} バイト目）：正しくは `{3}`（{4}）、実際は `{5}`",
        ReasonKind::TokenDiffers => "{0} 番目の語（{1} 行目、{2} バイト目）：正しくは `{3}`、実際は `{4}`",
        ReasonKind::SpaceDiffers => {
            "{0} 番目の語の後（{1} 行目、{2} バイト目）の空白が違います。この問題では一致が必要です"
        }
        ReasonKind::Exited => "終了 {0}",
        ReasonKind::Signalled => "シグナル {0}",
        ReasonKind::SawCpuLimit => "CPU 時間の制限",
        ReasonKind::SawWallLimit => "経過時間の制限",
        ReasonKind::SawMemoryLimit => "メモリの制限",
        ReasonKind::SawOutputLimit => "出力の制限",
        ReasonKind::SawProcessLimit => "プロセス数の制限",
        ReasonKind::LaunchFailed => "起動失敗：errno {0}",
        ReasonKind::NoSourceOfLanguage => "この言語の拡張子を持つファイルがありません",
        ReasonKind::CompileTime => "コンパイル時間の超過",
        ReasonKind::CompilerMemory => "コンパイラのメモリ超過",
        ReasonKind::CompilerOutput => "コンパイラの出力超過",
        ReasonKind::CompilerProcesses => "コンパイラのプロセス数超過",
        ReasonKind::CompilerEnded => "コンパイラが {0} で終了しました",
        ReasonKind::CompilerNotStarted => "コンパイラを起動できませんでした：errno {0}",
        ReasonKind::ProgramNotTaken => "コンパイルしたプログラムを取り出せません：{0}",
        ReasonKind::LeaseLost => "ジャッジが途切れ、リースを失いました",
        ReasonKind::Superseded => "再ジャッジに置き換えられました",
        ReasonKind::Revived => "スタッフが再開しました",
        ReasonKind::CancelledByStaff => "スタッフが取り消しました",
        ReasonKind::EntryLost => "キューの項目が失われました",
        ReasonKind::JudgedAgain => "再ジャッジ",
        ReasonKind::ChangeSetDiscarded => "所属する再ジャッジが破棄されました",
        ReasonKind::HandedBack => "終了時に返されました",
        ReasonKind::CameLate => "判定を時間内に保存できませんでした",
        ReasonKind::LostTimes => "ジャッジが {0} 回、跡を残さず途切れました",
        ReasonKind::OutOfAttempts => "{0} 回試みて失敗しました。最後：{1}",
        ReasonKind::QueueRefused => "キューが {0} 回拒否しました。最後：{1}",
        ReasonKind::ProcessGone => "実行中に Agon が終了しました。もう一度実行してください",
        ReasonKind::ProgramClosed => "実行中に Agon が閉じられました。もう一度実行してください",
        ReasonKind::TookLonger => "{0} 秒を超えました",
        ReasonKind::NoTestCases => "この問題にはテストケースがありません",
        ReasonKind::MemoryBelowMinimum => "メモリ制限 {0} バイトは {2} の起動に必要な {1} バイトを下回ります",
        ReasonKind::PackageFault => "問題パッケージの不備",
        ReasonKind::JudgingPaused => "ジャッジは一時停止中です",
        ReasonKind::MachineFault => "ジャッジするマシンの障害",
        ReasonKind::BeingLookedAt => "サンドボックスを確認中です",
        ReasonKind::DiskFull => "ディスクがいっぱいです",
        ReasonKind::DiskFullWhile => "ディスクがいっぱいです（{0}）",
        ReasonKind::EngineUnreachable => "エンジンに接続できません（{0}）：{1}",
        ReasonKind::EngineTimeout => "エンジンが {1} ms 以内に {0} に応答しませんでした",
        ReasonKind::EngineRefused => "エンジンが {0} を拒否しました。状態 {1}：{2}",
        ReasonKind::ImageMissing => "イメージ {0} がありません。`{1}` で作成してください",
        ReasonKind::ImageChanged => "イメージ {0} は {1} ですが、{2} のはずです",
        ReasonKind::SandboxClosed => "サンドボックスは閉じられています",
        ReasonKind::ProfileRefused => "seccomp プロファイルが拒否されました：{0}",
        ReasonKind::SupervisorMissing => "{0} に supervisor がありません。`{1}` で作成してください",
        ReasonKind::SupervisorOutdated => {
            "supervisor がこの版の Agon のものではありません（{0}）。`{1}` で作成するか、Agon を再インストールしてください"
        }
        ReasonKind::SupervisorSilent => "ボックス {0} の supervisor が応答しません：{1}",
        ReasonKind::SupervisorRefused => "ボックス {0} の supervisor が動作を拒みました：{1}",
        ReasonKind::BoxDied => "ボックス {0} が報告なしに終了しました：{1}",
        ReasonKind::SandboxFailed => "サンドボックスの障害（{0}）：{1}",
        ReasonKind::DiedTwice => "対照のボックスは正常ですが、この提出のボックスが 2 度終了しました：{0}",
        ReasonKind::CaseNotStarted => "テスト {0} のプログラムを起動できませんでした：errno {1}",
        ReasonKind::MachineBusy => {
            "マシンが混み合いジャッジできません：テスト {0} は {1} ms のほとんどで CPU を得られませんでした"
        }
        ReasonKind::CasesUnreadable => "テストデータを読めません：{0}",
        ReasonKind::SourcesUnreadable => "ソースを読めません：{0}",
        ReasonKind::NamesNothing => "{0} がありません",
        ReasonKind::LanguageGone => "言語 {0} はこのプログラムにありません",
    }
}
