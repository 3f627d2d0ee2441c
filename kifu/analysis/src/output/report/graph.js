// The graphs of evaluation and time.
import { shape } from "./page.js";
import { BAD, clock } from "./words.js";

/** @import { GraphOptions, Step } from "./types.d.ts" */

const CP_RANGE = 3000;

// Height of an evaluation in the graph: 1 is good for Black.
/**
 * @param {Step} step
 * @param {string} scale
 */
function height(step, scale) {
  if (step.win === undefined) return null;
  if (scale === "win") return step.win;
  const cp =
    step.cp === undefined ? (step.win > 0.5 ? CP_RANGE : -CP_RANGE) : Math.max(-CP_RANGE, Math.min(CP_RANGE, step.cp));
  return 0.5 + cp / (2 * CP_RANGE);
}

// Draws the evaluation graph; returns the horizontal places of the plies.
/**
 * @param {SVGElement} svg
 * @param {Step[]} steps
 * @param {number} ply
 * @param {GraphOptions} options
 * @returns {(offset: number) => number}
 */
export function drawEvaluation(svg, steps, ply, options) {
  const width = options.width ?? svg.getBoundingClientRect().width;
  const tall = 210;
  const box = { left: 46, right: 12, top: 10, bottom: 24 };
  const last = Math.max(steps.length - 1, 1);
  /** @param {number} index */
  const x = (index) => box.left + ((Math.max(width, 200) - box.left - box.right) * index) / last;
  /** @param {number} part */
  const y = (part) => box.top + (tall - box.top - box.bottom) * (1 - part);
  svg.setAttribute("viewBox", `0 0 ${Math.max(width, 200)} ${tall}`);
  const parts = [];
  const labels =
    options.scale === "win" ? ["0%", "25%", "50%", "75%", "100%"] : ["-3000", "-1500", "0", "+1500", "+3000"];
  labels.forEach((label, i) => {
    const at = y(i / 4);
    parts.push(shape("path", { class: i === 2 ? "axis middle" : "axis", d: `M${x(0)} ${at}H${x(last)}` }));
    parts.push(shape("text", { class: "label", x: box.left - 6, y: at + 4, "text-anchor": "end" }, label));
  });
  const every = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((n) => ((x(last) - x(0)) * n) / last >= 34) || 1000;
  for (let i = 0; i <= last; i += every) {
    parts.push(shape("path", { class: "axis", d: `M${x(i)} ${y(0)}v4` }));
    parts.push(shape("text", { class: "label", x: x(i), y: tall - 6, "text-anchor": "middle" }, String(i)));
  }
  // Stretches that were searched.
  /** @type {number[][]} */
  let stretch = [];
  const flush = () => {
    if (stretch.length) {
      const line = "M" + stretch.map(([a, b]) => `${a.toFixed(1)} ${b.toFixed(1)}`).join("L");
      parts.push(
        shape("path", { class: "area", d: `${line}V${y(0.5)}H${stretch[0][0].toFixed(1)}Z` }),
        shape("path", { class: "line", d: line }),
      );
    }
    stretch = [];
  };
  steps.forEach((step, index) => {
    const part = height(step, options.scale);
    if (part === null) flush();
    else stretch.push([x(index), y(part)]);
  });
  flush();
  steps.forEach((step, index) => {
    const after = steps[index + 1];
    const part = after && height(after, options.scale);
    if (part === null || part === undefined) return;
    const [a, b] = [x(index + 1), y(part)];
    const name = step.missed ? "missed" : step.class;
    if (name === "inaccuracy") parts.push(shape("circle", { class: "dot inaccuracy", cx: a, cy: b, r: 2.5 }));
    else if (BAD.includes(name))
      parts.push(shape("circle", { class: `dot ${name}`, cx: a, cy: b, r: name === "dubious" ? 3.5 : 5 }));
    else if (name === "missed") parts.push(shape("path", { class: "dot missed", d: `M${a} ${b - 6}l6 11h-12Z` }));
    else if (name === "brilliant")
      parts.push(shape("path", { class: "dot brilliant", d: `M${a} ${b - 5}l5 5-5 5-5-5Z` }));
  });
  parts.push(shape("path", { class: "now", d: `M${x(ply)} ${box.top}V${y(0)}` }));
  if (options.hover !== null) {
    const text = options.label?.(options.hover) ?? "";
    const left = x(options.hover) > width / 2;
    parts.push(
      shape("path", { class: "hover", d: `M${x(options.hover)} ${box.top}V${y(0)}` }),
      shape(
        "text",
        { class: "tip", x: x(options.hover) + (left ? -6 : 6), y: box.top + 12, "text-anchor": left ? "end" : "start" },
        text,
      ),
    );
  }
  svg.replaceChildren(...parts);
  return (offset) =>
    Math.max(
      0,
      Math.min(last, Math.round(((offset - box.left) / (Math.max(width, 200) - box.left - box.right)) * last)),
    );
}

// Bars of the time used: Black's upwards, White's downwards.
/**
 * @param {SVGElement} svg
 * @param {Step[]} steps
 * @param {string} label
 */
export function drawTimes(svg, steps, label) {
  const most = Math.max(...steps.map((step) => step.seconds || 0));
  // SVG elements have no property `hidden`.
  svg.toggleAttribute("hidden", most === 0);
  if (most === 0) return;
  const width = Math.max(svg.getBoundingClientRect().width, 200);
  const [left, right, tall] = [46, 12, 84];
  const last = Math.max(steps.length - 1, 1);
  svg.setAttribute("viewBox", `0 0 ${width} ${tall}`);
  const middle = tall / 2;
  const parts = [
    shape("path", { class: "axis middle", d: `M${left} ${middle}H${width - right}` }),
    shape("text", { class: "label", x: left - 6, y: 12, "text-anchor": "end" }, clock(most)),
    shape("text", { class: "label", x: left - 6, y: tall - 4, "text-anchor": "end" }, clock(most)),
    shape("text", { class: "label", x: left + 4, y: 12 }, label),
  ];
  const wide = Math.max(1, ((width - left - right) / last) * 0.7);
  steps.forEach((step, index) => {
    if (!step.seconds) return;
    const size = (step.seconds / most) * (middle - 4);
    const x = left + ((width - left - right) * (index + 0.5)) / last - wide / 2;
    parts.push(
      shape("rect", {
        class: step.turn === "b" ? "bar black" : "bar white",
        x,
        width: wide,
        y: step.turn === "b" ? middle - size : middle,
        height: size,
      }),
    );
  });
  svg.replaceChildren(...parts);
}
