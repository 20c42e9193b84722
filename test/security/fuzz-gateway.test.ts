/**
 * Requests to every operation of the OpenAPI document, generated from its schemas: valid, at the limits, almost valid and hostile. Sent to a
 * gateway with stand-ins behind it, which is quick; `fuzz-running.test.ts` sends them to a whole Gamekeeper.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import t, { type Test } from 'tap';
import type { OpenApiDocument } from '../../gateway/openapi/types.ts';
import { faultFinder } from '../support/fuzz/answer-faults.ts';
import { FUZZ_SEED, fuzzOperations } from '../support/fuzz/fuzz-operations.ts';
import type { Caller } from '../support/fuzz/fuzz-request.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { build } from '../support/processes/gateway-app.ts';
import { instanceConfig, TOKEN_KEY } from '../support/stand-ins/stand-in-daemon.ts';
import { BACKUP_ID, backupOf } from '../support/stand-ins/stand-in-jobs.ts';

const LEAST_REQUESTS = 8_000;

// Takes 15 s on an idle machine.

t.test(`the gateway answers every request as documented (seed ${FUZZ_SEED})`, async (t) => {
  const unlimited = { requestsPerSecond: 1e9, burst: 1e9 };
  const { app, bearer, cookie, daemon, jobs, gateway } = await build(t, { settings: { limits: unlimited } });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const directory = folderWithFiles(t);
  daemon.put({ ...instanceConfig(), directory });
  const document = (await app.inject('/openapi.json')).json() as OpenApiDocument;
  const signedIn = async () => ({ ...(await cookie()), origin: `http://127.0.0.1:${port}` });
  const credentials: Record<Caller, Record<string, string>> = {
    administrator: await bearer(),
    program: await bearer(['servers:read', 'servers:write', 'backups:create', 'logs:read', 'tunnels:manage']),
    reader: await bearer(['servers:read']),
    'signed-in': await signedIn(),
    nobody: {},
    forger: { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' },
  };
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  const known: Record<string, () => string[]> = {
    id: () => ['demo'],
    backupId: () => [BACKUP_ID],
    jobId: () => ['j1', 'j2', 'j3'],
    name: () => ['Alice', 'Nobody'],
    username: () => ['admin', 'nobody'],
    path: () => ['server.properties', 'plugins'],
  };
  const each = Math.ceil(
    (LEAST_REQUESTS * 1.08) / Object.values(document.paths).flatMap((methods) => Object.keys(methods)).length,
  );

  const result = await fuzzOperations({
    document,
    target: { port, agent, credentials: (caller) => credentials[caller], known: (name) => known[name]?.() ?? [] },
    faults: faultFinder(document, {
      secrets: [TOKEN_KEY, credentials.administrator.authorization ?? ''],
      // The proxy of the example does not exist.
      mayFail: (code, { address }) => code === 'proxy_unavailable' && address.startsWith('/api/link'),
    }),
    runs({ operation: { operationId } }) {
      // The stand-in would keep changed settings.
      if (operationId === 'setSettings') return 0;
      return SLOW.has(operationId) ? Math.ceil(each / 10) : each;
    },
    concurrency: 1,
    async mended({ operation }, { caller }) {
      // The user or the session may have been deleted.
      if (caller === 'signed-in' && ENDS_SESSIONS.has(operation.operationId))
        credentials['signed-in'] = await signedIn();
      // Only this instance has a supervisor.
      for (const id of daemon.records.keys())
        if (id !== 'demo') daemon.deleteInstance({ id, files: 'keep', backups: 'keep' });
      if (!daemon.records.has('demo')) daemon.put({ ...instanceConfig(), directory });
      jobs.catalogue.set(BACKUP_ID, backupOf('demo'));
      writeFileSync(path.join(directory, 'server.properties'), 'motd=x\n');
    },
  });

  t.comment(`${result.sent} requests; ${[...result.answers].map(([kind, count]) => `${kind}: ${count}`).join(', ')}`);
  for (const failure of result.failures) t.fail(failure);
  t.ok(result.sent >= LEAST_REQUESTS, `${result.sent} requests`);
  t.ok(result.succeeding > 0.8, `${Math.round(result.succeeding * 100)} % of the operations succeeded at times`);
  t.equal((await app.inject('/health')).statusCode, 200, 'the gateway still answers');
  t.equal(({} as { polluted?: unknown }).polluted, undefined, 'no prototype was polluted');
  t.same(Object.keys(Object.prototype), []);
  t.equal(gateway.closing, false);
});

const ENDS_SESSIONS = new Set(['logout', 'changePassword', 'setUpTotp', 'removeTotp', 'updateUser', 'removeUser']);

/** Each costs 100 ms of hashing. */
const SLOW = new Set(['login', 'changePassword', 'createUser']);

function folderWithFiles(t: Test): string {
  const folder = temporaryFolder(t);
  mkdirSync(path.join(folder, 'plugins'));
  return folder;
}
