import { isLive, type Phase } from '../../../shared/domain/instance/phase.ts';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import type { Instance } from '../../../shared/schema/instance.ts';
import { canBind } from '../../instances/free-port.ts';
import { Failure } from '../api/failure.ts';
import { formatSeconds } from '../terminal/quantities.ts';
import type { TestedServer } from './tested-server.ts';

export interface CheckResult {
  check: string;
  /** `skipped`: the kind does not say how, or an earlier check failed. */
  result: 'ok' | 'failed' | 'skipped';
  says: string;
}

/** Downloads and installations are as slow as their vendor. Milliseconds. */
const INSTALL_MS = 30 * 60_000;
/** Milliseconds. */
const SETTLING_MS = 3_000;
/** A server may bind a port shortly after it says that it is ready. Milliseconds. */
const PORT_MS = 10_000;
/** Players are asked for every few seconds. Milliseconds. */
const QUERY_MS = 30_000;
/** SIGTERM follows after the stop timeout, and SIGKILL after that or 10 s. Milliseconds. */
const END_MS = 20_000;

const UNCONFIRMED = /^\[gamekeeper\] The server did not confirm that (.+); the backup continues anyway\.$/;
const FORCED = /^\[gamekeeper\] (.+): sending SIGTERM\. SIGKILL follows/;

/** Starts the server, compares it with what its kind says, and stops it. */
export async function checkServer(
  server: TestedServer,
  software: SoftwareDefinition,
  readyWithinMs: number,
): Promise<CheckResult[]> {
  const [started, ready] = await checkStart(server, software, readyWithinMs);
  if (!ready) return [started];
  const running = ready.result === 'ok';
  return [
    started,
    ready,
    ...(await checkPorts(server, software)),
    ...(await checkQuery(server, software, running)),
    await checkSaving(server, software, running),
    await checkStop(server, software),
  ];
}

/** Returns whether it starts and, if so, whether it becomes ready. */
async function checkStart(
  server: TestedServer,
  software: SoftwareDefinition,
  withinMs: number,
): Promise<[CheckResult, CheckResult?]> {
  const is = (result: CheckResult['result'], says: string): CheckResult => ({ check: 'Starts', result, says });
  try {
    await server.start();
  } catch (error) {
    if (error instanceof Failure) return [is('failed', error.message)];
    throw error;
  }
  const launched = await server.until(settledPhase(server, 'provisioning'), INSTALL_MS);
  if (!launched) return [is('failed', `its installation takes longer than ${formatSeconds(INSTALL_MS / 1_000)}.`)];
  const begun = performance.now();
  const settled = await server.until(settledPhase(server, 'starting'), withinMs);
  const after = formatSeconds((performance.now() - begun) / 1_000);
  if (settled && settled.phase !== 'running') return [is('failed', `it ended before it was ready${reasonOf(settled)}`)];
  const { seen, missing } = signOf(software);
  return [
    is('ok', 'its program runs.'),
    settled
      ? { check: 'Ready', result: 'ok', says: `${seen} after ${after}.` }
      : { check: 'Ready', result: 'failed', says: `${missing} within ${formatSeconds(withinMs / 1_000)}.` },
  ];
}

/** Looks until the server has left `phase`. The reported state lags behind, so it counts as stopped only after a while. */
function settledPhase(server: TestedServer, phase: Phase): () => Promise<Instance | undefined> {
  let restingSince: number | undefined;
  return async () => {
    const now = await server.look();
    if (now.phase === phase) return undefined;
    if (isLive(now.phase ?? 'stopped') || now.crash) return now;
    restingSince ??= performance.now();
    return performance.now() - restingSince > SETTLING_MS ? now : undefined;
  };
}

function signOf({ readyPattern, readyAfterSeconds }: SoftwareDefinition): { seen: string; missing: string } {
  if (readyPattern !== null)
    return {
      seen: `a line matched readyPattern "${readyPattern}"`,
      missing: `no line matched readyPattern "${readyPattern}"`,
    };
  if (readyAfterSeconds !== undefined)
    return { seen: 'it was still running', missing: `it did not run for ${readyAfterSeconds} s` };
  return { seen: 'it had its game port', missing: 'it did not have its game port' };
}

