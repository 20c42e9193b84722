/** The proxy as a process: start, end, a second one, commands, and what is on its disk. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';
import { until } from '../../support/machine/until.ts';
import { startPostgres } from '../../support/proxy/postgres.ts';
import { PASSWORD, startProxy } from '../../support/proxy/proxy-process.ts';

const COMMAND_LINE = path.join(import.meta.dirname, '../../../dist/daemon/cli/main.js');

t.test('it serves, ends cleanly on SIGTERM, and starts again after kill -9', async (t) => {
  const proxy = await startProxy(t);
  const record = path.join(proxy.home, 'run/proxy.json');
  t.same(Object.keys(JSON.parse(readFileSync(record, 'utf8'))), ['pid', 'url']);
  for (const route of ['/livez', '/readyz']) t.equal((await fetch(`${proxy.url}${route}`)).status, 200, route);

  const second = await proxy.command([]);
  t.match(second, { code: 1, stderr: /already runs with the data directory/ });
  t.ok(existsSync(record), 'the first one still runs');
  t.equal((await fetch(`${proxy.url}/livez`)).status, 200);

  t.equal(await proxy.end('SIGTERM'), 0);
  t.notOk(existsSync(record));
  await proxy.start();
  await proxy.end('SIGKILL');
  await proxy.start();
  t.equal((await fetch(`${proxy.url}/readyz`)).status, 200);
});

t.test('"gamekeeper proxy" runs it, without a daemon', async (t) => {
  const home = temporaryFolder(t);
  const env = { ...process.env, GAMEKEEPER_HOME: path.join(home, 'none'), GAMEKEEPER_PROXY_PORT: '0' };
  const child = spawn(process.execPath, [COMMAND_LINE, 'proxy', '--home', home], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => void child.kill('SIGKILL'));
  let printed = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    printed += chunk;
    if (printed.includes('ready')) break;
  }
  t.match(printed, /The proxy is ready: http:\/\/127\.0\.0\.1:\d+/);
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  t.equal(code, 0);
  t.notOk(existsSync(path.join(home, 'none')));
});

t.test('accounts and programs are created on its machine, with clear errors', async (t) => {
  const proxy = await startProxy(t);
  const add = (name: string, password: string, ...options: string[]) =>
    proxy.command(['user', 'add', name, '--password-stdin', ...options], password);
  t.match(await add('anna', PASSWORD, '--admin'), { code: 0, stdout: /Created the account "anna"/ });
  t.match(await add('ANNA', PASSWORD), { code: 1, stderr: /already an account/ });
  t.match(await add('a b', PASSWORD), { code: 2, stderr: /The name must be 1 to 64 letters/ });
  t.match(await add('ben', 'short'), { code: 2, stderr: /8 to 256 characters/ });
  t.match(await proxy.command(['user', 'add', 'ben']), { code: 2, stderr: /--password-stdin/ });

  const create = (...uris: string[]) =>
    proxy.command(['client', 'create', '--name', 'Bot', '--json', ...uris.flatMap((uri) => ['--redirect-uri', uri])]);
  const { client_id: id, client_secret: secret } = JSON.parse((await create('https://bot.example/callback')).stdout);
  t.match(id, /^[\w-]{16}$/);
  t.match(secret, /^[\w-]{43}$/);
  t.match(await create('com.example.bot:/callback', 'http://[::1]:8080/'), { code: 0 });
  for (const uri of [
    'http://bot.example/',
    'https://bot.example/#x',
    'https://*.example/',
    'javascript:alert(1)',
    'bot',
    'data:text/html,x',
  ])
    t.match(await create(uri), { code: 1, stderr: /cannot be a redirect URI/ }, uri);
  t.match(await proxy.command(['nonsense']), { code: 2 });
  t.match(await proxy.command(['client', 'create', '--name', 'Bot']), { code: 2, stderr: /--redirect-uri/ });
});

t.test('a port that is taken, and a secret that was lost, are explained', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const port = String((server.address() as AddressInfo).port);
  await t.rejects(startProxy(t, { GAMEKEEPER_PROXY_PORT: port }), {
    message: /Cannot listen on 127\.0\.0\.1.*another program uses it/,
  });

  const proxy = await startProxy(t);
  await proxy.end();
  await rm(path.join(proxy.home, 'proxy.key'));
  t.match(await proxy.command([]), { code: 1, stderr: /encrypted with another secret/ });
});

t.test('its files are private, and hold neither passwords nor tokens', async (t) => {
  const proxy = await startProxy(t);
  await proxy.addUser('anna');
  const response = await fetch(`${proxy.url}/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ name: 'anna', password: PASSWORD }),
    redirect: 'manual',
  });
  const cookie = response.headers.getSetCookie()[0]?.split(/[=;]/)[1] ?? '';
  t.equal(cookie.length, 43);
  const files = globSync('**/*', { cwd: proxy.home })
    .map((name) => path.join(proxy.home, name))
    .filter((file) => statSync(file).isFile());
  t.ok(files.length >= 4);
  for (const file of files) {
    if (process.platform !== 'win32') t.equal(statSync(file).mode & 0o077, 0, file);
    const content = readFileSync(file, 'latin1');
    t.notOk(content.includes(PASSWORD) || content.includes(cookie), file);
  }
  t.notMatch(proxy.output(), new RegExp(`${PASSWORD}|${cookie}`));
});

t.test('it runs on PostgreSQL, and says when that is away', async (t) => {
  const postgres = await startPostgres(t);
  if (!postgres) return;
  const proxy = await startProxy(t, { DATABASE_URL: await postgres.database() });
  await proxy.addUser('anna');
  t.notOk(existsSync(path.join(proxy.home, 'proxy.db')));
  t.equal((await fetch(`${proxy.url}/readyz`)).status, 200);
  await postgres.stop();
  t.equal((await fetch(`${proxy.url}/livez`)).status, 200);
  const signIn = () =>
    fetch(`${proxy.url}/sign-in`, {
      method: 'POST',
      body: new URLSearchParams({ name: 'anna', password: PASSWORD }),
      redirect: 'manual',
    });
  const refused = await signIn();
  t.match(await refused.json(), { status: 503, code: 'proxy_unavailable', detail: /database/ });
  t.equal(refused.headers.get('retry-after'), '5');
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id: 'abcdefghijklmnop' });
  const token = await fetch(`${proxy.url}/oauth/token`, { method: 'POST', body });
  t.equal(token.status, 503, 'OAuth as well');
  t.equal(token.headers.get('retry-after'), '5');
  t.equal((await fetch(`${proxy.url}/oauth/jwks`)).status, 200, 'keys are served from memory');
  const isReady = async () => (await fetch(`${proxy.url}/readyz`)).status === 200;
  await until('it is unready, after 10 s', async () => !(await isReady()));
  await postgres.start();
  t.equal((await signIn()).status, 303);
  await until('it recovers by itself', isReady);
});
