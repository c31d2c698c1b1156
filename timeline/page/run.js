// The run: packets with their hops, as timeline/page.hpp writes them, and what follows from them.

const CONTROL = 1, ARRIVED = 2, NOT_INJECTED = 4;
const CAUSES = [
  (who) => ['behind ', who, ', still in the same buffer'],
  (who) => ['the channel had ', who],
  (who) => [who, ' of another virtual channel of its input went first'],
  (who) => ['no room ahead: flits of ', who, ' were there'],
  () => ['cause not seen'],
];

function decodeHop([node, channel, vc, delay, flits, waits = []], before) {
  const lengths = typeof flits === 'number' ? [flits] : flits;  // flits, cycles without, flits, ...
  const bursts = [];
  const head = before + delay;
  let at = head, sum = 0;
  lengths.forEach((length, i) => {
    if (i % 2 === 0) bursts.push([at, at + length]), sum += length;
    at += length;
  });
  const hop = {node, channel, vc, head, end: at, bursts, flits: sum, waits: [], waited: 0};
  for (let i = 0; i < waits.length; i += 3) {
    hop.waits.push({cause: waits[i], packet: waits[i + 1], cycles: waits[i + 2]});
    hop.waited += waits[i + 2];
  }
  return hop;
}

/** A packet that has not arrived lasts as long as the run. */
function decodePacket([from, to, tag, step, bytes, flags, ...codes], id, {begin, end}) {
  const hops = [];
  let head = begin;
  for (const code of codes) {
    const hop = decodeHop(code, head);
    hops.push(hop);
    head = hop.head;
  }
  const last = hops.at(-1), arrived = (flags & ARRIVED) !== 0;
  // Its tail was not on these channels.
  for (const hop of hops) hop.held = !arrived && ((flags & NOT_INJECTED) !== 0 || hop.flits < hops[0].flits);
  return {id, from, to, tag, step, bytes, control: (flags & CONTROL) !== 0, arrived,
    hops, head: hops[0].head, headOut: last.head, end: arrived ? last.end : end, flits: hops[0].flits,
    waited: hops.reduce((sum, hop) => sum + hop.waited, 0)};
}

/** Flits of a channel over time, so that those of any window are found quickly. */
class Load {
  constructor(bursts) {
    bursts.sort((a, b) => a[0] - b[0]);
    this.starts = Float64Array.from(bursts, (b) => b[0]);
    this.ends = Float64Array.from(bursts, (b) => b[1]);
    this.sums = new Float64Array(bursts.length + 1);
    bursts.forEach((b, i) => { this.sums[i + 1] = this.sums[i] + b[1] - b[0]; });
  }
  get flits() { return this.sums.at(-1); }
  /** Calls count(begin, end, flits) for each part of the time that has flits. */
  eachPart(count) {
    this.starts.forEach((begin, i) => count(begin, this.ends[i], this.ends[i] - begin));
  }
  before(cycle) {
    const n = upperBound(this.starts, cycle - 1);
    return n ? this.sums[n] - Math.max(0, this.ends[n - 1] - cycle) : 0;
  }
  /** Flits in cycles from..to, both included. */
  between(from, to) { return this.before(to + 1) - this.before(from); }
}

