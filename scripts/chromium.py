"""Drives Debian's Chromium without a display, by its DevTools protocol over a pipe.

    with Chromium(1400, 900) as browser:
        browser.open('run.html')
        browser.click(300, 200)
        png = browser.screenshot()

Nothing but Python's own library: commands and events are JSON texts that end in a zero byte, on the
file descriptors 3 and 4 of the browser (--remote-debugging-pipe).
"""
import base64
import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import tempfile
import time

TIMEOUT = 60  # seconds, of any command


class BrowserError(Exception):
    pass


class Chromium:
    """A browser with one page of width x height pixels.

    `complaints` are the console's errors and warnings and exceptions, `requests` the addresses that
    the page asked for.
    """

    def __init__(self, width, height, dark=False):
        self.complaints, self.requests = [], []
        self._number, self._unread, self._events = 0, b'', []
        self._home = tempfile.mkdtemp(prefix='annelid-chromium-')
        command = [shutil.which('chromium') or 'chromium', '--headless=new', '--remote-debugging-pipe',
                   '--disable-gpu', '--hide-scrollbars', '--mute-audio', '--no-first-run',
                   '--disable-background-networking', '--disable-component-update', '--disable-sync',
                   '--disable-dev-shm-usage', '--force-device-scale-factor=1', '--force-color-profile=srgb',
                   '--no-proxy-server', '--host-resolver-rules=MAP * ~NOTFOUND',  # no network at all
                   f'--window-size={width},{height}', f'--user-data-dir={self._home}/profile', 'about:blank']
        if os.getuid() == 0:
            command.insert(1, '--no-sandbox')  # which root cannot have
        to_read, self._out = os.pipe()
        self._in, to_write = os.pipe()

        def arrange():  # in the child: through high numbers, as 3 and 4 may be in use
            for fd, high in ((to_read, 60), (to_write, 61)):
                os.dup2(fd, high)
            for high, low in ((60, 3), (61, 4)):
                os.dup2(high, low)
                os.close(high)

        with open(f'{self._home}/log', 'wb') as log:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, close_fds=False,
                                             preexec_fn=arrange, start_new_session=True,
                                             env={**os.environ, 'HOME': self._home})
        os.close(to_read)
        os.close(to_write)
        try:
            target = self._call('Target.createTarget', url='about:blank')
            self._session = None
            self._session = self._call('Target.attachToTarget', targetId=target['targetId'], flatten=True)['sessionId']
            for domain in ('Page', 'Runtime', 'Log', 'Network'):
                self.call(f'{domain}.enable')
            self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=False)
            self.call('Emulation.setEmulatedMedia',
                      features=[{'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}])
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the browser and all its processes, a session of their own."""
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()
        os.close(self._in)
        os.close(self._out)
        shutil.rmtree(self._home, ignore_errors=True)

    # ---- The protocol ------------------------------------------------------------------------------

    def call(self, method, **parameters):
        """A command of the DevTools protocol to the page; returns its result."""
        return self._call(method, **parameters)

    def _call(self, method, **parameters):
        self._number += 1
        message = {'id': self._number, 'method': method, 'params': parameters}
        if getattr(self, '_session', None):
            message['sessionId'] = self._session
        try:
            data = json.dumps(message).encode() + b'\0'
            while data:
                data = data[os.write(self._out, data):]
        except BrokenPipeError:
            raise BrowserError(f'Chromium has ended: {self._log()}') from None
        end = time.monotonic() + TIMEOUT
        while True:
            answer = self._read(end)
            if answer.get('id') == self._number:
                if 'error' in answer:
                    raise BrowserError(f'{method}: {answer["error"]}')
                return answer['result']
            self._note(answer)

    def _read(self, end):
        while b'\0' not in self._unread:
            ready, _, _ = select.select([self._in], [], [], max(0, end - time.monotonic()))
            more = os.read(self._in, 1 << 20) if ready else b''
            if not more:
                raise BrowserError(f'Chromium {"has ended" if ready else "does not answer"}: {self._log()}')
            self._unread += more
        text, self._unread = self._unread.split(b'\0', 1)
        return json.loads(text)

    def _note(self, event):
        method, parameters = event.get('method'), event.get('params', {})
        self._events.append(method)
        if method == 'Runtime.exceptionThrown':
            details = parameters['exceptionDetails']
            self.complaints.append(details.get('exception', {}).get('description') or details['text'])
        elif method == 'Runtime.consoleAPICalled' and parameters['type'] in ('error', 'warning', 'assert'):
            self.complaints.append(str([a.get('value', a.get('description')) for a in parameters['args']]))
        elif method == 'Log.entryAdded' and parameters['entry']['level'] in ('error', 'warning'):
            self.complaints.append(parameters['entry']['text'])
        elif method == 'Network.requestWillBeSent':
            self.requests.append(parameters['request']['url'])

    def _log(self):
        return pathlib.Path(f'{self._home}/log').read_text(errors='replace')[-2000:]

    # ---- The page ----------------------------------------------------------------------------------

    def open(self, path, fragment='', ready='performance.getEntriesByName("drawn").length > 0'):
        """Loads a file, and waits until `ready` is true: by default, until the page has set the mark "drawn"."""
        self._events.clear()
        self.call('Page.navigate', url=pathlib.Path(path).resolve().as_uri() + fragment)
        self.wait_for(ready)

    def evaluate(self, expression):
        """The value of a JavaScript expression, which may be a promise."""
        result = self.call('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in result:
            raise BrowserError(f'{expression}: {result["exceptionDetails"]}')
        return result['result'].get('value')

    def wait_for(self, expression):
        end = time.monotonic() + TIMEOUT
        while not self.evaluate(expression):
            if time.monotonic() > end:
                raise BrowserError(f'waited in vain for {expression}; {self.complaints}')
            time.sleep(0.02)

    def settle(self):
        """Two frames: what was asked for is drawn."""
        self.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))')

    def click(self, x, y):
        """The pointer moves there, and its left button goes down and up."""
        for kind, buttons in (('mouseMoved', 0), ('mousePressed', 1), ('mouseReleased', 0)):
            self.call('Input.dispatchMouseEvent', type=kind, x=x, y=y, button='none' if kind == 'mouseMoved' else 'left',
                      buttons=buttons, clickCount=0 if kind == 'mouseMoved' else 1)
        self.settle()

    def move(self, x, y):
        self.call('Input.dispatchMouseEvent', type='mouseMoved', x=x, y=y)
        self.settle()

    def press(self, key, code=0):
        """A key: its name in JavaScript ("ArrowRight", " ") and its Windows key code."""
        for kind in ('keyDown', 'keyUp'):
            self.call('Input.dispatchKeyEvent', type=kind, key=key, windowsVirtualKeyCode=code,
                      **({'text': key} if kind == 'keyDown' and len(key) == 1 else {}))
        self.settle()

    def _box(self, selector):
        return self.evaluate(f"""(() => {{ const r = document.querySelector({json.dumps(selector)}).getBoundingClientRect();
            return [r.left, r.top, r.width, r.height]; }})()""")

    def corner(self, selector):
        """The upper left one of an element, in the window."""
        return self._box(selector)[:2]

    def center(self, selector):
        """Of an element, in the window."""
        x, y, width, height = self._box(selector)
        return x + width / 2, y + height / 2

    def screenshot(self, selector=None, box=None):
        """PNG of the window, or of an element, or of a box (x, y, width, height)."""
        box = self._box(selector) if selector else box
        clip = {'clip': dict(zip(('x', 'y', 'width', 'height'), box), scale=1)} if box else {}
        return base64.b64decode(self.call('Page.captureScreenshot', format='png', **clip)['data'])
