import path from 'node:path';
import type { SupervisorBoot } from '../../shared/contract/supervisor-boot.ts';
import type { BackOff } from '../../shared/domain/back-off.ts';
import { softwareFor } from '../../shared/domain/software/catalogue.ts';
import { assertRestored } from '../../shared/node/files/assert-restored.ts';
import type { Home } from '../../shared/node/files/home.ts';
import { LatestValue } from '../../shared/node/primitives/latest-value.ts';
import { createMutex } from '../../shared/node/primitives/mutex.ts';
import { createProcessMeter } from '../../shared/node/processes/process-meter.ts';
import type { Player } from '../../shared/schema/answers.ts';
import type { ConsoleLog } from './console/console-log.ts';
import { createCrashFile } from './crash/crash-file.ts';
import { CrashHandler } from './crash/crash-handler.ts';
import { FolderLock } from './folder/folder-lock.ts';
import { createGameRecord } from './game/game-record.ts';
import { InstanceSettings } from './instance-settings.ts';
import { createHangGuard } from './lifecycle/hang-guard.ts';
import { runtimeOf } from './lifecycle/instance-runtime.ts';
import { KeptIntent } from './lifecycle/kept-intent.ts';
import { Lifecycle } from './lifecycle/lifecycle.ts';
import { PendingRestart } from './lifecycle/pending-restart.ts';
import { createRestartWhenEmpty } from './lifecycle/restart-when-empty.ts';
import { StateMachine } from './lifecycle/state-machine.ts';
import { intentOf, type State } from './lifecycle/state-table.ts';
import type { LastCall } from './own-process/last-call.ts';
import type { Log } from './own-process/process-log.ts';
import { BanEnds } from './players/bans/ban-ends.ts';
import { knownNames, listPlayers } from './players/player-list.ts';
import { SeenPlayers } from './players/seen-players.ts';
import { createPortLease } from './ports/port-lease.ts';
import { createPortUpkeep } from './ports/port-upkeep.ts';
import { createAgreedValues } from './properties/agreed-values.ts';
import { createInstanceProperties } from './properties/instance-properties.ts';
import { createRconTally } from './rcon/tally.ts';
import { Sleeper } from './sleep/sleeper.ts';
import { SleepingPort } from './sleep/sleeping-port.ts';
import { TunnelKeeper } from './tunnel/tunnel-keeper.ts';
import { tunnelWish } from './tunnel/tunnel-wish.ts';
import type { Upstream } from './upstream.ts';
import { Observation } from './vitals/observation.ts';
import { WorldKeeper } from './world/world-keeper.ts';
import { createWorldLockMark } from './world/world-lock-mark.ts';

/** All in milliseconds, except the back-off. */
export interface SupervisorTimings {
  restartBackOff: BackOff;
  /** From SIGTERM to SIGKILL, for a stop timeout. */
  stopGraceMs: (stopTimeoutSeconds: number) => number;
  leaseMs: number;
  /** For each command that locks the world. */
  lockDeadlineMs: number;
  /** Between two list pings of the running game. */
  pingEveryMs: number;
  /** Between two questions for the tick time of the running game. */
  ticksEveryMs: number;
  /** Between two looks for temporary bans that are over. */
  endBansEveryMs: number;
  /** Between two notes of how long players have been online. */
  countPlayersEveryMs: number;
}

export interface SupervisorOptions {
  paths: {
    home: Home;
    /** Returns the absolute path of a server that ships with us, given by its path below `dist/`. */
    embedded: (entry: string) => string;
  };
  boot: Pick<SupervisorBoot, 'config' | 'crash' | 'intent' | 'restartInMs' | 'handedOver'>;
  console: ConsoleLog;
  upstream: Upstream;
  /** Ended by a hand-over. */
  lastCall: Pick<LastCall, 'assertLast' | 'end'>;
  timings: SupervisorTimings;
  log: Log;
}

/** Creates the objects that do not depend on each other. */
export function createLeaves({ paths: { home, embedded }, boot, console, upstream, timings, log }: SupervisorOptions) {
  const { id } = boot.config;
  const logDirectory = home.consoleLogDirectory(id);
  const rconTally = createRconTally();
  const settings = new InstanceSettings(boot.config, upstream);
  const stopGraceMs = () => timings.stopGraceMs(settings.current.stopTimeoutSeconds);
  const intent = new KeptIntent(home.intentRecord(id), log);
  if (boot.intent) intent.write(boot.intent); // the daemon may know it although there is no record
  const machine = new StateMachine(initialState(boot), (state) => intent.write(intentOf(state)));
  return {
    settings,
    state: { machine, mutex: createMutex(), intent },
    folderLock: new FolderLock(timings.leaseMs),
    pending: new PendingRestart(),
    ports: { lease: createPortLease(upstream, log, boot.handedOver?.ports), sleeping: new SleepingPort() },
    tunnel: new TunnelKeeper({
      label: { home: home.root, instance: id },
      entry: embedded('workers/tunnel/main.js'),
      storeLearned: upstream.storeLearnedTunnel,
      permit: upstream.permitTunnel,
      log,
    }),
    observation: new Observation({
      ...timings,
      folder: () => settings.current.directory,
      players: boot.handedOver?.players,
    }),
    stats: { meter: createProcessMeter(), rconTally },
    services: { home, console, rconTally, stopGraceMs, log },
    banEnds: new BanEnds(path.join(logDirectory, 'ban-ends.json'), log),
    seen: new SeenPlayers({
      file: path.join(logDirectory, 'players.json'),
      countEveryMs: timings.countPlayersEveryMs,
      isHidden: (name) => console.redact(name) !== name,
      log,
    }),
    files: {
      crashes: createCrashFile(path.join(logDirectory, 'crashes.json')),
      agreed: createAgreedValues(path.join(logDirectory, 'properties.json'), log),
    },
  };
}

