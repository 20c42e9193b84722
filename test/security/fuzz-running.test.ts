/**
 * The requests of `fuzz-gateway.test.ts` in parallel to a whole Gamekeeper with a running server. Instances, sessions, users, tokens and
 * backups that requests delete are created again; folders, programs and network addresses are removed from the requests.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import t from 'tap';
import type { OpenApiDocument } from '../../gateway/openapi/types.ts';
import { VENDOR_NAMES } from '../../shared/domain/vendors.ts';
import { faultFinder } from '../support/fuzz/answer-faults.ts';
import { FUZZ_SEED, fuzzOperations } from '../support/fuzz/fuzz-operations.ts';
import { runningWorld } from '../support/fuzz/running-world.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';
import { watchedProcess } from '../support/processes/watched-process.ts';

const LEAST_REQUESTS = 5_000;
const MOST_GROWTH_MIB = 150;

/** No vendors to download from, and no rate limits, which have their own tests. */
const NOWHERE = 'http://127.0.0.1:9';
const SETTINGS = {
  limits: { requestsPerSecond: 1_000_000, burst: 1_000_000 },
  vendors: Object.fromEntries(VENDOR_NAMES.map((name) => [name, NOWHERE])),
};

// Takes 30 s on an idle machine.

t.test(`a running Gamekeeper answers every request as documented (seed ${FUZZ_SEED})`, async (t) => {
  const gamekeeper = await startGamekeeper(t, { settings: SETTINGS });
  const world = await runningWorld(gamekeeper);
  const { body: document } = await gamekeeper.api<OpenApiDocument>('GET', '/openapi.json');
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  const gateway = watchedProcess(gamekeeper, /gateway\/main/);
  const before = gateway.memoryMib();
  const main = () =>
    processesOf(gamekeeper.home).flatMap(({ pid, command }) =>
      /daemon\/main|gateway\/main|workers\/jobs/.test(command) ? [pid] : [],
    );
  const pids = main();
  t.equal(pids.length, 3, 'daemon, gateway and jobs run');
  const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods)).length;
  const each = Math.ceil((LEAST_REQUESTS * 1.5) / operations);

  const result = await fuzzOperations({
    document,
    target: {
      port: Number(new URL(gamekeeper.addresses().panel).port),
      agent,
      credentials: world.credentials,
      known: world.known,
    },
    faults: faultFinder(document, {
      secrets: [gamekeeper.home, gamekeeper.password, ...world.secrets],
      mayFail: world.mayFail,
    }),
    concurrency: 16,
    runs: ({ operation: { operationId } }) => Math.ceil(each * world.shareOf(operationId)),
    tamed: world.tamed,
    mended: world.mended,
  });

  t.comment(`${result.sent} requests; ${[...result.answers].map(([kind, count]) => `${kind}: ${count}`).join(', ')}`);
  for (const failure of result.failures) t.fail(failure);
  t.ok(result.sent >= LEAST_REQUESTS, `${result.sent} requests`);
  t.ok(result.succeeding > 0.7, `${Math.round(result.succeeding * 100)} % of the operations succeeded at times`);
  t.same(main(), pids, 'they are still the same processes');
  t.match((await gamekeeper.api('GET', '/instances/steady')).body, { status: 'running' }, 'the server runs');
  const growth = gateway.memoryMib() - before;
  t.ok(growth < MOST_GROWTH_MIB, `the gateway's memory grew by ${Math.round(growth)} MiB`);
  t.notMatch(gamekeeper.output(), /Error:/, 'no error was shown');
  t.same(loggedErrors(gamekeeper.home), [], 'no error was logged');
});

/** What the processes have logged as errors. */
function loggedErrors(home: string): string[] {
  const logs = join(home, 'logs');
  const files = readdirSync(logs, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.log'));
  return files.flatMap((name) =>
    readFileSync(join(logs, name), 'utf8')
      .split('\n')
      .filter((line) => /"level":(?:50|60)/.test(line))
      .map((line) => `${name}: ${line}`),
  );
}
