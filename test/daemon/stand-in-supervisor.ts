/**
 * A supervisor without a game: it serves the real contract on the real socket, leaves the real record, and says of itself what it is
 * told to. Run as a process by the tests of the daemon; `sendLine` is how they tell it what to do.
 */
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createBroadcast } from '../../daemon/broadcast.ts';
import { PROTOCOL_VERSION } from '../../shared/contract/call.ts';
import { type SupervisorService, supervisorRouter } from '../../shared/contract/supervisor.ts';
import type { SupervisorBoot } from '../../shared/contract/supervisor-boot.ts';
import type { InstanceRuntime } from '../../shared/domain/runtime.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { homeAt } from '../../shared/node/home.ts';
import { serveIpc } from '../../shared/node/ipc/server.ts';
import { reportFailure, reportReady } from '../../shared/node/lifeline.ts';
import { identifyProcess } from '../../shared/node/process-identity.ts';
import { writeSupervisorRecord } from '../../shared/node/process-record.ts';

const { values } = parseArgs({ options: { home: { type: 'string' }, instance: { type: 'string' } } });
const id = values.instance!;
const home = homeAt(values.home!);
const socket = home.supervisorSocket(id);
const record = home.supervisorRecord(id);

const boot = await new Promise<SupervisorBoot>((resolve) => process.once('message', resolve as (m: unknown) => void));
if (boot.config.name === 'cannot start') {
  await reportFailure({ code: 'launch_failed', detail: 'It will not.', resolution: 'Give up.' });
  process.exit(1);
}

let { config } = boot;
let runtime: InstanceRuntime = { phase: 'stopped' };
const changes = createBroadcast<InstanceRuntime>();
function become(next: InstanceRuntime): void {
  runtime = next;
  changes.publish(next);
}

const unused = () => {
  throw new GamekeeperError('invalid_state', 'The stand-in does not do this.');
};
const service: SupervisorService = {
  status: () => runtime,
  async *watch(signal) {
    const next = changes.subscribe(signal);
    yield runtime;
    yield* next;
  },
  configure: (changed) => {
    config = changed;
  },
  start: async () => become({ phase: 'running', startedAt: Date.now(), pid: process.pid }),
  stop: async () => become({ phase: 'stopped' }),
  restart: async () => undefined,
  kill: async () => become({ phase: 'stopped' }),
  command: async () => JSON.stringify(config),
  sendLine: (line) => become(JSON.parse(line) as InstanceRuntime),
  async retire() {
    become({ phase: 'stopped' });
    await rm(record, { force: true });
    setTimeout(() => process.exit(0), 10);
  },
  resize: unused,
  players: unused,
  playerAction: unused,
  logs: unused,
  readConsole: unused,
  console: unused,
  properties: unused,
  setProperties: unused,
  hold: unused,
  renew: unused,
  release: unused,
};

await serveIpc({
  socketPath: socket,
  name: `supervisor:${id}`,
  version: '0',
  router: supervisorRouter,
  service,
  onError: (error) => process.stderr.write(`${String(error)}\n`),
});
await writeSupervisorRecord(record, { ...(await identifyProcess(process.pid))!, socket, protocol: PROTOCOL_VERSION });
reportReady({ socket });
