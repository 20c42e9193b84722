import { setTimeout as sleep } from 'node:timers/promises';
import { checkAll } from './checks/all-checks.ts';
import { watchConsole } from './checks/console-watcher.ts';
import type { ConsoleStats } from './checks/consoles.ts';
import { watchForDuplicates } from './checks/duplicate-watch.ts';
import { startAll } from './checks/invariants.ts';
import { Owner } from './owner/owner.ts';
import { createPatientClient } from './owner/patient-client.ts';
import { createDisruptions, type Disruptions } from './steps/disruptions.ts';
import { createLanes } from './steps/lanes.ts';
import { describeStep, isDisruption, type Role, type Step, stepsOf } from './steps/steps.ts';
import { INITIAL, startSystem } from './system/start-system.ts';

export interface ChaosOptions {
  seed: number;
  /** How long steps are taken. The checks afterwards take another 30 to 120 s. */
  seconds: number;
  /** Keeps the data directory if a violation was found. */
  keep?: boolean;
}

export interface ChaosReport extends ConsoleStats {
  seed: number;
  /** Each step that was taken, with its outcome. */
  history: string[];
  kills: Readonly<Record<Role, number>>;
  pauses: Readonly<Record<Role, number>>;
  /** How often each kind of step had each outcome. */
  outcomes: Readonly<Record<string, number>>;
  /** How many requests got each HTTP status. */
  answers: Readonly<Record<string, number>>;
  /** How often the console viewers connected. */
  connections: number;
  archives: number;
  tokens: number;
  /** Every violation. */
  findings: string[];
  home: string;
}

/**
 * Takes the steps of a seed for some time: kills and pauses our processes and game processes while servers are started, stopped, backed up,
 * restored and configured. Then starts everything again and checks that nothing was lost.
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

  const system = await startSystem(cleanup, { keep: () => keep && findings.length > 0, onFault });
  const { home, panel, daemon, credentials, servers } = system;
  const ids = servers.map(({ id }) => id);
  const client = createPatientClient(panel, credentials, onFault);
  const owner = new Owner({ client, servers, ...INITIAL, onFault });
  const disruptions = createDisruptions(home, daemon);
  cleanup.defer(() => disruptions.resumeAll());
  const consoleOf = (id: string) => `${panel.replace('http', 'ws')}/ws/instances/${id}/console`;
  const watchers = new Map(ids.map((id) => [id, watchConsole(consoleOf(id), credentials.token)]));
  for (const watcher of watchers.values()) cleanup.defer(() => watcher.stop());
  cleanup.defer(watchForDuplicates(home, ids, onFault));
  const inspection = { home, client, ledger: owner.ledger, onFault };
  await startAll(inspection);

  const takeAndNote = async (step: Step) => {
    const outcome = await take(step, { ids, owner, disruptions }).catch((error: Error) => {
      onFault(`${describeStep(step)}: ${error.message}`);
      return 'failed';
    });
    const key = `${step.do} ${outcome}`;
    outcomes[key] = (outcomes[key] ?? 0) + 1;
    note(`${describeStep(step)}: ${outcome}`);
  };

  const lanes = createLanes();
  const end = performance.now() + seconds * 1000;
  for (const step of stepsOf(seed, ids.length)) {
    await sleep(step.afterMs);
    if (performance.now() > end) break;
    const wasAdded = lanes.add(laneOf(step), () => takeAndNote(step));
    if (!wasAdded) note(`${describeStep(step)}: left out, too many steps wait`);
  }
  note('no more steps');
  disruptions.resumeAll();
  await lanes.empty();
  await daemon.ready();
  // On a slow machine, a minute of disruptions may have cut off every one before.
  await takeAndNote({ do: 'token', afterMs: 0 });
  for (const server of ids.keys()) await takeAndNote({ do: 'backup', server, afterMs: 0 });

  const checked = await checkAll({ inspection, daemon, watchers, note });
  return {
    seed,
    history,
    kills: disruptions.kills,
    pauses: disruptions.pauses,
    outcomes,
    answers: client.tally,
    ...checked,
    connections: [...watchers.values()].reduce((all, { connections }) => all + connections, 0),
    tokens: owner.ledger.tokens.length,
    findings,
    home,
  };
}

interface TakeOptions {
  ids: readonly string[];
  owner: Owner;
  disruptions: Disruptions;
}

/** Takes a step. Resolves to its outcome in words. */
async function take(step: Step, { ids, owner, disruptions }: TakeOptions): Promise<string> {
  if (!isDisruption(step)) return owner.act(step);
  const id = ids[step.server]!;
  if (step.do === 'blackout') {
    const { backAfterMs } = step;
    await Promise.all((['daemon', 'supervisor'] as const).map((role) => disruptions.kill(role, { id, backAfterMs })));
    return 'done';
  }
  const existed = await (step.do === 'kill'
    ? disruptions.kill(step.role, { id, backAfterMs: step.backAfterMs })
    : disruptions.pause(step.role, { id, forMs: step.forMs }));
  return `${step.role} ${existed ? 'done' : 'did not exist'}`;
}

/** Requests to one server are made one after the other, as are those that change settings or tokens. Disruptions wait for none of them. */
function laneOf(step: Step): string {
  if (isDisruption(step)) return `kill or pause ${step.do === 'blackout' ? 'daemon' : step.role}`;
  return 'server' in step ? `server ${step.server}` : 'daemon';
}
