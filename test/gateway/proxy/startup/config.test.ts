import { writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { readConfig } from '../../../../gateway/proxy/startup/config.ts';
import { withSecretFiles } from '../../../../gateway/proxy/startup/secret-files.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const home = path.resolve('/srv/proxy');

t.test('without variables the proxy listens on this machine, with the embedded database', async (t) => {
  const config = readConfig({ GAMEKEEPER_PROXY_HOME: home });
  t.match(config, {
    host: '127.0.0.1',
    port: 25590,
    publicUrl: undefined,
    databaseUrl: undefined,
    secret: undefined,
    privateWebhooks: false,
    peer: { host: '127.0.0.1', port: 0, url: undefined },
    home: { root: home, record: path.join(home, 'run/proxy.json') },
  });
});

t.test('the data directory comes from the option, the variable, or the platform', async (t) => {
  t.equal(readConfig({ GAMEKEEPER_PROXY_HOME: '/srv/other' }, home).home.root, home);
  t.equal(readConfig({ XDG_DATA_HOME: '/data' }).home.root, path.resolve('/data/gamekeeper-proxy'));
  t.equal(
    readConfig({ XDG_DATA_HOME: '/data', GAMEKEEPER_HOME: '/srv/daemon' }).home.root,
    path.resolve('/data/gamekeeper-proxy'),
  );
});

t.test('the public address is an origin, without a trailing slash', async (t) => {
  const publicUrl = (GAMEKEEPER_PROXY_URL: string) => readConfig({ GAMEKEEPER_PROXY_URL }, home).publicUrl;
  t.equal(publicUrl('https://play.example.net'), 'https://play.example.net');
  t.equal(publicUrl('https://Play.example.net/'), 'https://play.example.net');
  t.equal(publicUrl('http://127.0.0.1:25590'), 'http://127.0.0.1:25590');
  for (const wrong of [
    'play.example.net',
    'http://play.example.net',
    'https://play.example.net/path',
    'https://a@b.example',
    'ftp://b.example',
  ])
    t.throws(() => publicUrl(wrong), { name: 'StartupError', exitCode: 2, message: /GAMEKEEPER_PROXY_URL/ }, wrong);
});

t.test('a wrong variable is named', async (t) => {
  const wrong: Record<string, string[]> = {
    GAMEKEEPER_PROXY_PORT: ['-1', '65536', '80a', ' '],
    DATABASE_URL: ['mysql://host/db', 'host/db'],
    GAMEKEEPER_PROXY_SECRET: ['short'],
    GAMEKEEPER_PROXY_PEER_PORT: ['65536'],
    GAMEKEEPER_PROXY_PEER_URL: ['10.0.0.5', 'https://10.0.0.5', 'http://10.0.0.5/path'],
  };
  for (const [name, values] of Object.entries(wrong))
    for (const value of values)
      t.throws(
        () => readConfig({ [name]: value }, home),
        { exitCode: 2, message: new RegExp(name) },
        `${name}=${value}`,
      );
});

t.test('panels need a domain, and https unless it is on this machine', async (t) => {
  const domain = (GAMEKEEPER_PROXY_DAEMON_DOMAIN: string, GAMEKEEPER_PROXY_URL = 'https://proxy.example.net') =>
    readConfig({ GAMEKEEPER_PROXY_DAEMON_DOMAIN, GAMEKEEPER_PROXY_URL }, home).daemonDomain;
  t.equal(domain(''), undefined);
  t.equal(domain('Panel.example.net'), 'panel.example.net');
  t.equal(domain('panel.localhost', ''), 'panel.localhost');
  const message = /GAMEKEEPER_PROXY_DAEMON_DOMAIN/;
  for (const wrong of [
    '*.example.net',
    'https://x.example',
    'x.example:443',
    'x..example',
    '.example',
    '10.0.0.1',
    'a b',
  ])
    t.throws(() => domain(wrong), { exitCode: 2, message }, wrong);
  for (const url of ['', 'http://127.0.0.1:25590'])
    t.throws(() => domain('panel.example.net', url), { exitCode: 2, message: /https/ }, `with "${url}"`);
});

t.test('only a reverse proxy on this machine may name clients, unless others are listed', async (t) => {
  const trusts = (trusted: string, GAMEKEEPER_PROXY_URL = 'https://play.example.net') =>
    readConfig({ GAMEKEEPER_PROXY_URL, GAMEKEEPER_PROXY_TRUSTED: trusted }, home).isTrustedProxy;
  t.equal(trusts('')('127.0.0.1'), true);
  t.equal(trusts('')('10.88.0.1'), false);
  t.equal(trusts('10.88.0.1', '')('10.88.0.1'), false, 'without a public address there is no reverse proxy');
  const isTrusted = trusts('10.88.0.0/16, fd00::/8,192.0.2.7');
  for (const address of ['127.0.0.1', '10.88.200.1', '::ffff:10.88.0.1', 'fd00::7', '192.0.2.7'])
    t.equal(isTrusted(address), true, address);
  for (const address of ['10.89.0.1', 'fe80::1', '192.0.2.8', '']) t.equal(isTrusted(address), false, address);
  for (const wrong of [
    'proxy.example.net',
    '10.0.0.0/33',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.1,',
  ])
    t.throws(() => trusts(wrong), { exitCode: 2, message: /GAMEKEEPER_PROXY_TRUSTED is/ }, wrong);
});

t.test('secrets can be in files', async (t) => {
  const file = path.join(temporaryFolder(t), 'secret');
  writeFileSync(file, `${'s'.repeat(43)}\n`);
  const env = withSecretFiles({ GAMEKEEPER_PROXY_SECRET_FILE: file, DATABASE_URL: 'postgres://host/db' });
  t.match(readConfig(env, home), { secret: 's'.repeat(43), databaseUrl: 'postgres://host/db' });
  t.match(withSecretFiles({ GAMEKEEPER_PROXY_GITHUB_CLIENT_SECRET_FILE: file }), {
    GAMEKEEPER_PROXY_GITHUB_CLIENT_SECRET: 's'.repeat(43),
  });
  t.same(withSecretFiles({ OTHER_SECRET_FILE: '/none' }), { OTHER_SECRET_FILE: '/none' });
  writeFileSync(file, '\n');
  t.throws(() => withSecretFiles({ DATABASE_URL_FILE: file }), { exitCode: 2, message: /DATABASE_URL_FILE.*empty/ });
  const none = `${file}-none`;
  t.throws(() => withSecretFiles({ DATABASE_URL_FILE: none }), { exitCode: 2, message: /DATABASE_URL_FILE.*read/ });
});
