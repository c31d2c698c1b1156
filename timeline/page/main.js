// The page's state, and who changes it: pointer, keys, slider, play, the address.

const state = {cycle: run.begin, window: 1, speed: 1, playing: false, selected: null, hovered: null, control: false, cores: true, step: null, tree: null, shown: 0};

// ---- Drawing, once for all changes of a frame ------------------------------------------------------

let asked = false;
function redraw() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    network.draw();
    spacetime.draw();
  });
}

function resize() {
  network.resize();
  spacetime.resize();
  redraw();
}

// ---- The cycle ------------------------------------------------------------------------------------

function goTo(cycle) {
  state.cycle = Math.max(run.begin, Math.min(run.end - 1, Math.round(cycle)));
  $('slider').value = state.cycle;
  if (document.activeElement !== $('cycle')) $('cycle').value = state.cycle;
  redraw();
}

function goToStep(direction) {
  const begins = run.steps.map((s) => s.begin);
  const next = direction > 0 ? begins.filter((c) => c > state.cycle).sort((a, b) => a - b)[0]
    : begins.filter((c) => c < state.cycle).sort((a, b) => b - a)[0];
  goTo(next ?? (direction > 0 ? run.end - 1 : run.begin));
}

let played = 0, fraction = 0;  // time of the frame before; cycles that are owed
function play(on) {
  state.playing = on;
  $('play').textContent = on ? 'Stop' : 'Play';
  $('play').setAttribute('aria-label', on ? 'Stop' : 'Play');
  if (!on) return;
  if (state.cycle >= run.end - 1) goTo(run.begin);
  played = performance.now();
  fraction = 0;
  requestAnimationFrame(advance);
}
function advance(now) {
  if (!state.playing) return;
  fraction += Math.min(100, now - played) / 1000 * state.speed;
  played = now;
  const whole = Math.floor(fraction);
  fraction -= whole;
  if (whole > 0) goTo(state.cycle + whole);
  if (state.cycle >= run.end - 1) play(false); else requestAnimationFrame(advance);
}

// ---- Selection ------------------------------------------------------------------------------------

function select(id) {
  state.selected = id;
  const packet = run.packets[id];
  if (packet && (state.cycle < packet.head || state.cycle >= packet.end)) goTo(packet.headOut);
  history.replaceState(null, '', packet ? `#message=${packet.number}` : location.pathname + location.search);
  details.show();
  redraw();
}

function selectBeside(direction) {
  const ids = run.messages.map((p) => p.id);
  const at = ids.indexOf(state.selected);
  select(ids[at < 0 ? (direction > 0 ? 0 : ids.length - 1) : Math.max(0, Math.min(ids.length - 1, at + direction))] ?? null);
}

function selectByAddress() {
  const number = /message=(c?\d+)/.exec(location.hash)?.[1];
  const packet = run.packets.find((p) => p.number === number);
  if (packet) select(packet.id);
}

// ---- Pointer --------------------------------------------------------------------------------------

function showTip(event, text) {
  const tip = $('tip');
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  const {width, height} = tip.getBoundingClientRect();
  tip.style.left = `${Math.min(event.clientX + 14, innerWidth - width - 8)}px`;
  tip.style.top = `${event.clientY + 16 + height > innerHeight ? event.clientY - height - 10 : event.clientY + 16}px`;
}

function describePacket(p) {
  const parts = latency(p);
  return `${packetName(p)}\n${p.control ? 'control packet' : `${stepName(p)}, ${counted(p.bytes, 'byte')}`}, tag ${p.tag}\n` +
    (p.arrived ? `cycles ${shown(p.head)} to ${shown(p.end - 1)}: ${counted(parts.total, 'cycle')}` : `from cycle ${shown(p.head)}; has not arrived`) + `\nwaited ${counted(p.waited, 'cycle')}` +
    (p.waited ? ` before ${p.hops.filter((h) => h.waited).map((h) => `${nodeName(h.node)} ${channelName(h.channel)}`).join(', ')}` : '');
}

function hover(id) {
  if (state.hovered === id) return;
  state.hovered = id;
  redraw();
}

network.canvas.addEventListener('pointermove', (event) => {
  const place = network.at(event.offsetX, event.offsetY);
  showTip(event, place && network.describe(place));
  network.canvas.style.cursor = place ? 'pointer' : '';
  hover(place?.channel === undefined ? null : network.userOf(key(place.node, place.channel))?.packet.id ?? null);
});
network.canvas.addEventListener('click', (event) => {
  const place = network.at(event.offsetX, event.offsetY);
  const user = place?.channel === undefined ? null : network.userOf(key(place.node, place.channel));
  select(user?.packet.id ?? null);
});

