/**
 * Kills processes at random moments while two servers are backed up, verified, restored, copied and used. After each kill everything
 * recovers, and nothing is lost, locked, incomplete or duplicated.
 *
 * `KILLS=400 SEED=7 npm test -- test/integration/backup-kills.test.ts` kills more, in the order of this seed. The seed is printed.
 * Only kills of processes that work on backups are counted. The gateway is killed from time to time, too.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import type { Backup } from '../../shared/schema/backup.ts';
import { BusyServer } from '../support/kills/busy-server.ts';
import { chanceFrom } from '../support/kills/chance.ts';
import { type PatientApi, patientApi } from '../support/kills/patient-api.ts';
import { SEED } from '../support/kills/seed.ts';
import { freePort } from '../support/machine/free-port.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';

const KILLS = Number(process.env.KILLS ?? 12);
/** Longest time between two kills: about as long as one or two backups take. */
const LONGEST_WAIT_MS = 1_000;
/** Makes a copy take about that long. */
const BYTES_PER_SECOND = 2_000_000;
const COPIED_MS = 90_000;

const COUNTED = ['jobs', 'supervisor', 'daemon'] as const;
type Victim = (typeof COUNTED)[number] | 'gateway';
/** How many times each counted process is killed before the gateway is. */
const TURNS_PER_GATEWAY = 3;

t.test(`${KILLS} kills at random moments lose nothing and leave nothing locked`, async (t) => {
  t.comment(`SEED=${SEED}`);
  const chance = chanceFrom(SEED);
  const { gamekeeper, api, far } = await setup(t);
  const servers = ['one', 'two'].map(
    (id, n) => new BusyServer(id, { api, chance: chanceFrom(SEED + n + 1), home: gamekeeper.home }),
  );
  for (const { id } of servers) await api.insist('POST', `/instances/${id}/start`);

  const killed = { jobs: 0, supervisor: 0, daemon: 0, gateway: 0 };
  const order: Victim[] = [];
  for (let turn = 0; killed.jobs + killed.supervisor + killed.daemon < KILLS; ) {
    for (const server of servers) server.resume();
    await delay(chance.below(LONGEST_WAIT_MS));
    if (order.length === 0)
      order.push(...chance.shuffled<Victim>(turn++ % TURNS_PER_GATEWAY === 0 ? ['gateway', ...COUNTED] : COUNTED));
    const victim = order.shift()!;
    if (await kill(victim, { gamekeeper, id: chance.pick(servers).id })) killed[victim]++;
    else order.push(victim);
    await Promise.all(servers.map((server) => server.pause()));
    for (const server of servers) await checkServer(server, { gamekeeper, api });
    checkProcesses(gamekeeper);
  }
  t.comment(
    killed,
    Object.fromEntries(
      servers.map(({ id, tally, acknowledged }) => [id, { ...tally, acknowledged: acknowledged.size }]),
    ),
  );
  for (const victim of COUNTED)
    t.ok(killed[victim] >= Math.floor(KILLS / COUNTED.length), `${victim} was killed ${killed[victim]} times`);
  t.ok(
    servers.some(({ acknowledged }) => acknowledged.size > 0),
    'backups were acknowledged',
  );

  for (const { id } of servers) await checkCopies(t, { api, id, far });
});

async function setup(t: Test) {
  const directory = path.join(temporaryFolder(t), 'nas');
  mkdirSync(directory);
  writeFileSync(path.join(directory, '.gamekeeper-store'), '');
  const gamekeeper = await startGamekeeper(t, {
    settings: {
      backups: {
        concurrency: 2,
        stores: [{ name: 'nas', kind: 'folder', directory }],
        bandwidth: { uploadBytesPerSecond: BYTES_PER_SECOND },
      },
    },
  });
  const api = patientApi(gamekeeper);
  for (const name of ['One', 'Two'])
    await api.insist('POST', '/instances', { name, software: 'demo', port: await freePort() });
  return { gamekeeper, api, far: directory };
}

/** Resolves to false if there is no such process now. */
async function kill(victim: Victim, { gamekeeper, id }: { gamekeeper: Gamekeeper; id: string }): Promise<boolean> {
  if (victim === 'daemon') {
    await gamekeeper.endDaemon('SIGKILL');
    await gamekeeper.startDaemon();
    return true;
  }
  const found = processesOf(gamekeeper.home).find(
    ({ command }) => isOne(command, victim) && (victim !== 'supervisor' || command.endsWith(` ${id}`)),
  );
  if (!found) return false;
  process.kill(found.pid, 'SIGKILL');
  await until('the killed process is gone', () => processesOf(gamekeeper.home).every(({ pid }) => pid !== found.pid));
  return true;
}

