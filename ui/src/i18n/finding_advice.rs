//! What to do about a package that is refused, in Chinese and Japanese; the doctor's own words are English.

use super::{Locale, locale};

/// Code of a refusal, then the advice in Chinese and in Japanese.
const ADVICE: &[(&str, &str, &str)] = &[
    ("answer_missing", "为该输入补上 .ans 文件。", "この入力に対応する .ans を追加してください。"),
    ("input_missing", "补上输入，或删除这个答案文件。", "入力を追加するか、この答えのファイルを削除してください。"),
    (
        "no_secret_data",
        "请在 data/secret 中加入测试数据，否则无法评测。",
        "data/secret にテストデータを追加してください。ないとジャッジできません。",
    ),
    ("utf16_data", "请将文件另存为 UTF-8。", "UTF-8 で保存し直してください。"),
    ("not_utf8", "请将文件另存为 UTF-8（无字节顺序标记）。", "UTF-8（BOM なし）で保存し直してください。"),
    (
        "lfs_pointer",
        "请在题目仓库中运行 `git lfs pull`，再重新打包。",
        "問題のリポジトリで `git lfs pull` を実行し、作り直してください。",
    ),
    (
        "special_file",
        "题目包中只能有普通文件和文件夹。",
        "パッケージに含められるのは通常のファイルとフォルダーだけです。",
    ),
    (
        "symlink_escapes",
        "请把链接指向的文件本身放进题目包。",
        "リンク先のファイルそのものをパッケージに入れてください。",
    ),
    ("symlink_dangling", "请放入文件本身，而不是链接。", "リンクではなくファイルそのものを入れてください。"),
    (
        "case_collision",
        "请改名，使名称不只在大小写上不同。",
        "大文字と小文字だけの違いにならないよう名前を変えてください。",
    ),
    ("invalid_name", "请改用允许的名称。", "使用できる名前に変更してください。"),
    (
        "too_many_files",
        "请确认这是单个题目的文件夹或压缩包。",
        "1 つの問題のフォルダーまたはアーカイブか確認してください。",
    ),
    (
        "too_large",
        "题目包总大小超过上限，请减小数据。",
        "パッケージの合計サイズが上限を超えています。データを減らしてください。",
    ),
    ("text_too_large", "该文本文件超过上限，请缩短。", "このテキストは上限を超えています。短くしてください。"),
    ("too_deep", "请减少文件夹的嵌套层数。", "フォルダーの入れ子を浅くしてください。"),
    (
        "zip_slip",
        "条目名称指向压缩包之外：请不要信任这个压缩包。",
        "項目名がアーカイブの外を指しています。このアーカイブは信用しないでください。",
    ),
    ("zip_absolute_name", "请用相对路径重新打包。", "相対パスで作り直してください。"),
    ("zip_broken", "请重新下载，或重新打包为普通 zip。", "ダウンロードし直すか、通常の zip として作り直してください。"),
    ("zip_duplicate_name", "请重新打包，每个名称只出现一次。", "同じ名前が重複しないよう作り直してください。"),
    ("zip_encrypted", "请不设密码重新打包。", "パスワードなしで作り直してください。"),
    ("zip_overlap", "请重新打包。", "作り直してください。"),
    (
        "zip_ratio",
        "解压后体积异常地大；若信任它，请导入解压后的文件夹。",
        "展開後のサイズが異常です。信用できる場合は展開したフォルダーをインポートしてください。",
    ),
    (
        "problem_yaml_missing",
        "请在题目包根目录加入 problem.yaml。",
        "パッケージの最上位に problem.yaml を追加してください。",
    ),
    ("yaml_invalid", "请按格式规范修正这个 YAML 文件。", "形式の仕様に従って YAML を修正してください。"),
    ("unknown_type", "请检查 `type` 和 `validation`。", "`type` と `validation` を確認してください。"),
    (
        "format_unknown",
        "请写明受支持的 `problem_format_version`。",
        "対応している `problem_format_version` を書いてください。",
    ),
    ("limit_out_of_range", "请修正这个限制。", "この制限を修正してください。"),
    ("time_limit_conflict", "请只保留其中一个时间限制。", "時間制限はどちらか 1 つにしてください。"),
    (
        "time_limit_underivable",
        "请写明时间限制，或加入必须通过的提交。",
        "時間制限を書くか、必ず通る提出を追加してください。",
    ),
    ("validator_args_invalid", "请修正输出比较器的参数。", "出力の比較の引数を修正してください。"),
    (
        "unsupported_custom_validator",
        "请在题目包中放入一个本版本能构建的输出校验器，并写明 `validation: custom`。",
        "この版で作れる出力検証プログラムを 1 つパッケージに入れ、`validation: custom` と書いてください。",
    ),
    ("unsupported_static_validator", "本版本尚不支持静态检查器。", "静的な検査にはまだ対応していません。"),
    ("unsupported_grader", "本版本尚不支持自定义评分程序。", "独自の採点プログラムにはまだ対応していません。"),
    ("unsupported_format", "请先导出为 Problem Package Format。", "Problem Package Format で書き出してください。"),
    ("scoring_invalid", "请按格式规范修正计分设置。", "形式の仕様に従って点数の設定を修正してください。"),
    ("include_misplaced", "请把它移到 include/default。", "include/default に移してください。"),
    ("unsupported_case_files", "本版本只通过标准输入给出数据。", "この版は標準入力だけに対応しています。"),
    (
        "unsupported_constants",
        "尚不支持 `constants`，请写成具体的值。",
        "`constants` にはまだ対応していません。値を直接書いてください。",
    ),
    ("no_language", "请允许至少一种本版本支持的语言。", "この版が対応する言語を少なくとも 1 つ許可してください。"),
];

/// The advice about a refusal in the language in use; the doctor's own where this version knows none.
#[must_use]
pub fn finding_advice(code: &str, doctors: &str) -> String {
    let known = ADVICE.iter().find(|(known, ..)| *known == code);
    match (locale(), known) {
        (Locale::Zh, Some((_, chinese, _))) => chinese,
        (Locale::Ja, Some((.., japanese))) => japanese,
        (Locale::En, _) | (_, None) => doctors,
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{finding_title, use_locale};

    #[test]
    fn every_advised_refusal_has_a_heading_too_and_is_there_once() {
        for (index, (code, ..)) in ADVICE.iter().enumerate() {
            assert!(finding_title(code).is_some(), "{code}");
            assert!(ADVICE[index + 1..].iter().all(|(other, ..)| other != code), "{code}");
        }
    }

    #[test]
    fn the_doctors_words_stay_where_there_are_no_others() {
        assert_eq!(finding_advice("zip_slip", "do not trust this archive"), "do not trust this archive");
        use_locale(Locale::Ja);
        assert!(finding_advice("zip_slip", "x").contains("信用"));
        assert_eq!(finding_advice("from_the_future", "x"), "x");
        use_locale(Locale::En);
    }
}
