import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import t, { type Test } from 'tap';
import { createLiveSettings } from '../../../../daemon/settings/live-settings.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { loadSettings } from '../../../../shared/node/files/settings-file.ts';
import { MASKED } from '../../../../shared/schema/secret.ts';
import { isProblem } from '../../../support/http/problem.ts';
import { build } from '../../../support/processes/gateway-app.ts';

const STORE = { name: 'far', kind: 'webdav', url: 'https://far.example/dav', username: 'u', password: 'hunter22' };
const KEY = `AGE-SECRET-KEY-1${'Q'.repeat(58)}`;

/** A gateway with a daemon that stores its settings in a real file. */
async function withSettings(t: Test, content: object = {}, env: NodeJS.ProcessEnv = {}) {
  const world = await build(t);
  const file = path.join(world.home, 'settings.json');
  await writeFile(file, JSON.stringify(content));
  const parts = { refusal: undefined as Error | undefined };
  const live = createLiveSettings({
    file,
    env,
    initial: await loadSettings(file, env),
    key: 'key',
    async apply() {
      if (parts.refusal) throw parts.refusal;
    },
  });
  Object.assign(world.daemon, { settingsDocument: live.settingsDocument, updateSettings: live.updateSettings });
  const headers = await world.cookie();
  return {
    ...world,
    headers,
    live,
    parts,
    get: () => world.app.inject({ url: '/api/settings', headers }),
    put: (payload: object, more: Record<string, string> = {}) =>
      world.app.inject({ method: 'PUT', url: '/api/settings', headers: { ...headers, ...more }, payload }),
  };
}

t.test('the settings have defaults and an ETag, and can be sent back as they are', async (t) => {
  const { get, put, live } = await withSettings(t, { limits: { burst: 9 } });
  const read = await get();
  t.equal(read.statusCode, 200);
  t.match(read.json(), {
    limits: { burst: 9, requestsPerSecond: 100 },
    remoteControl: { enabled: true },
    overridden: [],
  });
  const { version } = await live.settingsDocument();
  t.equal(read.headers.etag, `"${version}"`);
  const written = await put(read.json(), { 'if-match': read.headers.etag as string });
  t.equal(written.statusCode, 200);
  t.same(written.json(), read.json());
});

t.test('a change can be partial, and null restores the default', async (t) => {
  const { put, live } = await withSettings(t, { limits: { burst: 9 }, log: { level: 'warn' } });
  t.match((await put({ limits: { burst: 10 } })).json(), { limits: { burst: 10 }, log: { level: 'warn' } });
  t.match((await put({ limits: null, log: { level: null } })).json(), {
    limits: { burst: 500 },
    log: { level: 'info' },
  });
  t.equal(live.current().limits.burst, 500);
});

t.test('secrets are masked everywhere, and kept when sent back masked', async (t) => {
  const backups = { stores: [STORE], encryption: { identity: KEY } };
  const { get, put, live } = await withSettings(t, { backups });
  const { body } = await get();
  t.notMatch(body, 'hunter22');
  t.notMatch(body, KEY);
  const document = JSON.parse(body);
  t.match(document.backups, { stores: [{ password: MASKED }], encryption: { identity: MASKED } });
  document.backups.stores[0].username = 'v';
  document.backups.stores.unshift({ name: 'near', kind: 'folder', directory: '/mnt' });
  const written = await put(document);
  t.equal(written.statusCode, 200, written.body);
  t.notMatch(written.body, 'hunter22');
  t.match(live.current().backups, {
    stores: [{ name: 'near' }, { name: 'far', username: 'v', password: 'hunter22' }],
    encryption: { identity: KEY },
  });
  const unknown = await put({ backups: { stores: [{ ...STORE, name: 'other', password: MASKED }] } });
  isProblem(t, unknown, 'invalid_request', 'a mask that stands for nothing');
  t.match(unknown.json().detail, /backups\.stores\.0\.password/);
});

t.test('mistakes are reported with the allowed values', async (t) => {
  const { put, live } = await withSettings(t);
  const mistakes: [object, RegExp][] = [
    [{ remoteContol: {} }, /"remoteContol" is not a known field/],
    [{ remoteControl: { prot: 1 } }, /"remoteControl\.prot" is not a known field/],
    [{ remoteControl: { port: 70_000 } }, /"remoteControl\.port": .*65535/],
    [{ remoteControl: { host: '0.0.0.0' } }, /remoteControl\.host: "0\.0\.0\.0"/],
    [{ remoteControl: { tls: { cert: 'only' } } }, /remoteControl\.tls\.key/],
    [{ redaction: { patterns: ['('] } }, /redaction\.patterns\.0/],
    [{ backups: { stores: [{ ...STORE, url: 'ftp://x' }] } }, /backups.*stores/],
    [[], /body|object/i],
  ];
  for (const [payload, detail] of mistakes) {
    const refused = await put(payload);
    isProblem(t, refused, 'invalid_request', JSON.stringify(payload));
    t.match(refused.json().detail, detail);
    t.notMatch(refused.body, 'hunter22');
  }
  t.match(live.current(), { remoteControl: { port: 25_585 } });
});

t.test('the second of two editors gets 412', async (t) => {
  const { get, put } = await withSettings(t);
  const { etag } = (await get()).headers as { etag: string };
  t.equal((await put({ limits: { burst: 1 } }, { 'if-match': `"other", ${etag}` })).statusCode, 200);
  isProblem(t, await put({ limits: { burst: 2 } }, { 'if-match': etag }), 'precondition_failed');
  t.match((await get()).json(), { limits: { burst: 1 } });
  t.equal((await put({ limits: { burst: 2 } }, { 'if-match': '*' })).statusCode, 200);
});

t.test('a setting that a variable overrides is stored and listed', async (t) => {
  const { put, live } = await withSettings(t, {}, { GAMEKEEPER_PORT: '0' });
  const answer = await put({ remoteControl: { panelPort: 8000 } });
  t.match(answer.json(), {
    remoteControl: { panelPort: 8000 },
    overridden: [{ key: 'remoteControl.panelPort', variable: 'GAMEKEEPER_PORT' }],
  });
  t.equal(live.current().remoteControl.panelPort, 0);
});

t.test('a listener that cannot be opened is reported', async (t) => {
  const { put, parts } = await withSettings(t);
  parts.refusal = new GamekeeperError('port_in_use', 'remoteControl.port: port 1 on 127.0.0.1 is in use.');
  isProblem(t, await put({ remoteControl: { port: 1 } }), 'port_in_use');
});

t.test('only signed-in administrators read and change settings', async (t) => {
  const { app, cookie, bearer, addUser } = await withSettings(t);
  await addUser('olga', 'operator');
  const statusAs = async (headers: Record<string, string>) =>
    Promise.all(
      [{ url: '/api/settings' }, { url: '/api/settings', method: 'PUT' as const, payload: {} }].map(
        async (request) => (await app.inject({ ...request, headers })).statusCode,
      ),
    );
  t.same(await statusAs({}), [401, 401]);
  t.same(await statusAs(await cookie('olga')), [403, 403]);
  t.same(await statusAs(await bearer()), [403, 403]);
  const remote = await app.inject('/api/v1/settings');
  isProblem(t, remote, 'route_not_found');
});
