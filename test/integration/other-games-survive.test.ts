/** What happens to real games that are not Minecraft when something is killed, restored or in their way. */

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chownSync, lstatSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import type { Instance } from '../../shared/schema/instance.ts';
import { areInstalled, createAll, GAME_NAMES, GAMES, type Game } from '../support/games/real-games.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';

const SOON = { deadlineMs: 120_000 };
const TRANSPORTS = {
  luanti: ['udp'],
  openttd: ['tcp', 'udp'],
  openarena: ['udp'],
  teeworlds: ['udp'],
  freeciv: ['tcp'],
} as const;

t.test('five real games outlive kills, come back whole from a backup, and name who has their port', async (t) => {
  if (!areInstalled(t)) return;
  const gamekeeper = await startGamekeeper(t);
  const { api, cli, home, waitForStatus } = gamekeeper;
  const instances = await createAll(gamekeeper);
  const each = (task: (id: Game) => Promise<unknown>) => Promise.all(GAME_NAMES.map(task));
  const folderOf = (id: Game) => join(home, 'instances', id);
  const pidOf = (id: Game) => gamePid(gamekeeper, id);
  const read = async (id: Game) => (await api<Instance>('GET', `/instances/${id}`)).body;
  const comesBack = (id: Game, before: number | undefined) =>
    until(
      `${id} is back`,
      async () => ![undefined, before].includes(pidOf(id)) && (await read(id)).status === 'running',
      {
        ...SOON,
        describe: () => read(id),
      },
    );

  await each((id) => api('POST', `/instances/${id}/start`));
  await each((id) => waitForStatus(id, 'running', SOON));

  await t.test('memory and CPU time of each are measured', async (t) => {
    for (const id of GAME_NAMES) {
      const { memoryUsedMb = 0, cpuPercent = -1 } = await until(`${id} is measured`, async () => {
        const instance = await read(id);
        return instance.cpuPercent !== undefined && instance;
      });
      const [, kiB] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pidOf(id)}/status`, 'utf8')) ?? [];
      t.ok(memoryUsedMb >= Math.floor(Number(kiB) / 2048), `${id}: ${memoryUsedMb} MB, ${kiB} KiB`);
      t.ok(cpuPercent >= 0, id);
    }
  });

  await t.test('sleep is refused, since players who join cannot be told from those who look', async (t) => {
    for (const id of GAME_NAMES)
      t.match(await api('PATCH', `/instances/${id}`, { sleepWhenEmptyMinutes: 5 }), {
        status: 400,
        body: { code: 'invalid_request', detail: /^sleepWhenEmptyMinutes: / },
      });
  });

  await t.test('a restored server has its files back, and they belong to the user it runs as', async (t) => {
    await each(async (id) => {
      const marker = join(folderOf(id), 'marker.txt');
      const { uid, gid } = statSync(folderOf(id));
      const { world } = GAMES[id];
      const hasWorld = () => !world || (statSync(join(folderOf(id), world), { throwIfNoEntry: false })?.size ?? 0) > 0;
      await until(`${id} has written its world`, hasWorld, SOON);
      writeFileSync(marker, `of ${id}`);
      chownSync(marker, uid, gid);
      const backup = await cli('backup', id, '--json');
      t.equal(backup.code, 0, `${id}: ${backup.stderr}`);
      rmSync(marker);
      const before = pidOf(id);
      const { backupId } = JSON.parse(backup.stdout);
      const restored = await cli('restore', id, backupId, '--restart');
      t.equal(restored.code, 0, `${id}: ${restored.stderr}`);
      await comesBack(id, before);
      t.equal(readFileSync(marker, 'utf8'), `of ${id}`);
      t.ok(hasWorld(), `${id} has its world`);
      t.same(othersFiles(folderOf(id), uid), [], `everything of ${id} belongs to its user`);
    });
  });

  await t.test('a killed daemon leaves all games running', async (t) => {
    const before = GAME_NAMES.map(pidOf);
    await gamekeeper.endDaemon('SIGKILL');
    await gamekeeper.startDaemon();
    await each((id) => waitForStatus(id, 'running', SOON));
    t.same(GAME_NAMES.map(pidOf), before);
  });

  await t.test('a killed game is started again, and the reason is the signal', async (t) => {
    await each(async (id) => {
      const before = pidOf(id)!;
      process.kill(before, 'SIGKILL');
      await comesBack(id, before);
      t.match((await read(id)).crash, { signal: 'SIGKILL', reason: /SIGKILL/ }, id);
    });
  });

  await t.test('a killed supervisor leaves its game running', async (t) => {
    await each(async (id) => {
      const before = pidOf(id);
      const supervisors = () =>
        processesOf(home).filter(({ command }) => /workers\/supervisor/.test(command) && command.endsWith(id));
      const [former] = supervisors();
      process.kill(former!.pid, 'SIGKILL');
      await until('another one has the game', async () => {
        const { phase, degraded } = await read(id);
        return supervisors().some(({ pid }) => pid !== former!.pid) && phase === 'running' && degraded === undefined;
      });
      t.equal(pidOf(id), before, id);
    });
  });

  await each((id) => api('POST', `/instances/${id}/stop`));
  await each((id) => waitForStatus(id, 'stopped', SOON));

  await t.test('a port of each that another program has is named with that program', async (t) => {
    for (const id of GAME_NAMES)
      for (const transport of TRANSPORTS[id]) {
        const { port } = instances[id];
        await using _ = await holdPort(port, transport);
        const refused = await api<{ detail: string }>('POST', `/instances/${id}/start`);
        t.equal(refused.status, 409, `${id}: ${transport}: ${JSON.stringify(refused.body)}`);
        t.match(refused.body.detail, new RegExp(`port ${port}\\b.* in use by .*\\(process ${process.pid}\\)`));
      }
  });
});

/** Returns the pid of the game itself, or `undefined` while it does not run. */
function gamePid({ home }: Gamekeeper, id: Game): number | undefined {
  const found = processesOf(home).filter(({ command }) => GAMES[id].process.test(command));
  if (found.length > 1) throw new Error(`${id} runs ${found.length} times`);
  return found[0]?.pid;
}

/** Returns what in a folder does not belong to a user. The game, which runs, may remove files meanwhile. */
function othersFiles(folder: string, uid: number): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const status = lstatSync(join(folder, name), { throwIfNoEntry: false });
    return status && status.uid !== uid;
  });
}

/** Listens on a port of all addresses until it is disposed. */
async function holdPort(port: number, transport: 'tcp' | 'udp'): Promise<AsyncDisposable> {
  const holder = transport === 'tcp' ? createServer().listen(port) : createSocket('udp6').bind(port);
  await once(holder, 'listening');
  return {
    async [Symbol.asyncDispose]() {
      holder.close();
      await once(holder, 'close');
    },
  };
}
