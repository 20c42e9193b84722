import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import t, { type Test } from 'tap';
import { softwareOf } from '../../../../shared/domain/software/catalogue.ts';
import { parseLogLine } from '../../../../workers/supervisor/game/log-prefix.ts';
import { isReadyLine } from '../../../../workers/supervisor/game/readiness.ts';
import { freePort } from '../../../support/machine/free-port.ts';
import { runSupervisor } from '../../../support/processes/running-supervisor.ts';

const READY = new RegExp(softwareOf('demo')?.readyPattern ?? '');
const P = '[12:00:00] [Server thread/INFO]: ';

const ready = (line: string, pattern = READY) => isReadyLine(parseLogLine(line), pattern);

t.test('the ready lines of vanilla, old and new, and of servers based on it are recognised', async (t) => {
  for (const message of [
    'Done (15.748s)! For help, type "help" or "?"',
    'Done (1.430s)! For help, type "help"',
    'Done (0,88s)!',
    'Done (1.804s)! Run /geyser help for help!',
  ])
    t.ok(ready(P + message), message);
});

t.test('a player cannot fake the ready line in chat', async (t) => {
  for (const message of [
    '<Eve> Done (1.0s)!',
    '[Not Secure] <Eve> Done (1.0s)!',
    '[Eve] Done (1.0s)!',
    `<Eve> ${P}Done (1.0s)!`,
  ])
    t.notOk(ready(P + message), message);
});

t.test("an owner's pattern may match anywhere in the line, but not in chat", async (t) => {
  t.ok(ready(`${P}Booted up now`, /\[Server thread\/INFO\]: Booted/), 'matches the whole line');
  t.ok(ready(`${P}Booted up now`, /^Booted/), 'matches after the prefix');
  t.ok(ready('[INFO] Server is listening on port 4711', /listening on port/));
  t.ok(ready('Startup complete, took 148ms!', /took \d+ms/));
  t.notOk(ready('<Eve> listening on port 1', /listening on port/));
});

/** Binds a UDP port once it reads a line, and prints nothing. */
const SILENT = `process.stdin.once('data', () => require('node:dgram').createSocket('udp4').bind(+process.argv[1], '127.0.0.1'))`;

async function startSilent(t: Test, config: { transport?: 'udp'; readyAfterSeconds?: number }) {
  const port = await freePort();
  const launch = { command: [process.execPath, '-e', SILENT, '{port}'] };
  const running = await runSupervisor(t, { config: { software: 'custom', launch, port, ...config } });
  await running.service.start();
  return { ...running, port };
}

t.test('a program that prints nothing is ready once it has bound its UDP port', async (t) => {
  const { service, waitForPhase, port } = await startSilent(t, { transport: 'udp' });
  // Another process has the port on another address, so that only the owner tells them apart.
  const other = createSocket('udp4');
  other.bind(port, '127.0.0.2');
  await once(other, 'listening');
  t.teardown(() => other.close());
  t.equal(service.status().phase, 'starting');
  await service.command('listen');
  await waitForPhase('running');
});

t.test('a program without any sign is ready after a time', async (t) => {
  const { service, waitForPhase } = await startSilent(t, { readyAfterSeconds: 1 });
  const begun = performance.now();
  t.equal(service.status().phase, 'starting');
  await waitForPhase('running');
  t.ok(performance.now() - begun > 500, 'not at once');
});
