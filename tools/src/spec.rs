//! How an engine is described on the command line: `name=... cmd=... OPTION=VALUE ...`.

use anyhow::{Context, Result, bail, ensure};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// How long a side may think about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// A fixed number of nodes a move.
    Nodes(u64),
    /// A fixed depth.
    Depth(u32),
    /// A fixed time a move.
    MoveTime(Duration),
    /// A clock: time for the game, an increment after each move, and a byoyomi.
    Clock {
        /// Time for the whole game.
        base: Duration,
        /// Added after each move.
        increment: Duration,
        /// Free time for each move once the base is used up.
        byoyomi: Duration,
    },
}

impl Limit {
    /// Reads `BASE+INCREMENT` in seconds, e.g. `5+0.05`.
    pub fn clock(text: &str, byoyomi: Duration) -> Result<Self> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let base = seconds(base).with_context(|| format!("time control `{text}`"))?;
        let increment = seconds(increment).with_context(|| format!("time control `{text}`"))?;
        ensure!(
            !(base + increment + byoyomi).is_zero(),
            "time control `{text}` leaves no time to think"
        );
        Ok(Self::Clock { base, increment, byoyomi })
    }
}

/// As in the tables of trials/: `nodes 25000`, `tc 5+0.05`, `byoyomi 1000`.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Nodes(nodes) => write!(f, "nodes {nodes}"),
            Self::Depth(depth) => write!(f, "depth {depth}"),
            Self::MoveTime(time) => write!(f, "movetime {}", time.as_millis()),
            Self::Clock { base, increment, byoyomi } => {
                let (base, increment) = (base.as_secs_f64(), increment.as_secs_f64());
                match (base > 0.0, byoyomi.as_millis()) {
                    (true, 0) => write!(f, "tc {base}+{increment}"),
                    (true, byoyomi) => write!(f, "tc {base}, byoyomi {byoyomi}"),
                    (false, byoyomi) => write!(f, "byoyomi {byoyomi}"),
                }
            }
        }
    }
}

/// Reads a number of seconds, fractions allowed.
pub fn seconds(text: &str) -> Result<Duration> {
    let number: f64 = text.parse().with_context(|| format!("`{text}` is not a number"))?;
    Duration::try_from_secs_f64(number)
        .ok()
        .filter(|time| time.as_secs() < 1_000_000)
        .with_context(|| format!("{text} seconds: expected 0 to 999,999"))
}

impl FromStr for Limit {
    type Err = anyhow::Error;

    /// Reads `nodes:N`, `depth:N`, `movetime:MS`, `byoyomi:MS` or `tc:BASE+INCREMENT`.
    fn from_str(text: &str) -> Result<Self> {
        let expected = "expected nodes:N, depth:N, movetime:MS, byoyomi:MS or tc:SECONDS+SECONDS";
        let (kind, value) =
            text.split_once(':').with_context(|| format!("`{text}`: {expected}"))?;
        let number = || match value.parse::<u64>() {
            Ok(number) if number > 0 => Ok(number),
            _ => bail!("`{text}`: `{value}` is not a positive number"),
        };
        Ok(match kind {
            "nodes" => Self::Nodes(number()?),
            "depth" => Self::Depth(u32::try_from(number()?)?),
            "movetime" => Self::MoveTime(Duration::from_millis(number()?)),
            "byoyomi" => Self::Clock {
                base: Duration::ZERO,
                increment: Duration::ZERO,
                byoyomi: Duration::from_millis(number()?),
            },
            "tc" => Self::clock(value, Duration::ZERO)?,
            _ => bail!("`{text}`: {expected}"),
        })
    }
}

/// An engine and its settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// The name in reports.
    pub name: String,
    /// The program and its arguments, at least the program.
    pub command: Vec<String>,
    /// The working folder; that of this program if none is given.
    pub folder: Option<String>,
    /// The engine's own limit, instead of the match's.
    pub limit: Option<Limit>,
    /// USI options in the order given.
    pub options: Vec<(String, String)>,
}

impl EngineSpec {
    /// Replaces the value of an option, or adds it.
    pub fn set(&mut self, name: &str, value: &str) {
        match self.options.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value.to_owned(),
            None => self.options.push((name.to_owned(), value.to_owned())),
        }
    }
}

