import t from 'tap';
import { softwareOf } from '../../../../shared/domain/software/catalogue.ts';
import { parseLogLine } from '../../../../workers/supervisor/game/log-prefix.ts';
import { ManagementError } from '../../../../workers/supervisor/management/management-error.ts';
import { listPlayers } from '../../../../workers/supervisor/players/player-list.ts';
import { Presence } from '../../../../workers/supervisor/players/presence.ts';
import { until } from '../../../support/machine/until.ts';
import { runSupervisor } from '../../../support/processes/running-supervisor.ts';

const SAYS = '[12:00:00] [Server thread/INFO]:';

t.test('reports players as the console shows them, and forgets them when the server stops', async (t) => {
  const script = `echo up; while read line; do echo "${SAYS} $line"; done`;
  const { service, waitForPhase } = await runSupervisor(t, {
    config: { software: 'custom', launch: { command: ['sh', '-c', script] }, readyPattern: 'up' },
  });
  await service.start();
  await waitForPhase('running');
  t.equal(service.status().players, undefined);
  const leaving = new AbortController();
  const told: string[] = [];
  void (async () => {
    for await (const { players = [] } of service.watch(leaving.signal))
      if (told.at(-1) !== players.join()) told.push(players.join());
  })();
  for (const line of [
    'Alice joined the game',
    'Bob joined the game',
    '<Bob> Carol joined the game',
    'Alice left the game',
  ]) {
    const before = told.length;
    service.sendLine(line);
    if (!line.startsWith('<')) await until(`the change is reported: ${line}`, () => told.length > before);
  }
  await until('only one is left', () => service.status().players?.join() === 'Bob');
  t.same(told, ['', 'Alice', 'Alice,Bob', 'Bob'], 'chat does not change the list');
  await service.kill();
  await waitForPhase('stopped');
  t.equal(service.status().players, undefined);
  leaving.abort();
});

t.test('limits the number of players that a console can report', async (t) => {
  const presence = new Presence({ edition: 'java' }, () => 0);
  for (let count = 0; count < 3_000; count++) {
    const message = `Player${count} joined the game`;
    presence.take({ text: message, message, prefixed: true });
  }
  t.equal(presence.names.length, 1_000);
  const sample = Array.from({ length: 3_000 }, (_, count) => `Sample${count}`);
  const listed = await listPlayers({
    definition: softwareOf('vanilla')!,
    folder: t.testdir(),
    management: {
      async players() {
        throw new ManagementError('no-answer', 'it has none');
      },
    },
    rcon: undefined,
    presence,
    ping: { online: 9_000, sample },
  });
  t.equal(listed.length, 1_000);
});

t.test('the console shows who is online and since when', async (t) => {
  let now = 1_000;
  const presence = new Presence({ edition: 'java' }, () => now);
  const take = (message: string) => presence.take(parseLogLine(`[12:00:00] [Server thread/INFO]: ${message}`));
  take('Anna joined the game');
  now = 2_000;
  take('Ben joined the game.');
  take('<Eve> Carl joined the game');
  take('Anna left the game');
  t.strictSame(presence.names, ['Ben']);
  t.equal(presence.since('Ben'), 2_000);
  // texts of flying-squid and Velocity
  take('Dora (127.0.0.1) connected');
  take('[connected player] Finn (/203.0.113.7:5) has connected');
  take('<Eve> Gina (127.0.0.1) connected');
  t.strictSame(presence.names, ['Ben', 'Dora', 'Finn']);
  take('Dora disconnected');
  take('[connected player] Finn (/203.0.113.7:5) has disconnected');
  t.strictSame(presence.names, ['Ben']);
});

t.test('reads joins and leaves in the texts of Bedrock', async (t) => {
  const presence = new Presence({ edition: 'bedrock' }, () => 1_000);
  const take = (message: string) => presence.take(parseLogLine(`[2026-09-02 04:35:59:427 INFO] ${message}`));
  take('Player connected: Cool Gamertag 42, xuid: 2535457893448396');
  take('Player Spawned: Cool Gamertag 42 xuid: 2535457893448396, pfid: 4ad1c0e2b7f3a915');
  take('Player connected: Steve, xuid: 2535473624588400');
  t.strictSame(presence.names, ['Cool Gamertag 42', 'Steve']);
  take('Player disconnected: Cool Gamertag 42, xuid: 2535457893448396, pfid: 4ad1c0e2b7f3a915');
  t.strictSame(presence.names, ['Steve']);
});

t.test("types no command of Minecraft's into other games to list their players", async (t) => {
  const definition = softwareOf('rust')!;
  const asked: string[] = [];
  const rcon = {
    async run(command: string) {
      asked.push(command);
      return '';
    },
  };
  const management = {
    async players() {
      throw new ManagementError('no-answer', 'it has none');
    },
  };
  const presence = new Presence({ edition: 'java' }, () => 0);
  const ping = { online: 1, sample: ['Big Bob'] };
  const listed = await listPlayers({ definition, folder: t.testdir(), management, rcon, presence, ping });
  t.match(listed, [{ name: 'Big Bob' }]);
  t.same(asked, []);
});
