import type { SupervisorBoot } from '../shared/contract/supervisor-boot.ts';
import { isLive } from '../shared/domain/phase.ts';
import type { Home } from '../shared/node/home.ts';
import type { Logger } from '../shared/node/logger.ts';
import { readLivingGame } from '../shared/node/process-record.ts';
import type { SupervisorLink } from './adopt.ts';
import type { Registry } from './registry.ts';

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
 * says how its game is. Where it does not answer, what its records say counts until it does. Resolves to whether it has answered.
 */
export async function introduce(
  id: string,
  { client, isCompatible }: Pick<SupervisorLink, 'client' | 'isCompatible'>,
  { home, registry, redaction, software, log }: IntroductionOptions,
): Promise<boolean> {
  const options = { timeoutMs: FIRST_STATUS_TIMEOUT_MS };
  try {
    await client.call.configure(registry.get(id).config, options);
    await client.call.setRedaction(redaction(), options);
    registry.observe(id, await client.call.status(undefined, options));
    // One of an earlier version may not know of it, where there are none.
    if (software().length > 0) await client.call.setSoftware(software(), options);
    return true;
  } catch (error) {
    log.warn({ err: error, instance: id }, 'a supervisor is alive but does not answer');
  }
  const game = await readLivingGame(home.gameRecord(id));
  if (game && !isLive(registry.get(id).runtime.phase)) {
    const { pid, startedAt } = game;
    registry.observe(id, { phase: 'running', pid, ...(startedAt !== undefined && { startedAt }) });
  }
  registry.mark(id, isCompatible ? 'unresponsive' : 'incompatible');
  return false;
}