/** The same of a page that has flits only by parts of the time: their letters stand for 0 to 63 of a full load. */
class PartLoad {
  constructor(flits, letters, {begin, width}) {
    Object.assign(this, {flits, begin, width});
    this.sums = new Float64Array(letters.length + 1);
    const values = Array.from(letters, (letter) => LETTERS.indexOf(letter));
    const all = values.reduce((sum, v) => sum + v, 0);  // rounded up: scaled to what was counted
    values.forEach((v, i) => { this.sums[i + 1] = this.sums[i] + v * flits / all; });
  }
  before(cycle) {
    const at = Math.max(0, Math.min(this.sums.length - 1, (cycle - this.begin) / this.width)), i = Math.floor(at);
    return this.sums[i] + (i + 1 < this.sums.length ? (at - i) * (this.sums[i + 1] - this.sums[i]) : 0);
  }
  eachPart(count) {
    for (let i = 0; i + 1 < this.sums.length; ++i) {
      const begin = this.begin + i * this.width;
      count(begin, Math.min(run.end, begin + this.width), this.sums[i + 1] - this.sums[i]);
    }
  }
  between(from, to) { return this.before(to + 1) - this.before(from); }
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const CHANNELS = 32;  // more than a node has
const key = (node, channel) => node * CHANNELS + channel;

/** Spells of work, [begin, end] each, from "asleep, at work, asleep, ..." */
function decodeCore(lengths, begin) {
  const spells = [];
  let at = begin;
  lengths.forEach((length, i) => {
    if (i % 2 === 1) spells.push([at, at + length]);
    at += length;
  });
  return spells;
}

function decodeRun() {
  const run = JSON.parse($('data').textContent);
  run.end = Math.max(run.end, run.begin + 1);  // also if nothing was ever sent
  run.packets = run.packets.map((code, id) => decodePacket(code, id, run));
  // From 1, messages as `annelid wave --list` numbers them, and control packets: 17, c3.
  const numbered = {messages: 0, control: 0};
  run.packets.forEach((p, i) => {
    const counted = ++numbered[p.control ? 'control' : 'messages'];
    p.number = `${p.control ? 'c' : ''}${run.numbers?.[i] ?? counted}`;
    p.tree = Number(run.trees?.[i] ?? 0);
  });
  // By packet: where its head still waits when the run ends, and for which packet.
  run.waiting = new Map((run.waiting ?? []).map(([id, node, channel, since, cause, packet]) => [id, {node, channel, since, cause, packet}]));
  run.nodes = run.size[0] * run.size[1] * run.size[2];
  const bursts = new Map();
  run.users = new Map();  // of a channel: packets with their hop there, in the order of time
  for (const packet of run.packets) {
    for (const hop of packet.hops) {
      const k = key(hop.node, hop.channel);
      if (!bursts.has(k)) bursts.set(k, []), run.users.set(k, []);
      for (const burst of hop.bursts) bursts.get(k).push(burst);
      run.users.get(k).push({packet, hop});
    }
  }
  run.parts = run.loads ?? null;  // of very many packets
  run.loads = new Map(run.parts ? run.parts.channels.map(([node, channel, flits, letters]) =>
    [key(node, channel), new PartLoad(flits, letters, run.parts)])
    : Array.from(bursts, ([k, list]) => [k, new Load(list)]));
  run.cores = (run.cores ?? []).map((lengths) => decodeCore(lengths, run.begin));
  run.messages = run.packets.filter((p) => !p.control);
  run.counts = run.parts ? run.parts : {messages: run.messages.length, control: run.packets.length - run.messages.length};
  // Messages of several calls are shown by calls in place of steps. Those of one [[call]] on several groups
  // ("rows: row 3") are one part of the run.
  const named = [];
  for (const p of run.packets) {
    p.call = run.calls?.[p.tag] ?? '';
    const name = p.call.split(': ')[0];
    if (name && !named.includes(name)) named.push(name);
    p.part = name || p.step;
    p.colour = p.tree ? p.tree - 1 : name ? named.indexOf(name) : p.step - 1;
  }
  run.kind = run.messages.some((p) => p.call) ? 'call' : 'step';
  const steps = new Map();
  for (const p of run.messages) {
    const s = steps.get(p.part) ?? {part: p.part, colour: p.colour, messages: 0, begin: Infinity, end: 0, waited: 0, arrived: true};
    s.messages += 1;
    s.arrived &&= p.arrived;
    s.begin = Math.min(s.begin, p.head);
    s.end = Math.max(s.end, p.end);
    s.waited += p.waited;
    steps.set(p.part, s);
  }
  for (const [part, messages, begin, end] of run.parts?.steps ?? []) {
    steps.set(part, {part, colour: part - 1, messages, begin, end, waited: null, arrived: end > 0});
  }
  if (run.trees) for (const s of steps.values()) s.control = true;  // grey: messages of a step belong to both trees
  run.trees = [...new Set(run.messages.map((p) => p.tree))].filter((tree) => tree > 0).sort();
  run.steps = [...steps.values()].sort((a, b) => (run.kind === 'call' ? a.begin - b.begin : a.part - b.part));
  return run;
}

const run = decodeRun();

const coordinates = (node) =>
  [node % run.size[0], Math.floor(node / run.size[0]) % run.size[1], Math.floor(node / run.size[0] / run.size[1])];
const nodeAt = ([x, y, z]) => (z * run.size[1] + y) * run.size[0] + x;
const nodeName = (node) => coordinates(node).slice(0, Math.max(2, run.dims)).join(',');
const channelName = (channel) => run.channels[channel];
/** "step 2", "rows". */
const partName = (part) => (typeof part === 'number' ? `step ${part}` : part);
/** "step 2", "rows: row 3, step 2". */
const stepName = (packet) => `${packet.call ? `${packet.call}, ` : ''}step ${packet.step}${packet.tree ? `, tree ${packet.tree}` : ''}`;
const isExternal = (channel) => channel < 2 * run.dims && !run.ideal;
const isInjection = (channel) => channel >= run.injection;
const packetName = (packet) => `#${packet.number} ${nodeName(packet.from)} → ${nodeName(packet.to)}`;

/** The node at the far end of an external channel; null at the rim of a mesh. */
function neighbour(node, channel) {
  const at = coordinates(node), d = channel >> 1, size = run.size[d];
  const to = at[d] + (channel & 1 ? -1 : 1);
  if (size === 1 || (!run.ring[d] && (to < 0 || to >= size))) return null;
  at[d] = (to + size) % size;
  return nodeAt(at);
}

/** The last of the `window` cycles in which the channels between routers carry most flits. */
function busiest(window) {
  const sums = new Float64Array(Math.ceil((run.end - run.begin) / window) + 1);
  const count = (begin, end, flits) => {
    for (let at = begin; at < end;) {
      const part = Math.floor((at - run.begin) / window), next = Math.min(end, run.begin + (part + 1) * window);
      sums[part] += flits * (next - at) / (end - begin);
      at = next;
    }
  };
  for (const [k, load] of run.loads) {
    if (!isExternal(k % CHANNELS) && !run.ideal) continue;
    load.eachPart(count);
  }
  return Math.min(run.end - 1, run.begin + (sums.indexOf(Math.max(...sums)) + 1) * window - 1);
}

/** Where a packet's latency went, in cycles: the parts' sum is `total`. */
function latency(packet) {
  const total = packet.end - 1 - packet.head;
  const path = packet.headOut - packet.head - packet.waited;
  const flits = packet.flits - 1;
  return {total, path, waited: packet.waited, flits, stalled: total - path - packet.waited - flits};
}

/** Cycles in which a node's core is at work. */
const workOf = (node) => run.cores[node].reduce((sum, [begin, end]) => sum + end - begin, 0);
const coreText = (node) => (run.cores[node]?.length ? `its core is at work in ${counted(workOf(node), 'cycle')}` : '');
