import { type ChildProcess, spawn } from 'node:child_process';
import type { TunnelPermit, TunnelWish } from '../../../shared/contract/daemon/link.ts';
import type { FromTunnel, LearnedSettings, ToTunnel } from '../../../shared/contract/tunnel.ts';
import type { TunnelStatus } from '../../../shared/domain/tunnel/tunnel-status.ts';
import { GamekeeperError, isGamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

/** Time that the tunnel process has to close its tunnel before it is killed. Milliseconds. */
const END_WITHIN_MS = 5_000;
/** As for supervisors (daemon/processes/programs.ts): it mostly passes bytes on. */
const FLAGS = ['--max-semi-space-size=4'];

export interface TunnelProcessOptions {
  /** Path of its program. */
  entry: string;
  /** Data directory and id of the instance. */
  label: { home: string; instance: string };
  /** Resolves to a permit of the paired proxy. */
  permit: (wish: Omit<TunnelWish, 'id'>) => Promise<TunnelPermit>;
  onStatus: (status: TunnelStatus) => void;
  onLearned: (learned: LearnedSettings) => void;
  /** Called once, with how it ended. */
  onEnd: (how: string) => void;
}

/** The child process that keeps a tunnel open. Its failure concerns nobody but the tunnel. */
export class TunnelProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #probes: (() => void)[] = [];

  constructor({ entry, label, permit, onStatus, onLearned, onEnd }: TunnelProcessOptions) {
    this.#child = spawn(process.execPath, [...FLAGS, entry, '--home', label.home, '--instance', label.instance], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      windowsHide: true,
    });
    const ended = Promise.withResolvers<void>();
    this.#ended = ended.promise;
    const end = (how: string) => {
      for (const done of this.#probes.splice(0)) done();
      ended.resolve();
      onEnd(how);
    };
    this.#child.once('error', (error) => end(error.message));
    this.#child.once('exit', (code, signal) => end(signal ?? `status ${code}`));
    this.#child.on('message', (message: FromTunnel) => {
      if (message.type === 'status') onStatus(message.status);
      else if (message.type === 'learned') onLearned(message.learned);
      else if (message.type === 'permit')
        void permit(message.wish).then(
          (given) => this.send({ type: 'permit', number: message.number, permit: given }),
          (error: unknown) => this.send({ type: 'no-permit', number: message.number, error: wordsOf(error) }),
        );
      else for (const done of this.#probes.splice(0)) done();
    });
  }

  send(message: ToTunnel): void {
    // If it has ended, 'exit' follows.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  /** Resolves when the status is that of a probe of the last seconds, or the process has ended. */
  probe(): Promise<void> {
    if (!this.#child.connected) return Promise.resolve();
    return new Promise((resolve) => {
      this.#probes.push(resolve);
      this.send({ type: 'probe' });
    });
  }

  /** Resolves when it is gone. */
  async end(): Promise<void> {
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), END_WITHIN_MS);
    await this.#ended;
    clearTimeout(timer);
  }
}

function wordsOf(error: unknown): string {
  if (isGamekeeperError(error, 'daemon_unavailable'))
    return 'Gamekeeper is restarting. The tunnel is opened as soon as it runs again.';
  return error instanceof GamekeeperError ? `${error.message} ${error.resolution}` : 'The proxy could not be asked.';
}
