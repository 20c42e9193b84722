import t from 'tap';
import { createDaemonDomain } from '../../../../gateway/proxy/panel/daemon-domain.ts';

const daemonId = '7b0c1c5e-6f0e-4c51-9f0c-3a5f1f0f7d11';
const hex = '7b0c1c5e6f0e4c519f0c3a5f1f0f7d11';

t.test('each daemon has an origin with its name and its id', async (t) => {
  const domain = createDaemonDomain({ issuer: 'https://proxy.example.net:8443', domain: 'panel.example.net' });
  const names: Record<string, string> = {
    Attic: 'attic',
    "Ben's  PC": 'ben-s-pc',
    'Büro 2.0': 'buro-2-0',
    地下室: 'computer',
    '---': 'computer',
    '-x-': 'x',
    ['Long name '.repeat(20)]: 'long-name-long-name-long-name',
  };
  for (const [name, slug] of Object.entries(names)) {
    const origin = domain.originOf({ daemonId, name });
    t.equal(origin, `https://${slug}-${hex}.panel.example.net:8443`);
    t.ok(new URL(origin).hostname.split('.')[0]!.length <= 63);
    t.same(domain.daemonAt(new URL(origin).host), { daemonId, origin });
  }
});

t.test('a host is a daemon, below the domain, or something else', async (t) => {
  const domain = createDaemonDomain({ issuer: 'https://proxy.panel.example.net', domain: 'panel.example.net' });
  const origin = `https://attic-${hex}.panel.example.net`;
  for (const host of [
    `attic-${hex}.panel.example.net`,
    `ATTIC-${hex}.Panel.Example.NET`,
    `attic-${hex}.panel.example.net:443`,
  ])
    t.same(domain.daemonAt(host), { daemonId, origin }, host);
  for (const host of [
    'x.panel.example.net',
    `${hex}.panel.example.net`,
    `a.b-${hex}.panel.example.net`,
    `a-${hex}.panel.example.net.`,
  ]) {
    t.equal(domain.daemonAt(host), undefined, host);
    t.equal(domain.covers(host), true, host);
  }
  for (const host of [
    undefined,
    '',
    'proxy.panel.example.net',
    'PROXY.panel.example.net:443',
    'panel.example.net',
    `attic-${hex}.evilpanel.example.net`,
    `attic-${hex}.panel.example.net.evil.example`,
    `attic-${hex}.panel.example.net@evil.example`,
  ]) {
    t.equal(domain.daemonAt(host), undefined, String(host));
    t.equal(domain.covers(host), false, String(host));
  }
});
