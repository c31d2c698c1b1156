#!/usr/bin/env python3
"""The page of `annelid timeline` in Chromium: what it shows is what the flit log says, read here once
more and by itself; clicks, keys and the slider are real ones.

    page_test.py --annelid build/release/cli/annelid [--keep FOLDER]
"""
import argparse
import collections
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'scripts'))
from chromium import Chromium  # noqa: E402

ARGUMENTS = None
RAMP = [(169, 205, 234), (74, 148, 216), (91, 95, 199), (177, 58, 154), (224, 38, 60)]  # of the light theme
LEVELS = 32

Hop = collections.namedtuple('Hop', 'node channel head tail waited')
Message = collections.namedtuple('Message', 'number source destination tag step bytes hops')


class FlitLog:
    """Of a run on all-port routers of one stage, one VC and no link registers, in which a sender does
    not send a tag to a node again before the first message has arrived."""

    def __init__(self, path):
        self.messages = []
        numbers = collections.Counter()
        self.flits = collections.defaultdict(list)  # by (node, channel): cycles
        under_way, open_hop = {}, {}
        for line in path.read_text().splitlines():
            if line.startswith('#'):
                continue
            words = line.split()
            cycle, node, channel, kind = int(words[0]), words[1], words[2], words[4]
            self.flits[node, channel].append(cycle)
            if kind in 'HS':
                if channel.startswith('inj'):
                    label = words[8:]
                    step, size = (int(label[1]), int(label[3])) if label[0] == 'step' else (None, 0)
                    source, destination = words[6].split('>')
                    kind_of = '' if step else 'c'  # of the NICs' own packets
                    numbers[kind_of] += 1
                    under_way[words[5]] = Message(f'{kind_of}{numbers[kind_of]}', source, destination, int(words[7]), step,
                                                  size, [])
                    self.messages.append(under_way[words[5]])
                hops = under_way[words[5]].hops
                waited = cycle - hops[-1].head - 1 if hops else 0
                hops.append(Hop(node, channel, cycle, None, waited))
                open_hop[node, channel] = (hops, len(hops) - 1)
            if kind in 'TS':
                hops, i = open_hop[node, channel]
                hops[i] = hops[i]._replace(tail=cycle)

    def load(self, node, channel, begin, end):
        return sum(begin <= cycle <= end for cycle in self.flits[node, channel]) / (end - begin + 1)


class Png:
    """Pixels of an 8-bit RGB or RGBA picture that is not interlaced."""

    def __init__(self, data):
        assert data[:8] == b'\x89PNG\r\n\x1a\n'
        at, packed = 8, b''
        while at < len(data):
            length, kind = struct.unpack('>I4s', data[at:at + 8])
            body = data[at + 8:at + 8 + length]
            if kind == b'IHDR':
                self.width, self.height, depth, colour, _, _, interlaced = struct.unpack('>IIBBBBB', body)
                assert depth == 8 and colour in (2, 6) and not interlaced
                self.step = 3 if colour == 2 else 4
            elif kind == b'IDAT':
                packed += body
            at += 12 + length
        self.rows = self._unfilter(zlib.decompress(packed))

    def _unfilter(self, raw):
        size, step, rows = self.width * self.step, self.step, []
        before = bytearray(size)
        for y in range(self.height):
            kind, row = raw[y * (size + 1)], bytearray(raw[y * (size + 1) + 1:(y + 1) * (size + 1)])
            for i in range(size if kind else 0):
                left = row[i - step] if i >= step else 0
                up, corner = before[i], before[i - step] if i >= step else 0
                if kind == 1:
                    guess = left
                elif kind == 2:
                    guess = up
                elif kind == 3:
                    guess = (left + up) // 2
                else:
                    guess = min((left, up, corner), key=lambda v: abs(left + up - corner - v))
                row[i] = (row[i] + guess) & 255
            rows.append(row)
            before = row
        return rows

    def at(self, x, y):
        return tuple(self.rows[int(y)][int(x) * self.step:int(x) * self.step + 3])

    def colours(self):
        return {self.at(x, y) for y in range(0, self.height, 3) for x in range(0, self.width, 3)}


