import { execFile } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { checkArchives } from './archives.ts';
import { type ConsoleStats, checkConsoles, untilCaughtUp } from './consoles.ts';
import { createDisruptions, type Disruptions } from './disruptions.ts';
import { bringAllUp, checkLedger, checkProcesses, checkWishes, checkWorlds, untilAttended } from './invariants.ts';
import { createLanes } from './lanes.ts';
import { checkLeftovers } from './leftovers.ts';
import { witnessLines } from './line-witness.ts';
import { createOwner, type Owner } from './owner.ts';
import { patientClient } from './patient-client.ts';
import { FIRST, setTheScene } from './setting.ts';
import { describeStep, isDisruption, type Role, type Step, stepsOf } from './steps.ts';
import { watchForTwice } from './twice-watch.ts';

const COMMAND_LINE = path.join(import.meta.dirname, '../../dist/daemon/cli/main.js');

export interface ChaosOptions {
  seed: number;
  /** How long steps are taken; checking what has come of them takes half a minute more, or two. */
  seconds: number;
  /** Keeps the data directory where something was found. */
  keep?: boolean;
}

/** What a run has done, and what it has found. */
export interface ChaosReport extends ConsoleStats {
  seed: number;
  /** Each step that was taken, and what came of it. */
  history: string[];
  kills: Readonly<Record<Role, number>>;
  pauses: Readonly<Record<Role, number>>;
  /** What came of each kind of step, and how often. */
  outcomes: Readonly<Record<string, number>>;
  /** How often each HTTP status was answered. */
  answers: Readonly<Record<string, number>>;
  /** How often the viewers had to connect. */
  connections: number;
  archives: number;
  tokens: number;
  /** Everything that was not as it must be. */
  findings: string[];
  home: string;
}

/**
 * Takes the steps of a seed for some time: processes of ours and of games are killed and paused while servers are started, stopped,
 * backed up, restored and configured. Then brings all of it up again and checks that nothing was lost.
 */
export async function runChaos({ seed, seconds, keep = false }: ChaosOptions): Promise<ChaosReport> {
  await using cleanup = new AsyncDisposableStack();
  const startedAt = performance.now();
  const findings: string[] = [];
  const history: string[] = [];
  const outcomes: Record<string, number> = {};
  const note = (text: string) => history.push(`${((performance.now() - startedAt) / 1000).toFixed(1)} s  ${text}`);
  const onFault = (what: string) => {
    findings.push(what);
    note(`FOUND ${what}`);
  };

  const scene = await setTheScene(cleanup, { keep: () => keep && findings.length > 0, onFault });
  const { home, panel, daemon, credentials, servers } = scene;
  const ids = servers.map(({ id }) => id);
  const client = patientClient(panel, credentials, onFault);
  const owner = createOwner({ client, servers, ...FIRST, onFault });
  const disruptions = createDisruptions(home, daemon);
  cleanup.defer(() => disruptions.resumeAll());
  const consoleOf = (id: string) => `${panel.replace('http', 'ws')}/ws/instances/${id}/console`;
  const witnesses = new Map(ids.map((id) => [id, witnessLines(consoleOf(id), credentials.token)]));
  for (const witness of witnesses.values()) cleanup.defer(() => witness.stop());
  cleanup.defer(watchForTwice(home, ids, onFault));
  const inspection = { home, client, ledger: owner.ledger, onFault };
  await bringAllUp(inspection);

  const lanes = createLanes();
  const end = performance.now() + seconds * 1000;
  for (const step of stepsOf(seed, ids.length)) {
    await sleep(step.afterMs);
    if (performance.now() > end) break;
    const wasBegun = lanes.add(laneOf(step), async () => {
      const outcome = await take(step, { ids, owner, disruptions }).catch((error: Error) => {
        onFault(`${describeStep(step)}: ${error.message}`);
        return 'failed';
      });
      const key = `${step.do} ${outcome}`;
      outcomes[key] = (outcomes[key] ?? 0) + 1;
      note(`${describeStep(step)}: ${outcome}`);
    });
    if (!wasBegun) note(`${describeStep(step)}: left out, since others wait`);
  }
  note('no more steps');
  disruptions.resumeAll();
  await lanes.empty();

  let archives = 0;
  let stats: ConsoleStats = { lines: 0, countedLines: 0, gameRuns: 0 };
  await check('nobody is left alone', async () => {
    await daemon.ready();
    await untilAttended(inspection);
  });
  await check('what was wished for', () => checkWishes(inspection));
  await check('all comes up again', () => bringAllUp(inspection));
  await check('processes', () => checkProcesses(inspection));
  await check('worlds', () => checkWorlds(inspection));
  await check('what was acknowledged', () => checkLedger(inspection));
  await check('archives', async () => {
    archives = await checkArchives(inspection);
  });
  await check('viewers', () => untilCaughtUp({ home, witnesses }));
  await check('the end', () => daemon.end(() => stopEverything(home)));
  await check('consoles', () => {
    stats = checkConsoles({ home, witnesses }, onFault);
  });
  await check('leftovers', () => checkLeftovers(home, onFault));

  /** Whatever one of them finds, the others look, too. */
  async function check(what: string, look: () => void | Promise<void>): Promise<void> {
    try {
      await look();
      note(`checked: ${what}`);
    } catch (error) {
      onFault(`${what}: ${(error as Error).message}`);
    }
  }

  return {
    seed,
    history,
    kills: disruptions.kills,
    pauses: disruptions.pauses,
    outcomes,
    answers: client.tally,
    ...stats,
    connections: [...witnesses.values()].reduce((all, { connections }) => all + connections, 0),
    archives,
    tokens: owner.ledger.tokens.length,
    findings,
    home,
  };
}

interface Hands {
  ids: readonly string[];
  owner: Owner;
  disruptions: Disruptions;
}

/** Resolves to what came of it. */
async function take(step: Step, { ids, owner, disruptions }: Hands): Promise<string> {
  if (!isDisruption(step)) return owner.act(step);
  const id = ids[step.server]!;
  if (step.do === 'blackout') {
    const { backAfterMs } = step;
    await Promise.all((['daemon', 'supervisor'] as const).map((role) => disruptions.kill(role, { id, backAfterMs })));
    return 'done';
  }
  const wasThere = await (step.do === 'kill'
    ? disruptions.kill(step.role, { id, backAfterMs: step.backAfterMs })
    : disruptions.pause(step.role, { id, forMs: step.forMs }));
  return `${step.role} ${wasThere ? 'done' : 'was not there'}`;
}

/** Kills and pauses wait for nobody's answer; of the rest each server's, and the settings', are done one after the other. */
function laneOf(step: Step): string {
  if (isDisruption(step)) return `kill or pause ${step.do === 'blackout' ? 'daemon' : step.role}`;
  return 'server' in step ? `server ${step.server}` : 'daemon';
}

async function stopEverything(home: string): Promise<void> {
  const env = { ...process.env, GAMEKEEPER_HOME: home, CI: 'true' };
  await promisify(execFile)(process.execPath, [COMMAND_LINE, 'down', '--with-servers'], { env });
}
