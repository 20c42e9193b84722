import { existsSync } from 'node:fs';
import path from 'node:path';
import type { AdoptedSettings } from '../../shared/contract/daemon/instances.ts';
import type { Provisioned } from '../../shared/contract/jobs.ts';
import type { SupervisorService } from '../../shared/contract/supervisor.ts';
import type { BackOff } from '../../shared/domain/back-off.ts';
import type { InstanceRuntime, LastCrash } from '../../shared/domain/runtime.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Home } from '../../shared/node/files/home.ts';
import { retry } from '../../shared/node/primitives/retry.ts';
import { createProcessMeter } from '../../shared/node/processes/process-meter.ts';
import type { InstanceConfig } from '../../shared/schema/instance.ts';
import type { ConsoleLog } from './console/console-log.ts';
import { knownSecrets } from './console/known-secrets.ts';
import { crashFile } from './crash/crash-file.ts';
import type { DaemonSide } from './daemon-client.ts';
import { FolderLock } from './folder/folder-lock.ts';
import { prepareFolder } from './folder/prepare-folder.ts';
import { createGameRecord } from './game/game-record.ts';
import { createHangGuard } from './lifecycle/hang-guard.ts';
import { runtimeOf } from './lifecycle/instance-runtime.ts';
import { Lifecycle } from './lifecycle/lifecycle.ts';
import { LAST_LINES } from './lifecycle/start-game.ts';
import type { Log } from './own-process/process-log.ts';
import { createPortLease } from './ports/port-lease.ts';
import { createPortUpkeep } from './ports/port-upkeep.ts';
import { agreedValues } from './properties/agreed-values.ts';
import { instanceProperties } from './properties/instance-properties.ts';
import { createRconTally } from './rcon/tally.ts';
import { createService } from './service.ts';
import { Sleeper } from './sleep/sleeper.ts';
import { LatestValue } from './vitals/latest-value.ts';
import { Observation } from './vitals/observation.ts';
import { WorldKeeper } from './world/world-keeper.ts';
import { worldLockMark } from './world/world-lock-mark.ts';

export interface SupervisorOptions {
  home: Home;
  config: InstanceConfig;
  /** How the run before this supervisor has ended, where that was a crash. */
  crash?: LastCrash;
  /** The supervisor before this one was lost: after so long the server is started again, unless its game goes on. Milliseconds. */
  restartInMs?: number;
  console: ConsoleLog;
  daemon: DaemonSide;
  /** Has software and runtime put in place. */
  provision: (signal: AbortSignal) => AsyncIterable<{ progress: string } | { done: Provisioned }>;
  /** Absolute path of a server that ships with us, given as below `dist/`. */
  embedded: (entry: string) => string;
  restartBackOff: BackOff;
  /** From SIGTERM to SIGKILL, milliseconds. */
  stopGraceMs: number;
  leaseMs: number;
  /** For each command that locks the world. */
  lockDeadlineMs: number;
  /** Between two pings of the running game, milliseconds. */
  pingEveryMs: number;
  /** Between two questions for the tick time of the running game, milliseconds. */
  ticksEveryMs: number;
  log: Log;
  /** Called when `retire` has stopped the game. */
  onRetired: () => void;
}

/** Everything that a supervisor does for its instance. */
export interface Supervisor {
  service: SupervisorService;
  /** Whether something goes on that must not be left alone. */
  isNeeded(): boolean;
  /** Stops the game gracefully if it runs; with `withinMs`, by a signal where there is no more time than it may take to save. */
  rest(limits?: { withinMs: number }): Promise<void>;
  /** Ends every hold and every follower's stream, and lets go of the console's files. */
  close(): Promise<void>;
}

