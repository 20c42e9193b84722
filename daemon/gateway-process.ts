import type { Home } from '../shared/node/home.ts';
import type { Logger } from '../shared/node/logger.ts';
import type { Settings } from '../shared/schema/settings.ts';
import { type KeptProcess, keepRunning } from './kept-process.ts';
import { GATEWAY_FLAGS, PROGRAMS } from './programs.ts';
import { startChild } from './spawn.ts';

/** URLs of the gateway's listeners; `null` while Remote Control is off. */
export interface Listeners {
  panel: string | null;
  remote: string | null;
}

/** Time for the gateway to answer what it is answering. Milliseconds. */
export const GATEWAY_GRACE_MS = 5_000;

/**
 * Starts the gateway and keeps it: one that ends is replaced by one on the same ports, also where the settings left the choice of
 * ports to it. Rejects when the first one cannot listen.
 */
export function startGateway({
  home,
  settings,
  log,
  ending,
  entry = PROGRAMS.gateway,
}: {
  home: Home;
  settings: Settings;
  log: Logger;
  ending: AbortSignal;
  entry?: string;
}): Promise<KeptProcess<Listeners>> {
  return keepRunning<Listeners>({
    name: 'gateway',
    log,
    ending,
    start: (first) =>
      startChild<Listeners>({
        name: 'gateway',
        entry,
        flags: GATEWAY_FLAGS,
        args: ['--home', home.root],
        environment: {
          GAMEKEEPER_PORT: portOf(first?.panel) ?? String(settings.remoteControl.panelPort),
          GAMEKEEPER_REMOTE_PORT: portOf(first?.remote) ?? String(settings.remoteControl.port),
        },
        logFile: `${home.logs}/gateway.log`,
      }),
  });
}

function portOf(url: string | null | undefined): string | undefined {
  if (!url) return undefined;
  const { port, protocol } = new URL(url);
  return port || (protocol === 'https:' ? '443' : '80');
}
