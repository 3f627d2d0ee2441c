//! The text of a record's file, kept so that annotated records lose nothing of the original.

/// The lines of a file that holds one game, and which of them are moves of the main line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceText {
    lines: Vec<String>,
    /// By move of the main line: index of its line.
    moves: Vec<usize>,
    /// Index of the line that ends the main line (ending, closing words, first variation);
    /// the number of lines if there is none.
    end: usize,
}

impl SourceText {
    /// Takes line numbers, counted from 1.
    pub(super) fn new(moves: Vec<usize>, end: Option<usize>) -> Self {
        let moves = moves.into_iter().map(|number| number.saturating_sub(1)).collect();
        let end = end.map_or(usize::MAX, |number| number.saturating_sub(1));
        Self { lines: Vec::new(), moves, end }
    }

    /// Adds the text. `None` if comments cannot be inserted after each move, because two moves
    /// share a line.
    pub(super) fn with_text(mut self, text: &str) -> Option<Self> {
        self.lines = text.lines().map(|line| line.trim_end().to_owned()).collect();
        self.end = self.end.min(self.lines.len());
        let places = self.moves.iter().chain([&self.end]);
        places.is_sorted_by(|a, b| a < b).then_some(self)
    }

    /// The text with `comments` inserted: element `n` holds the lines to add after move `n` (0:
    /// before the first move) and after the comments that the file has there. Where lines are added, `is_old` says
    /// which of the lines there they replace.
    pub fn with_comments(
        &self,
        comments: &[Vec<String>],
        is_old: impl Fn(&[String]) -> Vec<bool>,
    ) -> String {
        let mut text = String::new();
        let mut from = 0;
        for (ply, added) in comments.iter().enumerate() {
            let next = self.moves.get(ply).copied().unwrap_or(self.end);
            let mut to = next.max(from);
            // Blank lines separate what follows, such as a variation.
            while to > from && self.lines[to - 1].is_empty() {
                to -= 1;
            }
            let there = &self.lines[from..to];
            let old = if added.is_empty() { Vec::new() } else { is_old(there) };
            let kept = |index: &usize| !old.get(*index).copied().unwrap_or(false);
            let kept = (0..there.len()).filter(kept).map(|index| &there[index]);
            for line in kept.chain(added) {
                text.push_str(line);
                text.push('\n');
            }
            from = to;
        }
        for line in &self.lines[from..] {
            text.push_str(line);
            text.push('\n');
        }
        text
    }
}
