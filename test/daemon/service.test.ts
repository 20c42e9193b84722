import { existsSync } from 'node:fs';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import t, { type Test } from 'tap';
import { prepareHome } from '../../daemon/home/home-directories.ts';
import { createDeletedFolders } from '../../daemon/instances/deleted-folders.ts';
import { createPortLeases } from '../../daemon/instances/port-leases.ts';
import { createRegistry } from '../../daemon/instances/registry.ts';
import { createLink } from '../../daemon/link/link.ts';
import type { OnDemandProcess } from '../../daemon/processes/on-demand-process.ts';
import { createDaemonService } from '../../daemon/service.ts';
import { createLiveSettings } from '../../daemon/settings/live-settings.ts';
import { createSettingsOffers } from '../../daemon/settings/settings-offers.ts';
import { createShutdown } from '../../daemon/shutdown/shutdown.ts';
import { openStore } from '../../daemon/store/store.ts';
import { Supervisors } from '../../daemon/supervisors/supervisors.ts';
import { createUsageHistory } from '../../daemon/usage/usage-history.ts';
import { createCredentials } from '../../daemon/users/credentials.ts';
import type { CredentialEvent } from '../../shared/contract/daemon/credentials.ts';
import type { InstanceEvent } from '../../shared/contract/daemon/instances.ts';
import { jobsRouter } from '../../shared/contract/jobs.ts';
import { homeAt } from '../../shared/node/files/home.ts';
import { connectSupervisor } from '../../shared/node/ipc/connect.ts';
import { serveIpc } from '../../shared/node/ipc/server.ts';
import { createLogger } from '../../shared/node/logger.ts';
import { identifyProcess } from '../../shared/node/processes/process-identity.ts';
import { createInstance } from '../../shared/schema/instance.ts';
import { settings as settingsSchema } from '../../shared/schema/settings.ts';
import { mounted } from '../support/machine/mounted.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { until } from '../support/machine/until.ts';
import { processesOf } from '../support/processes/leftovers.ts';
import { standInJobs } from '../support/stand-ins/stand-in-jobs.ts';

const STAND_IN = path.join(import.meta.dirname, '../fixtures/stand-in-supervisor.ts');

async function daemonOf(t: Test) {
  const home = homeAt(path.join(temporaryFolder(t), 'home'));
  await prepareHome(home);
  const log = createLogger({ name: 'test', level: 'silent' });
  const initial = settingsSchema.parse({});
  const store = openStore(home.database);
  const registry = createRegistry(store.instances, log);
  const supervisors = new Supervisors({
    home,
    registry,
    log,
    policy: { redaction: () => initial.redaction, software: () => [] },
    overrides: { entry: STAND_IN },
  });
  const offers = createSettingsOffers(initial);
  const settings = createLiveSettings({
    file: home.settings,
    env: {},
    initial,
    key: 'k',
    apply: async () => undefined,
  });
  const shutdown = createShutdown(() => undefined);
  const forgotten: object[] = [];
  const jobs = await standInJobs(home.root);
  jobs.forgetInstance = async (request) => void forgotten.push(request);
  const jobsServer = await serveIpc({
    socketPath: home.jobsSocket,
    name: 'jobs',
    router: jobsRouter,
    service: jobs,
    version: '0',
    onError: (error) => t.fail(String(error)),
  });
  const now = () => '2026-11-20T08:00:00.000Z';
  const credentials = createCredentials(store, now);
  const idle: OnDemandProcess = {
    ensure: async () => undefined,
    stop: async () => undefined,
    restarts: () => 0,
    async *watch() {
      yield { wanted: false, socket: null };
    },
  };
  const service = createDaemonService({
    home,
    instances: {
      registry,
      supervisors,
      folders: createDeletedFolders({ home, log }),
      usageHistory: createUsageHistory(store.usage),
      portLeases: createPortLeases(registry, () => []),
    },
    configuration: {
      settings,
      offers,
      customSoftware: {
        current: () => ({ kinds: [], problems: [] }),
        onChange: () => undefined,
        read: async () => ({ kinds: [], problems: [] }),
        async *watch() {
          yield { kinds: [], problems: [] };
        },
        close: () => undefined,
      },
    },
    credentials: { ...credentials, ...createLink({ store, credentials, log, now }) },
    processes: { jobs: idle, files: idle, sftp: { state: () => ({ enabled: false, listening: null }) } },
    daemon: {
      shutdown,
      info: () => ({ daemonId: 'id', pid: 1, version: '0', home: home.root, startedAt: '', panel: null, remote: null }),
      stats: () => {
        throw new Error('not needed here');
      },
    },
  });
  t.teardown(async () => {
    await jobsServer.close();
    supervisors.close();
    supervisors.release();
    store[Symbol.dispose]();
    for (const { pid } of processesOf(home.root)) process.kill(pid, 'SIGKILL');
  });
  const create = (body: object) => service.createInstance(createInstance.parse(body));
  return { home, store, service, shutdown, create, forgotten, jobs };
}

