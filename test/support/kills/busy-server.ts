import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Backup } from '../../../shared/schema/backup.ts';
import type { Instance } from '../../../shared/schema/instance.ts';
import type { Job } from '../../../shared/schema/job.ts';
import { until } from '../machine/until.ts';
import type { Chance } from './chance.ts';
import type { PatientApi } from './patient-api.ts';

/** Number of files that all contain the same number, so that a mixture of two states would be noticed. */
const WITNESSES = 20;
/** Deflates to 5 % in about 0.3 s: long enough to be killed in the middle. */
const TEXT = Buffer.from(
  '[12:00:00] [Server thread/INFO]: the quick brown fox jumps over the lazy dog 0123456789\n'.repeat(300_000),
);
const SETTLE_MS = 60_000;

export interface BusyServerOptions {
  api: PatientApi;
  chance: Chance;
  /** The data directory. */
  home: string;
}

/** A demo server kept busy with random backups, verifications, restores and commands, and what its owner knows about it. */
export class BusyServer {
  readonly id: string;
  /** Ids of the backups whose creation was acknowledged. */
  readonly acknowledged: ReadonlySet<string>;
  /** Number of actions by kind and outcome. */
  readonly tally: Record<string, number> = {};
  readonly #api: PatientApi;
  readonly #chance: Chance;
  readonly #folder: string;
  readonly #backups = new Set<string>();
  /** The moment that each backup has. */
  readonly #moments = new Map<string, number>();
  #moment = 0;
  /** The moments that the folder may be in. */
  #possible = new Set([0]);
  #paused = true;
  #work: Promise<void> = Promise.resolve();

  constructor(id: string, { api, chance, home }: BusyServerOptions) {
    this.id = id;
    this.acknowledged = this.#backups;
    this.#api = api;
    this.#chance = chance;
    this.#folder = path.join(home, 'instances', id);
    mkdirSync(path.join(this.#folder, 'witness'), { recursive: true });
    writeFileSync(path.join(this.#folder, 'chronicle.txt'), TEXT);
    this.#writeMoment();
  }

  /** Performs random actions in sequence until `pause`. */
  resume(): void {
    this.#paused = false;
    this.#work = this.#keepBusy();
    // `pause` reports it.
    this.#work.catch(() => undefined);
  }

  /** Resolves when the last action has ended. Throws if an action failed. */
  async pause(): Promise<void> {
    this.#paused = true;
    await this.#work;
  }

  /** Resolves when the server has no job, no activity and no transition. */
  settled(): Promise<Instance> {
    let last: unknown;
    return until(
      `${this.id} is idle`,
      async () => {
        const jobs = await this.#api.insist<Job[]>('GET', '/jobs');
        const instance = await this.#api.insist<Instance>('GET', `/instances/${this.id}`);
        const own = jobs.filter(
          ({ instanceId, kind, state }) =>
            instanceId === this.id && kind !== 'replicate' && /queued|running/.test(state),
        );
        last = { own, instance };
        return (
          own.length === 0 && !instance.activity && /running|stopped|crashed/.test(instance.phase ?? '') && instance
        );
      },
      { deadlineMs: SETTLE_MS, describe: () => last },
    );
  }

  /** Throws if the folder is incomplete or in a state that it cannot be in. */
  checkFolder(): void {
    const witness = path.join(this.#folder, 'witness');
    const seen = new Set(readdirSync(witness).map((name) => Number(readFileSync(path.join(witness, name), 'utf8'))));
    const [only] = seen;
    if (readdirSync(witness).length !== WITNESSES || seen.size !== 1 || !this.#possible.has(only!))
      throw new Error(`The folder of ${this.id} is in state ${[...seen]} instead of one of ${[...this.#possible]}.`);
    if (!readFileSync(path.join(this.#folder, 'chronicle.txt')).equals(TEXT))
      throw new Error(`${this.id}: chronicle.txt is damaged.`);
  }

  async #keepBusy(): Promise<void> {
    while (!this.#paused) {
      const action = this.#chance.pick(['backup', 'backup', 'backup', 'verify', 'restore', 'command', 'command']);
      if (action === 'backup') await this.#backUp();
      else if (action === 'verify') await this.#verify();
      else if (action === 'restore') await this.#restore();
      else await this.#command();
      await this.settled();
    }
  }

  async #backUp(): Promise<void> {
    await this.#bring('running');
    this.checkFolder();
    this.#writeMoment();
    const before = this.#moment;
    const answer = await this.#api.once<Backup>('POST', `/instances/${this.id}/backup`);
    this.#count('backup', answer);
    if (answer?.status !== 200) return;
    this.#backups.add(answer.body.backupId);
    this.#moments.set(answer.body.backupId, before);
  }

  async #verify(): Promise<void> {
    const backupId = this.#anyBackup();
    if (backupId === undefined) return;
    const answer = await this.#api.once<{ ok: boolean }>('POST', `/instances/${this.id}/backups/${backupId}/verify`);
    this.#count('verify', answer);
    if (answer?.status === 422) throw new Error(`${backupId} is damaged: ${JSON.stringify(answer.body)}`);
  }

  async #restore(): Promise<void> {
    const backupId = this.#anyBackup();
    if (backupId === undefined) return;
    await this.#bring('stopped');
    const answer = await this.#api.once('POST', `/instances/${this.id}/backups/${backupId}/restore`);
    this.#count('restore', answer);
    const then = this.#moments.get(backupId)!;
    this.#possible = answer?.status === 200 ? new Set([then]) : new Set([...this.#possible, then]);
    await this.settled();
    this.checkFolder();
    await this.#bring('running');
  }

  async #command(): Promise<void> {
    const command = this.#chance.pick(['list', 'save-all', 'say hello']);
    this.#count('command', await this.#api.once('POST', `/instances/${this.id}/commands`, { command }));
  }

  /** Repeats the request, because a process that was killed may have forgotten it. */
  async #bring(to: 'running' | 'stopped'): Promise<void> {
    await until(
      `${this.id} is ${to}`,
      async () => {
        const { phase } = await this.settled();
        const isThere = to === 'running' ? phase === 'running' : phase !== 'running';
        if (!isThere) await this.#api.once('POST', `/instances/${this.id}/${to === 'running' ? 'start' : 'stop'}`);
        return isThere;
      },
      { deadlineMs: SETTLE_MS },
    );
  }

  #writeMoment(): void {
    this.#possible = new Set([++this.#moment]);
    for (let n = 0; n < WITNESSES; n++)
      writeFileSync(path.join(this.#folder, 'witness', `${n}.txt`), `${this.#moment}`);
  }

  #anyBackup(): string | undefined {
    return this.#backups.size === 0 ? undefined : this.#chance.pick([...this.#backups]);
  }

  #count(what: string, answer: { status: number } | undefined): void {
    const key = `${what} ${answer === undefined ? 'cut off' : answer.status < 400 ? 'done' : 'refused'}`;
    this.tally[key] = (this.tally[key] ?? 0) + 1;
  }
}
