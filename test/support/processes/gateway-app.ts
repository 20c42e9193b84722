import { scryptSync } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Test } from 'tap';
import { buildApp } from '../../../gateway/app.ts';
import { createGateway, type Gateway } from '../../../gateway/gateway.ts';
import type { Api } from '../../../gateway/http/zod-provider.ts';
import { FAMILIES, type Family } from '../../../gateway/listeners/listener-plan.ts';
import { connectDaemon } from '../../../gateway/upstream/clients.ts';
import type { Grant } from '../../../shared/domain/access/grant.ts';
import { type Role, SCOPES, type Scope } from '../../../shared/domain/access/scope.ts';
import { createLogger } from '../../../shared/node/logger.ts';
import { settings as settingsSchema } from '../../../shared/schema/settings.ts';
import { temporaryFolder } from '../machine/temporary-folder.ts';
import { serveStandIns } from '../stand-ins/serve-stand-ins.ts';
import type { StandInDaemon } from '../stand-ins/stand-in-daemon.ts';
import type { StandInJobs } from '../stand-ins/stand-in-jobs.ts';
import type { StandInSupervisor } from '../stand-ins/stand-in-supervisor.ts';

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
  addUser(username: string, role: Role, options?: { mustChangePassword?: boolean; instances?: Grant[] }): Promise<void>;
  /** Closes the supervisor's connections and socket. Resolves to a function that opens it again. */
  dropSupervisor(): Promise<() => Promise<void>>;
}

/** Builds the real gateway with stand-ins behind real local sockets. Its only instance, `demo`, is stopped. */
export async function build(
  t: Test,
  options: { settings?: object; families?: readonly Family[]; local?: boolean } = {},
): Promise<World> {
  const home = temporaryFolder(t);
  mkdirSync(path.join(home, 'run'));
  const clock = { ahead: 0 };
  const settings = settingsSchema.parse(options.settings ?? {});
  const now = () => Date.now() + clock.ahead;
  const onError = (error: unknown) => t.fail(`a stand-in failed: ${String(error)}`);
  const standIns = await serveStandIns({ home, settings, now, onError });
  const { daemon, supervisor, jobs, dropSupervisor } = standIns;

  const client = connectDaemon(standIns.daemonSocket);
  const log = createLogger({ name: 'gateway', level: 'silent' });
  const gateway = await createGateway({ daemon: client, settings, log, now });
  gateway.addresses = { panel: 'http://127.0.0.1:25580', remote: 'http://127.0.0.1:25585' };
  const apps: Api[] = [];
  const listener: World['listener'] = async ({ families = FAMILIES, local = false, loopback = true } = {}) => {
    const app = await buildApp({ gateway, families, local, loopback });
    apps.push(app);
    return app;
  };
  const app = await listener({
    ...(options.families && { families: options.families }),
    ...(options.local && { local: true }),
  });

  t.teardown(async () => {
    gateway.closing = true;
    await gateway.sockets.closeAll();
    await Promise.all(apps.map((one) => one.close()));
    gateway.close();
    client.close();
    await standIns.close();
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
    dropSupervisor,
    async addUser(username, role, { mustChangePassword = false, instances = ['*'] } = {}) {
      daemon.addUser({ user: { username, role, passwordHash, mustChangePassword, instances }, by: null });
    },
    async bearer(scopes, createdBy = 'command line') {
      const at = gateway.now();
      const record = {
        id: `t${++tokens}`,
        name: 'test',
        scopes: [...(scopes ?? SCOPES)],
        unrestricted: scopes === undefined,
        createdBy,
        createdAt: new Date(at).toISOString(),
        expiresAt: new Date(at + 3_600_000).toISOString(),
      };
      const token = await gateway.credentials.tokens.mint(record, null);
      return { authorization: `Bearer ${token}` };
    },
    async cookie(username = 'admin') {
      if (!daemon.user(username)) await world.addUser(username, 'admin');
      const { value } = await gateway.credentials.sessions.open(daemon.user(username)!, gateway.now());
      return { cookie: `RemoteCookies=${value}`, origin: 'http://localhost:80' };
    },
  };
  return world;
}

function cheapHash(password: string): string {
  const [salt, cost] = [Buffer.alloc(16, 1), { N: 2, r: 1, p: 1 }];
  const hash = scryptSync(password, salt, 32, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}
