import type { SupervisorBoot } from '../../shared/contract/supervisor-boot.ts';
import { isLive } from '../../shared/domain/phase.ts';
import type { Home } from '../../shared/node/files/home.ts';
import type { Logger } from '../../shared/node/logger.ts';
import { readLivingGame } from '../../shared/node/processes/process-record.ts';
import type { Registry } from '../instances/registry.ts';
import { isAnswer } from './heartbeat.ts';
import type { SupervisorLink } from './supervisor-link.ts';

/** How long an adopted supervisor may take to say how its game is, before the daemon goes on without knowing. Milliseconds. */
const FIRST_STATUS_TIMEOUT_MS = 1_500;

export interface IntroductionOptions {
  home: Home;
  registry: Registry;
  redaction: () => SupervisorBoot['redaction'];
  software: () => SupervisorBoot['software'];
  log: Logger;
}

/**
 * What happens when this daemon meets a supervisor that an earlier one started: it gets configuration, redaction and kinds as they are now, and
 * says how its game is. Where it does not answer, what its records say counts until it does. Resolves to whether it has answered. Never throws.
 */
export async function introduce(
  id: string,
  { client, isCompatible }: Pick<SupervisorLink, 'client' | 'isCompatible'>,
  { home, registry, redaction, software, log }: IntroductionOptions,
): Promise<boolean> {
  const options = { timeoutMs: FIRST_STATUS_TIMEOUT_MS };
  // What it does not understand or cannot do does not keep the rest from it.
  const unlessRefused = (error: unknown) => {
    if (!isAnswer(error)) throw error;
    log.error({ err: error, instance: id }, 'a supervisor refuses what it is told');
  };
  try {
    await client.call.configure(registry.get(id).config, options).catch(unlessRefused);
    await client.call.setRedaction(redaction(), options).catch(unlessRefused);
    // One of an earlier version may not know of it, where there are none.
    if (software().length > 0) await client.call.setSoftware(software(), options).catch(unlessRefused);
    registry.observe(id, await client.call.status(undefined, options));
    return true;
  } catch (error) {
    log.warn({ err: error, instance: id }, 'a supervisor is alive but does not answer');
  }
  const game = await readLivingGame(home.gameRecord(id)).catch((error: unknown) => {
    // No descriptor is left, most likely: then its game is shown once it answers.
    log.warn({ err: error, instance: id }, 'whether a game lives could not be found out');
  });
  // It has ended meanwhile, which others have seen to.
  if (!registry.has(id) || registry.get(id).socket === null) return false;
  if (game && !isLive(registry.get(id).runtime.phase)) {
    const { pid, startedAt } = game;
    registry.observe(id, { phase: 'running', pid, ...(startedAt !== undefined && { startedAt }) });
  }
  registry.mark(id, isCompatible ? 'unresponsive' : 'incompatible');
  return false;
}
