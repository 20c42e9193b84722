import type { Credentials } from '../auth/credentials/credentials.ts';
import type { Identity } from '../auth/identity.ts';
import { type ConsoleBatch, type ConsoleSource, createConsoleSource } from '../upstream/console-source.ts';
import type { InstanceView } from '../upstream/instance-view.ts';
import type { Supervisors } from '../upstream/supervisors.ts';

export type { ConsoleBatch, ConsoleSource };

/** Minecraft's limit for a command over RCON: packets of 1,460 bytes, less their frame. */
export const MAX_COMMAND_BYTES = 1_446;

export interface ConsoleService {
  /** Throws `instance_not_found`. */
  requireInstance(id: string): Promise<void>;
  source(id: string): ConsoleSource;
  issueTicket(id: string, by: Identity, now: number): Promise<{ ticket: string; expiresAt: string }>;
}

export interface ConsoleServiceOptions {
  view: InstanceView;
  supervisors: Supervisors;
  credentials: Credentials;
}

export function createConsoleService({ view, supervisors, credentials }: ConsoleServiceOptions): ConsoleService {
  return {
    requireInstance: async (id) => void (await view.get(id)),
    source: (id) => createConsoleSource(id, supervisors),
    async issueTicket(id, by, now) {
      await view.get(id);
      return credentials.tickets.issue(by, id, now);
    },
  };
}

/** Returns whether a text can be typed as one line: not empty, no control characters, not too long. */
export function isCommandLine(text: string): boolean {
  return text !== '' && !/\p{Cc}/u.test(text) && text.isWellFormed() && Buffer.byteLength(text) <= MAX_COMMAND_BYTES;
}