let grabbed = null;  // {x, moved}: the pointer is down
spacetime.canvas.addEventListener('pointerdown', (event) => {
  grabbed = {x: event.offsetX, moved: false};
  spacetime.canvas.setPointerCapture(event.pointerId);
});
spacetime.canvas.addEventListener('pointermove', (event) => {
  if (grabbed && (grabbed.moved || Math.abs(event.offsetX - grabbed.x) > 3)) {
    spacetime.move(grabbed.x - event.offsetX);
    grabbed = {x: event.offsetX, moved: true};
    redraw();
    return;
  }
  const packet = spacetime.at(event.offsetX, event.offsetY);
  showTip(event, packet && describePacket(packet));
  spacetime.canvas.style.cursor = packet ? 'pointer' : '';
  hover(packet?.id ?? null);
});
spacetime.canvas.addEventListener('pointerup', (event) => {
  if (grabbed && !grabbed.moved) {
    const packet = spacetime.at(event.offsetX, event.offsetY);
    select(packet?.id ?? null);
    if (!packet) goTo(spacetime.cycleAt(event.offsetX));
  }
  grabbed = null;
});
spacetime.canvas.addEventListener('dblclick', () => { spacetime.showAll(); redraw(); });
spacetime.canvas.addEventListener('wheel', (event) => {
  event.preventDefault();
  spacetime.zoom(event.deltaY > 0 ? 1.25 : 0.8, event.offsetX);
  redraw();
}, {passive: false});
for (const canvas of [network.canvas, spacetime.canvas]) {
  canvas.addEventListener('pointerleave', (event) => { showTip(event, null); hover(null); });
}

// ---- Keys and controls ----------------------------------------------------------------------------

const KEYS = {
  ' ': () => play(!state.playing),
  ArrowLeft: (event) => goTo(state.cycle - (event.shiftKey ? 10 : 1)),
  ArrowRight: (event) => goTo(state.cycle + (event.shiftKey ? 10 : 1)),
  ',': () => goToStep(-1),
  '.': () => goToStep(1),
  ArrowUp: () => selectBeside(-1),
  ArrowDown: () => selectBeside(1),
  Escape: () => select(null),
  0: () => { spacetime.showAll(); redraw(); },
};
document.addEventListener('keydown', (event) => {
  const other = event.ctrlKey || event.altKey || event.metaKey;
  if (other || !KEYS[event.key] || event.target.matches('select, input[type="number"]')) return;
  if (event.key === ' ' && event.target.matches('button, input[type="checkbox"]')) return;
  event.preventDefault();
  KEYS[event.key](event);
});

function fillChoices(select, values, chosen, text, action) {
  select.replaceChildren(...values.map((value) => make('option', {value, textContent: text(value), selected: value === chosen})));
  select.addEventListener('change', () => action(Number(select.value)));
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  readColours();
  network.drawLegend();
  fillStepLegend();
  details.show();
  resize();
}

/** Shows one part of the run alone, a step or a call, or, null, all of them. */
function showStep(step) {
  state.step = step;
  fillStepLegend();
  spacetime.paint();
  redraw();
}

/** Shows the messages of one tree alone, or, null, all. */
function showTree(tree) {
  state.tree = tree;
  fillStepLegend();
  spacetime.paint();
  redraw();
}

/** The colours of a page with loads in place of messages: which channels they are of can be chosen. */
function fillLoadLegend() {
  const choice = make('select', {id: 'shown', ariaLabel: 'Loads shown'});
  fillChoices(choice, SHOWN_LOADS.map((_, i) => i), state.shown, (i) => SHOWN_LOADS[i].name, (i) => {
    state.shown = i;
    spacetime.paint();
    redraw();
  });
  $('step-legend').replaceChildren(choice);
}

function fillStepLegend() {
  const legend = $('step-legend');
  if (run.parts) return fillLoadLegend();
  if (run.trees.length > 0) {
    legend.replaceChildren(...run.trees.map((tree) => {
      const chip = make('button', {className: 'chip', title: 'This tree alone', onclick: () => showTree(state.tree === tree ? null : tree)},
        make('i', {style: `background:${colours.steps[tree - 1]}`}), `tree ${tree}`);
      chip.setAttribute('aria-pressed', state.tree === tree);
      return chip;
    }));
    return;
  }
  if (run.steps.length > 10) {
    const choice = make('select', {ariaLabel: `${run.kind === 'call' ? 'Calls' : 'Steps'} shown`});
    const parts = run.steps.map((s) => s.part);
    fillChoices(choice, [-1, ...parts.keys()], parts.indexOf(state.step), (n) => (n < 0 ? `all ${counted(parts.length, run.kind)}` : partName(parts[n])),
      (n) => showStep(n < 0 ? null : parts[n]));
    legend.replaceChildren(choice);
    return;
  }
  legend.replaceChildren(...run.steps.map((s) => {
    const chip = make('button', {className: 'chip', title: `This ${run.kind} alone`, onclick: () => showStep(state.step === s.part ? null : s.part)},
      make('i', {style: `background:${colourOf(s)}`}), partName(s.part));
    chip.setAttribute('aria-pressed', state.step === s.part);
    return chip;
  }));
}

