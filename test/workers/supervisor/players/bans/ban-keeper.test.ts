import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { type Home, homeAt } from '../../../../../shared/node/files/home.ts';
import { freePort } from '../../../../support/machine/free-port.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';
import { until } from '../../../../support/machine/until.ts';
import { runSupervisor } from '../../../../support/processes/running-supervisor.ts';

const VERSION = '1.20.4';
const FAR_SECONDS = 86_400;

/** A running server, whose only administration is its RCON. */
async function runningServer(t: Test, home?: Home) {
  const rcon = { port: await freePort(), password: 'correct horse battery' };
  const running = await runSupervisor(t, {
    config: { rcon, version: VERSION },
    timings: { endBansEveryMs: 20 },
    ...(home && { home }),
  });
  const { service, waitForPhase } = running;
  await service.start();
  await waitForPhase('running');
  const bans = () => service.listedPlayers('bans');
  /** Bans a player whose ban is over already. */
  const banBriefly = async (name: string) => {
    await service.playerAction({ name, action: 'ban', durationSeconds: -1 });
  };
  return { ...running, bans, banBriefly };
}

t.test('pardons a player of a running server when the ban ends', async (t) => {
  const { service, bans, banBriefly, waitForLine } = await runningServer(t);
  await service.playerAction({ name: 'Ben', action: 'ban', durationSeconds: FAR_SECONDS });
  const [ben] = await bans();
  const left = Date.parse(ben?.expiresAt ?? '') - Date.now();
  t.ok(left > (FAR_SECONDS - 60) * 1000 && left <= FAR_SECONDS * 1000, `${left} milliseconds are left`);
  await banBriefly('Anna');
  await waitForLine(/The ban of Anna has ended/);
  t.match(await bans(), [{ name: 'Ben' }], 'the other ban is still in force');
});

t.test('forgets the end of a ban that is lifted or made anew', async (t) => {
  const { service, home, bans, lines } = await runningServer(t);
  const ends = () => readFileSync(path.join(home.consoleLogDirectory('test'), 'ban-ends.json'), 'utf8');
  await service.playerAction({ name: 'Anna', action: 'ban', durationSeconds: FAR_SECONDS });
  await service.playerAction({ name: 'Anna', action: 'pardon' });
  t.equal(ends(), '[]');
  await service.playerAction({ name: 'Anna', action: 'ban' });
  t.equal((await bans())[0]?.expiresAt, undefined);
  await t.rejects(service.playerAction({ name: 'Anna', action: 'ban', durationSeconds: FAR_SECONDS }), {
    code: 'command_rejected',
  });
  t.equal((await bans())[0]?.expiresAt, undefined, 'a refused ban changes nothing');
  await service.playerAction({ name: 'Ben', action: 'ban', durationSeconds: 1 });
  await service.command('pardon Ben'); // as in the game
  await until('the end of Ben is over', () => ends() === '[]');
  t.notOk((await lines()).some((line) => line.includes('has ended')));
});

t.test(
  'gives the ends to the list of a server that stops, and counts those of the time without a supervisor',
  async (t) => {
    const first = await runningServer(t);
    await first.service.playerAction({ name: 'Anna', action: 'ban', durationSeconds: FAR_SECONDS });
    await first.service.stop();
    await first.waitForPhase('stopped');
    const file = path.join(first.config.directory, 'banned-players.json');
    await until('the end is in the list', () => !readFileSync(file, 'utf8').includes('forever'));
    t.match(JSON.parse(readFileSync(file, 'utf8')), [{ name: 'Anna', expires: /^\d{4}-\d\d-\d\d \S+ \+0000$/ }]);
    await first.supervisor.rest();
    await first.supervisor.close();

    const bannedAt = Date.now() - 10_000;
    const ban = { name: 'Ben', uuid: '069a79f4-44e9-4726-a5be-fca90e38aaf5', expires: 'forever' };
    writeFileSync(file, JSON.stringify([ban]));
    const left = JSON.stringify([{ name: 'Ben', bannedAt, endsAt: bannedAt + 5_000 }]);
    writeFileSync(path.join(first.home.consoleLogDirectory('test'), 'ban-ends.json'), left);
    const next = await runningServer(t, first.home);
    await until('Ben is pardoned', async () => (await next.bans()).every(({ expiresAt }) => expiresAt !== undefined));
  },
);

const SAYS = '[12:00:00] [Server thread/INFO]:';
/** Answers a ban after noting which ends are on disk, and refuses pardons as long as there is no file `found`. */
const SCRIPT = `echo up; while read line; do case "$line" in
  ban*) cp "$ENDS" kept-before.json; echo "${SAYS} Banned Ben" ;;
  pardon*) if [ -e found ]; then echo "[]" > banned-players.json; echo "${SAYS} Unbanned Ben"
    else echo x >> refused; echo "${SAYS} That player does not exist"; fi ;;
  *) echo "${SAYS} $line" ;;
esac; done`;

/** A running server that obeys the script, and has Ben on its list of bans. */
async function scriptedServer(t: Test) {
  const home = homeAt(temporaryFolder(t));
  const ends = path.join(home.consoleLogDirectory('test'), 'ban-ends.json');
  const running = await runSupervisor(t, {
    home,
    config: {
      software: 'custom',
      launch: { command: ['sh', '-c', SCRIPT] },
      env: { ENDS: ends },
      readyPattern: 'up',
    },
    timings: { endBansEveryMs: 20 },
  });
  const { service, config, waitForPhase } = running;
  mkdirSync(config.directory, { recursive: true });
  const file = (name: string) => path.join(config.directory, name);
  writeFileSync(file('banned-players.json'), '[{"name":"Ben","expires":"forever"}]');
  await service.start();
  await waitForPhase('running');
  service.sendLine('Anna joined the game');
  await until('it is known to be Minecraft', () => service.seenPlayers().length === 1);
  return { ...running, ends, file };
}

t.test('keeps the end of a ban whose pardon is refused, and tries again', async (t) => {
  const { service, ends, file, logged, waitForLine } = await scriptedServer(t);
  await service.playerAction({ name: 'Ben', action: 'ban', durationSeconds: -1 });
  t.match(JSON.parse(readFileSync(file('kept-before.json'), 'utf8')), [{ name: 'Ben' }], 'on disk before the ban');
  const refusals = () => (existsSync(file('refused')) ? readFileSync(file('refused'), 'utf8').length / 2 : 0);
  await until('two pardons are refused', () => refusals() >= 2);
  t.match(JSON.parse(readFileSync(ends, 'utf8')), [{ name: 'Ben' }]);
  t.equal(logged.filter((message) => /temporary bans could not be ended/.test(message)).length, 1, 'logged once');
  writeFileSync(file('found'), '');
  await waitForLine(/The ban of Ben has ended/);
  t.equal(readFileSync(ends, 'utf8'), '[]');
});

t.test('a damaged list of bans is logged, and delays only the end', async (t) => {
  const { service, file, logged, waitForLine } = await scriptedServer(t);
  writeFileSync(file('found'), '');
  writeFileSync(file('banned-players.json'), '[{"name":');
  await service.playerAction({ name: 'Ben', action: 'ban', durationSeconds: -1 });
  await until('it is logged', () => logged.includes('temporary bans could not be ended'));
  writeFileSync(file('banned-players.json'), '[{"name":"Ben","expires":"forever"}]');
  await waitForLine(/The ban of Ben has ended/);
});