type Leaves = ReturnType<typeof createLeaves>;
type LifecycleLeaf = 'settings' | 'state' | 'folderLock' | 'pending' | 'ports' | 'services' | 'files';
type WatcherLeaf =
  | 'settings'
  | 'state'
  | 'folderLock'
  | 'pending'
  | 'ports'
  | 'tunnel'
  | 'observation'
  | 'seen'
  | 'services';

function initialState({ intent, restartInMs, crash }: SupervisorOptions['boot']): State {
  if (intent === 'stopped') return 'uninspected-stopping';
  if (intent === 'restarting') return 'uninspected-restarting';
  if (intent === 'asleep') return 'uninspected-sleeping';
  if (restartInMs !== undefined) return 'uninspected-waiting';
  return crash ? 'uninspected-crashed' : 'uninspected';
}

/** Creates what starts and stops the game. */
export function createLifecycle(
  { paths, boot, console, upstream, timings, log }: SupervisorOptions,
  { settings, state, folderLock, pending, ports, services, files }: Pick<Leaves, LifecycleLeaf>,
) {
  const { machine, mutex } = state;
  const { home, embedded } = paths;
  const { id } = boot.config;
  const properties = createInstanceProperties({
    config: () => settings.current,
    adopt: (changes) => settings.change(changes),
    agreed: files.agreed,
    hasProcess: () => machine.hasProcess,
    isFolderLocked: () => folderLock.isLocked,
    exclusively: (task) => mutex.run(task),
    noteChanges: (changes) => pending.noteProperties(changes),
    log,
  });
  const crashes = new CrashHandler({
    settings,
    console,
    file: files.crashes,
    restartBackOff: timings.restartBackOff,
    former: { last: boot.crash, restartedMsAgo: boot.handedOver?.restartedMsAgo },
    log,
  });
  const lifecycle = new Lifecycle({
    machine,
    mutex,
    assertFolderFree() {
      folderLock.assertFree();
      assertRestored(home, id);
    },
    start: {
      settings,
      folder: { properties, ports: ports.lease, freePort: () => ports.sleeping.yield() },
      provision: (signal) => upstream.provision(signal),
      embedded,
      record: createGameRecord(home.gameRecord(id)),
      handedOver: boot.handedOver,
      services,
    },
    crashes,
    pending,
    restartInMs: boot.restartInMs,
  });
  return { lifecycle, properties, crashes };
}

/** Creates the objects that watch the lifecycle and act on it, and connects their events. */
export function createWatchers(
  { paths: { home }, boot, timings, log }: SupervisorOptions,
  leaves: Pick<Leaves, WatcherLeaf>,
  lifecycle: Lifecycle,
) {
  const { settings, state, folderLock, pending, ports, tunnel, observation, seen, services } = leaves;
  const { machine } = state;
  const current = () =>
    runtimeOf({ settings, lifecycle, pending, observation, folderLock, ports: ports.lease, tunnel });
  const runtime = new LatestValue(current());
  const publish = () => runtime.set(current());
  const players = () => currentPlayers({ settings, lifecycle, observation });
  const knownPlayers = () => knownNames(observation.presence, observation.vitals?.ping);
  const seemsMinecraft = () => observation.vitals?.ping !== undefined || observation.presence.hasSeenPlayers;
  const world = new WorldKeeper({
    settings,
    lifecycle,
    mark: createWorldLockMark(home.worldLockMark(boot.config.id)),
    services,
    assertRestored: () => assertRestored(home, boot.config.id),
    lockDeadlineMs: timings.lockDeadlineMs,
  });
  const sleeper = new Sleeper({ settings, lifecycle, port: ports.sleeping, folderLock, players, services });
  const restartWhenEmpty = createRestartWhenEmpty({ lifecycle, pending, folderLock, players, services });
  const hangGuard = createHangGuard({ settings, lifecycle, folderLock });
  const portUpkeep = createPortUpkeep({
    settings,
    lease: ports.lease,
    lifecycle,
    sleep: { sleeper, port: ports.sleeping },
    onChange: publish,
    log,
  });

  const updateTunnel = () => {
    const { phase, javaProgram, game } = lifecycle;
    const definition = lifecycle.rules?.definition ?? softwareFor(settings.current);
    const runtime = { phase, ...(javaProgram !== undefined && { javaProgram }) };
    tunnel.update(tunnelWish({ config: settings.current, definition, runtime, address: game?.address }));
  };

  machine.on('change', () => {
    portUpkeep.update();
    updateTunnel();
    observation.update(lifecycle);
    sleeper.update();
    hangGuard.update();
    if (lifecycle.phase === 'running') void world.recover();
    publish();
  });
  observation.on('movement', (movement) => {
    seen.take(movement);
    sleeper.playersChanged();
    restartWhenEmpty.playersChanged();
  });
  observation.on('ping', (outcome) => {
    sleeper.pinged(outcome.answer);
    restartWhenEmpty.pinged(outcome.answer);
    hangGuard.pinged(outcome);
  });
  observation.on('change', publish);
  folderLock.on('change', publish);
  tunnel.on('change', publish);
  return { runtime, publish, players, knownPlayers, seemsMinecraft, world, portUpkeep, updateTunnel };
}

async function currentPlayers({
  settings,
  lifecycle: { game, rules, phase },
  observation,
}: Pick<Leaves, 'settings' | 'observation'> & { lifecycle: Lifecycle }): Promise<Player[]> {
  if (!game || !rules || phase !== 'running') return [];
  return listPlayers({
    definition: rules.definition,
    folder: settings.current.directory,
    management: game.management,
    rcon: game.rcon,
    presence: observation.presence,
    ping: observation.vitals?.ping,
  });
}
