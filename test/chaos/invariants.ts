import type { Backup } from '../../shared/schema/backup.ts';
import type { Instance } from '../../shared/schema/instance.ts';
import type { Job } from '../../shared/schema/job.ts';
import type { Settings } from '../../shared/schema/settings.ts';
import { until } from '../support/machine/until.ts';
import type { FoundProcess } from '../support/processes/leftovers.ts';
import { isJvm, parentOf, processesAs } from './found-processes.ts';
import type { KnownServer, KnownToken, Ledger, Wish } from './ledger.ts';
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

/** Without anybody's help: no game without a supervisor stays so. Only a JVM may have one that is not its parent. */
export async function untilAttended({ home, ledger }: Inspection): Promise<void> {
  const alone = () =>
    ledger.servers.flatMap(({ id }) => {
      const supervisors = processesAs('supervisor', { home, id }).map(({ pid }) => pid);
      const isAttended = ({ pid, command }: FoundProcess) =>
        isJvm(command) ? supervisors.length > 0 : supervisors.includes(parentOf(pid) ?? pid);
      return processesAs('game', { home, id })
        .filter((game) => !isAttended(game))
        .map(({ pid }) => `${id}: ${pid}`);
    });
  await until('nobody is left alone', () => alone().length === 0, { deadlineMs: ATTENDED_MS, describe: alone });
}

/** Without anybody's help: who was told to stop has stayed so, and who has to come back whatever happens has done so. */
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
      { deadlineMs: ATTENDED_MS, describe: () => phase },
    ).catch((error: Error) => onFault(error.message));
  }
  for (const server of ledger.servers) {
    if (!isWished(server, 'stopped')) continue;
    const phase = await phaseOf(server.id);
    if (!/^(?:stopped|crashed)$/.test(phase ?? '')) onFault(`${server.id} was told to stop, and is ${phase}`);
  }
}

/** While all servers run: nobody is there twice, and no game without its own supervisor, or one that says that it has taken it over. */
export async function checkProcesses({ home, client, ledger, onFault }: Inspection): Promise<void> {
  const only = (role: 'daemon' | 'gateway' | 'supervisor' | 'game', id?: string) => {
    const found = processesAs(role, { home, ...(id !== undefined && { id }) });
    if (found.length !== 1) onFault(`${found.length} processes are ${role}${id ? ` of ${id}` : ''}`);
    return found[0];
  };
  only('daemon');
  only('gateway');
  if (processesAs('jobs', { home }).length > 1) onFault('jobs is there twice');
  for (const { id } of ledger.servers) {
    const [supervisor, game] = [only('supervisor', id), only('game', id)];
    if (!game || parentOf(game.pid) === supervisor?.pid) continue;
    const degraded = (await client.request<Instance>('GET', `/instances/${id}`))?.body.degraded;
    if (!isJvm(game.command) || degraded !== 'taken-over')
      onFault(`the game of ${id} is not its supervisor's child, and ${degraded ?? 'well'}`);
  }
}

/** While all servers run: saving is on everywhere where it can be turned off. */
export async function checkWorlds({ home, client, ledger, onFault }: Inspection): Promise<void> {
  for (const { id } of ledger.servers) {
    if (processesAs('game', { home, id }).some(({ command }) => isJvm(command))) continue;
    const said = await until(
      `${id} takes commands`,
      async () => {
        const command = { body: { command: 'save-on' } };
        const answer = await client.request<{ output: string }>('POST', `/instances/${id}/commands`, command);
        return answer?.status === 200 && answer.body.output;
      },
      { deadlineMs: UNLOCKED_MS },
    );
    // Over RCON alone; over the console with its log prefix, among what else the game says then.
    if (!/(?:^|: )Saving is already turned on$/m.test(said)) onFault(`the world of ${id} was locked: ${said}`);
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
