// Small things that all of the page uses: elements, numbers, colours.

const $ = (id) => document.getElementById(id);

const grouped = new Intl.NumberFormat('en');
const shown = (n) => grouped.format(n).replaceAll(',', '\u202f');
const counted = (n, word) => `${shown(n)} ${word}${n === 1 ? '' : 's'}`;

/** An element with properties and children (elements or texts; what is null is left out). */
function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** The numbers from `begin` to before `end`. */
const range = (begin, end) => Array.from({length: end - begin}, (_, i) => begin + i);

/** 1, 2 or 5 times a power of ten: the first that is not below x. */
function roundUp(x) {
  const power = 10 ** Math.floor(Math.log10(Math.max(x, 1)));
  return [1, 2, 5, 10].map((f) => f * power).find((n) => n >= x);
}

/** The first place in a sorted array whose value is above x. */
function upperBound(values, x) {
  let low = 0, high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= x) low = middle + 1; else high = middle;
  }
  return low;
}

// Far from each other; none of them is the red of waiting. The same as in drawings of schedules.
const STEP_COLOURS = [[31, 111, 180], [224, 123, 0], [27, 147, 92], [142, 63, 168], [0, 159, 183],
  [168, 122, 0], [194, 47, 134], [92, 99, 201], [107, 142, 35]];
const RAMPS = {
  light: [[169, 205, 234], [74, 148, 216], [91, 95, 199], [177, 58, 154], [224, 38, 60]],
  dark: [[47, 95, 138], [63, 143, 220], [139, 124, 240], [226, 91, 181], [255, 90, 95]],
};
const LOAD_LEVELS = 32;

/** The colours of the theme in force, for canvases. */
let colours = {};

function readColours() {
  const theme = document.documentElement.dataset.theme;
  const style = getComputedStyle(document.documentElement);
  colours = {};
  for (const name of ['surface', 'ink', 'muted', 'line', 'idle', 'accent', 'wait', 'selected']) {
    colours[name] = style.getPropertyValue(`--${name}`).trim();
  }
  const rgb = (c) => `rgb(${c.map(Math.round).join(' ')})`;
  const mixed = (a, b, f) => a.map((v, i) => v + (b[i] - v) * f);
  colours.steps = STEP_COLOURS.map((c) => rgb(theme === 'dark' ? mixed(c, [255, 255, 255], 0.28) : c));
  const ramp = RAMPS[theme];
  colours.load = Array.from({length: LOAD_LEVELS}, (_, level) => {
    const at = level / (LOAD_LEVELS - 1) * (ramp.length - 1), i = Math.min(Math.floor(at), ramp.length - 2);
    return rgb(mixed(ramp[i], ramp[i + 1], at - i));
  });
}

/** Of a message, a control packet, or a part of the run: a step or a call. */
const colourOf = (packet) =>
  packet.control ? colours.muted : colours.steps[(packet.colour + colours.steps.length) % colours.steps.length];

/** Makes a canvas as fine as the screen; returns its context, and its size in CSS pixels. */
function sized(canvas) {
  const {width, height} = canvas.getBoundingClientRect();
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext('2d');
  context.setTransform(scale, 0, 0, scale, 0, 0);
  return {context, width, height};
}

/** Distance of a point from a line of several points, [x, y] each. */
function distanceTo(points, x, y) {
  let least = Infinity;
  for (let i = 1; i < points.length; ++i) {
    const [ax, ay] = points[i - 1], dx = points[i][0] - ax, dy = points[i][1] - ay;
    const length = dx * dx + dy * dy;
    const f = length ? Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length)) : 0;
    least = Math.min(least, Math.hypot(x - ax - f * dx, y - ay - f * dy));
  }
  return least;
}

function trace(context, points) {
  points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
}
