import type { Credentials } from '../auth/credentials.ts';
import type { Identity } from '../auth/identity.ts';
import { type ConsoleBatch, type ConsoleSource, consoleFeed } from '../upstream/console-feed.ts';
import type { InstanceView } from '../upstream/instance-view.ts';
import type { Supervisors } from '../upstream/supervisors.ts';

export type { ConsoleBatch, ConsoleSource };

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

export function consoleService({ view, supervisors, credentials }: ConsoleServiceOptions): ConsoleService {
  return {
    requireInstance: async (id) => void (await view.get(id)),
    source: (id) => consoleFeed(id, supervisors),
    async issueTicket(id, by, now) {
      await view.get(id);
      return credentials.tickets.issue(by, id, now);
    },
  };
}