function isOne(command: string, kind: Victim | 'game'): boolean {
  const entries = {
    daemon: 'daemon/main',
    gateway: 'gateway/main',
    jobs: 'workers/jobs/main',
    supervisor: 'workers/supervisor/main',
    game: 'workers/demo/main',
  };
  return command.includes(entries[kind]);
}

async function checkServer(
  server: BusyServer,
  { gamekeeper, api }: { gamekeeper: Gamekeeper; api: PatientApi },
): Promise<void> {
  const { id, acknowledged } = server;
  const { phase } = await server.settled();
  server.checkFolder();
  if (phase === 'running') {
    const mark = path.join(gamekeeper.home, 'run/instances', `${id}.world-lock`);
    await until(`${id} is not marked as locked`, () => !existsSync(mark));
    const { output } = await api.insist<{ output: string }>('POST', `/instances/${id}/commands`, {
      command: 'save-on',
    });
    // RCON returns only this line. The console returns it with its log prefix, among other lines.
    if (!/(?:^|: )Saving is already turned on$/m.test(output))
      throw new Error(`The world of ${id} was locked: ${output}`);
  }
  const listed = await api.insist<Backup[]>('GET', `/instances/${id}/backups`);
  const archives = path.join(gamekeeper.home, 'backups', id);
  for (const { backupId, sha256 } of listed) {
    const content = readFileSync(path.join(archives, `${backupId}.zip`));
    if (createHash('sha256').update(content).digest('hex') !== sha256) throw new Error(`${id}/${backupId} is damaged`);
  }
  const known = new Set(listed.map(({ backupId }) => backupId));
  for (const backupId of acknowledged) if (!known.has(backupId)) throw new Error(`${id}/${backupId} is lost`);
  const files = existsSync(archives) ? readdirSync(archives).sort() : [];
  const expected = [...known].flatMap((backupId) => [`${backupId}.json`, `${backupId}.zip`]).sort();
  if (files.join() !== expected.join())
    throw new Error(
      `${id}: left over or missing: ${files.filter((f) => !expected.includes(f))} ${expected.filter((f) => !files.includes(f))}`,
    );
  const scratch = readdirSync(path.join(gamekeeper.home, 'instances')).filter((name) => /\.new$/.test(name));
  if (scratch.length > 0) throw new Error(`partly restored: ${scratch}`);
}

/** Checks that no process exists twice and that no game process lacks its supervisor. */
function checkProcesses({ home }: Gamekeeper): void {
  const all = processesOf(home);
  const count = (kind: Victim | 'game') => all.filter(({ command }) => isOne(command, kind)).length;
  const counted = {
    daemon: count('daemon'),
    gateway: count('gateway'),
    jobs: count('jobs'),
    supervisor: count('supervisor'),
    game: count('game'),
  };
  if (
    counted.daemon !== 1 ||
    counted.gateway !== 1 ||
    counted.jobs > 1 ||
    counted.supervisor > 2 ||
    counted.game > counted.supervisor
  )
    throw new Error(`Processes: ${JSON.stringify({ counted, all }, undefined, 2)}`);
}

/** Checks that every backup gets its copy in the end, and that both are intact. */
async function checkCopies(t: Test, { api, id, far }: { api: PatientApi; id: string; far: string }): Promise<void> {
  let waiting: Backup[] = [];
  await until(
    `all backups of ${id} are copied`,
    async () => {
      const listed = await api.insist<Backup[]>('GET', `/instances/${id}/backups`);
      waiting = listed.filter(({ cloudStatus }) => cloudStatus !== 'replicated' && cloudStatus !== 'disabled');
      return waiting.length === 0;
    },
    { deadlineMs: COPIED_MS, describe: () => waiting },
  );
  const listed = await api.insist<Backup[]>('GET', `/instances/${id}/backups`);
  for (const { backupId } of listed) {
    const { ok } = await api.insist<{ ok: boolean }>('POST', `/instances/${id}/backups/${backupId}/verify`);
    t.ok(ok, `${id}/${backupId} and its copies verify`);
  }
  t.same(
    readdirSync(path.join(far, id)).filter((name) => !name.endsWith('.zip')),
    [],
    'no partial copy is left',
  );
}
