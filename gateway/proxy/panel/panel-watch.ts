import type { Logger } from '../../../shared/node/logger.ts';
import { isDatabaseAway } from '../store/database.ts';
import type { PanelSessions } from './panel-sessions.ts';

/** A console closes within a second of the end of its session, whichever process has ended it. */
const LOOK_EVERY_MS = 500;

/** Closes what is open on hosts of daemons when its session has ended. */
export interface PanelWatch {
  /** Returns a function that forgets the connection. */
  add(session: string, close: () => void): () => void;
}

export function createPanelWatch({ sessions, log }: { sessions: PanelSessions; log: Logger }): PanelWatch {
  const open = new Map<string, Set<() => void>>();
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    for (const session of await sessions.ended([...open.keys()])) for (const close of open.get(session) ?? []) close();
  }

  function again(): void {
    timer = setTimeout(() => {
      timer = undefined;
      look()
        .catch((error: unknown) => {
          // Nobody can end a session while the database is away.
          if (!isDatabaseAway(error)) log.warn({ err: error }, 'ended sessions of panels could not be looked for');
        })
        .finally(() => open.size > 0 && timer === undefined && again());
    }, LOOK_EVERY_MS).unref();
  }

  return {
    add(session, close) {
      const closers = open.get(session) ?? new Set();
      open.set(session, closers.add(close));
      if (timer === undefined) again();
      return () => {
        closers.delete(close);
        if (closers.size === 0 && open.get(session) === closers) open.delete(session);
      };
    },
  };
}
