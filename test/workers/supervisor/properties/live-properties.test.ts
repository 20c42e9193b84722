import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import t, { type Test } from 'tap';
import { freePort } from '../../../support/machine/free-port.ts';
import { until } from '../../../support/machine/until.ts';
import { type RunningSupervisorOptions, runSupervisor } from '../../../support/processes/running-supervisor.ts';

/** Returns a running server whose file had this text before its start. */
async function serverWith(t: Test, text: string, config: RunningSupervisorOptions['config'] = {}) {
  const running = await runSupervisor(t, { config });
  const file = path.join(running.config.directory, 'server.properties');
  await mkdir(running.config.directory, { recursive: true });
  await writeFile(file, text);
  await running.service.start();
  await running.waitForPhase('running');
  // As if it had started in another second: the file begins with the time.
  await writeFile(file, (await readFile(file, 'utf8')).replace(/^#\w{3} \w{3} \d.*/m, '#Thu Jan 01 2026'));
  const set = async (properties: Record<string, string>) =>
    (await running.service.setProperties({ properties })).effects;
  return { ...running, set, text: () => readFile(file, 'utf8') };
}

const withRcon = async () => ({ rcon: { port: await freePort(), password: 'correct horse battery' } });

t.test('a running server takes values at once, and the file keeps everything that was saved', async (t) => {
  const { service, set, text } = await serverWith(t, '# mine\nmotd=Hi\ndifficulty=easy\n', await withRcon());
  t.same(await set({ motd: 'Ho' }), { motd: 'restart' }, 'needs a restart without the management protocol');
  const effects = await set({ difficulty: 'hard', 'white-list': 'true', gamemode: 'creative', 'level-seed': '5' });
  t.same(effects, { difficulty: 'now', 'white-list': 'now', gamemode: 'now', 'level-seed': 'new-world' });
  t.equal(await service.command('difficulty'), 'The difficulty is Hard');
  t.equal(await service.command('whitelist on'), 'Whitelist is already turned on');
  await set({ 'white-list': 'false' });
  // The server has written all properties as they were at its start, and without comments.
  t.match(await text(), /^# mine\nmotd=Ho\ndifficulty=hard\n/);
  t.match(await text(), /^white-list=false\ngamemode=creative$/m);
  t.same(await set({ difficulty: 'hard' }), {}, 'no change');
});

t.test('what somebody else changes meanwhile stays', async (t) => {
  const { set, text, config } = await serverWith(t, '#mine\n#too\ndifficulty=easy\n', await withRcon());
  const changing = set({ difficulty: 'hard' });
  await until('the new value is in the file', async () => (await text()).includes('hard'));
  await writeFile(path.join(config.directory, 'server.properties'), '#mine\n#too\ndifficulty=hard\nmotd=Yo\n');
  t.same(await changing, { difficulty: 'now' });
  t.match(await text(), 'motd=Yo');
});

t.test('a value that the server has already is in effect, too', async (t) => {
  const { service, set } = await serverWith(t, 'difficulty=easy\n', await withRcon());
  await service.command('difficulty hard');
  t.same(await set({ difficulty: 'hard' }), { difficulty: 'now' });
});

t.test('over the management protocol, a server takes more of them', async (t) => {
  const management = 'management-server-enabled=true\nmanagement-server-tls-enabled=false\n';
  const { service, set, text, logged } = await serverWith(t, `motd=Hi\n${management}`, {
    ...(await withRcon()),
    maxPlayers: 20,
  });
  await until('it is connected', () => logged.includes('connected to the management server'));
  const effects = await set({ 'max-players': '7', motd: 'Ho; stop\nstop', 'view-distance': '12' });
  t.same(effects, { 'max-players': 'now', motd: 'now', 'view-distance': 'restart' }, 'the demo lacks the third');
  const waiting = service.status().pendingRestart?.map(({ setting }) => setting);
  t.same(waiting, ['properties.view-distance'], 'what was taken does not wait for a restart');
  t.match(await service.command('list'), /of a max of 7 players/);
  t.match(await text(), /^view-distance=12$/m);
});

t.test('a server that does not answer takes the values at its next start', async (t) => {
  const { service, set, text } = await serverWith(t, 'difficulty=easy\n', await withRcon());
  service.sendLine('demo hang');
  t.same(await set({ difficulty: 'hard', 'white-list': 'true' }), { difficulty: 'restart', 'white-list': 'restart' });
  t.match(await text(), /^difficulty=hard$/m);
});

t.test('a stopped server takes the values at its next start', async (t) => {
  const { service, config } = await runSupervisor(t);
  await mkdir(config.directory, { recursive: true });
  t.match(await service.setProperties({ properties: { difficulty: 'hard', 'level-seed': '5' } }), {
    effects: { difficulty: 'restart', 'level-seed': 'new-world' },
  });
});

/** Answers in vanilla's words, but a player writes the second. */
const CONSOLE = `
prefix='[12:00:00] [Server thread/INFO]:'
echo "$prefix up"
while read line; do
  case $line in
    join) echo "$prefix Anna joined the game" ;;
    'difficulty hard') echo "$prefix The difficulty has been set to Hard" ;;
    *) echo "$prefix <Anna> Whitelist is now turned on" ;;
  esac
done`;

t.test(
  'a program is sent commands only after it has shown that it is Minecraft, and chat confirms nothing',
  async (t) => {
    const { service, set, lines, waitForLine } = await serverWith(t, '', {
      software: 'custom',
      launch: { command: ['sh', '-c', CONSOLE] },
      readyPattern: '^up$',
    });
    t.same(await set({ difficulty: 'normal' }), { difficulty: 'restart' });
    t.notMatch((await lines()).join('\n'), 'difficulty', 'nothing was typed');
    service.sendLine('join');
    await waitForLine(/Anna joined/);
    t.same(await set({ difficulty: 'hard', 'white-list': 'true' }), { difficulty: 'now', 'white-list': 'restart' });
  },
);
