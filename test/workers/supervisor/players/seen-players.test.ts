import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { SeenPlayers } from '../../../../workers/supervisor/players/seen-players.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';
import { runSupervisor } from '../../../support/processes/running-supervisor.ts';

const SAYS = '[12:00:00] [Server thread/INFO]:';

function opened(t: Test, { file = path.join(temporaryFolder(t), 'players.json'), countEveryMs = 10 } = {}) {
  const hidden = new Set(['Hidden']);
  const logged: string[] = [];
  const options = { countEveryMs, isHidden: (name: string) => hidden.has(name) };
  const seen = new SeenPlayers({ file, ...options, log: (_level, message) => logged.push(message) });
  t.teardown(() => seen.release());
  return {
    file,
    seen,
    hidden,
    logged,
    join: (name: string) => seen.take({ name, hasLeft: false }),
    leave: (name: string) => seen.take({ name, hasLeft: true }),
  };
}

t.test('keeps who was there, when last and for how long, newest first', async (t) => {
  const { file, seen, join, leave } = opened(t);
  const begin = Date.now();
  join('Anna');
  join('Ben');
  await until('a second has passed', () => seen.all.every(({ playSeconds }) => playSeconds >= 1));
  leave('Ben');
  join('Carl');
  leave('Carl');
  leave('never here');
  join('Hidden');
  leave('Hidden');
  await seen.release();
  const { seen: reread } = opened(t, { file });
  const [anna, carl, ben, ...others] = reread.all;
  t.match(anna, { name: 'Anna', online: false }, 'was online last');
  t.match(carl, { name: 'Carl', playSeconds: 0, online: false });
  t.match(ben, { name: 'Ben', online: false });
  t.same(others, []);
  for (const player of [anna, ben]) t.ok(player && player.playSeconds >= 1);
  for (const { lastSeen } of reread.all) t.ok(Date.parse(lastSeen) >= begin && Date.parse(lastSeen) <= Date.now());
});

t.test('counts who is online while they are, and adds to what was counted before', async (t) => {
  const { file, seen, join } = opened(t);
  join('Anna');
  await until('the time is on disk before Anna leaves', () => opened(t, { file }).seen.all[0]?.playSeconds === 1);
  t.ok(seen.all[0]?.online);
  // Without a word of the former supervisor, as after a kill.
  const next = opened(t, { file });
  t.match(next.seen.all, [{ name: 'Anna', online: false }]);
  next.join('Anna');
  await until('the time continues', () => (next.seen.all[0]?.playSeconds ?? 0) >= 2);
});

t.test('writes nothing once it belongs to another supervisor', async (t) => {
  const { file, seen, join } = opened(t);
  join('Anna');
  await seen.release();
  writeFileSync(file, '[]');
  join('Ben');
  await seen.release();
  t.equal(readFileSync(file, 'utf8'), '[]');
});

t.test('forgets the oldest of more than 1,000, and starts anew if the file is damaged', async (t) => {
  const { file, seen, join, leave } = opened(t);
  for (let count = 0; count < 1_500; count++) {
    join(`Player${count}`);
    leave(`Player${count}`);
  }
  t.equal(seen.all.length, 1_000);
  t.equal(seen.all[0]?.name, 'Player1499');
  await seen.release();
  t.equal(opened(t, { file }).seen.all.length, 1_000);
  writeFileSync(file, '[{"name":');
  const anew = opened(t, { file });
  t.same(anew.seen.all, []);
  t.match(anew.logged, [/damaged/]);
});

t.test('a rule that was added later hides earlier notes', async (t) => {
  const { seen, hidden, logged, join } = opened(t);
  join('Anna');
  join('Ben');
  hidden.add('Anna');
  t.match(seen.all, [{ name: 'Ben' }]);
  t.equal(seen.all.length, 1);
  t.same(logged, []);
});

t.test('a supervisor knows who was on its server, also when it is stopped and after a restart', async (t) => {
  const script = `echo up; while read line; do echo "${SAYS} $line"; done`;
  const config = { software: 'custom', launch: { command: ['sh', '-c', script] }, readyPattern: 'up' };
  const { service, supervisor, home, waitForPhase } = await runSupervisor(t, { config });
  await service.start();
  await waitForPhase('running');
  for (const line of ['Anna joined the game', 'Ben joined the game', 'Ben left the game', '<Ben> Carl joined the game'])
    service.sendLine(line);
  await until('Ben has left', () => service.seenPlayers().some(({ name, online }) => name === 'Ben' && !online));
  t.match(service.seenPlayers(), [{ name: 'Anna', online: true }, { name: 'Ben' }]);
  await service.kill();
  await waitForPhase('stopped');
  t.match(service.seenPlayers(), [{ name: 'Anna', online: false }, { name: 'Ben' }]);
  t.equal(service.seenPlayers().length, 2, 'chat does not count');
  await supervisor.rest();
  await supervisor.close();
  const next = await runSupervisor(t, { home, config });
  t.match(next.service.seenPlayers(), [{ name: 'Anna', online: false }, { name: 'Ben' }]);
});
