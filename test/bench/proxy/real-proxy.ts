import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { importJWK, type JWK, SignJWT } from 'jose';
import { createAccounts } from '../../../gateway/proxy/accounts/accounts.ts';
import { createDaemons } from '../../../gateway/proxy/daemons/directory.ts';
import { createKeyStore } from '../../../gateway/proxy/oauth/keys/key-store.ts';
import { readConfig } from '../../../gateway/proxy/startup/config.ts';
import { openStore } from '../../../gateway/proxy/store/open-store.ts';
import { SCOPES } from '../../../shared/domain/access/scope.ts';
import { hashPassword } from '../../../shared/node/passwords/password-hash.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { until } from '../../support/machine/until.ts';
import { cpuSecondsOf, residentMibOf } from '../running-gamekeeper.ts';

const COMMAND_LINE = path.join(import.meta.dirname, '../../../dist/daemon/cli/main.js');
/** Below the limit of an account. */
const DAEMONS_OF_ACCOUNT = 50;
const HOUR_S = 3600;

export interface BenchDaemon {
  daemonId: string;
  publicKey: JWK;
}

/** The built proxy with the embedded database, to measure. */
export interface RealProxy {
  readonly issuer: string;
  /** Of its process. */
  pid(): number;
  /** Registers daemons, a few for each account, without the device flow. */
  register(daemons: readonly BenchDaemon[]): Promise<void>;
  /** Creates an account that can sign in. */
  addUser(name: string, password: string): Promise<void>;
  /** Resolves to the header of an access token for a registered daemon. */
  bearer(daemonId: string): Promise<{ authorization: string }>;
  /** MiB: resident memory. */
  memory(): number;
  /** Seconds of this process, user and system. */
  cpu(): number;
  /** Kills it with SIGKILL, and starts another one. Resolves when that is ready. */
  replace(): Promise<void>;
}

/** Starts it as people do, by the command line. `cleanup` ends it. `more` is added to its environment. */
export async function startRealProxy(
  cleanup: AsyncDisposableStack,
  more: Record<string, string> = {},
): Promise<RealProxy> {
  const home = mkdtempSync(path.join(tmpdir(), 'gk-bench-proxy-'));
  cleanup.defer(() => rmSync(home, { recursive: true, force: true }));
  const port = await freePort();
  const record = path.join(home, 'run/proxy.json');
  const pid = () => Number(JSON.parse(readFileSync(record, 'utf8')).pid);
  const env = { ...process.env, GAMEKEEPER_PROXY_PORT: String(port), GAMEKEEPER_LOG_LEVEL: 'error', ...more };
  async function start() {
    rmSync(record, { force: true });
    const child = spawn(process.execPath, [COMMAND_LINE, 'proxy', '--home', home], { env, stdio: 'ignore' });
    await until('the proxy is ready', () => existsSync(record));
    return child;
  }
  let child = await start();
  cleanup.defer(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  });

  const store = await openStore(readConfig(env, home), () => undefined);
  cleanup.defer(() => store.database.destroy());
  const [key] = await createKeyStore({ ...store, now: Date.now }).read('signing');
  const jwk = JSON.parse(key?.secret ?? '') as JWK;
  const signer = await importJWK(jwk, 'ES256');
  const issuer = `http://127.0.0.1:${port}`;
  const owners = new Map<string, string>();

  return {
    issuer,
    pid,
    async register(daemons) {
      for (let first = 0; first < daemons.length; first += DAEMONS_OF_ACCOUNT) {
        const name = `owner-${owners.size}`;
        const { id } = await createAccounts(store.database, Date.now).add({ name, passwordHash: '', isAdmin: false });
        await store.database.transaction().execute(async (transaction) => {
          for (const { daemonId, publicKey } of daemons.slice(first, first + DAEMONS_OF_ACCOUNT)) {
            owners.set(daemonId, id);
            const daemon = { daemonId, publicKey, accountId: id, name: 'PC', scopes: SCOPES };
            await createDaemons(transaction, Date.now).register(daemon);
          }
        });
      }
    },
    async addUser(name, password) {
      const passwordHash = await hashPassword(password);
      await createAccounts(store.database, Date.now).add({ name, passwordHash, isAdmin: false });
    },
    async bearer(daemonId) {
      const iat = Math.floor(Date.now() / 1000);
      const claims = { client_id: 'bench', grant_id: 'bench', scope: SCOPES.join(' '), jti: randomUUID() };
      const token = await new SignJWT({ ...claims, iss: issuer, aud: `urn:uuid:${daemonId}`, iat, exp: iat + HOUR_S })
        .setSubject(owners.get(daemonId) ?? '')
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: jwk.kid ?? '' })
        .sign(signer);
      return { authorization: `Bearer ${token}` };
    },
    memory: () => residentMibOf(pid()),
    cpu: () => cpuSecondsOf(pid()),
    async replace() {
      const ended = once(child, 'exit');
      process.kill(pid(), 'SIGKILL');
      await ended;
      child = await start();
    },
  };
}
