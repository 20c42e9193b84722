import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import type { PlayerAction } from '../../../../../shared/domain/players/player-action.ts';
import { offlineUuid } from '../../../../../shared/node/players/offline-uuid.ts';
import type { InstanceConfig } from '../../../../../shared/schema/instance.ts';
import { until } from '../../../../support/machine/until.ts';
import { runSupervisor, testPeer } from '../../../../support/processes/running-supervisor.ts';

const UUID = '069a79f4-44e9-4726-a5be-fca90e38aaf5';

async function* neverProvisioned(signal: AbortSignal): AsyncGenerator<{ progress: string }> {
  yield { progress: 'Downloading' };
  await once(signal, 'abort');
  signal.throwIfAborted();
}

/** A supervisor of a server that has never run, in offline mode unless its `properties` say otherwise. */
async function stoppedServer(t: Test, config: Partial<InstanceConfig> = {}, properties = 'online-mode=false\n') {
  const running = await runSupervisor(t, {
    config: { version: '1.20.4', ...config },
    upstream: { provision: neverProvisioned },
  });
  const {
    service,
    config: { directory },
  } = running;
  mkdirSync(directory, { recursive: true });
  writeFileSync(path.join(directory, 'server.properties'), properties);
  const file = (name: string) => path.join(directory, name);
  const read = (name: string): unknown => JSON.parse(readFileSync(file(name), 'utf8'));
  const act = (name: string, action: PlayerAction) => service.playerAction({ name, action });
  return { ...running, file, read, act };
}

