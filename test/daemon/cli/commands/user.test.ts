import path from 'node:path';
import { spawn } from 'node-pty';
import t, { type Test } from 'tap';
import type { Home } from '../../../../shared/node/files/home.ts';
import { until } from '../../../support/machine/until.ts';
import { type Asked, type FakeAnswer, fakeGateway, gamekeeper } from '../fake-gateway.ts';

const PROGRAM = path.join(import.meta.dirname, '../../../../daemon/cli/main.ts');
const SECRET = 'correct horse battery';
const ANN = {
  username: 'ann',
  role: 'viewer',
  instances: ['*'],
  disabled: false,
  mustChangePassword: false,
  totp: false,
};

/** Runs the command line at a terminal. */
function onTerminal(t: Test, home: Home, args: string[], TERM = 'xterm') {
  const terminal = spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...process.env, GAMEKEEPER_HOME: home.root, TERM } as Record<string, string>,
    cols: 200,
    encoding: null,
  });
  let shown = '';
  let code: number | undefined;
  terminal.onData((data) => {
    shown += String(data);
  });
  terminal.onExit(({ exitCode }) => {
    code = exitCode;
  });
  t.teardown(() => terminal.kill());
  return {
    type: (keys: string) => terminal.write(keys),
    shows: (text: string) => until(`it shows ${text}`, () => shown.includes(text), { describe: () => shown }),
    ends: async () => ({ code: await until('it has ended', () => code, { describe: () => shown }), shown }),
  };
}

t.test('each command sends one request', async (t) => {
  const cases: [string[], Pick<Asked, 'method' | 'path'> & { body?: unknown }][] = [
    [['list'], { method: 'GET', path: '/api/users' }],
    [['add', 'ann', '--generate'], { method: 'POST', path: '/api/users', body: { username: 'ann', role: 'viewer' } }],
    [
      [
        'add',
        'ann',
        '--role',
        'operator',
        '--instance',
        'one',
        'two:viewer',
        '--instance',
        'three',
        '--password-stdin',
      ],
      {
        method: 'POST',
        path: '/api/users',
        body: {
          username: 'ann',
          role: 'operator',
          password: SECRET,
          instances: ['one', { id: 'two', role: 'viewer' }, 'three'],
        },
      },
    ],
    [
      ['passwd', 'a/b', '--password-stdin', '--reset-totp'],
      {
        method: 'PATCH',
        path: '/api/users/a%2Fb',
        body: { password: SECRET, mustChangePassword: false, totp: false },
      },
    ],
    [['remove', 'ann'], { method: 'DELETE', path: '/api/users/ann' }],
  ];
  const { home, asked } = await fakeGateway(t, () => ({ body: { anything: 1 } }));
  for (const [args, expected] of cases) {
    const { code, stdout, stderr } = await gamekeeper(home, ['user', ...args, '--json'], { input: `${SECRET}\n` });
    t.equal(stderr, '', args.join(' '));
    t.equal(code, 0);
    t.type(JSON.parse(stdout), Object);
    const { headers, ...question } = asked.pop()!;
    t.same(question, { body: undefined, ...expected });
    t.same(asked, []);
  }
});

t.test('a generated password is shown once, as text and as JSON', async (t) => {
  let sent: { password?: string } | undefined;
  const answer = ({ method, body }: Asked): FakeAnswer => {
    sent = body as typeof sent;
    return { body: method === 'POST' ? { ...ANN, password: 'made-by-the-api1' } : ANN };
  };
  const { home } = await fakeGateway(t, answer);
  const made = await gamekeeper(home, ['user', 'add', 'ann', '--generate']);
  t.match(
    made.stdout,
    /^Created user "ann" with the role viewer\.\n {2}password {2}made-by-the-api1\nThe password is shown only once/,
  );
  const changed = await gamekeeper(home, ['user', 'passwd', 'ann', '--generate', '--json']);
  t.match(sent?.password, /^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/);
  t.match(JSON.parse(changed.stdout), { username: 'ann', password: sent?.password });
  t.match(sent, { mustChangePassword: true });
});

