import { scryptSync } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Test } from 'tap';
import { buildApp } from '../../../gateway/app.ts';
import { createGateway, type Gateway } from '../../../gateway/gateway.ts';
import type { Api } from '../../../gateway/http/zod-provider.ts';
import { FAMILIES, type Family } from '../../../gateway/listeners/listener-plan.ts';
import { connectDaemon } from '../../../gateway/upstream/clients.ts';
import { daemonRouter } from '../../../shared/contract/daemon.ts';
import { jobsRouter } from '../../../shared/contract/jobs.ts';
import { supervisorRouter } from '../../../shared/contract/supervisor.ts';
import type { Grant } from '../../../shared/domain/grant.ts';
import { type Role, SCOPES, type Scope } from '../../../shared/domain/scope.ts';
import { type IpcServer, serveIpc } from '../../../shared/node/ipc/server.ts';
import { createLogger } from '../../../shared/node/logger.ts';
import { settings as settingsSchema } from '../../../shared/schema/settings.ts';
import { temporaryFolder } from '../machine/temporary-folder.ts';
import { instanceConfig, type StandInDaemon, standInDaemon } from '../stand-ins/stand-in-daemon.ts';
import { type StandInJobs, standInJobs } from '../stand-ins/stand-in-jobs.ts';
import { type StandInSupervisor, standInSupervisor } from '../stand-ins/stand-in-supervisor.ts';

export const PASSWORD = 'correct horse';
/** Hashed with minimal cost, which saves 100 ms per sign-in. */
const passwordHash = cheapHash(PASSWORD);

export interface World {
  app: Api;
  gateway: Gateway;
  daemon: StandInDaemon;
  /** The supervisor of instance `demo`. */
  supervisor: StandInSupervisor;
  jobs: StandInJobs;
  home: string;
  /** Milliseconds to add to the clock. */
  clock: { ahead: number };
  /** Creates another listener of the same gateway. */
  listener(options?: { families?: readonly Family[]; local?: boolean; loopback?: boolean }): Promise<Api>;
  /** Resolves to the authorization header of a new bearer token. Without scopes it is unrestricted. */
  bearer(scopes?: readonly Scope[], createdBy?: string): Promise<{ authorization: string }>;
  /** Signs a user in. Resolves to the headers of a request that changes something. */
  cookie(username?: string): Promise<{ cookie: string; origin: string }>;
  addUser(username: string, role: Role, parts?: { mustChangePassword?: boolean; instances?: Grant[] }): Promise<void>;
  /** Closes the supervisor's connections and socket. Resolves to a function that opens it again. */
  dropSupervisor(): Promise<() => Promise<void>>;
}

/** Builds the real gateway with stand-ins behind real local sockets. Its only instance, `demo`, is stopped. */
export async function build(
  t: Test,
  parts: { settings?: object; families?: readonly Family[]; local?: boolean } = {},
): Promise<World> {
  const home = temporaryFolder(t);
  mkdirSync(path.join(home, 'run'));
  const clock = { ahead: 0 };
  const settings = settingsSchema.parse(parts.settings ?? {});
  const socketOf = (name: string) => path.join(home, `${name}.sock`);
  const complain = (error: unknown) => t.fail(`a stand-in failed: ${String(error)}`);
  const common = { version: '0', onError: complain };

  const daemon = standInDaemon({
    settings,
    home,
    supervisorSocket: async (id) => socketOf(id),
    jobsSocket: async () => socketOf('jobs'),
    now: () => Date.now() + clock.ahead,
  });
  daemon.put(instanceConfig());
  const supervisor = standInSupervisor((runtime) => daemon.put(instanceConfig(), runtime, socketOf('demo')));
  const jobs = await standInJobs(home);
  const serveSupervisor = () =>
    serveIpc({
      socketPath: socketOf('demo'),
      name: 'supervisor:demo',
      router: supervisorRouter,
      service: supervisor,
      ...common,
    });
  const daemonServer = await serveIpc({
    socketPath: socketOf('daemon'),
    name: 'daemon',
    router: daemonRouter,
    service: daemon,
    ...common,
  });
  const jobsServer = await serveIpc({
    socketPath: socketOf('jobs'),
    name: 'jobs',
    router: jobsRouter,
    service: jobs,
    ...common,
  });
  let supervisorServer: IpcServer | undefined = await serveSupervisor();

  const client = connectDaemon(socketOf('daemon'));
  const log = createLogger({ name: 'gateway', level: 'silent' });
  const gateway = await createGateway({ daemon: client, settings, log, now: () => Date.now() + clock.ahead });
  gateway.addresses = { panel: 'http://127.0.0.1:25580', remote: 'http://127.0.0.1:25585' };
  const apps: Api[] = [];
  const listener: World['listener'] = async ({ families = FAMILIES, local = false, loopback = true } = {}) => {
    const app = await buildApp({ gateway, families, local, loopback });
    apps.push(app);
    return app;
  };
  const app = await listener({
    ...(parts.families && { families: parts.families }),
    ...(parts.local && { local: true }),
  });

  t.teardown(async () => {
    gateway.closing = true;
    await gateway.sockets.closeAll();
    await Promise.all(apps.map((one) => one.close()));
    gateway.close();
    client.close();
    await Promise.all([daemonServer.close(), jobsServer.close(), supervisorServer?.close()]);
  });

  let tokens = 0;
  const world: World = {
    app,
    gateway,
    daemon,
    supervisor,
    jobs,
    home,
    clock,
    listener,
    async addUser(username, role, { mustChangePassword = false, instances = ['*'] } = {}) {
      daemon.addUser({ username, role, passwordHash, mustChangePassword, instances });
    },
    async bearer(scopes, createdBy = 'command line') {
      const at = gateway.now();
      const token = await gateway.credentials.tokens.mint({
        id: `t${++tokens}`,
        name: 'test',
        scopes: [...(scopes ?? SCOPES)],
        unrestricted: scopes === undefined,
        createdBy,
        createdAt: new Date(at).toISOString(),
        expiresAt: new Date(at + 3_600_000).toISOString(),
      });
      return { authorization: `Bearer ${token}` };
    },
    async cookie(username = 'admin') {
      if (!daemon.user(username)) await world.addUser(username, 'admin');
      const { value } = await gateway.credentials.sessions.open({ username }, gateway.now());
      return { cookie: `RemoteCookies=${value}`, origin: 'http://localhost:80' };
    },
    async dropSupervisor() {
      await supervisorServer?.close();
      supervisorServer = undefined;
      return async () => {
        supervisorServer = await serveSupervisor();
      };
    },
  };
  return world;
}

function cheapHash(password: string): string {
  const [salt, cost] = [Buffer.alloc(16, 1), { N: 2, r: 1, p: 1 }];
  const hash = scryptSync(password, salt, 32, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}