t.test('a created instance has its folder and its row, and watchers get it', async (t) => {
  const { home, service, store, create } = await daemonOf(t);
  const watching = new AbortController();
  const events = service.watchInstances(watching.signal)[Symbol.asyncIterator]();
  t.same((await events.next()).value, { type: 'snapshot', instances: [] } satisfies InstanceEvent);
  const [one, two] = await Promise.all([
    create({ name: 'Demo', software: 'demo' }),
    create({ name: 'Demo', software: 'demo' }),
  ]);
  t.same([one.id, two.id], ['demo', 'demo-2']);
  t.not(one.port, two.port, 'concurrent creations get different ports');
  t.not(one.rcon?.port, two.rcon?.port);
  t.equal((await stat(home.instanceDirectory('demo'))).mode & 0o777, 0o700);
  t.match((await events.next()).value, { type: 'changed', instance: { config: one, socket: null } });
  t.equal(store.instances.all().length, 2);
  watching.abort();
});

t.test('ports of planned instances and in the files of other servers are not chosen', async (t) => {
  const { service, create } = await daemonOf(t);
  const one = await service.planInstance(createInstance.parse({ name: 'Copy', software: 'demo' }));
  const two = await create({ name: 'Demo', software: 'demo' });
  t.not(two.port, one.port);
  t.not(two.rcon?.port, one.rcon?.port);
  const next = two.port + 1;
  await writeFile(path.join(two.directory, 'server.properties'), `enable-query=true\nquery.port=${next}\n`);
  t.not((await create({ name: 'Other', software: 'demo' })).port, next);
});

t.test('a refused creation leaves nothing behind', async (t) => {
  const { home, service, create } = await daemonOf(t);
  await t.rejects(create({ name: 'x', software: 'custom' }), { code: 'invalid_request' });
  await t.rejects(create({ name: 'x', software: 'demo', directory: '/no/such' }), { code: 'invalid_request' });
  t.same(service.instances(), []);
  t.same(await readdir(home.instances), []);
});

t.test('an existing folder is used in place, by one instance only, and never deleted', async (t) => {
  const { service, create } = await daemonOf(t);
  const directory = temporaryFolder(t);
  await writeFile(path.join(directory, 'server.properties'), 'server-port=4000\nenable-rcon=true\nrcon.password=p\n');
  const config = await create({ name: 'Mine', software: 'demo', directory });
  t.match(config, { directory, managed: false, port: 4000, rcon: { port: 25_575, password: 'p' } });
  await t.rejects(create({ name: 'Again', software: 'demo', directory }), {
    code: 'instance_exists',
    message: /"mine"/,
  });
  await t.rejects(service.deleteInstance({ id: 'mine', files: 'delete', backups: 'keep' }), {
    code: 'invalid_request',
    message: /Gamekeeper did not create the folder/,
  });
  await service.deleteInstance({ id: 'mine', files: 'keep', backups: 'keep' });
  t.ok(existsSync(path.join(directory, 'server.properties')));
});

t.test('a prepared folder becomes the folder of a new instance, or stays after a failure', async (t) => {
  const { home, service, create } = await daemonOf(t);
  const folder = path.join(home.instances, '.gamekeeper-copy-0');
  const filled = async () => {
    await mkdir(folder);
    await writeFile(path.join(folder, 'server.properties'), 'server-port=4000\nenable-rcon=true\nrcon.password=p\n');
  };
  const becoming = (id: string) =>
    service.createFromFolder({ request: createInstance.parse({ name: 'Copy', id, software: 'demo' }), folder });
  await filled();
  t.match(await becoming('copy'), { id: 'copy', port: 4000, managed: true, directory: home.instanceDirectory('copy') });
  t.same(await readdir(home.instances), ['copy']);
  t.same(await readdir(home.instanceDirectory('copy')), ['server.properties']);

  await filled();
  await create({ name: 'left', software: 'demo' });
  await service.deleteInstance({ id: 'left', files: 'keep', backups: 'keep' });
  await t.rejects(becoming('copy'), { code: 'instance_exists' });
  await t.rejects(becoming('left'), { code: 'instance_exists', message: /folder/ });
  t.same((await readdir(home.instances)).sort(), ['.gamekeeper-copy-0', 'copy', 'left']);
  t.match(await service.planInstance(createInstance.parse({ name: 'Copy', software: 'demo' })), { id: 'copy-2' });
  t.equal(service.instances().length, 1, 'a plan creates nothing');
});

