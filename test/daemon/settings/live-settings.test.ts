import { lstat, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import t, { type Test } from 'tap';
import { createLiveSettings } from '../../../daemon/settings/live-settings.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { loadSettings } from '../../../shared/node/files/settings-file.ts';
import { MASKED } from '../../../shared/schema/secret.ts';
import type { Settings } from '../../../shared/schema/settings.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';

const STORE = { name: 'far', kind: 'webdav', url: 'https://far.example/dav', username: 'u', password: 'hunter22' };

async function open(t: Test, content?: object | string, env: NodeJS.ProcessEnv = {}) {
  const file = path.join(temporaryFolder(t), 'settings.json');
  if (content !== undefined) await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  const taken: Settings[] = [];
  const changed: Settings[] = [];
  const parts = { refusal: undefined as Error | undefined };
  const settings = createLiveSettings({
    file,
    env,
    initial: await loadSettings(file, env),
    key: 'key',
    async apply(next) {
      if (parts.refusal) throw parts.refusal;
      taken.push(next);
    },
  });
  settings.onChange(async (next) => void changed.push(next));
  const change = (value: Record<string, unknown>, version?: string) =>
    settings.updateSettings({ change: value, ...(version !== undefined && { version }) });
  return {
    file,
    settings,
    change,
    taken,
    changed,
    parts,
    stored: async () => JSON.parse(await readFile(file, 'utf8')),
  };
}

t.test(
  'a change is applied, stored privately and reported, and only differences from the defaults are written',
  async (t) => {
    const { file, settings, change, taken, changed, stored } = await open(t);
    const { stored: whole } = await settings.settingsDocument();
    const answer = await change({ ...whole, limits: { ...whole.limits, burst: 7 } });
    t.equal(answer.stored.limits.burst, 7);
    t.same(await stored(), { limits: { burst: 7 } });
    t.equal((await stat(file)).mode & 0o777, 0o600);
    t.equal(settings.current().limits.burst, 7);
    t.same([taken.length, changed.length], [1, 1]);
    await change({ limits: { burst: null } });
    t.same(await stored(), { limits: {} }, 'null restores the default');
    t.equal(settings.current().limits.burst, 500);
  },
);

t.test('a refused change names the key, the value and what is allowed, and changes nothing', async (t) => {
  const { file, change, taken } = await open(t, { log: { level: 'warn' } });
  const before = await readFile(file, 'utf8');
  const mistakes: [Record<string, unknown>, RegExp][] = [
    [{ remoteContol: {} }, /"remoteContol": unknown key. Allowed: .*remoteControl/],
    [{ remoteControl: { prot: 1 } }, /"prot" in remoteControl: unknown key. Allowed: .*panelPort/],
    [{ remoteControl: { port: 70_000 } }, /remoteControl\.port: .*65535 \(is: 70000\)/],
    [{ remoteControl: 7 }, /remoteControl: .*object/],
    [{ remoteControl: { host: '0.0.0.0' } }, /remoteControl\.host: "0\.0\.0\.0" .*insecure/],
    [{ remoteControl: { tls: { cert: 'c' } } }, /remoteControl\.tls\.key/],
    [{ redaction: { patterns: ['(a+)+'] } }, /redaction\.patterns\.0: "\(a\+\)\+"/],
    [{ backups: { stores: [{ ...STORE, password: MASKED }] } }, /backups\.stores\.0\.password: enter the secret again/],
    [{ log: { level: 'loud' }, limits: { burst: 0 } }, /log\.level.*; .*|limits\.burst.*; log\.level/],
    [JSON.parse('{"__proto__": {"x": 1}}'), /unknown key/],
  ];
  for (const [value, message] of mistakes)
    await t.rejects(change(value), { code: 'invalid_request', message }, JSON.stringify(value));
  const error = (await change({ backups: { stores: [{ ...STORE, password: 7 }] } }).catch((e: unknown) => e)) as Error;
  t.notMatch(error.message, 'hunter22');
  t.equal(await readFile(file, 'utf8'), before);
  t.same(taken, []);
});

t.test('masked secrets keep their value, even if their store moves in the list', async (t) => {
  const { change, stored } = await open(t, { backups: { stores: [STORE] } });
  const other = { name: 'near', kind: 'folder', directory: '/mnt/near' };
  await change({ backups: { stores: [other, { ...STORE, password: MASKED, username: 'v' }] } });
  t.same((await stored()).backups.stores, [other, { ...STORE, username: 'v' }]);
});

t.test('two editors do not overwrite each other', async (t) => {
  const { settings, change } = await open(t);
  const { version } = await settings.settingsDocument();
  const { version: next } = await change({ limits: { burst: 1 } }, version);
  t.not(next, version);
  await t.rejects(change({ limits: { burst: 2 } }, version), { code: 'precondition_failed' });
  t.equal(settings.current().limits.burst, 1);
  t.equal((await settings.settingsDocument()).version, next);
  const results = await Promise.allSettled([
    change({ limits: { burst: 3 } }, next),
    change({ limits: { burst: 4 } }, next),
  ]);
  t.same(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected'],
    'the same for concurrent changes',
  );
});

t.test('a variable overrides the stored value until it is unset, and is not written to the file', async (t) => {
  const env = { GAMEKEEPER_PORT: '0', GAMEKEEPER_LOG_LEVEL: 'debug' };
  const { settings, change, stored } = await open(t, {}, env);
  const answer = await change({ remoteControl: { panelPort: 8000, port: 8001 }, log: { level: 'error' } });
  t.match(answer.stored, { remoteControl: { panelPort: 8000, port: 8001 }, log: { level: 'error' } });
  t.match(settings.current(), { remoteControl: { panelPort: 0, port: 8001 }, log: { level: 'debug' } });
  t.same(answer.overridden, [
    { key: 'remoteControl.panelPort', variable: 'GAMEKEEPER_PORT' },
    { key: 'log.level', variable: 'GAMEKEEPER_LOG_LEVEL' },
  ]);
  t.same(await stored(), { remoteControl: { panelPort: 8000, port: 8001 }, log: { level: 'error' } });
});

t.test('settings that cannot be applied are not stored', async (t) => {
  const { file, settings, change, parts, changed } = await open(t, {});
  parts.refusal = new GamekeeperError('port_in_use', 'taken');
  await t.rejects(change({ remoteControl: { port: 1234 } }), { code: 'port_in_use', message: 'taken' });
  t.equal(await readFile(file, 'utf8'), '{}');
  t.equal(settings.current().remoteControl.port, 25_585);
  t.same(changed, []);
});

t.test('settings that cannot be stored are reverted', async (t) => {
  const { file, settings, change, taken, changed } = await open(t);
  await rm(path.dirname(file), { recursive: true });
  await t.rejects(change({ limits: { burst: 9 } }), { code: 'invalid_state', message: /cannot be written \(ENOENT\)/ });
  t.same(
    taken.map(({ limits }) => limits.burst),
    [9, 500],
  );
  t.equal(settings.current().limits.burst, 500);
  t.same(changed, []);
});

t.test('a settings file behind a link stays there', async (t) => {
  const { file, change, stored } = await open(t);
  const elsewhere = path.join(temporaryFolder(t), 'mine.json');
  await writeFile(elsewhere, '{}');
  await symlink(elsewhere, file);
  await change({ limits: { burst: 9 } });
  t.ok((await lstat(file)).isSymbolicLink());
  t.same(await stored(), { limits: { burst: 9 } });
});

t.test('edits by hand are kept, and their mistakes are reported', async (t) => {
  const { file, settings, change, stored } = await open(t);
  const { version } = await settings.settingsDocument();
  await writeFile(file, '{"limits": {"burst": 3}}');
  t.equal((await settings.settingsDocument()).stored.limits.burst, 3);
  await t.rejects(change({ log: { level: 'warn' } }, version), { code: 'precondition_failed' });
  await change({ log: { level: 'warn' } });
  t.same(await stored(), { limits: { burst: 3 }, log: { level: 'warn' } });
  await writeFile(file, '{');
  await t.rejects(change({ log: { level: 'info' } }), {
    code: 'invalid_state',
    message: /settings\.json is not valid JSON/,
  });
  await t.rejects(settings.settingsDocument(), { code: 'invalid_state' });
  t.equal(settings.current().log.level, 'warn');
});

t.test('a follower gets the settings in force, then each change', async (t) => {
  const { settings, change } = await open(t);
  const stop = new AbortController();
  const following = settings.watchSettings(stop.signal)[Symbol.asyncIterator]();
  t.equal((await following.next()).value.limits.burst, 500);
  await change({ limits: { burst: 1 } });
  await change({ limits: { burst: 2 } });
  t.equal((await following.next()).value.limits.burst, 1);
  t.equal((await following.next()).value.limits.burst, 2);
  stop.abort();
  t.same(await following.next(), { done: true, value: undefined });
});
