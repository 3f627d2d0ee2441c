//! What the machine has: processor, memory, clock.

use super::{Finding, bad, check, good, note};
use crate::lang::Lang;
use monomi_eval::Evaluation;
use monomi_eval::network::SimdLevel;
use monomi_search::Signals;
use monomi_search::bench::SpeedTest;
use monomi_support::host::cores;
use monomi_support::memory::Available;
use monomi_support::text::{Message, say};
use monomi_usi::Options;
use std::path::Path;
use std::time::{Duration, Instant};

/// How late a wait may end without a remark.
const LATE: Duration = Duration::from_millis(20);

/// Everything that needs little time.
pub fn findings(program: &Path, options: &Options, lang: Lang) -> Vec<Finding> {
    vec![
        note(format!("Monomi {} ({})", env!("CARGO_PKG_VERSION"), std::env::consts::ARCH)),
        instructions(lang),
        threads(options.threads, lang),
        memory(options.hash_mib, lang),
        large_pages(lang),
        path(program, lang),
        encoding(lang),
        clock(lang),
    ]
}

fn instructions(lang: Lang) -> Finding {
    let names: Vec<&str> = SimdLevel::available().map(SimdLevel::name).collect();
    let (best, all) = (SimdLevel::best(), names.join(", "));
    let used = best.name();
    let text = say!(
        lang,
        "processor: {all}; networks use {used}",
        "プロセッサ: {all}（評価関数は {used} を使用）"
    );
    if best == SimdLevel::Scalar { check(text) } else { good(text) }
}

fn threads(threads: usize, lang: Lang) -> Finding {
    let (cores, processors) = (cores::physical(), cores::logical());
    let text = say!(
        lang,
        "threads: {threads} of {cores} cores ({processors} processors)",
        "スレッド: {threads}（コア {cores}、論理プロセッサ {processors}）"
    );
    match threads {
        _ if threads > processors => bad(say!(
            lang,
            "{text}: more threads than processors play worse",
            "{text}: 論理プロセッサより多いスレッドは弱くなります"
        )),
        1 if cores > 2 => check(say!(
            lang,
            "{text}: one thread uses only part of the machine",
            "{text}: 1 スレッドではマシンの一部しか使いません"
        )),
        _ => good(text),
    }
}

fn memory(hash_mib: usize, lang: Lang) -> Finding {
    match Available::now().memory {
        None => note(say!(
            lang,
            "memory: not known on this system; USI_Hash is {hash_mib} MiB",
            "メモリ: このシステムでは不明（USI_Hash は {hash_mib} MiB）"
        )),
        Some(bytes) => {
            let left = bytes >> 20;
            let text = say!(
                lang,
                "memory: {left} MiB left, USI_Hash is {hash_mib} MiB",
                "メモリ: 残り {left} MiB、USI_Hash は {hash_mib} MiB"
            );
            if hash_mib as u64 > left { bad(text) } else { good(text) }
        }
    }
}

/// Large pages of Linux; other systems do not say.
fn large_pages(lang: Lang) -> Finding {
    let file = "/sys/kernel/mm/transparent_hugepage/enabled";
    let setting = std::fs::read_to_string(file).unwrap_or_default();
    let chosen = setting.split(['[', ']']).nth(1).unwrap_or_default().to_owned();
    match chosen.as_str() {
        "" => note(say!(lang, "large pages: not known", "ラージページ: 不明")),
        "never" => check(say!(
            lang,
            "large pages: off ({file}); searches are slower",
            "ラージページ: 無効（{file}）。探索が遅くなります"
        )),
        _ => good(say!(lang, "large pages: {chosen}", "ラージページ: {chosen}")),
    }
}

fn path(program: &Path, lang: Lang) -> Finding {
    let shown = program.display();
    let text = say!(lang, "program: {shown}", "プログラム: {shown}");
    let odd = |c: char| !c.is_ascii() || c == ' ';
    match program.to_str() {
        Some(path) if !path.contains(odd) => good(text),
        _ => check(say!(
            lang,
            "{text}: some GUIs cannot start programs in folders with spaces or letters outside ASCII",
            "{text}: 空白や日本語を含むフォルダのプログラムを起動できない GUI があります"
        )),
    }
}

fn encoding(lang: Lang) -> Finding {
    if cfg!(windows) {
        return good(say!(
            lang,
            "encoding: lines in UTF-8 and in code page 932 are understood",
            "文字コード: UTF-8 とコードページ 932 の行を読めます"
        ));
    }
    let variables = ["LC_ALL", "LC_CTYPE", "LANG"];
    let locale = variables.iter().filter_map(|name| std::env::var(name).ok());
    let locale = locale.into_iter().find(|value| !value.is_empty()).unwrap_or("C".to_owned());
    let plain = locale.to_ascii_lowercase().replace('-', "");
    let text = say!(lang, "encoding: locale {locale}", "文字コード: ロケール {locale}");
    if plain.ends_with("utf8") { good(text) } else { note(text) }
}

/// How exact waits are.
fn clock(lang: Lang) -> Finding {
    let wait = Duration::from_millis(2);
    let late = (0..20).map(|_| {
        let start = Instant::now();
        std::thread::sleep(wait);
        start.elapsed().saturating_sub(wait)
    });
    let late = late.max().unwrap_or_default();
    let ms = late.as_secs_f64() * 1000.0;
    let text = say!(
        lang,
        "clock: waits end at most {ms:.1} ms late",
        "時計: 待ち時間の遅れは最大 {ms:.1} ms"
    );
    if late > LATE { check(text) } else { good(text) }
}

/// The speed with one thread and with as many as the options say.
pub fn speed(options: &Options, time: Duration, lang: Lang) -> Vec<Finding> {
    let evaluation = match options.eval_source().load(&mut |_| ()) {
        Ok(evaluation) => evaluation,
        // Reported with the options.
        Err(_) => Evaluation::internal(),
    };
    let counts = if options.threads > 1 { vec![1, options.threads] } else { vec![1] };
    let runs = counts.len() as u32;
    let mut nps = Vec::new();
    let mut all = Vec::new();
    for threads in counts {
        let test = SpeedTest { time: time / runs, ..SpeedTest::on(threads) };
        match test.run(evaluation.clone(), &Signals::default()) {
            Ok(total) => {
                nps.push(total.nps());
                let speed = total.nps();
                all.push(good(say!(
                    lang,
                    "speed: {speed} nodes/s, threads: {threads}",
                    "速度: {speed} 局面/秒（スレッド数 {threads}）"
                )));
            }
            Err(error) => all.push(bad(error.in_lang(lang).to_string())),
        }
    }
    if let [one, many] = nps[..]
        && many < one
    {
        all.push(bad(say!(
            lang,
            "several threads are slower than one: is the machine busy?",
            "複数スレッドのほうが遅くなっています。他のプログラムが動いていませんか"
        )));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::doctor::Grade;

    #[test]
    fn too_many_threads_and_too_large_tables_are_bad() {
        assert_eq!(threads(cores::logical() + 1, Lang::En).grade, Grade::Bad);
        if Available::now().memory.is_some() {
            assert_eq!(memory(1 << 30, Lang::En).grade, Grade::Bad);
            assert_eq!(memory(1, Lang::En).grade, Grade::Good);
        }
    }
}
