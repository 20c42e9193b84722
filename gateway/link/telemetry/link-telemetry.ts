import type { Logger } from '../../../shared/node/logger.ts';
import type { OpenLink } from '../open-link.ts';
import type { TelemetrySource } from './gather.ts';
import { startReports } from './reports.ts';

/** Reports over the newest link while the owner allows it. */
export interface LinkTelemetry {
  allow(isAllowed: boolean): void;
  attach(link: OpenLink): void;
  /** Does nothing if another link has been attached since. */
  detach(link?: OpenLink): void;
}

export interface LinkTelemetryOptions {
  source: TelemetrySource;
  log: Logger;
  isAllowed: boolean;
}

export function createLinkTelemetry({ source, log, isAllowed }: LinkTelemetryOptions): LinkTelemetry {
  let allowed = isAllowed;
  let current: OpenLink | undefined;
  let stop: (() => void) | undefined;

  function begin(): void {
    const link = current;
    stop?.();
    stop = undefined;
    if (!link) return;
    if (allowed) stop = startReports({ source, send: link.tell, log });
    // Always said: the owner may have changed it while there was no link.
    else link.tell({ type: 'telemetry-off' });
  }

  return {
    allow(next) {
      if (next === allowed) return;
      allowed = next;
      begin();
    },
    attach(link) {
      current = link;
      begin();
    },
    detach(link = current) {
      if (link !== current) return;
      current = undefined;
      begin();
    },
  };
}
