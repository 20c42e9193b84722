import type { SupervisorBoot } from '../../shared/contract/supervisor-boot.ts';
import { isLive } from '../../shared/domain/instance/phase.ts';
import type { Home } from '../../shared/node/files/home.ts';
import type { Logger } from '../../shared/node/logger.ts';
import { readLivingGame } from '../../shared/node/processes/process-record.ts';
import type { Registry } from '../instances/registry.ts';
import { isAnswer } from './heartbeat.ts';
import type { SupervisorLink } from './supervisor-link.ts';

/** How long the daemon waits for a supervisor's state before it continues without it, milliseconds. */
const FIRST_STATUS_TIMEOUT_MS = 1_500;

/** What every supervisor gets besides its configuration, at its start and whenever it changes. */
export interface SupervisorPolicy {
  redaction(): SupervisorBoot['redaction'];
  /** The owner's custom software. */
  software(): SupervisorBoot['software'];
}

export interface ReattachOptions {
  home: Home;
  registry: Registry;
  policy: SupervisorPolicy;
  log: Logger;
}

/**
 * Updates a supervisor that an earlier daemon started, or that did not answer for a while: sends its configuration, redaction and custom
 * software, and reads its state. Until it answers, its records count instead. Resolves to whether it answered. Never throws.
 */
export async function reattach(
  id: string,
  { client, isCompatible }: Pick<SupervisorLink, 'client' | 'isCompatible'>,
  { home, registry, policy, log }: ReattachOptions,
): Promise<boolean> {
  const options = { timeoutMs: FIRST_STATUS_TIMEOUT_MS };
  // If it refuses one message, it still gets the others.
  const unlessRefused = (error: unknown) => {
    if (!isAnswer(error)) throw error;
    log.error({ err: error, instance: id }, 'a supervisor refuses a change');
  };
  try {
    const software = policy.software();
    await client.call.configure(registry.get(id).config, options).catch(unlessRefused);
    await client.call.setRedaction(policy.redaction(), options).catch(unlessRefused);
    // A supervisor of an earlier version may not know this call.
    if (software.length > 0) await client.call.setSoftware(software, options).catch(unlessRefused);
    registry.observe(id, await client.call.status(undefined, options));
    return true;
  } catch (error) {
    log.warn({ err: error, instance: id }, 'a supervisor is alive but does not answer');
  }
  await showRecorded(id, { home, registry, log });
  // Its process may have ended meanwhile.
  if (registry.has(id) && registry.get(id).socket !== null)
    registry.mark(id, isCompatible ? 'unresponsive' : 'incompatible');
  return false;
}

/** Shows a game as running if its record exists and its process lives. */
async function showRecorded(id: string, { home, registry, log }: Omit<ReattachOptions, 'policy'>): Promise<void> {
  const game = await readLivingGame(home.gameRecord(id)).catch((error: unknown) => {
    // Most likely there is no free file descriptor. The supervisor reports the game once it answers.
    log.warn({ err: error, instance: id }, 'could not check whether a game is alive');
  });
  if (!game || !registry.has(id)) return;
  const { socket, runtime } = registry.get(id);
  if (socket === null || isLive(runtime.phase)) return;
  const { pid, startedAt, startedMonotonicMs } = game;
  registry.observe(id, {
    ...{ phase: 'running', pid },
    ...(startedAt !== undefined && { startedAt }),
    ...(startedMonotonicMs !== undefined && { startedMonotonicMs }),
  });
}
