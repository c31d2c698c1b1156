// The messages over time: cycles to the right, nodes in row order downwards, a line for each message
// from the injection of its head to the arrival of its tail.

/** What a page with loads can show of a node: the mean of some of its channels. */
const SHOWN_LOADS = [
  {name: 'channels to other nodes', of: (node) => range(0, 2 * run.dims).filter((c) => neighbour(node, c) !== null)},
  {name: 'injection', of: () => range(run.injection, run.channels.length)},
  {name: 'ejection', of: () => range(run.ideal ? 0 : 2 * run.dims, run.injection).filter((c) => channelName(c).startsWith('ej'))},
];

const spacetime = (() => {
  const canvas = $('spacetime');
  const LEFT = 52, RIGHT = 14, TOP = 22, BOTTOM = 26, NEAR = 7;
  const all = () => [run.begin - 0.02 * (run.end - run.begin) - 1, run.end + 0.02 * (run.end - run.begin) + 1];
  let [from, to] = all();
  let view = null, picture = null;  // the picture: all but what changes with the cycle

  const xOf = (cycle) => LEFT + (cycle - from) / (to - from) * (view.width - LEFT - RIGHT);
  const cycleAt = (x) => from + (x - LEFT) / (view.width - LEFT - RIGHT) * (to - from);
  const yOf = (node) => TOP + (node + 0.5) / run.nodes * (view.height - TOP - BOTTOM);

  /** Where its head is in the end: behind its last channel. */
  function lastNode(p) {
    if (p.arrived) return p.to;
    const {node, channel} = p.hops.at(-1);
    return isExternal(channel) ? neighbour(node, channel) : node;
  }
  /** A message as points: its head's path, then its flits' arrival. */
  const straight = (p) => [[xOf(p.head), yOf(p.from)], [xOf(p.headOut), yOf(lastNode(p))], [xOf(p.end), yOf(lastNode(p))]];

  const isShown = (p) => (state.control || !p.control) && p.end >= from && p.head <= to;
  const isDim = (p) => (state.step !== null && (p.control || p.part !== state.step)) || (state.tree !== null && p.tree !== state.tree);

  function resize() {
    view = sized(canvas);
    picture = document.createElement('canvas');
    picture.width = canvas.width;
    picture.height = canvas.height;
    paint();
  }

  function paint() {
    const context = picture.getContext('2d');
    const scale = canvas.width / view.width;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    paintAxes(context);
    context.save();
    context.beginPath();
    context.rect(LEFT, 0, view.width - LEFT - RIGHT, view.height);
    context.clip();
    if (run.parts) paintLoads(context);
    paintCores(context);
    const many = run.messages.length > 300;
    const groups = new Map();  // a path for each colour
    for (const p of run.packets) {
      if (!isShown(p)) continue;
      const style = isDim(p) ? 'dim' : p.control ? 'control' : colourOf(p);
      if (!groups.has(style)) groups.set(style, new Path2D());
      trace(groups.get(style), p.arrived ? straight(p) : straight(p).slice(0, 2));
    }
    for (const [style, path] of groups) {
      context.strokeStyle = style === 'dim' ? colours.idle : style === 'control' ? colours.muted : style;
      context.globalAlpha = style === 'control' ? 0.45 : many ? 0.75 : 1;
      context.lineWidth = style === 'control' ? 0.8 : many ? 1 : 1.6;
      context.stroke(path);
    }
    paintUnfinished(context);
    context.restore();
  }

  /** Nodes that share a row of the picture, if they are more than it has pixels. */
  const nodesInRow = () => Math.max(1, Math.ceil(run.nodes / Math.max(1, view.height - TOP - BOTTOM)));

  /** The mean load of the chosen channels of each node over time, in place of its messages. */
  function paintLoads(context) {
    const {of} = SHOWN_LOADS[state.shown], rows = nodesInRow(), {width} = run.parts;
    const cycles = Math.max(width, (to - from) / Math.max(1, view.width - LEFT - RIGHT));
    const levels = Array.from({length: LOAD_LEVELS}, () => new Path2D());
    for (let node = 0; node < run.nodes; node += rows) {
      const loads = [];
      let channels = 0;
      for (let n = node; n < Math.min(run.nodes, node + rows); ++n) {
        for (const channel of of(n)) {
          ++channels;
          if (run.loads.has(key(n, channel))) loads.push(run.loads.get(key(n, channel)));
        }
      }
      const height = (view.height - TOP - BOTTOM) / run.nodes * rows, top = yOf(node) - height / rows / 2;
      for (let at = run.parts.begin + Math.max(0, Math.floor((from - run.parts.begin) / cycles)) * cycles; at < Math.min(to, run.end); at += cycles) {
        const flits = loads.reduce((sum, load) => sum + load.between(at, at + cycles - 1), 0);
        if (flits === 0) continue;
        const level = Math.min(LOAD_LEVELS - 1, Math.floor(flits / cycles / channels * LOAD_LEVELS));
        levels[level].rect(xOf(at), top, xOf(Math.min(at + cycles, run.end)) - xOf(at) + 0.5, Math.max(1, height - (height > 4 ? 1 : 0)));
      }
    }
    levels.forEach((path, level) => {
      context.fillStyle = colours.load[level];
      context.fill(path);
    });
  }

  /** A bar in a node's row while its core is at work; a thin line while it sleeps. */
  function paintCores(context) {
    if (!state.cores) return;
    const row = (view.height - TOP - BOTTOM) / run.nodes, bar = Math.max(0.6, Math.min(6, row * 0.45));
    const work = new Path2D(), sleep = new Path2D();
    run.cores.forEach((spells, node) => {
      if (spells.length === 0) return;
      const y = yOf(node);
      for (const [begin, end] of spells) {
        if (end >= from && begin <= to) work.rect(xOf(begin), y - bar / 2, Math.max(0.5, xOf(end) - xOf(begin)), bar);
      }
      sleep.moveTo(xOf(spells[0][0]), y);
      sleep.lineTo(xOf(spells.at(-1)[1]), y);
    });
    context.globalAlpha = run.parts ? 0.9 : 0.55;
    context.fillStyle = context.strokeStyle = colours.muted;
    context.lineWidth = 1;
    if (row > 3) context.stroke(sleep);
    context.fill(work);
    context.globalAlpha = 1;
  }

  /** A message that has not arrived does not end: dashed in red from where its head stays. */
  function paintUnfinished(context) {
    const path = new Path2D();
    for (const p of run.packets) {
      if (!p.arrived && isShown(p) && !isDim(p)) trace(path, straight(p).slice(1));
    }
    context.globalAlpha = 1;
    context.strokeStyle = colours.wait;
    context.lineWidth = 2;
    context.setLineDash([5, 3]);
    context.stroke(path);
    context.setLineDash([]);
    if (!run.stall) return;
    const x = xOf(run.stall.since);
    context.beginPath();
    context.moveTo(x, TOP - 6);
    context.lineTo(x, view.height - BOTTOM);
    context.stroke();
    context.fillStyle = colours.wait;
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    context.fillText('nothing moves', x - 4, view.height - BOTTOM - 8);
  }

  function paintAxes(context) {
    context.font = '11px system-ui, sans-serif';
    context.lineWidth = 1;
    context.strokeStyle = colours.line;
    context.textBaseline = 'middle';
    const {width, height} = view, low = height - BOTTOM;
    context.textAlign = 'right';
    const rows = [1, run.size[0], 2 * run.size[0], 4 * run.size[0], 8 * run.size[0], run.size[0] * run.size[1]]
      .find((n) => n * (low - TOP) / run.nodes >= 13) ?? run.nodes;
    for (let node = 0; node < run.nodes; node += rows) {
      const y = yOf(node);
      context.fillStyle = colours.muted;
      context.fillText(nodeName(node), LEFT - 8, y);
      context.beginPath();
      context.moveTo(LEFT, y);
      context.lineTo(width - RIGHT, y);
      context.stroke();
    }
    context.textAlign = 'center';
    const tick = roundUp((to - from) / Math.max(2, (width - LEFT) / 90));
    for (let cycle = Math.max(0, Math.ceil(from / tick) * tick); cycle <= to; cycle += tick) {
      context.fillText(shown(cycle), xOf(cycle), low + 13);
    }
    context.fillText('node', LEFT - 22, TOP - 13);
    context.textAlign = 'left';
    context.fillText('cycle', 8, low + 13);
    context.textAlign = 'center';
    let right = -Infinity;  // of the label before: labels do not overlap
    for (const step of run.steps) {
      const x = xOf(step.begin);
      if (x < LEFT || x > width - RIGHT) continue;
      context.strokeStyle = colourOf(step);
      context.globalAlpha = 0.45;
      context.setLineDash([3, 3]);
      context.beginPath();
      context.moveTo(x, TOP - 6);
      context.lineTo(x, low);
      context.stroke();
      context.setLineDash([]);
      context.globalAlpha = 1;
      const label = run.steps.length > 12 ? `${step.part}` : partName(step.part);
      const half = context.measureText(label).width / 2;
      if (x - half < right + 4) continue;
      context.fillStyle = context.strokeStyle;
      context.fillText(label, x, TOP - 13);
      right = x + half;
    }
  }

  /** The selected message hop by hop, with its waits in red. */
  function drawSelected(context, p) {
    const line = (points, colour, width) => {
      context.beginPath();
      trace(context, points);
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.stroke();
    };
    const points = [[xOf(p.head), yOf(p.from)]], waits = [];
    for (const hop of p.hops.slice(1)) {
      const y = yOf(run.ideal ? p.from : hop.node), arrival = xOf(hop.head - hop.waited);
      points.push([arrival, y], [xOf(hop.head), y]);
      if (hop.waited) waits.push([[arrival, y], [xOf(hop.head), y]]);
    }
    points.push(...straight(p).slice(1));
    context.lineJoin = 'round';
    line(points, colours.selected, 5);
    line(points, colourOf(p), 2.4);
    for (const wait of waits) line(wait, colours.wait, 5);
    const ends = [[points[0], true]];
    if (p.arrived) ends.push([points.at(-1), false]);
    else line(straight(p).slice(1), colours.wait, 5);
    for (const [[x, y], filled] of ends) {
      context.beginPath();
      context.arc(x, y, 4, 0, 2 * Math.PI);
      context.fillStyle = filled ? colourOf(p) : colours.surface;
      context.fill();
      context.lineWidth = 2;
      context.strokeStyle = colours.selected;
      context.stroke();
    }
  }

  function draw() {
    const {context, width, height} = view;
    context.clearRect(0, 0, width, height);
    context.drawImage(picture, 0, 0, width, height);
    context.save();
    context.beginPath();
    context.rect(LEFT - 5, 0, width - LEFT - RIGHT + 10, height);
    context.clip();
    const hovered = run.packets[state.hovered], selected = run.packets[state.selected];
    if (hovered) {
      context.beginPath();
      trace(context, straight(hovered));
      context.strokeStyle = colours.selected;
      context.lineWidth = 2.5;
      context.stroke();
    }
    if (selected) drawSelected(context, selected);
    const x = xOf(state.cycle + 0.5);
    context.beginPath();
    context.moveTo(x, TOP - 4);
    context.lineTo(x, height - BOTTOM + 4);
    context.strokeStyle = colours.accent;
    context.lineWidth = 1.5;
    context.stroke();
    context.restore();
    canvas.setAttribute('aria-label', `${counted(run.counts.messages, 'message')} between ${shown(run.nodes)} nodes, ` +
      `cycles ${Math.max(0, Math.round(from))} to ${Math.round(to)}`);
  }

  /** The packet whose line is nearest to a point, if it is near. */
  function at(x, y) {
    let best = null, least = NEAR;
    for (const p of run.packets) {
      if (!isShown(p) || isDim(p)) continue;
      const distance = distanceTo(straight(p), x, y);
      if (distance < least) least = distance, best = p;
    }
    return best;
  }

  function show(begin, end) {
    const least = 10, [first, last] = all();
    if (end - begin < least) return;
    from = Math.max(first, begin);
    to = Math.min(last, end);
    paint();
  }
  const zoom = (factor, x) => show(cycleAt(x) - (cycleAt(x) - from) * factor, cycleAt(x) + (to - cycleAt(x)) * factor);
  function move(pixels) {
    const [first, last] = all(), cycles = pixels / (view.width - LEFT - RIGHT) * (to - from);
    const by = Math.max(first - from, Math.min(last - to, cycles));
    show(from + by, to + by);
  }

  return {canvas, resize, paint, draw, at, cycleAt, zoom, move, show, showAll: () => show(...all()),
    /** A point of a message's line, in the canvas: `f` from 0 at the injection to 1 at the head's arrival. */
    pointOf: (p, f) => { const [a, b] = straight(p); return [a[0] + (b[0] - a[0]) * f, a[1] + (b[1] - a[1]) * f]; }};
})();
