/**
 * `npm run demo:proxy`: a hosted proxy, a Gamekeeper that is linked to it, and a sample program that gets access by OAuth 2.0, all on this
 * machine and in a temporary folder, until Ctrl-C. Prints where to look, as JSON with `--json`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { root } from '../prepare.mjs';
import { startSampleProgram } from './sample-program.ts';

const PROXY = join(root, 'dist/gateway/proxy/main.js');
const GAMEKEEPER = join(root, 'dist/daemon/cli/main.js');
const NAME = 'demo';
const PASSWORD = 'demo password';
const READY_WITHIN_MS = 60_000;

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
const over = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => over.abort());

await using cleanup = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'gk-demo-'));
cleanup.defer(() => rm(folder, { recursive: true, force: true }));
const env = {
  ...process.env,
  GAMEKEEPER_PROXY_HOME: join(folder, 'proxy'),
  GAMEKEEPER_PROXY_PORT: '0',
  GAMEKEEPER_HOME: join(folder, 'home'),
  GAMEKEEPER_PORT: '0',
  GAMEKEEPER_REMOTE_PORT: '0',
  GAMEKEEPER_ADMIN_PASSWORD: PASSWORD,
};

const proxy = await startProxy();
const panel = await startGamekeeper();
const { base, resource } = await link();
const sample = await startSample(resource, base);
print();
if (!over.signal.aborted) await once(over.signal, 'abort');

async function startProxy(): Promise<string> {
  start([PROXY]);
  const { url } = await recordIn(join(env.GAMEKEEPER_PROXY_HOME, 'run/proxy.json'));
  await run([PROXY, 'user', 'add', NAME, '--password-stdin'], PASSWORD);
  return String(url);
}

async function startGamekeeper(): Promise<string> {
  start([GAMEKEEPER, 'up']);
  const { panel } = await recordIn(join(env.GAMEKEEPER_HOME, 'run/daemon.json'));
  cleanup.defer(async () => void (await run([GAMEKEEPER, 'down', '--with-servers'])));
  await run([GAMEKEEPER, 'create', '--software', 'demo', '--name', 'Demo']);
  await run([GAMEKEEPER, 'start', 'demo']);
  return String(panel);
}

/** Links the Gamekeeper. A person would open the printed address and approve the code there. */
async function link(): Promise<{ base: string; resource: string }> {
  const linking = spawn(process.execPath, [GAMEKEEPER, 'link', proxy, '--name', 'This computer', '--json'], { env });
  const ended = once(linking, 'close');
  let linked: { daemonId?: string; resource?: string } = {};
  for await (const line of createInterface(linking.stdout)) {
    const said = JSON.parse(line) as { userCode?: string; daemonId?: string; resource?: string };
    if (said.userCode) await run([PROXY, 'approve', said.userCode, '--user', NAME]);
    else linked = said;
  }
  await ended;
  if (!linked.resource) throw new Error('The Gamekeeper was not linked.');
  return { base: `${proxy}/d/${linked.daemonId}`, resource: linked.resource };
}

async function startSample(resource: string, base: string): Promise<string> {
  const register = async (redirectUri: string) =>
    JSON.parse(await run([PROXY, 'client', 'create', '--name', 'Sample', '--redirect-uri', redirectUri, '--json']));
  const { url, close } = await startSampleProgram({ issuer: proxy, resource, base, register });
  cleanup.defer(close);
  return url;
}

function print(): void {
  const facts = { sample, proxy, panel, account: NAME, user: 'admin', password: PASSWORD };
  process.stdout.write(
    values.json
      ? `${JSON.stringify(facts)}\n`
      : `
A program with access by OAuth 2.0:  ${sample}
The hosted proxy:                    ${proxy}   account "${NAME}", password "${PASSWORD}"
The panel of the Gamekeeper:         ${panel}   user "admin", the same password

Open the first address, sign in at the proxy, and let the program in. Ctrl-C ends everything and removes it.
`,
  );
}

/** Starts a program that runs as long as the demo. */
function start(args: string[]): void {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  void ended.then(() => over.abort());
  cleanup.defer(async () => {
    child.kill();
    await ended;
  });
}

/** Runs a program to its end. Resolves to what it prints. */
async function run(args: string[], input = ''): Promise<string> {
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.on('error', () => undefined); // a program that reads nothing may end first
  child.stdin.end(input);
  const [printed, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (status !== 0) throw new Error(`"${args.slice(1).join(' ')}" failed with status ${status}.`);
  return printed;
}

/** Resolves to the record of a program that is ready. */
async function recordIn(file: string): Promise<Record<string, unknown>> {
  for (const deadline = performance.now() + READY_WITHIN_MS; performance.now() < deadline; await delay(50)) {
    over.signal.throwIfAborted();
    if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  }
  throw new Error(`${file} did not appear within ${READY_WITHIN_MS / 1000} s.`);
}