async function checkPorts(server: TestedServer, { gamePort, ports = [] }: SoftwareDefinition): Promise<CheckResult[]> {
  const { port: game, ports: own = {} } = await server.configuration();
  const all = [
    { name: 'game port', number: game, transport: gamePort.transport },
    ...ports.map(({ name, offset, transport }) => ({
      name: `port "${name}"`,
      number: offset === undefined ? own[name] : game + offset,
      transport,
    })),
  ];
  const results: CheckResult[] = [];
  for (const { name, number, transport } of all) {
    if (number === undefined) continue;
    const listens = await server.until(async () => !(await canBind(number, transport)), PORT_MS);
    const where = `its ${name}, ${transport.toUpperCase()} ${number}`;
    results.push(
      listens
        ? { check: 'Port', result: 'ok', says: `it listens on ${where}.` }
        : { check: 'Port', result: 'failed', says: `it does not listen on ${where}.` },
    );
  }
  return results;
}

/** Returns no result for a kind without a query. */
async function checkQuery(
  server: TestedServer,
  { listPing, players }: SoftwareDefinition,
  running: boolean,
): Promise<CheckResult[]> {
  const protocol = listPing ? 'the server list ping' : players?.query && `the player query ${players.query}`;
  if (!protocol) return [];
  if (!running)
    return [{ check: 'Players', result: 'skipped', says: `it is asked by ${protocol} only once it is ready.` }];
  const online = await server.until(async () => (await server.look()).playersOnline, QUERY_MS);
  return [
    online === undefined
      ? { check: 'Players', result: 'failed', says: `it did not answer ${protocol} within ${QUERY_MS / 1_000} s.` }
      : { check: 'Players', result: 'ok', says: `it answers ${protocol}: ${online} online.` },
  ];
}

async function checkSaving(
  server: TestedServer,
  { save: { off, flush, savedPattern } }: SoftwareDefinition,
  running: boolean,
): Promise<CheckResult> {
  const is = (result: CheckResult['result'], says: string): CheckResult => ({ check: 'Saving', result, says });
  if (off === undefined && flush === undefined) return is('skipped', 'the kind has no save commands.');
  if (!running) return is('skipped', 'it is told to save only once it is ready.');
  await server.backUp();
  const unconfirmed = (await server.lines()).flatMap((line) => UNCONFIRMED.exec(line)?.[1] ?? []);
  if (unconfirmed.length > 0) return is('failed', `it did not confirm that ${unconfirmed.join(' and that ')}.`);
  if (flush === undefined) return is('ok', `it took "${off}".`);
  if (savedPattern === undefined)
    return is('skipped', `it was sent "${flush}", but without save.savedPattern nothing confirms it.`);
  return is('ok', `it confirmed "${flush}" during a backup.`);
}

async function checkStop(server: TestedServer, { stop, stopCommand }: SoftwareDefinition): Promise<CheckResult> {
  const is = (result: CheckResult['result'], says: string): CheckResult => ({ check: 'Stops', result, says });
  const how = stop?.signal ? `SIG${stop.signal}` : `"${stop?.command ?? stopCommand}"`;
  const before = await server.look();
  if (!isLive(before.phase ?? 'stopped')) return is('failed', `it had already ended${reasonOf(before)}`);
  const { stopTimeoutSeconds } = await server.configuration();
  const begun = performance.now();
  await server.stop();
  const patience = 2 * stopTimeoutSeconds * 1_000 + END_MS;
  const ended = await server.until(async () => !isLive((await server.look()).phase ?? 'stopped'), patience);
  const forced = (await server.lines()).flatMap((line) => FORCED.exec(line)?.[1] ?? []).at(-1);
  if (!ended) return is('failed', `it still runs after ${how}.`);
  if (forced !== undefined) return is('failed', `${how} did not end it (${forced}).`);
  return is('ok', `${how} ended it in ${formatSeconds((performance.now() - begun) / 1_000)}.`);
}

function reasonOf({ crash }: Instance): string {
  return crash ? `: ${crash.reason}` : '.';
}
