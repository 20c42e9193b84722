import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import type { Home } from '../../../shared/node/files/home.ts';
import { requirePrivateFolder } from '../../../shared/node/ipc/socket-folder.ts';
import type { Instance } from '../../../shared/schema/instance.ts';
import { readProcessRecord } from '../api/lock-owner.ts';
import { type Check, type Finding, ok, problem, warning } from './finding.ts';

/** A gateway answers in milliseconds, or within a second if it restarts. Milliseconds. */
const ANSWER_WITHIN_MS = 5_000;

export const checkDaemon: Check = async ({ home, daemon }) => {
  const check = 'Gamekeeper';
  const leftover = await readProcessRecord(home.daemonLock);
  if (!daemon)
    return [ok(check, leftover ? 'not running; it was killed, and the next start cleans up' : 'not running')];
  try {
    const begun = performance.now();
    await askGateway(home, '/health');
    return [ok(check, `running (pid ${daemon.pid}), answers within ${Math.round(performance.now() - begun)} ms`)];
  } catch (error) {
    return [
      problem(
        check,
        `It is running (pid ${daemon.pid}), but does not answer: ${(error as Error).message}`,
        `See ${home.logs}/daemon.log and gateway.log. To restart it while the servers keep running: kill ${daemon.pid}, and start it again.`,
      ),
    ];
  }
};

/** Finds servers without a supervisor and records of dead processes. */
export const checkServers: Check = async ({ home, stored, daemon }) => {
  const findings: Finding[] = [];
  for (const { id, name } of stored?.instances ?? []) {
    const supervisor = await readProcessRecord(home.supervisorRecord(id));
    const game = await readProcessRecord(home.gameRecord(id));
    if (daemon) continue; // the daemon does the same
    if (game?.isAlive && !supervisor?.isAlive)
      findings.push(
        warning(
          'Servers',
          `${name} is running (pid ${game.pid}) without a supervisor.`,
          'Start Gamekeeper to recover it.',
        ),
      );
    else if (supervisor?.isAlive && game?.isAlive)
      findings.push(ok('Servers', `${name} is running without Gamekeeper (pid ${game.pid})`));
    else if (supervisor && !supervisor.isAlive)
      findings.push(ok('Servers', `${name} was killed; the next start cleans up`));
  }
  if (!daemon) return findings;
  // A gateway that does not answer is reported by checkDaemon.
  const instances = await askGateway<Instance[]>(home, '/instances').catch(() => []);
  for (const { id, name, degraded, leftovers = [] } of instances)
    if (degraded) {
      const { says, fix } = DEGRADED[degraded];
      const supervisor = await readProcessRecord(home.supervisorRecord(id));
      findings.push(warning('Servers', `${name}: ${says}.`, fix(home, { id, pid: supervisor?.pid, leftovers })));
    }
  return findings;
};

/** A supervisor that does not answer cannot even restart its server. */
const DEGRADED: Record<
  NonNullable<Instance['degraded']>,
  {
    says: string;
    fix: (
      home: Home,
      about: { id: string; pid: number | undefined; leftovers: NonNullable<Instance['leftovers']> },
    ) => string;
  }
> = {
  'taken-over': {
    says: 'it was recovered after a crash and has no terminal',
    fix: () => 'Restart the server when it suits the players.',
  },
  leftovers: {
    says: 'it has ended, but processes that it may have started still run',
    fix: (_, { leftovers }) =>
      `If they are the server's, end them: ${leftovers.map(({ pid, command }) => `${pid} (${command})`).join(', ')}.`,
  },
  unresponsive: {
    says: 'its supervisor does not answer',
    fix: (home, { id }) =>
      `Wait two minutes: by then it answers again, or Gamekeeper has replaced it. See ${path.join(home.logs, 'supervisors', `${id}.log`)}.`,
  },
  incompatible: {
    says: 'its supervisor is of an incompatible version',
    fix: (_, { pid }) =>
      `Stop the server with that version, or end ${pid === undefined ? 'the supervisor' : `the process ${pid}`}, which then stops its server.`,
  },
};

/** Resolves to the answer to one GET over the gateway's private socket. Rejects unless it is a 200 within the time. */
async function askGateway<T>(home: Home, path: string): Promise<T> {
  await requirePrivateFolder(home.gatewaySocket);
  const asked = request({
    socketPath: home.gatewaySocket,
    path,
    agent: false,
    headers: { host: 'localhost' },
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const body = await json(response);
  if (response.statusCode !== 200) throw new Error(`${path} returned ${response.statusCode}`);
  return body as T;
}
