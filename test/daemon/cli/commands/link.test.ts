import t from 'tap';
import type { Link, LinkOutcome, LinkRequest } from '../../../../shared/schema/link.ts';
import { fakeGateway, gamekeeper } from '../fake-gateway.ts';

const REQUEST: LinkRequest = {
  id: 'r1',
  issuer: 'https://proxy.example.net',
  name: 'Basement',
  scopes: ['servers:read'],
  telemetry: false,
  userCode: 'WDJB-MJHT',
  verificationUri: 'https://proxy.example.net/device',
  verificationUriComplete: 'https://proxy.example.net/device?user_code=WDJB-MJHT',
  expiresAt: '2099-01-01T00:00:00.000Z',
};
const PROXY: NonNullable<Link['proxy']> = {
  issuer: REQUEST.issuer,
  daemonId: 'd-1',
  resource: 'urn:uuid:d-1',
  name: 'Basement',
  account: 'anna',
  scopes: ['servers:read'],
  telemetry: false,
  linkedAt: '2026-11-20T08:15:00.000Z',
};
const UNLINKED: Link = {
  proxy: null,
  status: { state: 'off', since: PROXY.linkedAt },
  request: null,
  lastRequest: null,
};

function ended(outcome: LinkOutcome['outcome'], parts: Partial<LinkOutcome> = {}): Link {
  return { ...UNLINKED, lastRequest: { id: 'r1', issuer: REQUEST.issuer, at: PROXY.linkedAt, outcome, ...parts } };
}

/** A gateway whose request ends as given, once it was looked at. */
async function ending(t: Parameters<typeof fakeGateway>[0], link: Link) {
  let looks = 0;
  return fakeGateway(t, ({ method }) => {
    if (method === 'POST') return { status: 202, body: REQUEST };
    return { body: looks++ === 0 ? { ...UNLINKED, request: REQUEST } : link };
  });
}

t.test('shows the code, waits, and shows what it is linked to', async (t) => {
  const gateway = await ending(t, { ...ended('approved'), proxy: PROXY });
  const words = await gamekeeper(gateway.home, [
    'link',
    'proxy.example.net',
    '--scopes',
    'servers:read',
    '--name',
    'Basement',
  ]);
  t.equal(words.code, 0, words.stderr);
  t.match(words.stdout, /Address +https:\/\/proxy\.example\.net\/device\n +Code +WDJB-MJHT/);
  t.match(
    words.stdout,
    /Linked to https:\/\/proxy\.example\.net as "Basement"\.\nAccount +anna\nAllowed +servers:read\n/,
  );
  t.match(gateway.asked[0], {
    method: 'POST',
    path: '/api/link',
    body: { url: 'proxy.example.net', scopes: ['servers:read'], name: 'Basement' },
  });
});

t.test('prints one JSON document a line', async (t) => {
  const { home } = await ending(t, { ...ended('approved'), proxy: PROXY });
  const { stdout, code } = await gamekeeper(home, ['link', 'proxy.example.net', '--json']);
  t.equal(code, 0);
  const { userCode, verificationUri, verificationUriComplete } = REQUEST;
  t.same(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    [
      { userCode, verificationUri, verificationUriComplete },
      { daemonId: 'd-1', resource: 'urn:uuid:d-1' },
    ],
  );
});

t.test('says why there is no link', async (t) => {
  const failed = ended('failed', { detail: 'The proxy is full.', resolution: 'Ask its owner.' });
  for (const [link, text] of [
    [ended('denied'), /was denied at the proxy/],
    [ended('expired'), /Nobody approved the request in time/],
    [ended('cancelled'), /was cancelled/],
    [failed, /Could not link: The proxy is full\.\nAsk its owner\./],
    [UNLINKED, /was restarted/],
  ] as const) {
    const { home } = await ending(t, link);
    const { code, stderr } = await gamekeeper(home, ['link', 'proxy.example.net']);
    t.equal(code, 1);
    t.match(stderr, text);
  }
});

t.test('shows the state, cancels and unlinks', async (t) => {
  const connected = { state: 'connected', since: PROXY.linkedAt, latencyMs: 23.6 };
  const { home, asked } = await fakeGateway(t, ({ method }) =>
    method === 'DELETE' ? { body: { proxyTold: false } } : { body: { ...UNLINKED, proxy: PROXY, status: connected } },
  );
  t.match((await gamekeeper(home, ['link', '--status'])).stdout, /State +connected, 24 ms/);
  t.match(JSON.parse((await gamekeeper(home, ['link', '--status', '--json'])).stdout), {
    proxy: PROXY,
    status: connected,
  });
  t.equal((await gamekeeper(home, ['link', '--cancel'])).stdout, 'Cancelled the request.\n');
  t.match((await gamekeeper(home, ['unlink'])).stdout, /Unlinked\..*remove it there/);
  t.same(
    asked.filter(({ method }) => method === 'DELETE').map(({ path }) => path),
    ['/api/link/request', '/api/link'],
  );
  const { home: alone } = await fakeGateway(t, () => ({ body: UNLINKED }));
  t.match((await gamekeeper(alone, ['link', '--status'])).stdout, /Not linked/);
});

t.test('telemetry is turned on and off, and says what is sent', async (t) => {
  const { home, asked } = await fakeGateway(t, () => ({ body: { ...UNLINKED, proxy: PROXY } }));
  t.match((await gamekeeper(home, ['link', '--telemetry'])).stdout, /number of players.*no names of players/s);
  t.match((await gamekeeper(home, ['link', '--no-telemetry'])).stdout, /deletes what it has kept/);
  t.match(asked, [
    { method: 'PATCH', path: '/api/link', body: { telemetry: true } },
    { method: 'PATCH', path: '/api/link', body: { telemetry: false } },
  ]);
});

t.test('wrong usage has status 2', async (t) => {
  const { home, asked } = await fakeGateway(t, () => ({}));
  for (const args of [
    ['link'],
    ['link', 'a', '--status'],
    ['link', 'a', '--scopes', 'all'],
    ['link', 'a', '--scopes', ''],
  ]) {
    const { code, stderr } = await gamekeeper(home, args);
    t.equal(code, 2, args.join(' '));
    t.not(stderr, '');
  }
  t.same(asked, []);
});
