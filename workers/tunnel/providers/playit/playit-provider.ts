import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TunnelTarget } from '../../../../shared/contract/tunnel.ts';
import { showUnprintable } from '../../../../shared/domain/console/invisible-characters.ts';
import { type GameAddress, parseGameAddress } from '../../../../shared/domain/tunnel/game-address.ts';
import type { PlayitTunnelSettings } from '../../../../shared/schema/tunnel.ts';
import { requiredProgram } from '../../program/required-program.ts';
import { startProgram, type TetheredProgram } from '../../program/tethered-program.ts';
import { type OpenTunnel, type Provider, type ProviderNews, TunnelError } from '../provider.ts';
import { claimAgent } from './claim.ts';
import {
  createTunnel,
  fieldOf,
  type PlayitTunnel,
  pointTunnel,
  readAgent,
  type WantedTunnel,
} from './playit-tunnel.ts';

/** From the start of the agent to an address. playit.gg takes some seconds to give one. Milliseconds. */
const OPEN_WITHIN_MS = 60_000;
const OPENING_LOOK_MS = 1_000;
const LOOK_EVERY_MS = 60_000;
const ADVICE = 'Wait a minute. If nothing changes, look at this tunnel on playit.gg.';

/** An address of playit.gg, through its agent as a child process. Each server is an agent of its own in the owner's account. */
export function createPlayitProvider(
  settings: PlayitTunnelSettings,
  { folder, instance }: { folder: string; instance: string },
): Provider {
  let { secret } = settings;

  async function open(current: () => TunnelTarget, signal: AbortSignal, news: ProviderNews): Promise<OpenTunnel> {
    const program = await requiredProgram('playitd', settings.program);
    secret ??= await claim(news, signal);
    const agent = await startAgent(program, secret);
    try {
      const wanted = { name: `Gamekeeper ${instance}`, target: current() };
      const { tunnel, address } = await untilOpen(agent, { secret, wanted, signal });
      const lost = untilLost(agent, { secret, tunnel });
      return { address, advice: ADVICE, target: wanted.target, lost, close: () => end(agent) };
    } catch (error) {
      await end(agent);
      throw error;
    }
  }

  async function claim(news: ProviderNews, signal: AbortSignal): Promise<string> {
    const claimed = await claimAgent(news.claim, signal);
    news.learned({ provider: 'playit', secret: claimed });
    return claimed;
  }

  /** On the command line, everybody on this computer could read the key. */
  async function startAgent(program: string, key: string): Promise<TetheredProgram> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, 'playit.toml');
    await writeFile(file, `secret_key = ${JSON.stringify(key)}\n`, { mode: 0o600 });
    const args = ['--secret-path', file, '--socket-path', path.join(folder, 'playitd')];
    return startProgram(program, args, { secrets: [key] });
  }

  async function end(agent: TetheredProgram): Promise<void> {
    await agent.end();
    await rm(folder, { recursive: true, force: true });
  }

  return { name: 'playit', open };
}

/** Finds the tunnel of this server, or creates it, and waits for its address. */
async function untilOpen(
  agent: TetheredProgram,
  { secret, wanted, signal }: { secret: string; wanted: WantedTunnel; signal: AbortSignal },
): Promise<{ tunnel: PlayitTunnel; address: GameAddress }> {
  let end: string | undefined;
  void agent.ended.then((how) => {
    end = how;
  });
  let isCreated = false;
  for (const deadline = performance.now() + OPEN_WITHIN_MS; performance.now() < deadline; ) {
    if (end !== undefined) throw new TunnelError(`playitd ended (${end}): ${agent.lastWords()}`);
    const { agent_id: agentId, tunnels, pending } = await readAgent(secret, signal);
    const tunnel = findTunnel(tunnels, wanted);
    if (tunnel) {
      if (tunnel.disabled_reason) throw new TunnelError(disabled(tunnel.disabled_reason));
      await pointTunnel(secret, { tunnel, target: wanted.target }, signal);
      const address = parseGameAddress(tunnel.display_address);
      if (address) return { tunnel, address };
    } else if (!isCreated && pending.length === 0) {
      isCreated = await createTunnel(secret, { agentId, wanted }, signal);
    }
    await delay(OPENING_LOOK_MS, undefined, { signal });
  }
  throw new TunnelError(`playit.gg gives this server no address. Its agent says: ${agent.lastWords()}`);
}

/** By its name, or one that the owner has made himself for the game's port. */
function findTunnel(tunnels: readonly PlayitTunnel[], { name, target }: WantedTunnel): PlayitTunnel | undefined {
  const port = String(target.port);
  return (
    tunnels.find((tunnel) => tunnel.name === name) ?? tunnels.find((tunnel) => fieldOf(tunnel, 'local_port') === port)
  );
}

/** Resolves when the agent has ended, or playit.gg says that its tunnel does not exist any more. */
async function untilLost(
  agent: TetheredProgram,
  { secret, tunnel }: { secret: string; tunnel: PlayitTunnel },
): Promise<string> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const ended = agent.ended.then((how) => {
    stopping.abort();
    return `playitd ended (${how}): ${agent.lastWords()}`;
  });
  while (!signal.aborted) {
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    // Without an answer nothing is known, and the probe through the public address tells whether it works.
    const now = signal.aborted ? undefined : await readAgent(secret, signal).catch(() => undefined);
    const same = now?.tunnels.find(({ id }) => id === tunnel.id);
    if (now && !same) return 'The tunnel was removed at playit.gg.';
    if (same?.disabled_reason) return disabled(same.disabled_reason);
    if (same && same.display_address !== tunnel.display_address) return 'The tunnel has another address now.';
  }
  return ended;
}

function disabled(reason: string): string {
  return `playit.gg has turned the tunnel off: ${showUnprintable(reason).slice(0, 200)}`;
}
