// The network: nodes, channels coloured by load, the heads under way, the selected message's path.

const network = (() => {
  const canvas = $('network');
  const LANE = 0.11, RADIUS = 0.2, STUB = 0.5, MARGIN = 0.95;  // in distances of neighbours
  let view = null;    // {context, width, height, cell}
  let channels = [];  // external ones: {node, channel, to, lines: [[[x, y], ...], ...]}
  let byKey = new Map();

  /** Of a node. */
  const radius = () => Math.max(1.5, Math.min(11, RADIUS * view.cell));

  /** Columns of planes that leave the nodes most room. */
  function choosePlanes(width, height) {
    let best = {cell: 0};
    for (let columns = 1; columns <= run.size[2]; ++columns) {
      const rows = Math.ceil(run.size[2] / columns);
      const cell = Math.min(width / (columns * (run.size[0] - 1 + 2 * MARGIN)),
        height / (rows * (run.size[1] - 1 + 2 * MARGIN)), 72);
      if (cell > best.cell) best = {cell, columns, rows};
    }
    return best;
  }

  function position(node) {
    const [x, y, z] = coordinates(node), {cell, columns, left, top} = view;
    const planeX = (run.size[0] - 1 + 2 * MARGIN) * cell, planeY = (run.size[1] - 1 + 2 * MARGIN) * cell;
    return [left + (z % columns) * planeX + (MARGIN + x) * cell,
      top + Math.floor(z / columns) * planeY + (MARGIN + run.size[1] - 1 - y) * cell];
  }

  /** A channel beside the line of its nodes, on the right of its direction; around a ring two stubs. */
  function linesOf(node, channel, to) {
    const {cell} = view, d = channel >> 1, up = channel % 2 === 0 ? 1 : -1;
    const [ax, ay] = position(node), [bx, by] = position(to);
    if (d === 2) {  // to another plane: a stub, up to the right or down to the left
      const along = Math.SQRT1_2 * up, r = radius() * 0.9, end = STUB * cell;
      const side = LANE * cell * Math.SQRT1_2;  // beside the stub that leads here
      const at = (l) => [ax + along * l + side * up, ay - along * l + side * up];
      return [[at(r), at(end)]];
    }
    const dx = d === 0 ? up : 0, dy = d === 1 ? -up : 0;
    const sx = -dy * LANE * cell, sy = dx * LANE * cell, r = radius() * 0.9;
    const from = [ax + sx + dx * r, ay + sy + dy * r], end = [bx + sx - dx * r, by + sy - dy * r];
    const wraps = (bx - ax) * dx + (by - ay) * dy < 0;
    if (!wraps) return [[from, end]];
    const stub = STUB * cell;
    return [[from, [ax + sx + dx * stub, ay + sy + dy * stub]], [[bx + sx - dx * stub, by + sy - dy * stub], end]];
  }

  function resize() {
    view = sized(canvas);
    Object.assign(view, choosePlanes(view.width, view.height));
    view.left = (view.width - view.columns * (run.size[0] - 1 + 2 * MARGIN) * view.cell) / 2;
    view.top = (view.height - view.rows * (run.size[1] - 1 + 2 * MARGIN) * view.cell) / 2;
    channels = [];
    for (let node = 0; node < run.nodes && !run.ideal; ++node) {
      for (let channel = 0; channel < 2 * run.dims; ++channel) {
        const to = neighbour(node, channel);
        if (to !== null) channels.push({node, channel, to, lines: linesOf(node, channel, to)});
      }
    }
    byKey = new Map(channels.map((c) => [key(c.node, c.channel), c]));
  }

  const window_ = () => (state.window === 0 ? [run.begin, run.end - 1]
    : [Math.max(run.begin, state.cycle - state.window + 1), state.cycle]);

  /** Flits per cycle of a channel in the window. */
  function loadOf(k) {
    const load = run.loads.get(k);
    if (!load) return 0;
    const [from, to] = window_();
    return load.between(from, to) / (to - from + 1);
  }
  /** What the darkest colour stands for: a flit in each cycle, or over the whole run the greatest load. */
  function fullLoad() {
    if (state.window !== 0) return 1;
    return channels.reduce((most, c) => Math.max(most, loadOf(key(c.node, c.channel))), 1e-9);
  }

  function drawChannels(context, full) {
    const levels = Array.from({length: LOAD_LEVELS + 1}, () => new Path2D());
    for (const c of channels) {
      const load = loadOf(key(c.node, c.channel)) / full;
      const level = load === 0 ? LOAD_LEVELS : Math.min(LOAD_LEVELS - 1, Math.floor(load * LOAD_LEVELS));
      for (const line of c.lines) trace(levels[level], line);
    }
    const width = Math.max(1, view.cell * 0.05);
    context.lineCap = 'butt';
    context.lineWidth = width;
    context.strokeStyle = colours.idle;
    context.stroke(levels[LOAD_LEVELS]);
    for (let level = 0; level < LOAD_LEVELS; ++level) {
      context.lineWidth = Math.max(1.6, Math.min(7, view.cell * (0.09 + 0.07 * level / LOAD_LEVELS)));
      context.strokeStyle = colours.load[level];
      context.stroke(levels[level]);
    }
  }

  function activePackets() {
    return run.packets.filter((p) => p.head <= state.cycle && state.cycle < p.end && (state.control || !p.control));
  }

  function drawNodes(context, active) {
    const sends = new Map(), receives = new Map();
    for (const p of active) {
      if (state.cycle < p.hops[0].end) sends.set(p.from, p);
      if (p.arrived && p.headOut <= state.cycle) receives.set(p.to, p);
    }
    context.lineWidth = Math.max(1, Math.min(2.2, view.cell * 0.06));
    for (let node = 0; node < run.nodes; ++node) {
      const [x, y] = position(node), sender = sends.get(node), receiver = receives.get(node);
      context.beginPath();
      context.arc(x, y, radius(), 0, 2 * Math.PI);
      context.fillStyle = sender ? colourOf(sender) : colours.surface;
      context.fill();
      context.strokeStyle = receiver ? colourOf(receiver) : sender ? colourOf(sender) : colours.muted;
      context.stroke();
    }
  }

  /** The middle of the channel where a packet's head is; of local channels its node. */
  function placeOf(hop) {
    const channel = byKey.get(key(hop.node, hop.channel));
    if (!channel) return position(hop.node);
    const line = channel.lines[0], middle = (line.length - 1) >> 1;
    return [(line[middle][0] + line[middle + 1][0]) / 2, (line[middle][1] + line[middle + 1][1]) / 2];
  }

  /** That of a channel, or null. */
  const middleOf = (node, channel) => (byKey.has(key(node, channel)) ? placeOf({node, channel}) : null);

  function drawHeads(context, active) {
    const size = Math.max(2, Math.min(5, view.cell * 0.09));
    for (const p of active) {
      const hop = p.hops.findLast((h) => h.head <= state.cycle);
      if (run.ideal) {
        arrow(context, p, colourOf(p), Math.max(1, view.cell * 0.03));
      } else if (byKey.has(key(hop.node, hop.channel))) {
        const [x, y] = placeOf(hop);
        context.beginPath();
        context.arc(x, y, size, 0, 2 * Math.PI);
        context.fillStyle = colourOf(p);
        context.fill();
        context.lineWidth = 1;
        context.strokeStyle = colours.surface;
        context.stroke();
      }
    }
  }

  /** Straight from node to node: all there is to see of a message in the ideal network. */
  function arrow(context, p, colour, width) {
    const [ax, ay] = position(p.from), [bx, by] = position(p.to);
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(ax, ay);
    context.lineTo(bx, by);
    context.stroke();
    tip(context, [ax, ay], [bx, by], colour, radius());
  }
  /** An arrow's head, `back` before the end of its line. */
  function tip(context, [ax, ay], [bx, by], colour, back) {
    const length = Math.hypot(bx - ax, by - ay) || 1, dx = (bx - ax) / length, dy = (by - ay) / length;
    const size = Math.max(5, Math.min(15, view.cell * 0.25));
    const x = bx - dx * back, y = by - dy * back;
    context.fillStyle = colour;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x - dx * size - dy * size * 0.5, y - dy * size + dx * size * 0.5);
    context.lineTo(x - dx * size + dy * size * 0.5, y - dy * size - dx * size * 0.5);
    context.fill();
  }

  function drawSelected(context) {
    const p = run.packets[state.selected];
    if (!p) return;
    context.lineCap = context.lineJoin = 'round';
    const way = new Path2D(), between = new Path2D();  // between planes
    let last = null;
    for (const hop of p.hops) {
      const channel = byKey.get(key(hop.node, hop.channel));
      if (!channel) continue;
      for (const line of channel.lines) trace(way, line);
      if (last && last.channel < 4 && channel.lines.length === 1 && last.lines.length === 1) {  // around the corner
        trace(way, [last.lines[0].at(-1), channel.lines[0][0]]);
      }
      if (channel.channel >= 4) trace(between, [channel.lines[0].at(-1), position(channel.to)]);
      last = channel;
    }
    for (const [colour, width] of [[colours.selected, 0.26], [colourOf(p), 0.14]]) {
      context.strokeStyle = colour;
      context.lineWidth = Math.min(width * 40, Math.max(width * 20, view.cell * width));
      context.stroke(way);
    }
    context.lineWidth = 1.5;
    context.strokeStyle = colours.selected;
    context.setLineDash([4, 4]);
    context.stroke(between);
    context.setLineDash([]);
    if (run.ideal) arrow(context, p, colourOf(p), Math.max(3, view.cell * 0.08));
    else if (last) tip(context, last.lines.at(-1).at(-2), last.lines.at(-1).at(-1), colours.selected, 0);
    for (const [node, name] of [[p.from, 'from'], [p.to, 'to']]) {
      const [x, y] = position(node);
      context.beginPath();
      context.arc(x, y, Math.max(3.5, radius() * 1.2), 0, 2 * Math.PI);
      context.fillStyle = name === 'from' ? colourOf(p) : colours.surface;
      context.fill();
      context.lineWidth = 2.5;
      context.strokeStyle = colours.selected;
      context.stroke();
    }
    for (const hop of p.hops) {
      if (hop.waited === 0) continue;
      const [x, y] = position(run.ideal ? p.from : hop.node);
      context.beginPath();
      context.arc(x, y, Math.max(5, radius() * 1.6), 0, 2 * Math.PI);
      context.lineWidth = 3;
      context.strokeStyle = colours.wait;
      context.stroke();
      badge(context, x + radius() + 9, y - radius() - 9, shown(hop.waited));
    }
  }

  function badge(context, x, y, text) {
    context.font = `600 ${Math.max(11, Math.min(14, view.cell * 0.26))}px system-ui, sans-serif`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    const width = context.measureText(text).width + 8;
    context.fillStyle = colours.wait;
    context.beginPath();
    context.roundRect(x - width / 2, y - 9, width, 18, 9);
    context.fill();
    context.fillStyle = colours.surface;
    context.fillText(text, x, y + 0.5);
  }

  function drawAxes(context) {
    const {cell} = view, size = Math.max(9, Math.min(12, cell * 0.3));
    const every = roundUp(22 / cell);
    context.font = `${size}px system-ui, sans-serif`;
    context.fillStyle = colours.muted;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (let z = 0; z < run.size[2]; ++z) {
      for (let x = 0; x < run.size[0]; x += every) {
        const [px, py] = position(nodeAt([x, 0, z]));
        context.fillText(x, px, py + 0.62 * cell);
      }
      for (let y = 0; y < run.size[1] && run.size[1] > 1; y += every) {
        const [px, py] = position(nodeAt([0, y, z]));
        context.fillText(y, px - 0.62 * cell, py);
      }
      if (run.size[2] > 1) {
        const [px, py] = position(nodeAt([0, run.size[1] - 1, z]));
        context.fillText(`z = ${z}`, px + (run.size[0] - 1) * cell / 2, py - 0.68 * cell);
      }
    }
  }

  function draw() {
    const {context, width, height} = view;
    context.clearRect(0, 0, width, height);
    const full = fullLoad(), active = activePackets();
    drawAxes(context);
    drawChannels(context, full);
    drawNodes(context, active);
    drawHeads(context, active);
    drawSelected(context);
    const [from, to] = window_();
    $('network-caption').textContent = run.ideal ? 'ideal: every two nodes one hop apart'
      : `load in cycles ${shown(from)} to ${shown(to)}`;
    $('ramp-end').textContent = full === 1 ? '1' : full.toPrecision(2);
    canvas.setAttribute('aria-label', `The network in cycle ${state.cycle}: ${counted(active.length, 'packet')} under way`);
  }

  function drawLegend() {
    $('load-legend').hidden = run.ideal;
    const context = $('ramp').getContext('2d');
    colours.load.forEach((colour, i) => {
      context.fillStyle = colour;
      context.fillRect(i * 120 / LOAD_LEVELS, 0, 120 / LOAD_LEVELS + 1, 10);
    });
  }

  /** What is at a point of the canvas: {node}, a channel, or null. */
  function at(x, y) {
    for (let node = 0; node < run.nodes; ++node) {
      const [nx, ny] = position(node);
      if (Math.hypot(x - nx, y - ny) <= Math.max(3, radius() * 1.1)) return {node};
    }
    let best = null, least = Math.max(4, view.cell * 0.12);
    for (const c of channels) {
      const distance = Math.min(...c.lines.map((line) => distanceTo(line, x, y)));
      if (distance < least) least = distance, best = c;
    }
    return best;
  }

  /** The packet on a channel now, or the last one that was. */
  function userOf(k) {
    const users = run.users.get(k) ?? [];
    return users.findLast((u) => u.hop.head <= state.cycle) ?? users[0];
  }

  function describe(place) {
    if (place.channel === undefined) {
      if (run.parts) return `node ${nodeName(place.node)}\n${coreText(place.node)}`.trim();
      const out = run.messages.filter((p) => p.from === place.node).length;
      const into = run.messages.filter((p) => p.to === place.node).length;
      return `node ${nodeName(place.node)}\nsends ${counted(out, 'message')}, receives ${shown(into)}\n${coreText(place.node)}`.trim();
    }
    const k = key(place.node, place.channel), load = run.loads.get(k), user = userOf(k);
    const name = `${nodeName(place.node)} ${channelName(place.channel)} → ${nodeName(place.to)}`;
    if (!load) return `${name}\nno flits`;
    const of = `${name}\nload ${loadOf(k).toFixed(3)} flits per cycle; ${counted(load.flits, 'flit')} in all`;
    if (!user) return of;
    const now = user && user.hop.head <= state.cycle && state.cycle < user.hop.end;
    return `${of}\n${now ? 'now' : 'last'} ${packetName(user.packet)}${user.packet.control ? ', control' : `, ${stepName(user.packet)}`}`;
  }

  return {canvas, resize, draw, drawLegend, at, describe, userOf, middleOf};
})();