function fillMarks() {
  const span = Math.max(1, run.end - 1 - run.begin);
  let last = -1;
  for (const s of run.steps) {
    const at = (s.begin - run.begin) / span;
    const label = at - last < 0.03 * Math.max(1, `${s.part}`.length / 3) ? '' : `${s.part}`;
    if (label) last = at;
    const mark = make('button', {textContent: label, title: partName(s.part), style: `left:${100 * at}%`, onclick: () => goTo(s.begin)});
    mark.setAttribute('aria-label', `To ${partName(s.part)}`);
    $('marks').append(mark);
  }
}

function start() {
  $('title').textContent = run.title;
  $('subtitle').textContent = `${run.network} · ${counted(run.counts.messages, 'message')} in ${counted(run.steps.length, run.kind)} · cycles ${shown(run.begin)} to ${shown(run.end - 1)}`;
  for (const input of [$('slider'), $('cycle')]) Object.assign(input, {min: run.begin, max: run.end - 1});
  const span = run.end - run.begin;
  state.window = roundUp(span / 60);
  state.speed = roundUp(span / 15);
  const windows = [1, 10, 100, 1000, 10000, state.window].filter((n) => n === state.window || n < span);
  fillChoices($('window'), [...[...new Set(windows)].sort((a, b) => a - b), 0], state.window, (n) => (n ? counted(n, 'cycle') : 'all of the run'),
    (n) => { state.window = n; redraw(); });
  const speeds = [0.1, 0.25, 0.5, 1, 2, 5].map((f) => roundUp(state.speed * f));
  fillChoices($('speed'), [...new Set([1, 10, ...speeds])].sort((a, b) => a - b), state.speed, (n) => `${shown(n)} cycles/s`, (n) => { state.speed = n; });
  fillMarks();
  $('slider').addEventListener('input', () => goTo(Number($('slider').value)));
  $('cycle').addEventListener('change', () => goTo(Number($('cycle').value)));
  $('play').addEventListener('click', () => play(!state.playing));
  $('back').addEventListener('click', () => goToStep(-1));
  $('forward').addEventListener('click', () => goToStep(1));
  $('control').addEventListener('change', () => { state.control = $('control').checked; spacetime.paint(); redraw(); });
  $('control-label').hidden = run.packets.length === run.messages.length;
  $('cores').addEventListener('change', () => { state.cores = $('cores').checked; spacetime.paint(); redraw(); });
  $('cores-label').hidden = run.cores.length === 0;
  if (run.parts) $('spacetime-heading').textContent = 'Loads over time';
  $('keys').addEventListener('click', () => {
    $('key-list').hidden = !$('key-list').hidden;
    $('keys').setAttribute('aria-expanded', !$('key-list').hidden);
  });
  const store = {get: () => { try { return localStorage.getItem('annelid-theme'); } catch { return null; } },
    set: (theme) => { try { localStorage.setItem('annelid-theme', theme); } catch { /* a browser without a store */ } }};
  $('theme').addEventListener('click', () => {
    const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    store.set(theme);
    setTheme(theme);
  });
  setTheme(store.get() ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
  if (run.window) spacetime.show(run.window[0] - 1, run.window[1] + 2);
  goTo(Math.max(busiest(state.window), run.window?.[0] ?? run.begin));
  selectByAddress();
  addEventListener('hashchange', selectByAddress);
  const frames = new ResizeObserver(resize);
  for (const canvas of [network.canvas, spacetime.canvas]) frames.observe(canvas);
  requestAnimationFrame(() => requestAnimationFrame(() => performance.mark('drawn')));
}

start();

/** A point of a canvas in the window. */
function inWindow(canvas, [x, y]) {
  const {left, top} = canvas.getBoundingClientRect();
  return [left + x, top + y];
}

/** For scripts that look at the page: state and data; where a message's line is, from f = 0 at its
 * injection to 1 at its head's arrival; where the middle of a channel is. */
window.timeline = {run, state, goTo, select,
  pointOf: (id, f = 0.5) => inWindow(spacetime.canvas, spacetime.pointOf(run.packets[id], f)),
  channelAt: (node, channel) => inWindow(network.canvas, network.middleOf(node, channel))};
