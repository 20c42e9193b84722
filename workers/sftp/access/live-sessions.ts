import type { DaemonClient } from '../../../shared/node/ipc/connect.ts';
import { type Access, accessOf } from './access.ts';

/** Connections that are signed in. A client like rclone opens a dozen. */
const MOST_SESSIONS = 64;
const MOST_OF_USER = 24;

/** Who has signed in, as it was checked. */
export interface SignedIn {
  username: string;
  /** `UserRecord.version`. */
  version: string;
  /** Present if a key was shown: the session ends with it. */
  keyId?: string;
}

interface Live extends SignedIn {
  access?: Access;
  end: () => void;
}

/** The open sessions. One ends when its user is changed in any way, or a server that it may see is deleted. */
export class LiveSessions {
  readonly #daemon: DaemonClient['call'];
  readonly #sessions = new Set<Live>();
  readonly #instances = new Set<string>();

  constructor(daemon: DaemonClient['call']) {
    this.#daemon = daemon;
  }

  /** The ids of all instances, sorted. */
  instances(): string[] {
    return [...this.#instances].sort();
  }

  /** Follows changes until `signal` fires. Rejects if the daemon is lost: then nobody would know of changes. */
  async follow(signal: AbortSignal): Promise<void> {
    await Promise.race([this.#followUsers(signal), this.#followInstances(signal)]);
    if (!signal.aborted) throw new Error('the daemon reports no more changes');
  }

  /**
   * Resolves to what the user may do; `undefined` if there are too many sessions, or the user is no longer as checked. From then on `end` may be
   * called at any time. `closed` fires when the session has ended.
   */
  async begin(
    signedIn: SignedIn,
    { end, closed }: { end: () => void; closed: AbortSignal },
  ): Promise<Access | undefined> {
    const ofUser = [...this.#sessions].filter(({ username }) => username === signedIn.username);
    if (this.#sessions.size >= MOST_SESSIONS || ofUser.length >= MOST_OF_USER) return undefined;
    const live: Live = { ...signedIn, end };
    // Before the user is read: a change from now on ends the session.
    this.#sessions.add(live);
    closed.addEventListener('abort', () => this.#sessions.delete(live), { once: true });
    const { username, keyId } = signedIn;
    const [user, keys] = await Promise.all([this.#daemon.user(username), this.#daemon.sshKeys(username)]);
    const hasKey = keyId === undefined || keys.some(({ id }) => id === keyId);
    if (closed.aborted || !user || !hasKey || !isAsChecked(user, live)) {
      this.#sessions.delete(live);
      return undefined;
    }
    live.access = accessOf(user);
    return live.access;
  }

  async #followUsers(signal: AbortSignal): Promise<void> {
    for await (const event of this.#daemon.watchCredentials(undefined, { signal }))
      if (event.type === 'user-changed') await this.#check(event.username);
  }

  async #followInstances(signal: AbortSignal): Promise<void> {
    for await (const event of this.#daemon.watchInstances(undefined, { signal })) {
      if (event.type === 'snapshot') for (const { config } of event.instances) this.#instances.add(config.id);
      if (event.type === 'changed') this.#instances.add(event.instance.config.id);
      if (event.type === 'removed') this.#removed(event.id);
    }
  }

  async #check(name: string): Promise<void> {
    const affected = [...this.#sessions].filter(({ username }) => username.toLowerCase() === name.toLowerCase());
    if (affected.length === 0) return;
    const user = await this.#daemon.user(name);
    const keys = affected.some(({ keyId }) => keyId !== undefined) ? await this.#daemon.sshKeys(name) : [];
    for (const live of affected) {
      const hasKey = live.keyId === undefined || keys.some(({ id }) => id === live.keyId);
      if (!user || !hasKey || !isAsChecked(user, live)) live.end();
    }
  }

  /** Rights end with their instance: another one with the same id is not the same server. */
  #removed(id: string): void {
    this.#instances.delete(id);
    for (const live of this.#sessions) if (live.access?.rightOn(id)) live.end();
  }
}

function isAsChecked(
  user: { version: string; disabled: boolean; mustChangePassword: boolean },
  { version }: SignedIn,
): boolean {
  return user.version === version && !user.disabled && !user.mustChangePassword;
}
