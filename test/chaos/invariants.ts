import type { Backup } from '../../shared/schema/backup.ts';
import type { Instance } from '../../shared/schema/instance.ts';
import type { Job } from '../../shared/schema/job.ts';
import type { Settings } from '../../shared/schema/settings.ts';
import { until } from '../support/until.ts';
import { parentOf, processesAs } from './found-processes.ts';
import type { KnownToken, Ledger } from './ledger.ts';
import type { PatientClient } from './patient-client.ts';

/** Processes that were killed often wait half a minute before they are started again. Milliseconds. */
const SETTLE_MS = 150_000;
const UNLOCKED_MS = 30_000;
/** A supervisor that hangs is given up after more than a minute. Milliseconds. */
const ATTENDED_MS = 120_000;

export interface Inspection {
  home: string;
  client: PatientClient;
  ledger: Ledger;
  /** Told of everything that is not as it must be. */
  onFault(what: string): void;
}

/** Brings every server to run, as its owner would, and waits until nothing is under way any more. */
export async function bringAllUp({ client, ledger }: Inspection): Promise<void> {
  await Promise.all(
    ledger.servers.map(({ id }) => {
      let last: unknown;
      return until(
        `${id} runs and nothing else goes on`,
        async () => {
          const jobs = await client.request<Job[]>('GET', '/jobs');
          const instance = await client.request<Instance>('GET', `/instances/${id}`);
          if (jobs?.status !== 200 || instance?.status !== 200) return false;
          const { phase, activity } = instance.body;
          const own = jobs.body.filter(({ instanceId, state }) => instanceId === id && /queued|running/.test(state));
          last = { instance: instance.body, own };
          if (own.length > 0 || activity) return false;
          if (phase === 'stopped' || phase === 'crashed') await client.request('POST', `/instances/${id}/start`);
          return phase === 'running';
        },
        { deadlineMs: SETTLE_MS, describe: () => last },
      );
    }),
  );
}

/** Without anybody's help: no game without a supervisor of its own stays so. */
export async function untilAttended({ home, ledger }: Inspection): Promise<void> {
  const alone = () =>
    ledger.servers.flatMap(({ id }) => {
      const supervisors = processesAs('supervisor', { home, id }).map(({ pid }) => pid);
      const games = processesAs('game', { home, id });
      return games.filter(({ pid }) => !supervisors.includes(parentOf(pid) ?? pid)).map(({ pid }) => `${id}: ${pid}`);
    });
  await until('nobody is left alone', () => alone().length === 0, { deadlineMs: ATTENDED_MS, describe: alone });
}

/** While all servers run: nobody is there twice, and no game without its own supervisor. */
export function checkProcesses({ home, ledger, onFault }: Inspection): void {
  const only = (role: 'daemon' | 'gateway' | 'supervisor' | 'game', id?: string) => {
    const found = processesAs(role, { home, ...(id !== undefined && { id }) });
    if (found.length !== 1) onFault(`${found.length} processes are ${role}${id ? ` of ${id}` : ''}`);
    return found[0]?.pid;
  };
  only('daemon');
  only('gateway');
  if (processesAs('jobs', { home }).length > 1) onFault('jobs is there twice');
  for (const { id } of ledger.servers) {
    const [supervisor, game] = [only('supervisor', id), only('game', id)];
    if (game !== undefined && parentOf(game) !== supervisor) onFault(`the game of ${id} is not its supervisor's child`);
  }
}

/** While all servers run: saving is on everywhere. */
export async function checkWorlds({ client, ledger, onFault }: Inspection): Promise<void> {
  for (const { id } of ledger.servers) {
    const said = await until(
      `${id} takes commands`,
      async () => {
        const command = { body: { command: 'save-on' } };
        const answer = await client.request<{ output: string }>('POST', `/instances/${id}/commands`, command);
        return answer?.status === 200 && answer.body.output;
      },
      { deadlineMs: UNLOCKED_MS },
    );
    // Over RCON alone, or with its log prefix where the game answered over the console.
    if (!/(?:^|: )Saving is already turned on$/.test(said)) onFault(`the world of ${id} was locked: ${said}`);
  }
}

/** Every setting, token and backup that was acknowledged is there, and the session of before. */
export async function checkLedger({ client, ledger, onFault }: Inspection): Promise<void> {
  const settings = await client.request<Settings>('GET', '/api/settings', { as: 'session' });
  if (settings?.status !== 200) onFault(`the session does not hold any more: ${settings?.status}`);
  else requirePossible('limits.burst', settings.body.limits.burst, ledger.burst.possible);
  for (const { id, memoryMb, backups } of ledger.servers) {
    const instance = await client.request<Instance>('GET', `/instances/${id}`);
    requirePossible(`memoryMb of ${id}`, instance?.body.memoryMb, memoryMb.possible);
    const listed = await client.request<Backup[]>('GET', `/instances/${id}/backups`);
    const known = new Set(listed?.body.map(({ backupId }) => backupId));
    for (const backup of backups) if (!known.has(backup)) onFault(`backup ${id}/${backup} is lost`);
  }
  for (const token of ledger.tokens) await checkToken(token);

  async function checkToken({ id, token, valid }: KnownToken): Promise<void> {
    const answer = await client.request('GET', '/instances', { as: { bearer: token } });
    if (!valid.possible.has(answer?.status === 200))
      onFault(`token ${id}: ${answer?.status}, though it was ${valid.possible.has(true) ? 'made' : 'revoked'}`);
  }

  function requirePossible<T>(what: string, is: T | undefined, possible: ReadonlySet<T>): void {
    if (is === undefined || !possible.has(is)) onFault(`${what} is ${is}, not one of ${[...possible].join(', ')}`);
  }
}
