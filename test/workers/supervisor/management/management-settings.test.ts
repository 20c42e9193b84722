import t from 'tap';
import { managementSettings } from '../../../../workers/supervisor/management/management-settings.ts';

const SECRET = 'Zx81Zx82Zx83Zx84Zx85Zx86Zx87Zx88Zx89Zx90';

const settingsOf = (properties: Record<string, string>, env: Record<string, string> = {}) =>
  managementSettings({
    properties: Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [`management-server-${key}`, value]),
    ),
    folder: '/srv/game',
    env,
  });

t.test('returns undefined unless the protocol is turned on', async (t) => {
  t.equal(settingsOf({}), undefined);
  t.equal(settingsOf({ enabled: 'false', secret: SECRET }), undefined);
});

t.test('reads the settings for this machine, with and without TLS', async (t) => {
  const plain = { enabled: 'true', port: '25585', secret: SECRET, 'tls-enabled': 'false' };
  t.strictSame(settingsOf(plain), { host: 'localhost', port: 25_585, secret: SECRET });
  t.match(settingsOf({ ...plain, host: '0.0.0.0' }), { host: '127.0.0.1' });
  t.match(settingsOf({ ...plain, host: '[::1]' }), { host: '::1' });
  t.match(settingsOf({ ...plain, port: '' }), { port: 0 });
  const tls = { ...plain, 'tls-enabled': '', 'tls-keystore': 'keys/own.p12', 'tls-keystore-password': ' x ' };
  t.strictSame(settingsOf(tls), {
    host: 'localhost',
    port: 25_585,
    secret: SECRET,
    keystore: { file: '/srv/game/keys/own.p12', password: ' x ' },
  });
  t.match(settingsOf(tls, { MINECRAFT_MANAGEMENT_TLS_KEYSTORE_PASSWORD: 'y' }), { keystore: { password: 'y' } });
});

t.test('names a setting that cannot be used, and never sends the secret to another machine', async (t) => {
  const plain = { enabled: 'true', secret: SECRET, 'tls-enabled': 'false' };
  for (const host of ['192.0.2.1', 'example.org', '127.0.0.1.example.org', 'localhost.evil', '127.0.0.1@evil', '::2'])
    t.match(settingsOf({ ...plain, host }), /management-server-host is .* not a loopback address/, host);
  t.match(settingsOf({ ...plain, port: '70000' }), /management-server-port/);
  t.match(settingsOf({ ...plain, secret: '' }), /management-server-secret/);
  t.match(settingsOf({ ...plain, secret: 'a\r\nb' }), /management-server-secret/);
  t.match(settingsOf({ ...plain, 'tls-enabled': 'true' }), /management-server-tls-keystore/);
});
