import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { type Home, homeAt } from '../../../../shared/node/files/home.ts';
import type { InstanceConfig } from '../../../../shared/schema/instance.ts';
import { preparedCommand } from '../../../../workers/supervisor/process/prepared-command.ts';
import { mounted } from '../../../support/machine/mounted.ts';
import { requireRoot } from '../../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';
import { runSupervisor } from '../../../support/processes/running-supervisor.ts';

/** A user of every Debian, with a group of the same name. */
const USER = 'games';
const [, , UID, GID] = /^games:.*$/m.exec(readFileSync('/etc/passwd', 'utf8'))![0].split(':').map(Number);

/** A data directory with a secret, and the folder of another server. Only the mode of the directory has kept others out. */
function privateHome(t: Test): Home {
  const home = homeAt(temporaryFolder(t));
  for (const folder of [home.instances, home.runtimes, home.instanceDirectory('other')])
    mkdirSync(folder, { recursive: true, mode: 0o755 });
  chmodSync(home.instanceDirectory('other'), 0o777);
  writeFileSync(home.database, 'SECRET of Gamekeeper', { mode: 0o644 });
  writeFileSync(path.join(home.instanceDirectory('other'), 'world'), 'SECRET of another server', { mode: 0o644 });
  return home;
}

function run(
  t: Test,
  script: string,
  { home = privateHome(t), ...config }: Partial<InstanceConfig> & { home?: Home } = {},
) {
  const launch = {
    command: ['/bin/sh', '-c', `${script}; echo up; while read -r line; do [ "$line" = stop ] && exit; done`],
  };
  const custom = { software: 'custom', launch, readyPattern: '^up$', runAs: USER } as const;
  return runSupervisor(t, { home, config: { ...custom, ...config } });
}

t.test('a server runs as its user, with nothing of root, and reaches nothing but its folder', async (t) => {
  if (!requireRoot(t)) return;
  const home = privateHome(t);
  const secrets = [home.database, path.join(home.instanceDirectory('other'), 'world')];
  const script = [
    'echo "uid $(id -u) groups $(id -G) tty $(stat -c %u "$(tty)")"',
    'grep -E "^(NoNewPrivs|CapEff|CapInh|CapPrm)" /proc/self/status',
    'echo "home $HOME user $USER $LOGNAME runtime <$XDG_RUNTIME_DIR>"',
    'env | grep -c GAMEKEEPER_',
    'printf "odd <%s>\\n" "$ODD"',
    ...secrets.map((file) => `cat ${file}`),
    `ls ${home.root} ${home.instances}`,
    'mkdir made && echo content > made/file',
  ].join('; ');
  const odd = `a 'b' "c" $(id) \`id\` \\ *`;
  const { service, config, waitForPhase, lines } = await run(t, script, { home, env: { ODD: odd } });
  await service.start();
  await waitForPhase('running');
  const text = (await lines()).join('\n');
  t.match(text, `uid ${UID} groups ${GID} tty ${UID}`);
  t.match(text, /NoNewPrivs:\s+1/);
  t.equal(text.match(/Cap(?:Eff|Inh|Prm):\s+0+$/gm)?.length, 3, text);
  t.match(text, `user ${USER} ${USER} runtime <>`);
  t.ok(text.includes(`odd <${odd}>`), 'values are not interpreted');
  t.match(text, /^0$/m, 'no variable of ours is left');
  t.equal(text.match(/Permission denied/g)?.length, 4, text);
  t.notMatch(text, 'SECRET');
  t.equal(statSync(path.join(config.directory, 'made/file')).uid, UID);
  const { pid } = service.status();
  await service.stop();
  await waitForPhase('stopped');
  t.notOk(existsSync(`/proc/${pid}`));
});

t.test('what Gamekeeper has put into the folder is given to the user at each start', async (t) => {
  if (!requireRoot(t)) return;
  const home = privateHome(t);
  const directory = home.instanceDirectory('test');
  mkdirSync(path.join(directory, 'plugins'), { recursive: true });
  writeFileSync(path.join(directory, 'plugins/config.yml'), 'of root\n', { mode: 0o600 });
  const { service, waitForPhase, lines } = await run(t, 'cat plugins/*; echo changed > plugins/config.yml', { home });
  await service.start();
  await waitForPhase('running');
  t.match((await lines()).join('\n'), 'of root');
  t.equal(readFileSync(path.join(directory, 'plugins/config.yml'), 'utf8'), 'changed\n');
  t.equal(statSync(home.root).mode & 0o777, 0o711, 'others pass through, and see nothing');
  t.equal(statSync(home.database).mode & 0o777, 0o600);
  t.equal(statSync(home.instanceDirectory('other')).mode & 0o007, 0);
});

