use crate::text;
use monomi_search::Params;

/// "the default of `NAME` from A to B": the change that CONTRIBUTING.md proposes as a first try.
fn example(text: &str) -> Option<(String, i32, i32)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(7).find_map(|words| match words {
        ["default", "of", name, "from", old, "to", new] => Some((
            name.strip_prefix('`')?.strip_suffix('`')?.to_string(),
            old.parse().ok()?,
            new.trim_end_matches('.').parse().ok()?,
        )),
        _ => None,
    })
}

#[test]
fn the_first_exercise_names_a_parameter_and_its_default() {
    let contributing = text("CONTRIBUTING.md");
    let (name, old, new) = example(&contributing).expect("the example of CONTRIBUTING.md");
    let &(_, default, min, max) = Params::TABLE
        .iter()
        .find(|parameter| parameter.0 == name)
        .expect("a parameter of the search");
    assert_eq!(old, default, "{name}");
    assert!(new != default && (min..=max).contains(&new), "{name}: {new}");

    let params = text("engine/search/src/params.rs");
    assert!(contributing.contains("`engine/search/src/params.rs`"));
    assert!(params.contains(&format!("{name}: {default} in")), "the line to change");
}

/// `NAME=OLD,NEW` with the name of a parameter of the search, as in factors.
fn factors(text: &str) -> impl Iterator<Item = (&str, i32)> {
    text.split(|character: char| character.is_whitespace() || "'`".contains(character)).filter_map(
        |word| {
            let (name, values) = word.split_once('=')?;
            let (old, new) = values.split_once(',')?;
            let (old, _) = (old.parse().ok()?, new.parse::<i32>().ok()?);
            Params::TABLE.iter().any(|parameter| parameter.0 == name).then_some((name, old))
        },
    )
}

#[test]
fn factors_in_the_page_on_tools_start_from_the_defaults() {
    let tools = text("tools/README.md");
    let examples: Vec<(&str, i32)> = factors(&tools).collect();
    assert!(!examples.is_empty());
    for (name, old) in examples {
        let parameter = Params::TABLE.iter().find(|parameter| parameter.0 == name);
        assert_eq!(parameter.map(|parameter| parameter.1), Some(old), "{name}");
    }
}
