/**
 * The tunnel of one server: a child of its supervisor. It outlives daemon, gateway and jobs as the supervisor does, and if it dies, the game
 * does not notice.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { FromTunnel, ToTunnel } from '../../shared/contract/tunnel.ts';
import { homeAt } from '../../shared/node/files/home.ts';
import { EXIT } from '../../shared/node/processes/exit-codes.ts';
import { whenParentIsGone } from '../../shared/node/processes/lifeline.ts';
import { createProvider } from './providers/create-provider.ts';
import { PermitRequests } from './providers/relay/permit-requests.ts';
import type { AskPermit } from './providers/relay/relay-provider.ts';
import { Tunnel } from './tunnel.ts';

/** Time for telling the other side that the tunnel ends. Milliseconds. */
const CLOSE_WITHIN_MS = 2_000;

const { values } = parseArgs({
  options: { home: { type: 'string' }, instance: { type: 'string' } },
  strict: false,
});
const { home, instance } = values;
if (!process.send || typeof home !== 'string' || typeof instance !== 'string') {
  process.stderr.write('A supervisor starts this program. To set up a tunnel, use "gamekeeper tunnel <id> set".\n');
  process.exit(EXIT.usage);
}

// The supervisor decides when the tunnel ends, also when a terminal is closed.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('SIGTERM', () => void leave());
whenParentIsGone(() => void leave());

const folder = path.join(homeAt(home).run, 'tunnels', instance);
let tunnel: Tunnel | undefined;
const permits = new PermitRequests(send);
const askPermit: AskPermit = (wish) => permits.ask(wish);
process.on('message', (message: ToTunnel) => {
  if (message.type === 'open')
    tunnel ??= new Tunnel({
      provider: createProvider(message.settings, { folder, instance, askPermit }),
      target: message.target,
      onStatus: (status) => send({ type: 'status', status }),
      onLearned: (learned) => send({ type: 'learned', learned }),
    });
  if (message.type === 'permit' || message.type === 'no-permit') permits.answer(message);
  if (message.type === 'target') tunnel?.retarget(message.target);
  if (message.type === 'probe') void tunnel?.probe().then(() => send({ type: 'probed' }));
});

function send(message: FromTunnel): void {
  // If the supervisor has died, 'disconnect' follows.
  if (process.connected) process.send?.(message, () => undefined);
}

async function leave(): Promise<void> {
  setTimeout(() => process.exit(EXIT.ok), CLOSE_WITHIN_MS);
  await tunnel?.close();
  process.exit(EXIT.ok);
}
