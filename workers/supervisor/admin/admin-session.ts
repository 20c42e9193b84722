import { observe } from '../../../shared/domain/histogram.ts';
import { createMutex } from '../../../shared/node/primitives/mutex.ts';
import { unlessAborted } from '../../../shared/node/primitives/unless-aborted.ts';
import { RconError } from '../rcon/rcon-error.ts';
import type { RconSession } from '../rcon/session.ts';
import type { RconTally } from '../rcon/tally.ts';

/** Where a game takes commands, and the password. */
export interface AdminAddress {
  host: string;
  port: number;
  password: string;
}

/** A way to send commands to a game, one at a time. */
export interface AdminChannel {
  /** Resolves to the answer. Throws RconError, and what `signal` is aborted with. */
  ask(command: string, signal: AbortSignal): Promise<string>;
  /** Ends its connection, if it has one. */
  end(): void;
}

/** The commands of one run of a game over its channel: like an RCON session. */
export function createAdminSession(
  channel: AdminChannel,
  tally: RconTally,
): Pick<RconSession, 'run' | 'isBusy' | 'close'> {
  const mutex = createMutex();
  const open = new Set<AbortController>();
  let isClosed = false;
  return {
    get isBusy() {
      return open.size > 0;
    },
    async run(command, { timeoutMs }) {
      if (isClosed) throw new RconError('closed', 'The connection for commands is closed');
      const over = new AbortController();
      open.add(over);
      const late = new RconError('timeout', `The server did not answer the command within ${timeoutMs} ms`);
      const timer = setTimeout(() => over.abort(late), timeoutMs);
      let isAsking = false;
      const turn = mutex.run(async () => {
        over.signal.throwIfAborted();
        isAsking = true;
        const asked = performance.now();
        const answer = await unlessAborted(channel.ask(command, over.signal), over.signal);
        observe(tally.latency, (performance.now() - asked) / 1000);
        return answer;
      });
      try {
        return await unlessAborted(turn, over.signal);
      } catch (error) {
        // A late answer must not reach the next command. One that still waited for its turn leaves the connection to the others.
        if (isAsking) channel.end();
        if (!isClosed) tally.errors++;
        throw error;
      } finally {
        clearTimeout(timer);
        open.delete(over);
      }
    },
    close() {
      isClosed = true;
      for (const over of open) over.abort(new RconError('closed', 'The connection for commands is closed'));
      channel.end();
    },
  };
}
