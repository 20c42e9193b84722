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

/** A server that is kept busy, and what its owner knows about its backups and its folder. */
export interface BusyServer {
  readonly id: string;
  /** Ids of the backups whose creation was acknowledged. */
  readonly acknowledged: ReadonlySet<string>;
  /** Number of actions by kind and outcome. */
  readonly tally: Readonly<Record<string, number>>;
  /** Performs random actions in sequence until `pause`. */
  resume(): void;
  /** Resolves when the last action has ended. Throws if an action failed. */
  pause(): Promise<void>;
  /** Resolves when the server has no job, no activity and no transition. */
  settled(): Promise<Instance>;
  /** Throws if the folder is incomplete or in a state that it cannot be in. */
  checkFolder(): void;
}

/** Keeps a demo server busy with random backups, verifications, restores and commands. */
export function busyServer(
  id: string,
  { api, chance, home }: { api: PatientApi; chance: Chance; home: string },
): BusyServer {
  const folder = path.join(home, 'instances', id);
  const acknowledged = new Set<string>();
  const moments = new Map<string, number>();
  const tally: Record<string, number> = {};
  let moment = 0;
  /** The states that the folder may be in. */
  let possible = new Set([0]);
  let paused = true;
  let work: Promise<void> = Promise.resolve();

  mkdirSync(path.join(folder, 'witness'), { recursive: true });
  writeFileSync(path.join(folder, 'chronicle.txt'), TEXT);
  writeMoment();

  function writeMoment(): void {
    possible = new Set([++moment]);
    for (let n = 0; n < WITNESSES; n++) writeFileSync(path.join(folder, 'witness', `${n}.txt`), `${moment}`);
  }

  function count(what: string, answer: { status: number } | undefined): void {
    const key = `${what} ${answer === undefined ? 'cut off' : answer.status < 400 ? 'done' : 'refused'}`;
    tally[key] = (tally[key] ?? 0) + 1;
  }

  async function settled(): Promise<Instance> {
    let last: unknown;
    return until(
      `${id} is idle`,
      async () => {
        const jobs = await api.insist<Job[]>('GET', '/jobs');
        const instance = await api.insist<Instance>('GET', `/instances/${id}`);
        const own = jobs.filter(
          ({ instanceId, kind, state }) => instanceId === id && kind !== 'replicate' && /queued|running/.test(state),
        );
        last = { own, instance };
        return (
          own.length === 0 && !instance.activity && /running|stopped|crashed/.test(instance.phase ?? '') && instance
        );
      },
      { deadlineMs: SETTLE_MS, describe: () => last },
    );
  }

  /** Repeats the request, because a process that was killed may have forgotten it. */
  async function bring(to: 'running' | 'stopped'): Promise<void> {
    await until(
      `${id} is ${to}`,
      async () => {
        const { phase } = await settled();
        const isThere = to === 'running' ? phase === 'running' : phase !== 'running';
        if (!isThere) await api.once('POST', `/instances/${id}/${to === 'running' ? 'start' : 'stop'}`);
        return isThere;
      },
      { deadlineMs: SETTLE_MS },
    );
  }

  const actions = {
    async backup() {
      const before = moment;
      const answer = await api.once<Backup>('POST', `/instances/${id}/backup`);
      count('backup', answer);
      if (answer?.status !== 200) return;
      acknowledged.add(answer.body.backupId);
      moments.set(answer.body.backupId, before);
    },
    async verify() {
      const backupId = anyBackup();
      if (backupId === undefined) return;
      const answer = await api.once<{ ok: boolean }>('POST', `/instances/${id}/backups/${backupId}/verify`);
      count('verify', answer);
      if (answer?.status === 422) throw new Error(`${backupId} is damaged: ${JSON.stringify(answer.body)}`);
    },
    async restore() {
      const backupId = anyBackup();
      if (backupId === undefined) return;
      await bring('stopped');
      const answer = await api.once('POST', `/instances/${id}/backups/${backupId}/restore`);
      count('restore', answer);
      const then = moments.get(backupId)!;
      possible = answer?.status === 200 ? new Set([then]) : new Set([...possible, then]);
      await settled();
      checkFolder();
      await bring('running');
    },
    async command() {
      count(
        'command',
        await api.once('POST', `/instances/${id}/commands`, {
          command: chance.pick(['list', 'save-all', 'say hello']),
        }),
      );
    },
  };

  function anyBackup(): string | undefined {
    return acknowledged.size === 0 ? undefined : chance.pick([...acknowledged]);
  }

  function checkFolder(): void {
    const witness = path.join(folder, 'witness');
    const seen = new Set(readdirSync(witness).map((name) => Number(readFileSync(path.join(witness, name), 'utf8'))));
    const [only] = seen;
    if (readdirSync(witness).length !== WITNESSES || seen.size !== 1 || !possible.has(only!))
      throw new Error(`The folder of ${id} is in state ${[...seen]} instead of one of ${[...possible]}.`);
    if (!readFileSync(path.join(folder, 'chronicle.txt')).equals(TEXT))
      throw new Error(`${id}: chronicle.txt is damaged.`);
  }

  async function keepBusy(): Promise<void> {
    while (!paused) {
      const action = chance.pick(['backup', 'backup', 'backup', 'verify', 'restore', 'command', 'command'] as const);
      if (action === 'backup') {
        await bring('running');
        checkFolder();
        writeMoment();
      }
      await actions[action]();
      await settled();
    }
  }

  return {
    id,
    acknowledged,
    tally,
    settled,
    checkFolder,
    resume() {
      paused = false;
      work = keepBusy();
      // `pause` reports it.
      work.catch(() => undefined);
    },
    async pause() {
      paused = true;
      await work;
    },
  };
}
