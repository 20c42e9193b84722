import type { Backup } from '../../../shared/schema/backup.ts';
import type { Instance } from '../../../shared/schema/instance.ts';
import type { Job } from '../../../shared/schema/job.ts';
import type { Settings } from '../../../shared/schema/settings.ts';
import { until } from '../../support/machine/until.ts';
import type { KnownServer, KnownToken, Ledger, Wish } from '../owner/ledger.ts';
import type { PatientClient } from '../owner/patient-client.ts';
import { hasWorld, processesAs } from '../system/processes.ts';

/** A process that was killed several times is started again after up to half a minute. Milliseconds. */
const SETTLE_MS = 150_000;
const UNLOCKED_MS = 30_000;
/** A supervisor that hangs is replaced after more than a minute. Milliseconds. */
const SUPERVISED_MS = 120_000;

export interface Inspection {
  home: string;
  client: PatientClient;
  ledger: Ledger;
  /** Called for every violation. */
  onFault(what: string): void;
}

/** Starts every server that is not running, and waits until all run and no job or other activity is left. */
export async function startAll({ client, ledger }: Inspection): Promise<void> {
  await Promise.all(
    ledger.servers.map(({ id }) => {
      let last: unknown;
      return until(
        `${id} runs without any activity`,
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

/** Waits until every game process has a supervisor. Must happen without any request. */
export async function untilSupervised({ home, ledger }: Inspection): Promise<void> {
  const orphans = () =>
    ledger.servers.flatMap(({ id }) => {
      if (processesAs('supervisor', { home, id }).length > 0) return [];
      return processesAs('game', { home, id }).map(({ pid }) => `${id}: ${pid}`);
    });
  await until('every game process has its supervisor', () => orphans().length === 0, {
    deadlineMs: SUPERVISED_MS,
    describe: orphans,
  });
}

/** Checks that stopped servers stayed stopped, and that servers that always restart run again. Must happen without any request. */
export async function checkWishes({ client, ledger, onFault }: Inspection): Promise<void> {
  const isWished = ({ wish }: KnownServer, what: Wish) => wish.possible.size === 1 && wish.possible.has(what);
  const phaseOf = async (id: string) => (await client.request<Instance>('GET', `/instances/${id}`))?.body.phase;
  for (const server of ledger.servers) {
    const { id, comesBack } = server;
    if (!comesBack || !isWished(server, 'running')) continue;
    let phase: unknown;
    await until(
      `${id} runs again`,
      async () => {
        phase = await phaseOf(id);
        return phase === 'running';
      },
      { deadlineMs: SUPERVISED_MS, describe: () => phase },
    ).catch((error: Error) => onFault(error.message));
  }
  for (const server of ledger.servers) {
    if (!isWished(server, 'stopped')) continue;
    const phase = await phaseOf(server.id);
    if (!/^(?:stopped|crashed)$/.test(phase ?? '')) onFault(`${server.id} was stopped, but is ${phase}`);
  }
}

/** Checks, while all servers run, that each process exists once and that no game has lost its terminal. */
export async function checkProcesses({ home, client, ledger, onFault }: Inspection): Promise<void> {
  const only = (role: 'daemon' | 'gateway' | 'supervisor' | 'game', id?: string) => {
    const found = processesAs(role, { home, ...(id !== undefined && { id }) });
    if (found.length !== 1) onFault(`${found.length} ${role} processes${id ? ` of ${id}` : ''}`);
    return found[0];
  };
  only('daemon');
  only('gateway');
  if (processesAs('jobs', { home }).length > 1) onFault('several jobs processes');
  for (const { id } of ledger.servers) {
    only('supervisor', id);
    only('game', id);
    const degraded = (await client.request<Instance>('GET', `/instances/${id}`))?.body.degraded;
    if (degraded !== undefined) onFault(`${id} is ${degraded}`);
  }
}

/** Checks, while all servers run, that no world is locked. Only the demo servers have such a lock. */
export async function checkWorlds({ home, client, ledger, onFault }: Inspection): Promise<void> {
  for (const { id } of ledger.servers) {
    if (!processesAs('game', { home, id }).some(({ command }) => hasWorld(command))) continue;
    const output = await until(
      `${id} takes commands`,
      async () => {
        const command = { body: { command: 'save-on' } };
        const answer = await client.request<{ output: string }>('POST', `/instances/${id}/commands`, command);
        return answer?.status === 200 && answer.body.output;
      },
      { deadlineMs: UNLOCKED_MS },
    );
    // RCON returns only this line. The console returns it with its log prefix, among other lines.
    if (!/(?:^|: )Saving is already turned on$/m.test(output)) onFault(`the world of ${id} was locked: ${output}`);
  }
}

/** Checks that every acknowledged setting, token and backup exists, and that the session is still valid. */
export async function checkLedger({ client, ledger, onFault }: Inspection): Promise<void> {
  const settings = await client.request<Settings>('GET', '/api/settings', { as: 'session' });
  if (settings?.status !== 200) onFault(`the session is no longer valid: ${settings?.status}`);
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
      onFault(`token ${id}: ${answer?.status}, although it was ${valid.possible.has(true) ? 'created' : 'revoked'}`);
  }

  function requirePossible<T>(what: string, is: T | undefined, possible: ReadonlySet<T>): void {
    if (is === undefined || !possible.has(is)) onFault(`${what} is ${is} instead of ${[...possible].join(' or ')}`);
  }
}