impl FromStr for EngineSpec {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut spec = Self {
            name: String::new(),
            command: Vec::new(),
            folder: None,
            limit: None,
            options: Vec::new(),
        };
        for (key, value) in pairs(text)? {
            match key.as_str() {
                "name" => spec.name = value,
                "cmd" => spec.command = words(&value)?,
                "dir" => spec.folder = Some(value),
                "go" => spec.limit = Some(value.parse()?),
                _ => spec.options.push((key, value)),
            }
        }
        let program = spec.command.first().with_context(|| format!("`{text}`: cmd= is missing"))?;
        if spec.name.is_empty() {
            let file = std::path::Path::new(program).file_name();
            spec.name = file.map_or_else(|| program.clone(), |name| name.to_string_lossy().into());
        }
        Ok(spec)
    }
}

/// The engine under a name that differs from the other's.
pub fn distinct(engine: &EngineSpec, other: &str) -> EngineSpec {
    let mut engine = engine.clone();
    if engine.name == other {
        engine.name.push('\'');
    }
    engine
}

/// Reads words of the form `KEY=VALUE`.
pub fn pairs(text: &str) -> Result<Vec<(String, String)>> {
    words(text)?
        .into_iter()
        .map(|word| match word.split_once('=') {
            Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
            _ => bail!("`{word}`: expected KEY=VALUE"),
        })
        .collect()
}

/// Splits at spaces; single or double quotes keep spaces together. A backslash is an ordinary
/// character, so that Windows paths need no care.
pub fn words(text: &str) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in text.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            Some(_) => word.get_or_insert_default().push(letter),
            None if letter == '\'' || letter == '"' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(letter),
        }
    }
    if let Some(open) = quote {
        bail!("`{text}`: the quote {open} is not closed");
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_spec_is_read() {
        let spec: EngineSpec =
            "name=new cmd='./a b --fast' Threads=1 \"Skill Level=-5\" go=nodes:20000"
                .parse()
                .unwrap();
        assert_eq!(spec.name, "new");
        assert_eq!(spec.command, ["./a", "b", "--fast"]);
        assert_eq!(spec.limit, Some(Limit::Nodes(20_000)));
        let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(spec.options, [option("Threads", "1"), option("Skill Level", "-5")]);
        let unnamed: EngineSpec = "cmd=target/release/monomi".parse().unwrap();
        assert_eq!(unnamed.name, "monomi");
    }

    #[test]
    fn limits_are_shown_as_in_the_tables_of_trials() {
        for (given, text) in [
            ("nodes:25000", "nodes 25000"),
            ("depth:9", "depth 9"),
            ("movetime:50", "movetime 50"),
            ("byoyomi:1000", "byoyomi 1000"),
            ("tc:5+0.05", "tc 5+0.05"),
        ] {
            assert_eq!(given.parse::<Limit>().unwrap().to_string(), text);
        }
        let both = Limit::clock("10", Duration::from_millis(500)).unwrap();
        assert_eq!(both.to_string(), "tc 10, byoyomi 500");
    }

    #[test]
    fn windows_paths_and_quoted_paths_with_spaces_are_read() {
        let spec: EngineSpec = r#"cmd='"C:\my engines\a.exe" x'"#.parse().unwrap();
        assert_eq!(spec.command, [r"C:\my engines\a.exe", "x"]);
    }

    #[test]
    fn errors_name_the_bad_part() {
        let error = |text: &str| format!("{:#}", text.parse::<EngineSpec>().unwrap_err());
        assert!(error("name=x").contains("cmd= is missing"));
        assert!(error("cmd=x Threads").contains("`Threads`: expected KEY=VALUE"));
        assert!(error("cmd='x").contains("not closed"));
        assert!(error("cmd=x go=nodes:0").contains("`0` is not a positive number"));
        assert!(error("cmd=x go=fast").contains("expected nodes:N"));
        assert!(error("cmd=x go=tc:0").contains("no time"));
        assert!(error("cmd=x go=tc:-1").contains("-1 seconds"));
    }

    #[test]
    fn limits_are_read() {
        let second = Duration::from_secs(1);
        assert_eq!("movetime:1000".parse::<Limit>().unwrap(), Limit::MoveTime(second));
        let clock =
            Limit::Clock { base: 5 * second, increment: second / 20, byoyomi: Duration::ZERO };
        assert_eq!("tc:5+0.05".parse::<Limit>().unwrap(), clock);
    }
}
