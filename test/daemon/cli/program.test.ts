import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { homeAt } from '../../../shared/node/files/home.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';
import { type Asked, type FakeAnswer, fakeGateway, gamekeeper } from './fake-gateway.ts';

const DEMO = { id: 'demo', name: 'Demo', software: 'demo', version: '1.0', port: 25_565, status: 'stopped' };

t.test('each command sends one request and prints its answer as one JSON document', async (t) => {
  const cases: [string[], Pick<Asked, 'method' | 'path'> & { body?: unknown }][] = [
    [['list'], { method: 'GET', path: '/instances' }],
    [
      [
        ...['create', '--software', 'custom', '--name', 'Arena', '--udp', '--ready', '5s', '--stop', 'quit'],
        ...['--env', 'MAP=dust', '--env', 'ARGS=a=b', '--', './arena', '--port', '{port}'],
      ],
      {
        method: 'POST',
        path: '/instances',
        body: {
          ...{ name: 'Arena', software: 'custom', transport: 'udp', readyAfterSeconds: 5, stopCommand: 'quit' },
          ...{ env: { MAP: 'dust', ARGS: 'a=b' }, launch: { command: ['./arena', '--port', '{port}'] } },
        },
      },
    ],
    [
      ['create', '--software', 'valheim', '--name', 'Midgard', '--set', 'password=odin=rules', '--set', 'world=Ny'],
      {
        method: 'POST',
        path: '/instances',
        body: { name: 'Midgard', software: 'valheim', variables: { password: 'odin=rules', world: 'Ny' } },
      },
    ],
    [
      ['create', '--modpack', 'cobblemon', '--memory', '6G', '--accept-eula'],
      {
        method: 'POST',
        path: '/instances/modpack',
        body: { project: 'cobblemon', memoryMb: 6_144, acceptEula: true },
      },
    ],
    [['start', 'demo'], { method: 'POST', path: '/instances/demo/start' }],
    [['stop', 'demo'], { method: 'POST', path: '/instances/demo/stop' }],
    [['restart', 'demo'], { method: 'POST', path: '/instances/demo/restart' }],
    [['kill', 'demo'], { method: 'POST', path: '/instances/demo/kill' }],
    [['logs', 'demo', '-n', '7'], { method: 'GET', path: '/instances/demo/logs?lines=7' }],
    [['logs', 'demo'], { method: 'GET', path: '/instances/demo/logs?lines=100' }],
    [
      ['exec', 'demo', 'tp', 'Steve', '0', '-64', '-x'],
      { method: 'POST', path: '/instances/demo/commands', body: { command: 'tp Steve 0 -64 -x' } },
    ],
    [['backup', 'demo'], { method: 'POST', path: '/instances/demo/backup', body: { cloudReplicate: true } }],
    [
      ['backup', 'demo', '--no-cloud'],
      { method: 'POST', path: '/instances/demo/backup', body: { cloudReplicate: false } },
    ],
    [['backups', 'demo'], { method: 'GET', path: '/instances/demo/backups' }],
    [
      ['backup', 'restore-files', 'demo', 'b1', 'plugins', 'a b.txt'],
      { method: 'POST', path: '/instances/demo/backups/b1/files/restore', body: { paths: ['plugins', 'a b.txt'] } },
    ],
    [['verify', 'demo', 'b1'], { method: 'POST', path: '/instances/demo/backups/b1/verify' }],
    [['restore', 'demo', 'b1'], { method: 'POST', path: '/instances/demo/backups/b1/restore' }],
    [['start', '../api/tokens'], { method: 'POST', path: '/instances/..%2Fapi%2Ftokens/start' }],
    [['remote', 'on'], { method: 'PUT', path: '/api/settings', body: { remoteControl: { enabled: true } } }],
    [['remote', 'off'], { method: 'PUT', path: '/api/settings', body: { remoteControl: { enabled: false } } }],
    [['token', 'list'], { method: 'GET', path: '/api/tokens' }],
    [
      ['token', 'create', '--name', 'bot', '--scope', 'servers:read', '--scope', 'logs:read', '--ttl', '12h'],
      {
        method: 'POST',
        path: '/api/tokens',
        body: { name: 'bot', scopes: ['servers:read', 'logs:read'], ttlSeconds: 43_200 },
      },
    ],
    [['token', 'create', '--name', 'bot'], { method: 'POST', path: '/api/tokens', body: { name: 'bot' } }],
    [
      ['create', '--name', 'Demo', '--software', 'demo', '--version', '1.0', '--port', '1234', '--memory', '2G'],
      {
        method: 'POST',
        path: '/instances',
        body: { name: 'Demo', software: 'demo', version: '1.0', port: 1234, memoryMb: 2048 },
      },
    ],
    [
      ['import', 'folder', '--software', 'custom', '--', './start.sh', '--nogui'],
      {
        method: 'POST',
        path: '/instances/import',
        body: {
          directory: path.resolve('folder'),
          software: 'custom',
          launch: { command: ['./start.sh', '--nogui'] },
        },
      },
    ],
    [
      ['import', 'folder', '--id', 'mine', '--version', '1.12.2', '--memory', '512M', '--accept-eula'],
      {
        method: 'POST',
        path: '/instances/import',
        body: { directory: path.resolve('folder'), id: 'mine', version: '1.12.2', memoryMb: 512, acceptEula: true },
      },
    ],
    [
      [
        ...[
          'create',
          '--name',
          'Mine',
          '--software',
          'custom',
          '--id',
          'mine',
          '--directory',
          'folder',
          '--java',
          '21',
        ],
        ...['--accept-eula', '--', './run', '--json', '-x'],
      ],
      {
        method: 'POST',
        path: '/instances',
        body: {
          name: 'Mine',
          software: 'custom',
          id: 'mine',
          directory: path.resolve('folder'),
          javaVersion: '21',
          acceptEula: true,
          launch: { command: ['./run', '--json', '-x'] },
        },
      },
    ],
  ];
  const answers: FakeAnswer = { body: { anything: ['at', 'all'] } };
  const { home, asked } = await fakeGateway(t, () => answers);
  for (const [args, expected] of cases) {
    const dashes = args.indexOf('--');
    const withJson = dashes < 0 ? [...args, '--json'] : [...args.slice(0, dashes), '--json', ...args.slice(dashes)];
    const { code, stdout, stderr } = await gamekeeper(home, withJson);
    t.equal(stderr, '', args.join(' '));
    t.equal(code, 0);
    t.same(JSON.parse(stdout), answers.body);
    const { headers, ...question } = asked.pop()!;
    t.same(question, { body: undefined, ...expected });
    t.equal(headers.host, 'localhost');
    t.same(asked, [], 'nothing else is requested');
  }
});

