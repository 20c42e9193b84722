/** Whatever a game, a vendor or an older version wrote reaches a terminal as text only. */
import t from 'tap';
import { fakeGateway, gamekeeper } from '../fake-gateway.ts';

/** Clears the screen, sets the title, begins a line, uses an 8-bit CSI, and reverses the direction. */
const EVIL = 'a\x1b[2J\x1b]0;owned\x07b\rc\u009b31md\u202ee\u200b\u2028f\x7f';
const SHOWN = 'a<U+001B>[2J<U+001B>]0;owned<U+0007>b<U+000D>c<U+009B>31md<U+202E>e<U+200B><U+2028>f<U+007F>';
/** Anything that is not text: controls but tab and line feed, and what Unicode does not show. */
const UNPRINTABLE = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

const AT = '2026-11-20T08:00:00.000Z';
const INSTANCE = { id: 'demo', name: EVIL, software: EVIL, version: EVIL, port: 1, status: 'stopped' };
const TOKEN = { id: 'x', name: EVIL, scopes: [EVIL], createdAt: AT, expiresAt: AT, createdBy: EVIL };
const USER = { username: EVIL, role: 'viewer', instances: [EVIL], disabled: false, mustChangePassword: false };
const FOUND = { value: EVIL, from: EVIL, sure: 'guess' };
const RECOGNITION = { software: FOUND, program: FOUND, notes: [EVIL], missing: [{ field: 'version', reason: EVIL }] };
const BACKUP = { backupId: EVIL, createdAt: AT, sizeBytes: 1, durationMs: 1, reason: EVIL, local: EVIL };

t.test('every command prints text from elsewhere without what a terminal would act on', async (t) => {
  const answers: Record<string, unknown> = {
    'GET /instances': [INSTANCE],
    'POST /instances/demo/commands': { output: EVIL },
    'POST /instances/demo/start': { success: true, message: EVIL },
    'GET /instances/demo/logs?lines=100': { lines: [EVIL] },
    'GET /api/tokens': [TOKEN],
    'GET /api/users': [USER],
    'POST /instances': INSTANCE,
    'POST /instances/import': RECOGNITION,
    'GET /instances/demo/backups': [{ ...BACKUP, cloudStatus: '', replicas: [{ store: EVIL, state: EVIL }] }],
    'POST /instances/demo/backups/b/verify': { sha256: EVIL, replicas: [{ store: EVIL, ok: false, error: EVIL }] },
  };
  const { home } = await fakeGateway(t, ({ method, path }) => ({ body: answers[`${method} ${path}`] ?? {} }));
  const commands = [
    ['list'],
    ['exec', 'demo', 'list'],
    ['start', 'demo', '--no-wait'],
    ['logs', 'demo'],
    ['token', 'list'],
    ['user', 'list'],
    ['create', '--name', 'x', '--software', 'demo'],
    ['import', '.', '--dry-run'],
    ['backups', 'demo'],
    ['verify', 'demo', 'b'],
  ];
  for (const command of commands) {
    const name = command.join(' ');
    const { stdout, stderr } = await gamekeeper(home, command);
    t.ok(stdout.includes(SHOWN), `${name}: ${JSON.stringify(stdout)}`);
    t.notMatch(stdout + stderr, UNPRINTABLE, name);
    const json = (await gamekeeper(home, [...command, '--json'])).stdout;
    t.notMatch(json, UNPRINTABLE, `${name} --json`);
    t.ok(JSON.stringify(JSON.parse(json)).includes(JSON.stringify(EVIL).slice(1, -1)), `${name} --json means the same`);
  }
});

t.test('so does an error', async (t) => {
  const { home } = await fakeGateway(t, () => ({
    status: 409,
    body: { title: EVIL, status: 409, detail: EVIL, code: 'invalid_state', resolution: EVIL },
  }));
  for (const options of [[], ['--json']]) {
    const { stderr } = await gamekeeper(home, ['start', 'demo', ...options]);
    t.ok(stderr.includes(SHOWN), JSON.stringify(stderr));
    t.notMatch(stderr, UNPRINTABLE);
  }
});

t.test('a line break in a name begins no row of a table', async (t) => {
  const { home } = await fakeGateway(t, () => ({
    body: [{ ...INSTANCE, name: 'two\nrows', software: 'demo', version: '1' }],
  }));
  t.match((await gamekeeper(home, ['list'])).stdout, /^ID .*\ndemo +two rows +demo 1 +stopped +1\n$/);
});
