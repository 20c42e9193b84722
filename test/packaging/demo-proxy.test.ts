/** `npm run demo:proxy`: a person signs in, lets the sample program in, and stops a server with it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import t from 'tap';
import { until } from '../support/machine/until.ts';
import { FormBrowser } from '../support/proxy/form-browser.ts';
import { leaving } from '../support/proxy/oauth-world.ts';

const DEMO = join(import.meta.dirname, '../../packaging/demo/main.ts');

t.test('the demo shows the whole way, and leaves nothing behind', async (t) => {
  const TMPDIR = await mkdtemp(join(tmpdir(), 'gk-'));
  t.teardown(() => rm(TMPDIR, { recursive: true, force: true }));
  const demo = spawn(process.execPath, [DEMO, '--json'], { env: { ...process.env, TMPDIR } });
  t.teardown(() => demo.kill('SIGKILL'));
  const ended = once(demo, 'close');
  let complaints = '';
  demo.stderr.on('data', (chunk) => {
    complaints += chunk;
  });
  let line: string | undefined;
  createInterface(demo.stdout).once('line', (first) => {
    line = first;
  });
  const facts = JSON.parse(
    await until('the demo runs', () => line, { deadlineMs: 90_000, describe: () => complaints }),
  ) as Record<'sample' | 'proxy' | 'account' | 'password', string>;

  const browser = new FormBrowser(facts.proxy);
  const away = await fetch(`${facts.sample}/sign-in`, { redirect: 'manual' });
  const { account: name, password } = facts;
  const signIn = await browser.open(away.headers.get('location') ?? '');
  const consent = await browser.submit(signIn, '/sign-in', { name, password });
  t.match(consent.text, /Allow Sample\?.*This computer/s);
  const [, daemon = ''] = /name="daemon" value="([^"]+)"/.exec(consent.text) ?? [];
  const back = await leaving(() => browser.submit(consent, '/consent', { daemon, decision: 'allow' }));
  t.match(await (await fetch(back)).text(), /<h2>Demo<\/h2>/);
  await fetch(`${facts.sample}/stop/demo`, { method: 'POST' });
  const status = async () => (await (await fetch(facts.sample)).text()).includes('It is stopped.');
  await until('the program has stopped the server', status);

  demo.kill('SIGINT');
  t.same(await ended, [0, null], complaints);
  t.same(await readdir(TMPDIR), []);
});