t.test('all pages of a list of backups are requested', async (t) => {
  const { home, asked } = await fakeGateway(t, ({ path: where }) =>
    where.includes('before=b')
      ? { body: [{ backupId: 'a' }] }
      : { body: [{ backupId: 'c' }, { backupId: 'b' }], headers: { link: '<?limit=2&before=b>; rel="next"' } },
  );
  const { stdout } = await gamekeeper(home, ['backups', 'demo', '--json']);
  t.same(JSON.parse(stdout), [{ backupId: 'c' }, { backupId: 'b' }, { backupId: 'a' }]);
  t.match(
    asked.map(({ path: where }) => where),
    ['/instances/demo/backups', '/instances/demo/backups?limit=2&before=b'],
  );
});

t.test('without --json the answers are text', async (t) => {
  const running = { status: 'running', playersOnline: 3, maxPlayers: 20, cpuPercent: 12.4, memoryUsedMb: 300 };
  const bodies: Record<string, unknown> = {
    '/instances': [
      { ...DEMO, ...running, uptimeSeconds: 200 },
      { ...DEMO, id: 'two', phase: 'crashed' },
    ],
    '/instances/demo/logs?lines=100': { lines: ['one', 'two'] },
    '/instances/demo/commands': { output: 'There are 0 players\n' },
    '/instances/demo/start': { success: true, message: 'Demo is starting.' },
    '/api/tokens': { id: 'i', token: 'secret', name: 'bot', scopes: [], expiresAt: '2026-12-20T00:00:00.000Z' },
  };
  const { home } = await fakeGateway(t, (asked) => ({ body: bodies[asked.path] }));
  const list = (await gamekeeper(home, ['list'])).stdout.trimEnd().split('\n');
  t.match(list[0], /^ID +NAME +SOFTWARE +STATE +PORT +PLAYERS +CPU +MEMORY +UP$/);
  t.match(list[1], /^demo +Demo +demo 1\.0 +running +25565 +3\/20 +12 % +315 MB +3 min 20 s$/);
  t.match(list[2], /^two .* crashed +25565$/);
  t.equal((await gamekeeper(home, ['logs', 'demo'])).stdout, 'one\ntwo\n');
  t.equal((await gamekeeper(home, ['exec', 'demo', 'list'])).stdout, 'There are 0 players\n');
  t.equal((await gamekeeper(home, ['start', 'demo'])).stdout, 'Demo is starting.\n');
  const token = await gamekeeper(home, ['token', 'create', '--name', 'bot']);
  t.equal(token.stdout, 'secret\n', 'stdout has only the token');
  t.match(token.stderr, /shown only once/);
});