t.test('what root executes on the way does not see the variables of the game', async (t) => {
  const command = { program: '/srv/game', args: ['-x'], env: { LD_LIBRARY_PATH: './lib', ENV: './evil.sh' } };
  const { env, args } = preparedCommand(command, { mark: 'm', user: { name: USER, uid: UID!, gid: GID! } });
  t.strictSame(Object.keys(env).sort(), [
    'GAMEKEEPER_KEPT_ENV',
    'GAMEKEEPER_KEPT_LD_LIBRARY_PATH',
    'GAMEKEEPER_NAMES',
    'PATH',
  ]);
  t.equal(env.PATH, process.env.PATH);
  t.notMatch(args.join(' '), 'evil');
});

t.test('a user who cannot reach the folder: the error says what to open', async (t) => {
  if (!requireRoot(t)) return;
  const parent = temporaryFolder(t);
  const directory = path.join(parent, 'server');
  mkdirSync(directory);
  const { service, waitForPhase } = await run(t, 'true', { directory, managed: false });
  await t.rejects(service.start(), {
    code: 'launch_failed',
    message: /"games" cannot reach/,
    resolution: /chmod o\+x/,
  });
  chmodSync(parent, 0o711);
  await service.start();
  await waitForPhase('running');
});

t.test('a folder that others than root can replace is not given to anybody', async (t) => {
  if (!requireRoot(t)) return;
  const parent = temporaryFolder(t);
  chmodSync(parent, 0o711);
  const directory = path.join(parent, 'server');
  mkdirSync(directory);
  const refused = async (why: string) => {
    const { service } = await run(t, 'true', { directory, managed: false });
    await t.rejects(
      service.start(),
      { code: 'launch_failed', message: /Others than root can replace the folder/ },
      why,
    );
    t.equal(lstatSync(directory).uid, 0, why);
  };
  chownSync(parent, UID!, GID!);
  await refused('the folder above belongs to the user');
  chownSync(parent, 0, 0);
  chmodSync(parent, 0o777);
  await refused('everybody can write to the folder above');
  chmodSync(parent, 0o1777);
  await refused('the user could rename it once it is given away');
  chmodSync(parent, 0o711);
  const elsewhere = path.join(parent, 'elsewhere');
  renameSync(directory, elsewhere);
  symlinkSync(elsewhere, directory);
  await refused('it is a link');
  t.equal(statSync(elsewhere).uid, 0);
});

t.test('what is mounted in the folder keeps its owner', async (t) => {
  if (!requireRoot(t)) return;
  const home = privateHome(t);
  const folder = home.instanceDirectory('test');
  const [shared, bound] = [path.join(folder, 'shared'), path.join(folder, 'maps/bound')];
  if (!mounted(t, shared, '-t', 'tmpfs', 'tmpfs')) return;
  if (!mounted(t, bound, '--bind', temporaryFolder(t))) return;
  for (const mount of [shared, bound]) writeFileSync(path.join(mount, 'of-everybody'), '');
  const { service, config, waitForPhase } = await run(t, 'true', { home });
  await service.start();
  await waitForPhase('running');
  t.equal(statSync(config.directory).uid, UID);
  t.equal(statSync(path.dirname(bound)).uid, UID);
  for (const mount of [shared, bound])
    for (const place of [mount, path.join(mount, 'of-everybody')]) t.equal(statSync(place).uid, 0, place);
});

t.test('users that no server can run as', async (t) => {
  if (!requireRoot(t)) return;
  for (const [runAs, message] of [
    ['root', /has rights of root/],
    ['no-such-user', /has no user "no-such-user"/],
  ] as const) {
    const { service } = await run(t, 'true', { runAs });
    await t.rejects(service.start(), { code: 'launch_failed', message });
    t.match(service.status(), { phase: 'crashed', crash: { failedStart: { code: 'launch_failed' } } });
  }
});

t.test('a link in the folder gives nothing outside of it away', async (t) => {
  if (!requireRoot(t)) return;
  const home = privateHome(t);
  const outside = path.join(home.root, 'settings.json');
  writeFileSync(outside, '{}', { mode: 0o600 });
  const links = `ln -s ${outside} file; ln -s ${home.logs} folder; mkdir deep; ln -s ${home.root} deep/home; ln ${outside} hard`;
  mkdirSync(home.logs, { recursive: true, mode: 0o700 });
  const { service, config, waitForPhase } = await run(t, links, { home });
  await service.start();
  await waitForPhase('running');
  t.ok(existsSync(path.join(config.directory, 'deep')));
  t.notOk(existsSync(path.join(config.directory, 'hard')), 'the kernel refuses hard links to files of others');
  chownSync(path.join(config.directory, 'deep'), 0, 0);
  await service.restart();
  await until('it runs again', () => statSync(path.join(config.directory, 'deep')).uid === UID);
  await waitForPhase('running');
  for (const place of [outside, home.logs, home.root]) t.equal(statSync(place).uid, 0, place);
});