t.test('a stopped instance is deleted, with files and backups if asked', async (t) => {
  const { home, service, create, forgotten } = await daemonOf(t);
  for (const name of ['keep', 'delete']) await create({ name, software: 'demo' });
  for (const id of ['keep', 'delete']) await mkdir(home.consoleLogDirectory(id), { recursive: true });
  for (const name of ['console.log', 'crashes.json', 'players.json', 'ban-ends.json'])
    await writeFile(path.join(home.consoleLogDirectory('keep'), name), '');
  const { socket } = await service.supervisor('delete');
  t.equal(socket, home.supervisorSocket('delete'));
  await until('the supervisor is known', () => service.instance('delete').socket !== null);

  await service.deleteInstance({ id: 'keep', files: 'keep', backups: 'keep' });
  t.ok(existsSync(home.instanceDirectory('keep')));
  t.same(await readdir(home.consoleLogDirectory('keep')), ['console.log'], 'who played there is forgotten');
  await service.deleteInstance({ id: 'delete', files: 'delete', backups: 'keep' });
  t.notOk(existsSync(home.instanceDirectory('delete')));
  t.same(forgotten, [
    { instanceId: 'keep', backups: false, mods: false },
    { instanceId: 'delete', backups: false, mods: true },
  ]);
  t.notOk(existsSync(home.consoleLogDirectory('delete')));
  t.same(processesOf(home.root), [], 'its supervisor is gone');
  t.same(await readdir(path.dirname(home.supervisorRecord('x'))), []);
  t.throws(() => service.instance('delete'), { code: 'instance_not_found' });
  await t.rejects(service.supervisor('delete'), { code: 'instance_not_found' });

  t.equal(
    (await create({ name: 'keep', software: 'demo' })).id,
    'keep-2',
    'a leftover folder is not reused by accident',
  );
  t.equal((await create({ name: 'x', id: 'keep', software: 'demo' })).directory, home.instanceDirectory('keep'));
});

t.test('other instances are changed while one is deleted, however long its backups take', async (t) => {
  const { service, create, jobs, home } = await daemonOf(t);
  for (const name of ['slow', 'other']) await create({ name, software: 'demo' });
  const begun = Promise.withResolvers<void>();
  const disk = Promise.withResolvers<void>();
  jobs.forgetInstance = async () => {
    begun.resolve();
    await disk.promise;
  };
  const deletion = { id: 'slow', files: 'delete', backups: 'delete' } as const;
  const deleted = service.deleteInstance(deletion);
  await begun.promise;
  t.match(await service.updateInstance({ id: 'other', change: { name: 'Renamed' } }), { name: 'Renamed' });
  t.match(await create({ name: 'new', software: 'demo' }), { id: 'new' });
  const refusal = { code: 'already_in_progress', message: /"slow" is being deleted/ };
  await t.rejects(service.updateInstance({ id: 'slow', change: { name: 'Late' } }), refusal);
  await t.rejects(service.deleteInstance(deletion), refusal);
  await t.rejects(service.supervisor('slow'), refusal);
  await t.rejects(create({ name: 'x', id: 'slow', software: 'demo' }), { code: 'instance_exists' });
  disk.resolve();
  await deleted;
  t.notOk(existsSync(home.instanceDirectory('slow')));
  t.match(await create({ name: 'x', id: 'slow', software: 'demo' }), { id: 'slow' });
});

t.test('an instance whose game runs without a supervisor is not deleted', async (t) => {
  const { service, create, home } = await daemonOf(t);
  const { id } = await create({ name: 'Survival', software: 'demo' });
  await writeFile(home.gameRecord(id), JSON.stringify(await identifyProcess(process.pid)));
  await t.rejects(service.deleteInstance({ id, files: 'delete', backups: 'keep' }), {
    code: 'invalid_state',
    message: /still runs, although its supervisor died/,
  });
  t.ok(existsSync(home.instanceDirectory(id)));
});