t.test('verify reports each copy, and fails unless all are intact', async (t) => {
  const verified = { ok: true, sha256: 'abc', replicas: [{ store: 'nas', ok: true }] };
  const bad = {
    ok: false,
    sha256: 'abc',
    local: 'missing',
    replicas: [{ store: 'nas', ok: false, error: 'It is not there any more.' }],
  };
  const bodies: Record<string, unknown> = {
    '/instances/demo/backups/b1/verify': verified,
    '/instances/demo/backups/b1/drill': { at: '2026-11-20T08:20:00.000Z', ok: true, durationMs: 1200, fileCount: 7 },
    '/instances/demo/backups/b2/verify': bad,
  };
  const { home, asked } = await fakeGateway(t, ({ path: where }) => ({ body: bodies[where] }));
  t.match(await gamekeeper(home, ['verify', 'demo', 'b1', '--drill']), {
    code: 0,
    stdout:
      'The archive on this machine is intact. SHA-256: abc\nCopy in nas: intact\nRestore tested: 7 files are correct (1.2 s).\n',
  });
  t.equal(asked.length, 2);
  const json = await gamekeeper(home, ['verify', 'demo', 'b2', '--json']);
  t.equal(json.code, 1);
  t.same(JSON.parse(json.stdout), bad);
  t.equal(
    (await gamekeeper(home, ['verify', 'demo', 'b2'])).stdout,
    'The archive on this machine is missing. A restore downloads a copy.\nCopy in nas: It is not there any more.\n',
  );
});

t.test("a refusal of the API exits with 1 and the API's own text", async (t) => {
  const { home } = await fakeGateway(t, () => ({
    status: 404,
    body: {
      title: 'Instance not found',
      detail: 'There is no instance "x".',
      resolution: 'List them.',
      code: 'c',
      status: 404,
    },
  }));
  for (const args of [
    ['start', 'x'],
    ['logs', 'x', '--json'],
    ['console', 'x'],
  ])
    t.same(await gamekeeper(home, args), {
      code: 1,
      stdout: '',
      stderr: 'Instance not found: There is no instance "x".\nList them.\n',
    });
});

t.test('control characters in a refusal do not reach the terminal', async (t) => {
  const { home } = await fakeGateway(t, () => ({
    status: 400,
    body: { title: 'Invalid', detail: 'There seems to be one in \u001b]0;x\u0007\u009b2J.', code: 'c', status: 400 },
  }));
  t.match(await gamekeeper(home, ['import', home.root]), {
    code: 1,
    stderr: 'Invalid: There seems to be one in <U+001B>]0;x<U+0007><U+009B>2J.\n',
  });
});

t.test('wrong usage exits with 2 and shows the correct usage', async (t) => {
  const { home, asked } = await fakeGateway(t, () => ({}));
  const mistakes: [string[], RegExp][] = [
    [[], /Usage: gamekeeper/],
    [['nonsense'], /unknown command 'nonsense'/],
    [['start'], /missing required argument 'id'/],
    [['create', '--name', 'Demo'], /required option '--software <kind>' or '--modpack <project>' not specified/],
    [['list', '--colour'], /unknown option '--colour'/],
    [['create', '--software', 'demo'], /'--name <name>' not specified/],
    [['create', '--name', 'x', '--software', 'demo', '--memory', 'lots'], /such as 2G/],
    [['token', 'create', '--name', 'x', '--ttl', '30'], /such as 12h or 30d/],
    [['token'], /Usage: gamekeeper token/],
    [['remote'], /missing required argument 'on\|off'/],
    [['remote', 'maybe'], /Use on or off/],
    [['logs', 'demo', '-f', '--json'], /never ends/],
  ];
  for (const [args, words] of mistakes) {
    const { code, stdout, stderr } = await gamekeeper(home, args);
    t.equal(code, 2, args.join(' '));
    t.match(stderr, words);
    t.equal(stdout, '');
  }
  t.same(asked, []);
  t.match(await gamekeeper(home, ['--version']), { code: 0, stdout: /^\d+\.\d+\.\d+\n$/ });
  t.match(await gamekeeper(home, ['create', '--help']), { code: 0, stdout: /--accept-eula/ });
});

t.test('without a daemon every command explains how to start one', async (t) => {
  const home = homeAt(temporaryFolder(t));
  await mkdir(home.run);
  for (const args of [['list'], ['status'], ['down'], ['token', 'list'], ['backup', 'demo', '--json']])
    t.same(await gamekeeper(home, args), {
      code: 1,
      stdout: '',
      stderr: 'Gamekeeper is not running. Start it with: npx gamekeeper up\n',
    });
});

t.test('--home works before and after the command', async (t) => {
  const { home } = await fakeGateway(t, () => ({ body: [] }));
  const elsewhere = homeAt(temporaryFolder(t));
  t.equal((await gamekeeper(elsewhere, ['list', '--home', home.root, '--json'])).stdout, '[]\n');
});
