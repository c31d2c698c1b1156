#!/usr/bin/env python3
"""The save file of a waveform that scripts/wave-rtl makes: what GTKWave shows first of a router's inner wires.

    scripts/rtl_view.py WAVES.fst VIEW.gtkw
"""
import math
import pathlib
import re
import subprocess
import sys

BEFORE, SHOWN = 2, 16  # cycles before the first flit comes in, and in the window
CYCLE = 10             # ns
WIDTH, TREE, NAMES = 1600, 60, 380
BINARY, HEX, BLANK, CLOSED, OPENED, ENDED, COLLAPSED = 0x28, 0x22, 0x200, 0x400000, 0x800000, 0x1000000, 0x1000
CHANNELS = [f'{way}_{what}' for way in ('in', 'out')
            for what in ('valid', 'head', 'tail', 'vc', 'credit_valid', 'credit_vc')]
SINGLE_BITS = re.compile('valid|grant|request|owned|has_credit|head|tail|active')


def contents(waves):
    """Of the waveform: its signals by scope, and when the first flit comes in."""
    vcd = subprocess.run(['fst2vcd', '-f', waves], capture_output=True, check=True, text=True).stdout
    header, _, changes = vcd.partition('$enddefinitions')
    scopes, at, code = {}, [], None
    for line in header.splitlines():
        words = line.split()
        if words[:1] == ['$scope']:
            at.append(words[2])
        elif words[:1] == ['$upscope']:
            at.pop()
        elif words[:1] == ['$var']:
            scope, name = '.'.join(at), ''.join(words[4:-1])
            scopes.setdefault(scope, []).append(name)
            if scope == 'router_tb' and name.startswith('in_valid['):
                code = words[3]
    time = 0
    for line in changes.splitlines():
        if line.startswith('#'):
            time = int(line[1:])
        elif line.startswith('b') and line.endswith(f' {code}') and '1' in line.split()[0]:
            break
    return scopes, time


def row(scope, signal, name):
    flags = HEX if '[' in signal and not SINGLE_BITS.search(signal) else BINARY
    return f'@{flags:x}\n+{{{name}}} {scope}.{signal}\n'


def group(title, rows, folded):
    begin, end = OPENED | BLANK, ENDED | BLANK
    if folded:
        begin, end = begin | CLOSED, end | CLOSED | COLLAPSED
    return f'@{begin:x}\n-{title}\n{"".join(rows)}@{end:x}\n-{title}\n'


def instance(scope):
    """What is called "input 0 vc 1": its modules within the router, each with the number of its copy."""
    words, number = [], ''
    for part in scope.split('.'):
        if copy := re.fullmatch(r'\w+\[(\d+)\]', part):
            number = copy[1]
        elif part.startswith('u_'):
            words.append(f'{part[2:]} {number}'.strip())
            number = ''
    return ' '.join(words[1:] if words[0] == 'switch' and len(words) > 1 else words)


def view(waves):
    scopes, first = contents(waves)
    here = {s.split('[')[0]: s for s in scopes['router_tb']}
    rows = [row('router_tb', here[name], name) for name in ['clk', 'rst_n', *CHANNELS] if name in here]
    groups = [group('channels: a bit or a digit for each port', rows, False)]
    for scope in scopes:
        if '.dut.' not in scope or not scope.endswith(('.u_input', '.u_vc', '.u_output', '.u_switch')):
            continue
        name = instance(scope)
        ports = [s for s in scopes[scope] if re.match(r'\w+_[ioq](\[|$)', s) and not s.startswith(('clk', 'rst'))]
        folded = name not in ('input 0', 'output 0')
        if ports:
            groups.append(group(name, [row(scope, s, f'{name} {s.split("[")[0]}') for s in ports], folded))
    return max(0, first - BEFORE * CYCLE), groups


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    waves, out = map(pathlib.Path, sys.argv[1:])
    begin, groups = view(waves)
    # GTKWave shows 2^-zoom units of time, without the fraction, on 200 pixels.
    zoom = -math.log2(-(-SHOWN * CYCLE * 200 // (WIDTH - TREE - NAMES - 40)) + 0.01)
    out.write_text(f'[dumpfile] "{waves.resolve()}"\n[savefile] "{out.resolve()}"\n[timestart] {begin}\n'
                   f'[size] {WIDTH} 900\n[pos] -1 -1\n*{zoom:.6f} -1{" -1" * 26}\n[sst_width] {TREE}\n'
                   f'[signals_width] {NAMES}\n[sst_expanded] 0\n{"".join(groups)}')


if __name__ == '__main__':
    main()
