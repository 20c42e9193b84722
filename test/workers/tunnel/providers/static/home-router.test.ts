/** A router with miniupnpd, which most home routers run, between networks of the test. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import t from 'tap';
import { type HomeRouter, startHomeRouter } from '../../../../support/machine/home-router.ts';
import { until } from '../../../../support/machine/until.ts';

const FIXTURE = path.join(import.meta.dirname, '../../../../fixtures/game-behind-router.ts');
const JOIN = "require('net').connect(process.argv[1], process.argv[2]).pipe(process.stdout)";

for (const [protocol, hasPcp] of [
  ['PCP', true],
  ['UPnP', false],
] as const) {
  t.test(`a router forwards the port by ${protocol}, until the tunnel is closed`, async (t) => {
    const router = await startHomeRouter(t, { hasPcp });
    if (!router) return;
    const game = spawn('ip', [...router.atHome, process.execPath, FIXTURE], { stdio: ['pipe', 'pipe', 'inherit'] });
    t.teardown(() => void game.kill());
    const exit = once(game, 'exit');
    const [line] = await once(createInterface({ input: game.stdout }), 'line');
    const { port, address } = JSON.parse(line);
    t.same(address, { host: router.publicAddress, port }, line);
    t.equal(await greetingFor(router, port), 'Welcome home', 'a friend on the internet gets in');
    await router.restart();
    await until('the restarted router forwards it again', () => router.forwarded().includes(port));
    t.equal(await greetingFor(router, port), 'Welcome home', 'a friend gets in after that');
    game.stdin.end();
    await exit;
    t.same(router.forwarded(), [], 'the router forwards nothing any more');
  });
}

async function greetingFor({ onTheInternet, publicAddress }: HomeRouter, port: number): Promise<string> {
  const args = [...onTheInternet, process.execPath, '-e', JOIN, String(port), publicAddress];
  return (await promisify(execFile)('ip', args, { timeout: 10_000 })).stdout;
}