t.test('the list shows roles, servers and states', async (t) => {
  const users = [
    { ...ANN, totp: true },
    { ...ANN, username: 'bob', role: 'operator', instances: ['one', { id: 'two', role: 'viewer' }], disabled: true },
    { ...ANN, username: 'eve', instances: [], mustChangePassword: true },
  ];
  const { home } = await fakeGateway(t, () => ({ body: users }));
  const lines = (await gamekeeper(home, ['user', 'list'])).stdout.trimEnd().split('\n');
  t.match(lines[0], /^NAME +ROLE +SERVERS +SECOND FACTOR +STATE +SINCE$/);
  t.match(lines[1], /^ann +viewer +all +yes$/);
  t.match(lines[2], /^bob +operator +one two:viewer +no +disabled$/);
  t.match(lines[3], /^eve +viewer +none +no +must change the password$/);
});

for (const TERM of ['xterm', 'dumb'])
  t.test(`on a terminal (${TERM}) the password is asked for twice and never shown`, async (t) => {
    const { home, asked } = await fakeGateway(t, () => ({ body: ANN }));
    const terminal = onTerminal(t, home, ['user', 'passwd', 'ann'], TERM);
    await terminal.shows('New password for ann: ');
    terminal.type(`${SECRET}x\u007f\r`);
    await terminal.shows('Repeat the password: ');
    terminal.type(`${SECRET}\r`);
    const { code, shown } = await terminal.ends();
    t.equal(code, 0, shown);
    t.match(shown, /Set a new password for "ann"/);
    t.notMatch(shown, /correct|horse/);
    t.same(asked[0]?.body, { password: SECRET, mustChangePassword: false });
  });

t.test('a password may be pasted twice at once', async (t) => {
  const { home, asked } = await fakeGateway(t, () => ({ body: ANN }));
  const terminal = onTerminal(t, home, ['user', 'passwd', 'ann']);
  await terminal.shows('New password for ann: ');
  terminal.type(`${SECRET}\r${SECRET}\r`);
  const { code, shown } = await terminal.ends();
  t.equal(code, 0, shown);
  t.notMatch(shown, /correct|horse/);
  t.same(asked[0]?.body, { password: SECRET, mustChangePassword: false });
});

t.test('nothing happens if the passwords differ or the prompt is cancelled', async (t) => {
  const { home, asked } = await fakeGateway(t, () => ({ body: ANN }));
  const differing = onTerminal(t, home, ['user', 'add', 'ann']);
  await differing.shows('Password for ann: ');
  differing.type('one password\r');
  await differing.shows('Repeat the password: ');
  differing.type('another password\r');
  t.match(await differing.ends(), { code: 1, shown: /do not match\. Nothing has changed/ });
  for (const key of ['\u0003', '\u0004']) {
    const leaving = onTerminal(t, home, ['user', 'add', 'ann']);
    await leaving.shows('Password for ann: ');
    leaving.type(key);
    t.match(await leaving.ends(), { code: 1, shown: /Nothing has changed/ });
  }
  t.same(asked, []);
});

t.test('wrong usage exits with 2, and a password cannot be an argument', async (t) => {
  const { home, asked } = await fakeGateway(t, () => ({}));
  const mistakes: [string[], RegExp][] = [
    [['user'], /Usage: gamekeeper user/],
    [['user', 'add'], /missing required argument 'username'/],
    [['user', 'add', 'ann'], /no terminal to ask.*--password-stdin/s],
    [['user', 'passwd', 'ann', 'secret word'], /too many arguments/],
    [['user', 'passwd', 'ann', '--password', 'secret'], /unknown option '--password'/],
    [['user', 'add', 'ann', '--generate', '--instance', 'a:b:c:d'], /survival:operator/],
  ];
  for (const [args, words] of mistakes) {
    const { code, stdout, stderr } = await gamekeeper(home, args);
    t.equal(code, 2, args.join(' '));
    t.match(stderr, words);
    t.equal(stdout, '');
  }
  t.same(asked, []);
  const refusal = { title: 'User exists', detail: 'There is a user "ann" already.', resolution: 'Choose another.' };
  const refusing = await fakeGateway(t, () => ({
    status: 409,
    body: { ...refusal, code: 'user_exists', status: 409 },
  }));
  t.match(await gamekeeper(refusing.home, ['user', 'add', 'ann', '--generate', '--json']), {
    code: 1,
    stdout: '',
    stderr: 'User exists: There is a user "ann" already.\nChoose another.\n',
  });
});