t.test('the lists of a stopped server are changed in its files, and the server obeys them', async (t) => {
  const { service, file, read, act, waitForPhase, waitForLine } = await stoppedServer(t);
  writeFileSync(file('whitelist.json'), JSON.stringify([{ name: 'Ben', uuid: offlineUuid('Ben'), note: 7 }]), {
    mode: 0o640,
  });
  t.equal(await act('Anna', 'ban'), 'Banned Anna');
  t.equal(await act('Carl', 'whitelist'), 'Added Carl to the whitelist');
  t.match(read('whitelist.json'), [
    { name: 'Ben', note: 7 },
    { name: 'Carl', uuid: /^\w{8}-\w{4}-3/ },
  ]);
  t.equal(statSync(file('whitelist.json')).mode & 0o777, 0o640, 'the file keeps its mode');
  t.match(readFileSync(file('whitelist.json'), 'utf8'), /^\[\n {2}\{\n {4}"name": "Ben",/);
  t.match(await service.listedPlayers('bans'), [{ name: 'Anna', source: 'Gamekeeper' }]);
  await t.rejects(act('Anna', 'kick'), { code: 'invalid_state' });
  await service.start();
  await waitForPhase('running');
  service.sendLine('demo join Anna');
  await waitForLine(/Anna .* lost connection: You are banned/);
  await act('anna', 'pardon');
  await service.stop();
  await waitForPhase('stopped');
  t.same(await service.listedPlayers('bans'), []);
});

t.test('new operators get the level that the server would give them', async (t) => {
  const { read, act } = await stoppedServer(t, {}, 'online-mode=false\nop-permission-level=2\n');
  await act('Anna', 'op');
  t.match(read('ops.json'), [{ name: 'Anna', level: 2, bypassesPlayerLimit: false }]);
});

t.test('in online mode, only players whom the server knows are added', async (t) => {
  const { file, read, act } = await stoppedServer(t, {}, '');
  writeFileSync(
    file('usercache.json'),
    JSON.stringify([{ name: 'Anna', uuid: UUID, expiresOn: '2099-01-01 00:00:00 +0000' }]),
  );
  await t.rejects(act('Ben', 'whitelist'), { code: 'player_not_found' });
  await act('anna', 'whitelist');
  t.same(read('whitelist.json'), [{ name: 'Anna', uuid: UUID }]);
});

t.test('a damaged list stays as it is', async (t) => {
  const { file, act } = await stoppedServer(t);
  writeFileSync(file('ops.json'), '[{"name":');
  await t.rejects(act('Anna', 'op'), { code: 'invalid_state', message: /ops\.json/ });
  t.equal(readFileSync(file('ops.json'), 'utf8'), '[{"name":');
});

t.test('changes wait for each other, and none happens while the folder is locked', async (t) => {
  const { service, read, act, waitForPhase } = await stoppedServer(t);
  const names = ['Anna', 'Ben', 'Carl', 'Dora', 'Emil'];
  await Promise.all(names.map((name) => act(name, 'whitelist')));
  t.match(
    read('whitelist.json'),
    names.map((name) => ({ name })),
  );
  const { leaseId } = await service.hold('restoring', testPeer());
  await t.rejects(act('Finn', 'whitelist'), { code: 'already_in_progress' });
  await service.release(leaseId);
  const [added] = await Promise.all([act('Finn', 'whitelist'), service.start()]);
  t.equal(added, 'Added Finn to the whitelist');
  await waitForPhase('running');
  await until('the server has read the list', async () => (await service.listedPlayers('allowlist')).length === 6);
});

t.test('nothing is changed during a start', async (t) => {
  const { service, file, act } = await stoppedServer(t, { software: 'vanilla', eulaAccepted: true });
  await service.start();
  t.equal(service.status().phase, 'provisioning');
  await t.rejects(act('Anna', 'whitelist'), { code: 'invalid_state', message: /provisioning/ });
  await t.rejects(service.allowPlayers(['Anna']), { code: 'invalid_state' });
  t.notOk(existsSync(file('whitelist.json')));
});

t.test('a program that may be any game has no lists until it has made them', async (t) => {
  const { file, read, act } = await stoppedServer(t, { software: 'custom', launch: { command: ['true'] } });
  await t.rejects(act('Anna', 'whitelist'), { code: 'invalid_state', message: /no whitelist\.json/ });
  writeFileSync(file('whitelist.json'), '[]');
  await act('Anna', 'whitelist');
  t.match(read('whitelist.json'), [{ name: 'Anna' }]);
});

t.test('versions without lists in JSON are left to the server', async (t) => {
  const { act } = await stoppedServer(t, { version: '1.7.5' });
  await t.rejects(act('Anna', 'whitelist'), { code: 'invalid_state', message: /nothing can be sent/ });
});

t.test('a level is taken while the server is stopped, and refused by its command', async (t) => {
  const { service, read, waitForPhase } = await stoppedServer(t);
  await service.playerAction({ name: 'Anna', action: 'op', level: 2 });
  t.match(read('ops.json'), [{ name: 'Anna', level: 2 }]);
  await service.start();
  await waitForPhase('running');
  await t.rejects(service.playerAction({ name: 'Ben', action: 'op', level: 2 }), {
    code: 'invalid_state',
    resolution: /Stop the server first/,
  });
  t.match(await service.listedPlayers('operators'), [{ name: 'Anna' }]);
});

t.test('many players are added at once, while the server is stopped and while it runs', async (t) => {
  const { service, read, waitForPhase } = await stoppedServer(t);
  const names = Array.from({ length: 200 }, (_, count) => `Player${count}`);
  t.same(await service.allowPlayers(names), { added: names, failed: [] });
  t.match(
    read('whitelist.json'),
    names.map((name) => ({ name })),
  );
  t.match(await service.allowPlayers(['Player7', '@a', 'Anna', 'anna']), {
    added: ['anna'],
    failed: [
      { name: 'Player7', detail: 'Player is already whitelisted' },
      { name: '@a', detail: /^name/ },
    ],
  });
  await service.start();
  await waitForPhase('running');
  t.match(await service.allowPlayers(['Player7', 'Ben', '@a']), {
    added: ['Ben'],
    failed: [{ name: 'Player7' }, { name: '@a' }],
  });
  t.equal((await service.listedPlayers('allowlist')).length, 202);
});

t.test(
  'players whose addition nothing confirms are not reported as added, and one list is added at a time',
  async (t) => {
    const script = `echo up; while read line; do case "$line" in
    whitelist*Anna) echo "[12:00:00] [Server thread/INFO]: Added Anna to the whitelist" ;;
    *joined*) echo "[12:00:00] [Server thread/INFO]: $line" ;;
  esac; done`;
    const { service, waitForPhase } = await stoppedServer(t, {
      software: 'custom',
      launch: { command: ['sh', '-c', script] },
      readyPattern: 'up',
    });
    await service.start();
    await waitForPhase('running');
    service.sendLine('Ben joined the game');
    await until('it is known to be Minecraft', () => service.seenPlayers().length === 1);
    const first = service.allowPlayers(['Carl', 'Anna']);
    await t.rejects(service.allowPlayers(['Dora']), { code: 'already_in_progress' });
    t.same(await first, {
      added: ['Anna'],
      failed: [{ name: 'Carl', detail: 'The server did not report whether it worked.' }],
    });
    t.match(await service.allowPlayers(['Anna']), { added: ['Anna'] }, 'the next list may come');
  },
);
