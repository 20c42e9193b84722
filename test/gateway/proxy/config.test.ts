import path from 'node:path';
import t from 'tap';
import { readConfig } from '../../../gateway/proxy/config.ts';

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
  };
  for (const [name, values] of Object.entries(wrong))
    for (const value of values)
      t.throws(
        () => readConfig({ [name]: value }, home),
        { exitCode: 2, message: new RegExp(name) },
        `${name}=${value}`,
      );
});
