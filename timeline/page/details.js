// What is known of the selected message: its path, where it waited, and for whom; or, of the run.

const details = (() => {
  const panel = $('details');
  const severalVcs = run.packets.some((p) => p.hops.some((h) => h.vc > 0));
  const PARTS = [['path', 'head’s path', () => colours.accent], ['waited', 'head waited', () => colours.wait],
    ['flits', 'its flits behind the head', () => colours.muted], ['stalled', 'flits stalled', () => colours.steps[1]]];

  const link = (packet) => make('button', {className: 'link', textContent: packetName(packet), onclick: () => select(packet.id)});
  const cell = (content, className = '') => make('td', {className}, content);
  const headings = (...names) => make('tr', {}, ...names.map((name) =>
    make('th', {className: name.startsWith('#') ? 'n' : '', textContent: name.replace('#', ''), scope: 'col'})));

  const fill = (...children) => panel.replaceChildren(...children.filter((child) => child !== null));

  function cause(wait) {
    const packet = run.packets[wait.packet];
    return make('div', {}, `${shown(wait.cycles)}: `, ...CAUSES[wait.cause](packet ? link(packet) : null).filter((part) => part !== null),
      packet && run.steps.length > 1 && !packet.control && packet.step === run.packets[state.selected].step && packet.call === run.packets[state.selected].call ? ' (same step)' : '');
  }

  function hopRow(hop, i, packet) {
    const kind = isInjection(hop.channel) ? 'injected'
      : isExternal(hop.channel) ? `to ${nodeName(neighbour(hop.node, hop.channel))}`
      : i === packet.hops.length - 1 && packet.arrived ? 'arrives' : 'inside';  // a one-port router
    return make('tr', {}, cell(nodeName(hop.node)), cell(channelName(hop.channel) + (severalVcs ? ` VC ${hop.vc}` : '')), cell(kind),
      cell(shown(hop.head), 'n'), cell(hop.held ? '—' : shown(hop.end - 1), 'n'),
      cell(hop.waited ? shown(hop.waited) : '', hop.waited ? 'n waited' : 'n'), make('td', {}, ...hop.waits.map(cause)));
  }

  function showPacket(packet) {
    const parts = latency(packet);
    const what = packet.control ? 'control packet of the NICs' : `${stepName(packet)}, ${counted(packet.bytes, 'byte')}`;
    fill(
      make('h2', {textContent: packetName(packet)}),
      make('p', {className: 'note', textContent: `${what}, tag ${packet.tag}, ${counted(packet.flits, 'flit')}; head in ${shown(packet.head)}, ` +
        (packet.arrived ? `tail out ${shown(packet.end - 1)}: ${counted(parts.total, 'cycle')}` : 'has not arrived')}),
      lastWaitOf(packet),
      stopOf(packet),
      make('div', {className: 'parts', role: 'img', ariaLabel: 'Parts of the latency'}, ...PARTS.map(([name, , colour]) =>
        make('i', {style: `width:${100 * parts[name] / Math.max(1, parts.total)}%;background:${colour()}`}))),
      make('div', {className: 'part-names'}, ...PARTS.filter(([name]) => parts[name] > 0).map(([name, text, colour]) =>
        make('span', {}, make('i', {style: `background:${colour()}`}), `${text} ${shown(parts[name])}`))),
      make('table', {id: 'path'}, make('thead', {}, headings('node', 'channel', '', '#head', '#tail', '#waited', 'for')),
        make('tbody', {}, ...packet.hops.map((hop, i) => hopRow(hop, i, packet)))));
    panel.scrollTop = 0;
  }

  /** What a packet of a deadlock waits for, and which packet holds it. */
  function stop(i) {
    const {stops, circle} = run.stall, [id, node, channel] = stops[i];
    const next = i + 1 < stops.length ? stops[i + 1] : circle ? stops[0] : null;
    return [link(run.packets[id]), ` waits at ${nodeName(node)} for ${channelName(channel)}`,
      ...(next ? [' because of ', link(run.packets[next[0]])] : [', which the NIC does not drain'])];
  }
  /** Who holds the head of a packet when the run ends. */
  function lastWaitOf(packet) {
    const wait = run.waiting.get(packet.id);
    if (!wait) return null;
    const holder = run.packets[wait.packet];
    return make('p', {className: 'waited', id: 'last-wait'}, `Its head waits at ${nodeName(wait.node)} for ${channelName(wait.channel)} since cycle ${shown(wait.since)}: `,
      ...CAUSES[wait.cause](holder ? link(holder) : null).filter((part) => part !== null));
  }
  function stopOf(packet) {
    const i = run.stall ? run.stall.stops.findIndex(([id]) => id === packet.id) : -1;
    return i < 0 ? null : make('p', {className: 'waited'}, 'In a deadlock: ', ...stop(i));
  }
  function stallList() {
    if (!run.stall) return null;
    return make('div', {id: 'stall'},
      make('h3', {className: 'waited', textContent: run.stall.circle ? 'Deadlock: these wait for each other in a circle' : 'Nothing moves: each waits for the next'}),
      make('ol', {}, ...run.stall.stops.map((_, i) => make('li', {}, ...stop(i)))));
  }

  /** Of a page with loads, the channels with the most flits. */
  function busiestChannels() {
    if (!run.parts) return null;
    const most = run.parts.channels.filter(([, channel]) => isExternal(channel)).sort((a, b) => b[2] - a[2]).slice(0, 8);
    return make('div', {}, make('table', {id: 'busiest'}, make('thead', {}, headings('busiest channels', '', '#flits', '#per cycle')),
      make('tbody', {}, ...most.map(([node, channel, flits]) => make('tr', {}, cell(nodeName(node)), cell(channelName(channel)),
        cell(shown(flits), 'n'), cell((flits / (run.end - run.begin)).toFixed(3), 'n'))))));
  }

  /** The cores that were at work longest. */
  function coreTable() {
    if (run.cores.length === 0) return null;
    const most = run.cores.map((spells, node) => [node, workOf(node)]).sort((a, b) => b[1] - a[1]).slice(0, 8);
    return make('div', {}, make('table', {id: 'work'}, make('thead', {}, headings('cores at work', '#cycles', '#of the run')),
      make('tbody', {}, ...most.map(([node, cycles]) => make('tr', {}, cell(nodeName(node)), cell(shown(cycles), 'n'),
        cell(`${(100 * cycles / (run.end - run.begin)).toFixed(1)} %`, 'n'))))));
  }

  function showRun() {
    const longest = run.messages.filter((p) => p.waited > 0).sort((a, b) => b.waited - a.waited).slice(0, 8);
    const {messages, control} = run.counts;
    const missing = run.parts ? messages - run.parts.arrived : run.messages.filter((p) => !p.arrived).length;
    const waits = run.parts === null;
    const late = run.window ? 'were still under way behind the last cycle' : 'did not arrive';
    fill(
      make('h2', {textContent: 'The run'}),
      make('p', {className: 'note', textContent: `${counted(messages, 'message')}, ${counted(control, 'control packet')} in cycles ` +
        `${shown(run.begin)} to ${shown(run.end - 1)}. ${missing ? `${counted(missing, 'message')} ${late}. ` : ''}` +
        (waits ? 'Click a message to see its path and where it waited.' : 'They are too many for a line each: the page shows loads. A window of cycles shows each message.')}),
      stallList(),
      make('div', {className: 'columns'},
        make('div', {}, make('table', {id: 'steps'}, make('thead', {}, headings(run.kind, '#messages', '#first head', '#last tail', ...(waits ? ['#waited'] : []))),
          make('tbody', {}, ...run.steps.map((s) => make('tr', {}, cell(make('button', {className: 'link', textContent: s.part, onclick: () => goTo(s.begin)})),
            cell(shown(s.messages), 'n'), cell(shown(s.begin), 'n'), cell(s.arrived ? shown(s.end - 1) : '—', 'n'),
            ...(waits ? [cell(shown(s.waited), s.waited ? 'n waited' : 'n')] : [])))))),
        busiestChannels(),
        longest.length === 0 ? null : make('div', {}, make('table', {id: 'longest'}, make('thead', {}, headings('waited longest', run.kind, '#cycles')),
          make('tbody', {}, ...longest.map((p) => make('tr', {}, cell(link(p)), cell(`${p.part}`), cell(shown(p.waited), 'n waited')))))),
        coreTable()));
  }

  return {show: () => (run.packets[state.selected] ? showPacket(run.packets[state.selected]) : showRun())};
})();
