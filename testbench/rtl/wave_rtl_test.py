#!/usr/bin/env python3
"""scripts/wave-rtl: its waveform has a time scale, and its save file opens where flits come in, with rows that exist.

    wave_rtl_test.py
"""
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class SaveFile(unittest.TestCase):
    def test_it_opens_grouped_at_the_first_flits_in_nanoseconds(self):
        with tempfile.TemporaryDirectory() as folder:
            waves = pathlib.Path(folder) / 'router.fst'
            command = [ROOT / 'scripts/wave-rtl', waves, 'Vcs=2']
            said = subprocess.run(command, check=True, capture_output=True, text=True)
            view = waves.with_suffix('.gtkw')
            self.assertEqual(said.stdout, f'gtkwave {view}\n')
            text = view.read_text()
            vcd = subprocess.run(['fst2vcd', '-f', waves], check=True, capture_output=True, text=True).stdout
        self.assertRegex(vcd, r'\$timescale\s+1ns')
        signals, scopes = {}, []
        header, _, changes = vcd.partition('$enddefinitions')
        for words in map(str.split, header.splitlines()):
            if words[:1] == ['$scope']:
                scopes.append(words[2])
            elif words[:1] == ['$upscope']:
                scopes.pop()
            elif words[:1] == ['$var']:
                signals['.'.join([*scopes, ''.join(words[4:-1])])] = words[3]
        rows = dict(re.findall(r'^\+\{(.*)\} (.*)$', text, re.M))
        self.assertGreater(len(rows), 100)
        self.assertEqual(len(rows), text.count('\n+{'), 'two rows have one name')
        self.assertEqual([signal for signal in rows.values() if signal not in signals], [])
        opened = re.findall(r'^@8\d\d200$|^@c00200$', text, re.M)
        self.assertGreater(len(opened), 20)
        self.assertEqual(len(opened), len(re.findall(r'^@1\d\d\d200$|^@1401200$', text, re.M)), 'each group ends')
        # A flit comes in within the window, and none before.
        begin, time, first = int(re.search(r'timestart\] (\d+)', text)[1]), 0, None
        for line in changes.splitlines():
            if line.startswith('#'):
                time = int(line[1:])
            elif line.endswith(' ' + signals[rows['in_valid']]) and '1' in line.split()[0]:
                first = time
                break
        self.assertTrue(begin < first < begin + 100, (begin, first))


if __name__ == '__main__':
    unittest.main(verbosity=2)
