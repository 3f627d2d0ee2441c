//! The regrets as a picture.

use super::report::{Mean, Report, mean};
use anyhow::{Result, anyhow};
use plotters::coord::combinators::WithKeyPoints;
use plotters::prelude::*;
use std::collections::BTreeMap;

/// Width and height of the picture in pixels.
const SIZE: (u32, u32) = (760, 460);
/// The colours of the lines; they can be told apart without seeing red or green.
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(90, 90, 90),
];

impl Report {
    /// The regret of each engine by nodes a move (logarithmic), in percent with one standard error, as SVG.
    ///
    /// # Errors
    /// There is no regret to draw.
    pub(super) fn chart(&self) -> Result<String> {
        let mut lines: BTreeMap<&str, Vec<(f64, Mean)>> = BTreeMap::new();
        for ((nodes, engine), regrets) in &self.regrets {
            if let Some(Mean { value, error }) = mean(regrets.by_position.values().copied()) {
                let percent = Mean { value: 100.0 * value, error: 100.0 * error };
                lines.entry(engine).or_default().push((*nodes as f64, percent));
            }
        }
        // In rising order; marked on the axis.
        let mut nodes: Vec<f64> = self.regrets.keys().map(|key| key.0 as f64).collect();
        nodes.dedup();
        let (Some(&least), Some(&most)) = (nodes.first(), nodes.last()) else {
            return Err(anyhow!("no position is judged yet, so there is nothing to draw"));
        };
        let points = lines.values().flatten();
        let highest = points.map(|(_, mean)| mean.value + mean.error).fold(0.1, f64::max);
        let mut text = String::new();
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        let nodes = (least / 1.3..most * 1.3).log_scale().with_key_points(nodes);
        // The error refers to the text, which is still being written.
        draw(&area, &lines, nodes, 1.05 * highest)
            .map_err(|error| anyhow!("cannot draw the regrets: {error}"))?;
        drop(area);
        Ok(text)
    }
}

/// A number of nodes with commas.
fn thousands(nodes: &f64) -> String {
    let digits = format!("{nodes:.0}");
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().flat_map(std::str::from_utf8).collect();
    groups.join(",")
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

fn draw<'a>(
    area: &Area<'a>,
    lines: &BTreeMap<&str, Vec<(f64, Mean)>>,
    nodes: WithKeyPoints<LogCoord<f64>>,
    highest: f64,
) -> Result<(), Box<dyn std::error::Error + 'a>> {
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(52)
        .build_cartesian_2d(nodes, 0.0..highest)?;
    chart
        .configure_mesh()
        .x_desc("nodes a move")
        .y_desc("winning probability given away by a move (%)")
        .x_label_formatter(&thousands)
        .y_label_formatter(&|percent| format!("{percent:.1}"))
        .light_line_style(WHITE)
        .draw()?;
    for ((engine, points), colour) in lines.iter().zip(COLOURS.iter().cycle()) {
        let middles = points.iter().map(|(nodes, mean)| (*nodes, mean.value));
        chart
            .draw_series(LineSeries::new(middles, colour.stroke_width(2)).point_size(3))?
            .label(*engine)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], colour.stroke_width(2)));
        chart.draw_series(points.iter().map(|(nodes, Mean { value, error })| {
            let ends = (value - error, *value, value + error);
            ErrorBar::new_vertical(*nodes, ends.0, ends.1, ends.2, colour.stroke_width(1), 8)
        }))?;
    }
    chart
        .configure_series_labels()
        .border_style(BLACK)
        .background_style(WHITE)
        .position(SeriesLabelPosition::UpperRight)
        .draw()?;
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::report::Report;
    use super::super::store::Store;
    use super::thousands;

    #[test]
    fn nothing_is_drawn_without_regrets() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("regret.jsonl")).unwrap();
        let report = Report::new(
            &store,
            &[vec!["startpos".to_owned()]],
            &["a"],
            &[],
            crate::win_scale::USUAL,
        );
        let error = report.chart().unwrap_err();
        assert_eq!(error.to_string(), "no position is judged yet, so there is nothing to draw");
    }

    #[test]
    fn thousands_are_separated() {
        for (nodes, text) in [(7.0, "7"), (400.0, "400"), (25_000.0, "25,000"), (1e6, "1,000,000")]
        {
            assert_eq!(thousands(&nodes), text);
        }
    }
}
