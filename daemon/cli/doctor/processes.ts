import path from 'node:path';
import type { Home } from '../../../shared/node/files/home.ts';
import type { Instance } from '../../../shared/schema/instance.ts';
import { readRecord } from '../api/lock-owner.ts';
import { askGateway } from './ask-gateway.ts';
import { type Check, type Finding, ok, problem, warning } from './finding.ts';

export const checkDaemon: Check = async ({ home, daemon }) => {
  const check = 'Gamekeeper';
  const left = await readRecord(home.daemonLock);
  if (!daemon)
    return [ok(check, left ? 'not running; it was killed, and the next start takes over what it left' : 'not running')];
  try {
    const begun = performance.now();
    await askGateway(home, '/health');
    return [ok(check, `runs (pid ${daemon.pid}) and answers within ${Math.round(performance.now() - begun)} ms`)];
  } catch (error) {
    return [
      problem(
        check,
        `It runs (pid ${daemon.pid}), but does not answer: ${(error as Error).message}`,
        `${home.logs}/daemon.log and gateway.log say why. Ending it leaves the servers running: kill ${daemon.pid}, and start it again.`,
      ),
    ];
  }
};

/** Records of what no longer lives, and servers that nobody looks after. */
export const checkServers: Check = async ({ home, stored, daemon }) => {
  const findings: Finding[] = [];
  for (const { id, name } of stored?.instances ?? []) {
    const supervisor = await readRecord(home.supervisorRecord(id));
    const game = await readRecord(home.gameRecord(id));
    if (daemon) continue; // which sees to them
    if (game?.isAlive && !supervisor?.isAlive)
      findings.push(
        warning(
          'Servers',
          `${name} runs (pid ${game.pid}), but nothing looks after it.`,
          'Start Gamekeeper, which takes it over.',
        ),
      );
    else if (supervisor?.isAlive && game?.isAlive)
      findings.push(ok('Servers', `${name} runs without Gamekeeper (pid ${game.pid})`));
    else if (supervisor && !supervisor.isAlive)
      findings.push(ok('Servers', `${name} was killed; the next start removes what it left`));
  }
  if (!daemon) return findings;
  // One that does not answer was told already.
  const instances = await askGateway<Instance[]>(home, '/instances').catch(() => []);
  for (const { id, name, degraded } of instances)
    if (degraded) {
      const { says, fix } = DEGRADED[degraded];
      const supervisor = await readRecord(home.supervisorRecord(id));
      findings.push(warning('Servers', `${name}: ${says}.`, fix(home, { id, pid: supervisor?.pid })));
    }
  return findings;
};

/** What helps depends on who still answers: a supervisor that does not can be told nothing, a restart neither. */
const DEGRADED: Record<
  NonNullable<Instance['degraded']>,
  { says: string; fix: (home: Home, supervisor: { id: string; pid: number | undefined }) => string }
> = {
  'taken-over': {
    says: 'it was taken over after a crash, without its terminal',
    fix: () => 'Restart that server when it suits its players.',
  },
  unresponsive: {
    says: 'its supervisor does not answer',
    fix: (home, { id }) =>
      `Wait two minutes: by then it answers again, or Gamekeeper has replaced it. ${path.join(home.logs, 'supervisors', `${id}.log`)} may say why.`,
  },
  incompatible: {
    says: 'its supervisor is of a version that this one cannot talk to',
    fix: (_, { pid }) =>
      `Use that version to stop the server, or end ${pid === undefined ? 'its supervisor' : `the process ${pid}`}, at which it stops its server.`,
  },
};
