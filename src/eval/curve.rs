//! Recall over token budgets as a picture: one line a metric that can be measured, readable on light and on dark paper.

use std::fmt::Write as _;

use super::metric::Metric;
use super::summary::Summary;

/// Where it is measured.
pub const BUDGETS: [u32; 5] = [2_000, 4_000, 8_000, 16_000, 32_000];

/// An SVG document of summaries by budget, from the smallest up. The budgets are at equal distances.
pub fn svg(points: &[(u32, Summary)]) -> String {
    let rows = points.first().map_or(0, |(_, summary)| summary.instances);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" role=\"img\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <title>What packs hold of the answer, by token budget ({rows} questions)</title>\n"
    );
    axes(&mut text, points);
    let is_measured = |line: &&Line| points.iter().all(|(_, summary)| summary.mean(line.metric).is_some());
    for (at, line) in LINES.iter().filter(is_measured).enumerate() {
        legend(&mut text, line, at);
        draw_line(&mut text, line, points);
    }
    text + "</svg>\n"
}

const WIDTH: u32 = 640;
const HEIGHT: u32 = 400;
/// The corners of the plot.
const LEFT: f64 = 56.0;
const RIGHT: f64 = 616.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 344.0;
/// Grey and line colours have a contrast of three and more with white and with black.
const GREY: &str = "#7a7f87";

struct Line {
    metric: Metric,
    label: &'static str,
    colour: &'static str,
    /// Of the points, around the origin, so that lines can be told apart without their colours.
    mark: &'static str,
    /// From a point down to its figure; that of the lowest line is below it.
    figure: f64,
}

const LINES: [Line; 3] = [
    Line {
        metric: Metric::PackFiles,
        label: "packfile: a line of the file",
        colour: "#3b82f6",
        mark: "M-4,0A4,4 0 1 1 4,0A4,4 0 1 1 -4,0Z",
        figure: -9.0,
    },
    Line {
        metric: Metric::Functions,
        label: "func: half of the function",
        colour: "#1a9c50",
        mark: "M0,-5L5,4L-5,4Z",
        figure: -9.0,
    },
    Line {
        metric: Metric::Edits,
        label: "edit: all of the change",
        colour: "#d9660a",
        mark: "M-4,-4L4,-4L4,4L-4,4Z",
        figure: 18.0,
    },
];

fn axes(text: &mut String, points: &[(u32, Summary)]) {
    for per_cent in (0..=100).step_by(20) {
        let y = height(f64::from(per_cent) / 100.0);
        let faint = if per_cent == 0 { "1" } else { "0.3" };
        let _ = writeln!(
            text,
            "<path d=\"M{LEFT:.1},{y:.1}H{RIGHT:.1}\" stroke=\"{GREY}\" stroke-opacity=\"{faint}\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{GREY}\" text-anchor=\"end\">{per_cent}</text>",
            LEFT - 8.0,
            y + 4.5
        );
    }
    for (at, (budget, _)) in points.iter().enumerate() {
        let (x, y) = (along(at, points.len()), BOTTOM + 20.0);
        let _ = writeln!(text, "<path d=\"M{x:.1},{BOTTOM:.1}v5\" stroke=\"{GREY}\"/>");
        let _ =
            writeln!(text, "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{GREY}\" text-anchor=\"middle\">{budget}</text>");
    }
    let (x, y) = ((LEFT + RIGHT) / 2.0, (TOP + BOTTOM) / 2.0);
    let _ = writeln!(
        text,
        "<text x=\"{x:.1}\" y=\"{:.1}\" fill=\"{GREY}\" text-anchor=\"middle\">token budget</text>\n\
         <text transform=\"translate(16,{y:.1}) rotate(-90)\" fill=\"{GREY}\" text-anchor=\"middle\">per cent</text>",
        BOTTOM + 42.0
    );
}

fn legend(text: &mut String, line: &Line, at: usize) {
    let (x, y) = (LEFT + 6.0 + 196.0 * at as f64, 16.0);
    let Line { label, colour, mark, .. } = line;
    let _ = writeln!(
        text,
        "<path transform=\"translate({x:.1},{y:.1})\" d=\"{mark}\" fill=\"{colour}\"/>\n\
         <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{GREY}\">{label}</text>",
        x + 12.0,
        y + 4.5
    );
}

fn draw_line(text: &mut String, line: &Line, points: &[(u32, Summary)]) {
    let Line { metric, colour, mark, figure, .. } = line;
    let place = |(at, (_, summary)): (usize, &(u32, Summary))| {
        let share = summary.mean(*metric).unwrap_or_default();
        (along(at, points.len()), height(share), 100.0 * share)
    };
    let places: Vec<(f64, f64, f64)> = points.iter().enumerate().map(place).collect();
    let path: Vec<String> = places.iter().map(|(x, y, _)| format!("{x:.1},{y:.1}")).collect();
    let _ = writeln!(
        text,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
        path.join(" ")
    );
    for (x, y, value) in places {
        let _ = writeln!(
            text,
            "<path transform=\"translate({x:.1},{y:.1})\" d=\"{mark}\" fill=\"{colour}\"/>\n\
             <text x=\"{x:.1}\" y=\"{:.1}\" fill=\"{colour}\" font-size=\"11\" text-anchor=\"middle\">{value:.1}</text>",
            y + figure
        );
    }
}

/// The first and the last are inside the plot, so that their figures are, too.
fn along(at: usize, count: usize) -> f64 {
    let step = (RIGHT - LEFT) / count.max(1) as f64;
    LEFT + step * (at as f64 + 0.5)
}

fn height(share: f64) -> f64 {
    BOTTOM - (BOTTOM - TOP) * share
}
