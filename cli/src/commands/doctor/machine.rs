//! What the machine has: processor, memory, clock.

use super::{Finding, bad, check, good, note};
use crate::lang::Lang;
use monomi_eval::Evaluation;
use monomi_eval::network::SimdLevel;
use monomi_search::Signals;
use monomi_search::bench::SpeedTest;
use monomi_support::host::cores;
use monomi_support::memory::{Aligned, Available};
use monomi_support::text::{Message, say};
use monomi_usi::Options;
use std::path::Path;
use std::time::{Duration, Instant};

/// How late a wait may end without a remark.
const LATE: Duration = Duration::from_millis(20);

/// Space on the disk below which records may not fit.
const LEAST_DISK: u64 = 1 << 30;
/// Size of the array that tells whether there are large pages, in bytes.
const TRIED: usize = 32 << 20;

/// Everything that needs little time.
pub fn findings(program: &Path, options: &Options, lang: Lang) -> Vec<Finding> {
    [
        note(format!("Monomi {} ({})", env!("CARGO_PKG_VERSION"), std::env::consts::ARCH)),
        instructions(lang),
        threads(options.threads, lang),
    ]
    .into_iter()
    .chain(load(options.threads, lang))
    .chain(nodes(options.threads, lang))
    .chain([
        memory(options.hash_mib, lang),
        large_pages(lang),
        path(program, lang),
        encoding(lang),
        clock(lang),
    ])
    .chain(disk(lang))
    .collect()
}

/// What other programs do to the processors, where the system says it.
fn load(threads: usize, lang: Lang) -> Option<Finding> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    let load: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(load_of(load, threads, cores::logical(), lang))
}

/// `load` is the number of processes that were running or waiting in the last minute.
fn load_of(load: f64, threads: usize, processors: usize, lang: Lang) -> Finding {
    let text = say!(
        lang,
        "load: {load:.1} running programs on {processors} processors in the last minute",
        "負荷: 直近 1 分間に動いていたプログラムは平均 {load:.1}（論理プロセッサ {processors}）"
    );
    // Half a program may be the shell and what else there is.
    if load + threads as f64 > processors as f64 + 0.5 && load > 0.5 {
        check(say!(
            lang,
            "{text}: too little is left for the engine (Threads {threads})",
            "{text}: エンジン（{threads} スレッド）に残る分が足りません"
        ))
    } else {
        good(text)
    }
}

/// Parts of the machine with memory of their own, if there are several.
fn nodes(threads: usize, lang: Lang) -> Option<Finding> {
    let entries = std::fs::read_dir("/sys/devices/system/node").ok()?;
    let is_node = |name: &str| {
        let number = name.strip_prefix("node");
        number
            .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let nodes = names.filter(|name| is_node(name)).count();
    let text = say!(
        lang,
        "NUMA: {nodes} nodes; threads are not bound to them",
        "NUMA: {nodes} ノード（スレッドは固定しません）"
    );
    match nodes {
        0 | 1 => None,
        _ if threads > cores::physical() / nodes => Some(check(say!(
            lang,
            "{text}, so {threads} threads also use the slower memory of other nodes. `numactl \
             --interleave=all` spreads the memory",
            "{text}。{threads} スレッドは他のノードの遅いメモリも使います。`numactl --interleave=all` で\
             メモリを分散できます"
        ))),
        _ => Some(note(text)),
    }
}

/// Space for the records of games in the working folder.
fn disk(lang: Lang) -> Option<Finding> {
    #[cfg(unix)]
    {
        let space = rustix::fs::statvfs(".").ok()?;
        Some(disk_of(space.f_bavail.saturating_mul(space.f_frsize), lang))
    }
    #[cfg(not(unix))]
    {
        let _ = disk_of;
        let _ = lang;
        None
    }
}

/// So many bytes are left.
fn disk_of(bytes: u64, lang: Lang) -> Finding {
    let left = bytes >> 20;
    let text = say!(
        lang,
        "disk: {left} MiB left in the working folder",
        "ディスク: 作業フォルダの残り {left} MiB"
    );
    if bytes < LEAST_DISK {
        check(say!(
            lang,
            "{text}; records and logs of a long event may need more",
            "{text}。長い大会では棋譜やログの分が足りなくなることがあります"
        ))
    } else {
        good(text)
    }
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
        _ => large_pages_got(&chosen, lang),
    }
}

/// Whether memory for which large pages are asked for gets them.
fn large_pages_got(chosen: &str, lang: Lang) -> Finding {
    let before = large_pages_in_use();
    let mut tried = Aligned::<u8>::zeroed(TRIED);
    // A page is there once something has been written to it.
    tried.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
    let after = large_pages_in_use();
    let text = say!(lang, "large pages: {chosen}", "ラージページ: {chosen}");
    match before.zip(after) {
        Some((before, after)) if after.saturating_sub(before) < TRIED as u64 / 2 => check(say!(
            lang,
            "{text}, but memory for which they were asked got none; searches are slower",
            "{text}。ただし要求したメモリには割り当てられませんでした。探索が遅くなります"
        )),
        _ => good(text),
    }
}

/// Bytes of this process that are on large pages.
fn large_pages_in_use() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/smaps_rollup").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("AnonHugePages:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
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
        let mut test = SpeedTest::on(threads);
        test.time = time / runs;
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
    fn a_busy_machine_and_a_full_disk_are_named() {
        // Four programs on two processors.
        assert_eq!(load_of(4.0, 1, 2, Lang::En).grade, Grade::Check);
        assert_eq!(load_of(0.2, 2, 2, Lang::En).grade, Grade::Good);
        assert_eq!(load_of(4.0, 4, 64, Lang::En).grade, Grade::Good);
        assert_eq!(disk_of((1 << 30) - 1, Lang::En).grade, Grade::Check);
        assert_eq!(disk_of(1 << 30, Lang::En).grade, Grade::Good);
    }

    #[test]
    fn too_many_threads_and_too_large_tables_are_bad() {
        assert_eq!(threads(cores::logical() + 1, Lang::En).grade, Grade::Bad);
        if Available::now().memory.is_some() {
            assert_eq!(memory(1 << 30, Lang::En).grade, Grade::Bad);
            assert_eq!(memory(1, Lang::En).grade, Grade::Good);
        }
    }
}