def colour_of(load):
    level = min(LEVELS - 1, int(load * LEVELS))
    at = level / (LEVELS - 1) * (len(RAMP) - 1)
    i = min(int(at), len(RAMP) - 2)
    return tuple(a + (b - a) * (at - i) for a, b in zip(RAMP[i], RAMP[i + 1]))


def distance(a, b, x, y):
    """Of a point from the line from a to b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    f = max(0, min(1, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy or 1)))
    return ((x - a[0] - f * dx) ** 2 + (y - a[1] - f * dy) ** 2) ** 0.5


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = ARGUMENTS.keep or pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.folder.mkdir(exist_ok=True)
        cls.browser = cls.enterClassContext(Chromium(1000, 720))

    def setUp(self):
        self.browser.complaints.clear()
        self.browser.requests.clear()

    def tearDown(self):
        self.assertEqual(self.browser.complaints, [])
        self.assertEqual(set(r.split('#')[0].rsplit('/', 1)[0] for r in self.browser.requests),
                         {self.folder.resolve().as_uri()}, 'the page is all that is loaded')

    def run_of(self, name, *arguments):
        """Runs the program; returns the page's path."""
        page = self.folder / f'{name}.html'
        subprocess.run([ARGUMENTS.annelid, 'run', *arguments, '--quiet', '--out', self.folder / name, '--timeline', page,
                        '--flit-log', self.folder / f'{name}.log'], check=True, cwd=ROOT)
        return page

    def contended(self):
        """A run in which messages wait: opened, with its log."""
        page = self.run_of('contended', '--operation', 'transpose', '--algorithm', 'direct', '--size', '5x5',
                           '--bytes', '400', '--firmware', 'native')
        self.browser.open(page)
        return FlitLog(self.folder / 'contended.log')

    def js(self, expression):
        return self.browser.evaluate(expression)

    def lone_point(self, chosen):
        """A message of `chosen` (places in the order of injection) and a point on its line, far from other lines."""
        lines = dict(self.js('timeline.run.messages.map(p => [p.id, [0, 1].map(f => timeline.pointOf(p.id, f))])'))
        for i in chosen:
            a, b = lines[i]
            for f in (0.5, 0.3, 0.7, 0.15, 0.85):
                x, y = a[0] + (b[0] - a[0]) * f, a[1] + (b[1] - a[1]) * f
                if all(distance(*line, x, y) > 9 for j, line in lines.items() if j != i):
                    return i, x, y
        self.fail('no message stands alone')

    def shown_path(self):
        return self.js('''[...document.querySelectorAll("#path tbody tr")].map(row =>
            [...row.cells].map(cell => cell.innerText.replaceAll("\\u202f", "")))''')

    def test_a_click_on_a_message_shows_its_path_and_waits(self):
        log = self.contended()
        waiting = [i for i, m in enumerate(log.messages) if m.step and any(h.waited for h in m.hops)]
        self.assertGreater(len(waiting), 3)
        self.assertIn('The run', self.js('document.querySelector("#details h2").innerText'))
        place, x, y = self.lone_point(waiting)
        self.browser.click(x, y)
        message = log.messages[place]
        self.assertNotEqual(message.number, str(place + 1), 'control packets came before it')
        self.assertEqual(self.js('location.hash'), f'#message={message.number}')
        self.assertEqual(self.js('document.querySelector("#details h2").innerText'),
                         f'#{message.number} {message.source} → {message.destination}')
        said = self.js('document.querySelector("#details p").innerText').replace('\u202f', '')
        first, last = message.hops[0], message.hops[-1]
        for part in (f'step {message.step}', f'{message.bytes} bytes', f'tag {message.tag}', f'head in {first.head}',
                     f'tail out {last.tail}: {last.tail - first.head} cycles'):
            self.assertIn(part, said)
        rows = self.shown_path()
        # Beside control virtual channels, the page names the one of a data packet too.
        self.assertEqual([[row[0], row[1].removesuffix(' VC 0')] + row[3:6] for row in rows],
                         [[h.node, h.channel, str(h.head), str(h.tail), str(h.waited or '')] for h in message.hops])

        # Where it waited, the packet that it waited for is named, was there, and is a click away.
        row = next(i for i, h in enumerate(message.hops) if h.waited)
        hop = message.hops[row]
        self.assertRegex(rows[row][6], r'^\d+: .*#c?\d+ ')
        other = next(m for m in log.messages if m.number == rows[row][6].split('#')[1].split()[0])
        self.assertTrue(any(h.node == hop.node and h.channel == hop.channel and h.head < hop.head or
                            h.node == message.hops[row - 1].node and h.channel == message.hops[row - 1].channel
                            for h in other.hops))
        self.browser.evaluate('document.querySelector("#path td.waited").scrollIntoView({block: "center"})')
        self.browser.click(*self.browser.center('#path .link'))
        self.assertIn(f'{other.source} → {other.destination}', self.js('document.querySelector("#details h2").innerText'))
        self.browser.press('Escape', 27)
        self.assertIn('The run', self.js('document.querySelector("#details h2").innerText'))
        for number in ('2', 'c1'):
            self.js(f'location.hash = "message={number}"')
            named = next(m for m in log.messages if m.number == number)
            self.browser.wait_for('document.querySelector("#details h2").innerText === '
                                  f'"#{number} {named.source} → {named.destination}"')

    def test_channels_have_the_colour_of_their_load(self):
        log = self.contended()
        begin, end, window = self.js('[timeline.run.begin, timeline.run.end, timeline.state.window]')
        checked, idle = 0, 0
        for cycle in (begin + (end - begin) * k // 6 for k in (2, 3, 4)):
            self.js(f'timeline.goTo({cycle})')
            self.browser.settle()
            picture = Png(self.browser.screenshot('#network'))
            left, top = self.browser.corner('#network')
            for x in range(5):
                for y in range(5):
                    for port, channel in enumerate(('+x', '-x', '+y', '-y')):
                        if (x, y)[port >> 1] == (0 if port & 1 else 4):
                            continue  # the rim
                        load = log.load(f'{x},{y}', channel, max(begin, cycle - window + 1), cycle)
                        px, py = self.js(f'timeline.channelAt({5 * y + x}, {port})')
                        # Beside the middle, where the dot of a head may be.
                        dx, dy = (11, 0) if port < 2 else (0, 11)
                        seen = picture.at(px + dx - left, py + dy - top)
                        if load == 0:
                            idle += 1
                            self.assertEqual(seen, (213, 218, 226), (cycle, x, y, channel))
                        else:
                            checked += 1
                            for a, b in zip(seen, colour_of(load)):
                                self.assertAlmostEqual(a, b, delta=2, msg=(cycle, x, y, channel, load, seen))
        self.assertGreater(checked, 20)
        self.assertGreater(idle, 30)

    def test_slider_keys_and_play_move_the_cycle(self):
        self.contended()
        pictures = set()
        x0, y, width = self.js('''(() => { const r = document.querySelector("#slider").getBoundingClientRect();
            return [r.left, r.top + r.height / 2, r.width]; })()''')
        cycles = []
        for f in (0.25, 0.5, 0.75):
            self.browser.click(x0 + f * width, y)
            cycles.append(self.js('timeline.state.cycle'))
            pictures.add(self.browser.screenshot('#network'))
        self.assertEqual(len(pictures), 3)
        self.assertEqual(cycles, sorted(set(cycles)))
        begin, end = self.js('[timeline.run.begin, timeline.run.end]')
        self.assertAlmostEqual(cycles[1], (begin + end) / 2, delta=(end - begin) * 0.05)
        self.browser.press('ArrowRight', 39)
        self.assertEqual(self.js('timeline.state.cycle'), cycles[-1] + 1)
        self.browser.press('ArrowLeft', 37)
        self.assertEqual(self.js('timeline.state.cycle'), cycles[-1])
        self.js('timeline.goTo(0)')
        self.browser.press('.')
        self.assertEqual(self.js('timeline.state.cycle'), self.js('timeline.run.steps.map(s => s.begin).find(c => c > timeline.run.begin)'))
        before = self.js('timeline.state.cycle')
        self.browser.press(' ', 32)
        self.browser.wait_for(f'timeline.state.cycle > {before} + 3')
        self.browser.press(' ', 32)
        stopped = self.js('timeline.state.cycle')
        self.browser.settle()
        self.assertEqual(self.js('timeline.state.cycle'), stopped)
        self.browser.press('ArrowDown', 40)
        self.assertEqual(self.js('timeline.state.selected'), self.js('timeline.run.messages[0].id'))

    def test_every_kind_of_network_is_drawn_in_both_themes(self):
        native = ('--firmware', 'native', '--bytes', '64')
        kinds = {'torus': ('--operation', 'all-gather', '--size', '6x4', '--topology', 'torus', *native),
                 'solid': ('--operation', 'broadcast', '--size', '4x3x3', *native),
                 'line': ('--operation', 'reduce', '--size', '12', *native),
                 'ring': ('--operation', 'broadcast', '--size', '9', '--topology', 'torus', '--router', 'one-port', *native),
                 'ideal': ('--operation', 'all-to-all', '--size', '4x4', '--topology', 'ideal', *native)}
        for name, arguments in kinds.items():
            with self.subTest(name):
                self.browser.open(self.run_of(name, *arguments), '#message=' if name == 'line' else '')
                self.js('timeline.select(timeline.run.messages.at(-1).id)')
                self.browser.settle()
                self.assertEqual(len(self.shown_path()), self.js('timeline.run.messages.at(-1).hops.length'))
                light = Png(self.browser.screenshot('#network'))
                self.assertGreater(len(light.colours()), 8)
                self.assertEqual(light.at(3, 3), (255, 255, 255))
                self.browser.click(*self.browser.center('#theme'))
                x, y = self.browser.corner('#network')
                dark = Png(self.browser.screenshot(box=(x, y, 8, 8)))
                self.assertLess(sum(dark.at(3, 3)), 150)
                self.browser.click(*self.browser.center('#theme'))

    def test_it_opens_in_the_busiest_cycles(self):
        log = self.contended()
        begin, end, window, cycle = self.js('[timeline.run.begin, timeline.run.end, timeline.state.window, timeline.state.cycle]')
        flits = collections.Counter()
        for (_, channel), cycles in log.flits.items():
            if channel[1] in 'xyz':
                flits.update((c - begin) // window for c in cycles)
        self.assertEqual((cycle - begin) // window, min(flits, key=lambda part: (-flits[part], part)))
        self.assertGreater(flits[(cycle - begin) // window], sum(flits.values()) / ((end - begin) / window))

    def test_cores_are_at_work_until_they_sleep(self):
        trace = self.folder / 'cores.trace'
        page = self.run_of('cores', '--operation', 'broadcast', '--size', '4x1', '--bytes', '2000', '--trace', trace)
        self.browser.open(page)
        spells, asleep = collections.defaultdict(list), {}
        for line in trace.read_text().splitlines()[1:]:
            cycle, node = int(line.split()[0]), line.split()[1]
            if asleep.get(node, True):
                spells[node].append([cycle, cycle])
            spells[node][-1][1] = cycle + 1
            asleep[node] = line.rstrip().endswith('wfi') or ' wfi ' in line
        for node in spells:
            if not asleep[node]:  # its last instruction lasts to the end
                spells[node][-1][1] = self.js('timeline.run.end')
        self.assertGreater(sum(map(len, spells.values())), 4)
        self.assertEqual(self.js('timeline.run.cores'), [spells[f'{x},0'] for x in range(4)])
        shown = self.browser.screenshot('#spacetime')
        self.browser.click(*self.browser.center('#cores'))
        self.browser.settle()
        self.assertNotEqual(self.browser.screenshot('#spacetime'), shown)
        work = self.js('[...document.querySelectorAll("#work tbody tr")].map(row => [...row.cells].map(cell => '
                       'cell.innerText.replaceAll("\\u202f", "")))')
        expected = {node: sum(end - begin for begin, end in s) for node, s in spells.items()}
        self.assertEqual({row[0]: int(row[1]) for row in work}, expected)

    def test_messages_have_the_colours_of_their_trees(self):
        self.browser.open(self.run_of('trees', '--operation', 'broadcast', '--algorithm', 'two-tree', '--size', '4x4',
                                      '--bytes', '512', '--firmware', 'native'))
        chips = self.js('[...document.querySelectorAll("#step-legend .chip")].map(chip => chip.innerText.trim())')
        self.assertEqual(chips, ['tree 1', 'tree 2'])
        colours = set(map(tuple, self.js('timeline.run.messages.map(p => [p.tree, p.colour])')))
        self.assertEqual(colours, {(1, 0), (2, 1)})
        self.js('timeline.select(timeline.run.messages[1].id)')
        self.assertIn(f'tree {self.js("timeline.run.messages[1].tree")}', self.js('document.querySelector("#details p").innerText'))
        self.js('timeline.select(null)')
        self.browser.settle()
        first, second = (31, 111, 180), (224, 123, 0)
        both = Png(self.browser.screenshot('#spacetime')).colours()
        self.assertTrue({first, second} <= both)
        self.browser.click(*self.browser.center('#step-legend .chip'))
        self.browser.settle()
        alone = Png(self.browser.screenshot('#spacetime')).colours()
        self.assertIn(first, alone)
        self.assertNotIn(second, alone)

    def traffic(self, name, *arguments):
        page = self.folder / f'{name}.html'
        subprocess.run([ARGUMENTS.annelid, 'traffic', '--size', '4x4', *arguments, '--quiet', '--out', self.folder / name,
                        '--timeline', page], check=True, cwd=ROOT)
        return page

    def test_very_many_packets_are_pictures_of_loads(self):
        page = self.traffic('many', '--load', '1', '--set', 'traffic.measure=9000', '--flit-log', self.folder / 'many.log')
        self.browser.open(page)
        self.assertEqual(self.js('document.querySelector("#spacetime-heading").innerText'), 'Loads over time')
        lines = (line.split(' ', 3) for line in (self.folder / 'many.log').read_text().splitlines() if line[0] != '#')
        flits = collections.Counter((node, channel) for _, node, channel, _ in lines if channel[1] in 'xy')
        busiest = self.js('[...document.querySelectorAll("#busiest tbody tr")].map(row => [...row.cells].map(cell => '
                          'cell.innerText.replaceAll("\\u202f", "")))')
        self.assertEqual(len(busiest), 8)
        self.assertEqual({(node, channel): int(count) for node, channel, count, _ in busiest}, dict(flits.most_common(8)))
        pictures = {self.browser.screenshot('#spacetime')}
        self.assertGreater(len(Png(next(iter(pictures))).colours()), 12)
        for shown in (1, 2):
            self.js(f'document.querySelector("#shown").value = {shown}; '
                    'document.querySelector("#shown").dispatchEvent(new Event("change"))')
            self.browser.settle()
            pictures.add(self.browser.screenshot('#spacetime'))
        self.assertEqual(len(pictures), 3)
        self.js('timeline.goTo(0)')
        x, y = self.js('timeline.channelAt(5, 0)')
        self.browser.click(x, y)
        self.assertIn('The run', self.js('document.querySelector("#details h2").innerText'))

    def test_a_window_shows_its_packets_alone(self):
        self.browser.open(self.traffic('window', '--load', '0.5', '--timeline-window', '900:1000'))
        self.assertIn('to 1000', self.js('document.querySelector("#subtitle").innerText').replace('\u202f', ''))
        self.assertRegex(self.js('document.querySelector("#details p").innerText'), r'messages? (was|were) still under way')
        self.assertGreater(self.js('timeline.run.messages.length'), 30)
        first = self.js('timeline.run.messages[0].number')
        self.assertGreater(int(first), 100)
        self.assertGreaterEqual(self.js('timeline.state.cycle'), 900)

    def test_a_run_without_messages_has_a_page_too(self):
        self.browser.open(self.run_of('lonely', '--operation', 'broadcast', '--size', '1x1', '--bytes', '8', '--firmware', 'native'))
        self.assertIn('0 messages', self.js('document.querySelector("#subtitle").innerText'))
        self.assertIn('cycles 0 to 0', self.js('document.querySelector("#subtitle").innerText'))
        self.assertEqual(self.js('timeline.state.cycle'), 0)
        self.browser.press('ArrowRight', 39)
        self.browser.press('ArrowDown', 40)
        self.assertEqual(self.js('timeline.state.cycle'), 0)

    def test_a_deadlock_is_a_circle_and_what_did_not_arrive_has_no_end(self):
        page = self.folder / 'deadlock.html'
        made = subprocess.run([ARGUMENTS.annelid, 'traffic', '--size', '8', '--topology', 'torus', '--vcs', '1', '--allow-deadlock', 'true',
                               '--pattern', 'tornado', '--load', '0.9', '--set', 'traffic.measure=2000', '--set', 'traffic.warm_up=0', '--quiet',
                               '--out', self.folder / 'deadlock', '--timeline', page], capture_output=True, text=True)
        self.assertEqual(made.returncode, 1, made.stderr)
        self.browser.open(page)
        lines = self.js('[...document.querySelectorAll("#stall li")].map(e => e.innerText)')
        self.assertGreater(len(lines), 2)
        for line, after in zip(lines, lines[1:] + lines[:1]):  # each waits for the next, the last for the first
            who, what = line.split(' because of ')
            self.assertIn(' waits at ', who)
            self.assertEqual(what, after.split(' waits at ')[0])
        missing = self.js('timeline.run.messages.filter(p => !p.arrived).map(p => p.end - timeline.run.end)')
        self.assertGreaterEqual(len(missing), len(lines))
        self.assertEqual(set(missing), {0})
        self.assertIn(f'{len(missing)} messages did not arrive', self.js('document.querySelector("#details").innerText'))
        # Whoever has not arrived and waits in a router names its holder, in the circle or not.
        waiting = self.js('[...timeline.run.waiting.keys()]')
        self.assertGreater(len(waiting), len(lines))
        for packet in waiting:
            self.js(f'timeline.select({packet})')
            self.assertRegex(self.js('document.querySelector("#last-wait").innerText'), r'^Its head waits at .* for .* since cycle .*#\d')
        self.js('timeline.select(null)')
        self.js('document.querySelector("#stall button").click()')
        self.assertIn('In a deadlock:', self.js('document.querySelector("#details").innerText'))
        self.assertIn('—', self.js('document.querySelector("#path").innerText'))

    def test_a_broadcast_to_1024_nodes_loads_at_once(self):
        page = self.run_of('large', 'scenarios/edn-broadcast-32x32.toml')
        self.assertLess(os.path.getsize(page), 400_000)
        self.browser.open(page)
        print(f'32x32 broadcast: {os.path.getsize(page)} bytes, drawn after '
              f'{self.js("performance.getEntriesByName(`drawn`)[0].startTime"):.0f} ms')
        self.assertEqual(self.js('timeline.run.messages.length'), 1023)
        self.js('timeline.goTo((timeline.run.begin + timeline.run.end) / 2)')
        self.browser.settle()
        picture = Png(self.browser.screenshot('#spacetime'))
        self.assertGreater(len(picture.colours()), 30)


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--annelid', type=pathlib.Path, required=True)
    parser.add_argument('--keep', type=pathlib.Path, help='a folder for the pages, which then stay')
    ARGUMENTS, rest = parser.parse_known_args()
    ARGUMENTS.annelid = ARGUMENTS.annelid.resolve()
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