/** Makes the parts and ties them together. A game that an earlier supervisor has left behind is seen to before anything else. */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { home, console, log } = options;
  let config = options.config;
  const { id } = config;
  const getConfig = () => config;
  const notice = (text: string) => console.appendNotice(text);
  const record = createGameRecord(home.gameRecord(id));
  console.hideSecrets(knownSecrets(config));
  const crashes = crashFile(path.join(home.consoleLogDirectory(id), 'crashes.json'));
  const meter = createProcessMeter();
  const rconTally = createRconTally();

  const runtime = new LatestValue<InstanceRuntime>({
    phase: options.crash ? 'crashed' : 'stopped',
    ...(options.crash && { crash: options.crash }),
    ...(options.restartInMs !== undefined && { javaProgram: null }),
  });
  const observation = new Observation({
    pingEveryMs: options.pingEveryMs,
    ticksEveryMs: options.ticksEveryMs,
    onChange: publish,
    onPresence: () => sleeper.playersChanged(),
    onPing(outcome) {
      sleeper.pinged(outcome.answer);
      hangGuard.pinged(outcome);
    },
  });
  const ports = createPortLease(options.daemon, log);
  const agreed = agreedValues(path.join(home.consoleLogDirectory(id), 'properties.json'), log);
  let adopting = 0;
  async function adopt(settings: AdoptedSettings): Promise<void> {
    adopting++;
    await options.daemon.adoptSettings(settings).finally(() => adopting--);
  }
  const properties = instanceProperties({
    config: getConfig,
    adopt,
    agreed,
    hasProcess: () => lifecycle.hasProcess,
    isHeld: () => hold.activity !== undefined,
    exclusively: (task) => lifecycle.exclusively(task),
    log,
  });
  const lifecycle: Lifecycle = new Lifecycle({
    ...options,
    config: getConfig,
    console: { ...console, notice },
    prepareFolder: () => prepareFolder({ config: getConfig, properties, leasePorts: ports.take, adopt }),
    assertFolderFree() {
      hold.assertFree();
      // Cut off by a crash: jobs finishes it, or undoes it, as soon as it runs.
      if (existsSync(home.restoreMark(id)))
        throw new GamekeeperError('already_in_progress', 'A restore was cut off and is being finished.');
    },
    releasePort: () => sleeper.yieldPort(),
    record,
    recordCrash: (crash) => crashes.add(crash),
    rconTally,
    onChange: onTransition,
  });
  const keeper = new WorldKeeper({
    config: getConfig,
    lifecycle,
    mark: worldLockMark(home.worldLockMark(id)),
    notice,
    log,
    lockDeadlineMs: options.lockDeadlineMs,
  });
  const hold = new FolderLock({
    leaseMs: options.leaseMs,
    async settle(activity, signal) {
      // The file of another time says nothing about what its owner wants now.
      if (activity === 'restoring') await agreed.forget();
      return keeper.settle(activity, signal);
    },
    isStill: () => keeper.isStill(),
    unsettle: (activity) => keeper.unsettle(activity),
    onChange: publish,
  });

  const closing = new AbortController();
  const unseen = (error: unknown) => log('error', 'a game that was left behind could not be seen to', { error });
  void retry(() => lifecycle.recover(), { onFailure: unseen, signal: closing.signal })
    .then((left) => {
      if (left === 'ended') notice('Ended a server process that had lost its supervisor.');
      return left === 'ended' || left === 'restarting' ? noteLostSupervisor() : undefined;
    })
    .catch(unseen);

  async function noteLostSupervisor(): Promise<void> {
    await crashes.add({
      at: new Date().toISOString(),
      exitCode: null,
      signal: null,
      reason: 'The process that supervises the server ended unexpectedly.',
      restarts: 0,
      lines: await console.lastLines(LAST_LINES),
    });
  }

  const sleeper: Sleeper = new Sleeper({
    config: getConfig,
    lifecycle,
    players: () => service.players(),
    activity: () => hold.activity,
    notice,
    log,
  });
  const upkeep = createPortUpkeep({ config: getConfig, ports, lifecycle, sleeper, onChange: publish, log });
  const hangGuard = createHangGuard({ config: getConfig, lifecycle, isHeld: () => hold.activity !== undefined });

  function onTransition(): void {
    upkeep.update();
    observation.update(lifecycle);
    sleeper.update();
    hangGuard.update();
    if (lifecycle.phase === 'running') void keeper.inherit();
    publish();
  }

  function publish(): void {
    runtime.set(runtimeOf({ lifecycle, observation, hold, ports }));
  }

  /** How much of the time is the stop commands', before the rest is a signal's. */
  function patience(withinMs: number): number {
    return Math.max(withinMs - options.stopGraceMs, withinMs / 2);
  }

  async function rest(limits?: { withinMs: number }): Promise<void> {
    const hurry = limits && setTimeout(() => lifecycle.hurryStop(), patience(limits.withinMs));
    try {
      await lifecycle.exclusively(() => undefined); // a game that was left behind has been seen to
      if (!lifecycle.isAtRest) await lifecycle.stop().catch(unlessAtRest);
      await lifecycle.until(() => lifecycle.isAtRest);
    } finally {
      clearTimeout(hurry);
    }
  }

  /** The game may end by itself before the stop has its turn. */
  function unlessAtRest(error: unknown): void {
    if (!lifecycle.isAtRest) throw error;
  }

  const service = createService({
    config: getConfig,
    async configure(next) {
      config = next;
      console.hideSecrets(knownSecrets(next));
      if (adopting === 0) await upkeep.reconfigured();
    },
    stats: () => ({ process: meter.read(), console: console.counts(), rcon: rconTally }),
    runtime,
    lifecycle,
    async begin(operation) {
      try {
        await operation();
      } catch (error) {
        // A start that was refused has not been anywhere: no transition tells of it.
        if (lifecycle.isAtRest) ports.release();
        throw error;
      }
    },
    properties: {
      read: () => upkeep.mayMove(properties.read),
      change: (change) => upkeep.mayMove(() => properties.change(change)),
    },
    observation,
    hold,
    console,
    crashes,
    async retire(limits) {
      await rest(limits);
      options.onRetired();
    },
  });

  return {
    service,
    isNeeded: () => !lifecycle.isAtRest || hold.activity !== undefined,
    rest,
    async close() {
      closing.abort();
      await hold.close();
      await sleeper.release();
      observation.stop();
      runtime.close();
      meter.stop();
      await crashes.settled();
      await console.close();
    },
  };
}
