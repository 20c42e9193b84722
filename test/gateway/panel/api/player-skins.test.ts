import t from 'tap';

t.intercept(globalThis, 'window', { value: { location: { origin: 'http://panel.example' } }, configurable: true });
const { refetchAfter } = await import('../../../../gateway/panel/src/api/player-skins.ts');

const DONE = { enabled: true, pending: false };

t.test('skins are asked for again while they are being fetched', async (t) => {
  for (const status of ['running', 'stopped'] as const)
    t.equal(refetchAfter({ ...DONE, pending: true }, status), 3_000);
});

t.test('otherwise only while the server runs, so that the supervisor of a stopped server can end', async (t) => {
  t.equal(refetchAfter(DONE, 'running'), 60_000);
  for (const status of ['stopped', 'starting'] as const) t.equal(refetchAfter(DONE, status), false);
});

t.test('not while they are off or unknown', async (t) => {
  t.equal(refetchAfter({ ...DONE, enabled: false }, 'running'), false);
  t.equal(refetchAfter(undefined, 'running'), false);
});