t.test('what is mounted in a folder is not deleted with it', async (t) => {
  const { service, create, home } = await daemonOf(t);
  const { id } = await create({ name: 'Survival', software: 'demo' });
  const shared = path.join(temporaryFolder(t), 'plugins');
  await mkdir(shared);
  await writeFile(path.join(shared, 'plugin.jar'), 'shared');
  if (!mounted(t, path.join(home.instanceDirectory(id), 'plugins'), '--bind', shared)) return;
  await t.rejects(service.deleteInstance({ id, files: 'delete', backups: 'keep' }), {
    code: 'invalid_state',
    message: /is mounted at .*plugins, inside/,
  });
  t.ok(existsSync(path.join(shared, 'plugin.jar')));
  t.ok(existsSync(home.instanceDirectory(id)));
});

t.test('an instance whose restore is unfinished is not deleted', async (t) => {
  const { service, create, home } = await daemonOf(t);
  const { id } = await create({ name: 'Survival', software: 'demo' });
  await writeFile(home.restoreMark(id), '{}');
  await t.rejects(service.deleteInstance({ id, files: 'delete', backups: 'keep' }), { code: 'already_in_progress' });
  t.ok(existsSync(home.instanceDirectory(id)));
});

t.test('a running instance is not deleted', async (t) => {
  const { service, create, home } = await daemonOf(t);
  await create({ name: 'demo', software: 'demo' });
  await service.supervisor('demo');
  const supervisor = connectSupervisor('demo', home.supervisorSocket('demo'));
  await supervisor.call.start();
  const deletion = { id: 'demo', files: 'delete', backups: 'keep' } as const;
  await t.rejects(service.deleteInstance(deletion), { code: 'invalid_state', message: /running/ });
  await supervisor.call.sendLine(JSON.stringify({ phase: 'stopped', activity: 'backing-up' }));
  await until('the activity is reported', () => service.instance('demo').runtime.activity === 'backing-up');
  await t.rejects(service.deleteInstance(deletion), { code: 'invalid_state', message: /backing-up/ });
  t.match(await service.updateInstance({ id: 'demo', change: { port: 5005 } }), { port: 5005, name: 'demo' });
  t.match(JSON.parse(await supervisor.call.command('')), { port: 5005 }, 'its supervisor has the change');
  supervisor.close();
});

t.test('creations and starts are refused during a shutdown', async (t) => {
  const { service, shutdown, create } = await daemonOf(t);
  await create({ name: 'demo', software: 'demo' });
  shutdown.begin({ withServers: false });
  await t.rejects(create({ name: 'late', software: 'demo' }), { code: 'shutting_down' });
  await t.rejects(service.supervisor('demo'), { code: 'shutting_down' });
  await t.rejects(service.jobs(), { code: 'shutting_down' });
});

t.test('credential watchers get ended sessions, revoked tokens and changed users', async (t) => {
  const { service } = await daemonOf(t);
  const admin = { username: 'admin', passwordHash: 'h', mustChangePassword: true, instances: ['*'] };
  service.addUser({ user: { ...admin, role: 'admin' }, by: null });
  const watching = new AbortController();
  const events = service.watchCredentials(watching.signal)[Symbol.asyncIterator]();
  const times = { expiresAt: '2026-11-21T08:00:00.000Z', absoluteExpiresAt: '2026-11-22T08:00:00.000Z' };
  const by = { username: 'admin', version: service.user('admin')!.version };
  service.addSession({ session: { tokenHash: 'h', username: 'admin', ...times }, by });
  const token = { id: 'one', name: 'bot', unrestricted: false, createdBy: 'admin', expiresAt: times.expiresAt };
  service.addToken({ token: { ...token, scopes: ['logs:read'], createdAt: '2026-11-20T08:00:00.000Z' }, by });
  t.match(service.session('h'), { username: 'admin', role: 'admin', mustChangePassword: true });
  t.equal(service.tokens().length, 1);

  service.updateUser({ username: 'admin', change: { passwordHash: 'n' }, by: null });
  service.endSession('h');
  service.revokeToken({ id: 'one', by: null });
  t.throws(() => service.revokeToken({ id: 'one', by: null }), { code: 'token_not_found' });
  t.throws(() => service.updateUser({ username: 'nobody', change: {}, by: null }), { code: 'user_not_found' });
  const expected: CredentialEvent[] = [
    { type: 'user-changed', username: 'admin' },
    { type: 'session-ended', tokenHash: 'h' },
    { type: 'token-revoked', id: 'one' },
  ];
  for (const event of expected) t.same((await events.next()).value, event);
  t.match(service.tokenKey(), { revoked: ['one'] });
  t.equal(service.session('h'), null);
  watching.abort();
});
