import type { SupervisorService } from '../../shared/contract/supervisor.ts';
import type { InstanceRuntime } from '../../shared/domain/instance/runtime.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { retry } from '../../shared/node/primitives/retry.ts';
import { knownSecrets } from '../../shared/schema/known-secrets.ts';
import { createLeaves, createLifecycle, createWatchers, type SupervisorOptions } from './compose.ts';
import type { ConsoleLog } from './console/console-log.ts';
import type { CrashHandler } from './crash/crash-handler.ts';
import { createOperatorCommands } from './game/operator-commands.ts';
import type { Lifecycle } from './lifecycle/lifecycle.ts';
import type { Log } from './own-process/process-log.ts';
import { BanKeeper } from './players/bans/ban-keeper.ts';
import { createLiveProperties } from './properties/live-properties.ts';
import { createService } from './service.ts';
import { createGamerules } from './world/gamerules/gamerules.ts';

/** All parts of a supervisor, for its entry point. */
export interface Supervisor {
  service: SupervisorService;
  /** Resolves when `retire` has stopped the game, or `handOver` has left it to another supervisor. */
  retired: Promise<void>;
  /** Resolves when what the previous supervisor left was inspected for the first time. */
  recovered: Promise<void>;
  /** True while this process must not end. */
  isNeeded(): boolean;
  rest(): Promise<void>;
  /** Ends the folder lock and every stream, and closes the console's files. */
  close(): Promise<void>;
}

/** Builds a supervisor, leaves first: each object only gets objects that already exist. Then inspects what a killed supervisor left. */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { console, boot } = options;
  console.hideSecrets(knownSecrets(boot.config));
  const leaves = createLeaves(options);
  const { settings, state, folderLock, ports, tunnel, observation, seen, banEnds, files, stats } = leaves;
  const { lifecycle, properties, crashes } = createLifecycle(options, leaves);
  const watchers = createWatchers(options, leaves, lifecycle);
  const { world, players, knownPlayers, seemsMinecraft, runtime, publish, portUpkeep, updateTunnel } = watchers;
  const liveProperties = createLiveProperties({
    settings,
    properties,
    lifecycle,
    folderLock,
    console,
    seemsMinecraft,
    log: options.log,
  });
  const retired = Promise.withResolvers<void>();
  /** Whoever ends this supervisor knows what should follow. */
  const rest = async (limits?: { withinMs: number }) => {
    await lifecycle.rest(limits);
    state.intent.remove();
  };

  const commands = createOperatorCommands({ settings, lifecycle, console, banEnds, knownPlayers, seemsMinecraft });
  const gamerules = createGamerules({
    ...{ settings, lifecycle, console, seemsMinecraft },
    runningVersion() {
      const changed = leaves.pending.changes(settings.current).find(({ setting }) => setting === 'version');
      return changed?.running ?? settings.current.version;
    },
  });
  const banKeeper = new BanKeeper({
    ...{ ends: banEnds, settings, lifecycle, commands, console },
    everyMs: options.timings.endBansEveryMs,
    log: options.log,
  });
  state.machine.on('change', () => banKeeper.update());

  const service = createService({
    settings,
    lifecycle,
    commands,
    gamerules,
    banEnds,
    console,
    folder: {
      lock: folderLock,
      guard: {
        async settle(activity, signal) {
          // The restored file must not count as a change by the owner.
          if (activity === 'restoring') await files.agreed.forget();
          return world.settle(activity, signal);
        },
        isStill: () => world.isStill(),
        unsettle: (activity) => world.unsettle(activity),
      },
      properties: {
        read: () => portUpkeep.whileMoving(properties.read),
        async change(change) {
          const changed = await portUpkeep.whileMoving(() => liveProperties.change(change));
          const taken = Object.entries(change.properties).filter(([key]) => changed.effects[key] === 'now');
          await leaves.pending.noteTaken(Object.fromEntries(taken), settings.current);
          publish(); // what waits for a restart
          return changed;
        },
      },
    },
    status: {
      runtime,
      crashes: files.crashes,
      players,
      seenPlayers: () => seen.all,
      probeTunnel: () => tunnel.probe(),
    },
    supervisor: {
      async configure(config) {
        settings.replace(config);
        publish(); // what waits for a restart
        console.hideSecrets(knownSecrets(config));
        updateTunnel();
        // A change made by this supervisor is handled by the code that made it.
        if (!settings.isChanging) await portUpkeep.reconfigured();
      },
      stats: () => ({ process: stats.meter.read(), console: console.counts(), rcon: stats.rconTally }),
      async retire(limits) {
        await rest(limits);
        retired.resolve();
      },
      async handOver(signal) {
        const handedOver = await lifecycle.handOver((release) => {
          signal?.throwIfAborted();
          folderLock.assertFree();
          assertNobodyOnTunnel(runtime.value);
          options.lastCall.assertLast();
          release();
          options.lastCall.end();
          banKeeper.stop();
          void seen.release();
          void banEnds.release();
          void ports.sleeping.close(); // whoever joins meets the next supervisor
          return {
            secrets: console.secrets(),
            players: observation.presence.all,
            toldToStop: lifecycle.game?.toldToStop ?? false,
            ports: ports.lease.held,
            restartedMsAgo: crashes.restartedMsAgo,
          };
        });
        // The process exits soon after this, and a disk may be slow.
        await Promise.all([seen.release(), banEnds.release()]).finally(retired.resolve);
        return handedOver;
      },
    },
  });

  const closing = new AbortController();
  const isExpected = boot.handedOver !== undefined;
  const recovered = recover({ lifecycle, crashes, console, isExpected, log: options.log, signal: closing.signal });

  return {
    service,
    retired: retired.promise,
    recovered,
    isNeeded: () =>
      !lifecycle.isAtRest || lifecycle.isEndingOrphan || lifecycle.leftovers.length > 0 || folderLock.isLocked,
    rest: () => rest(),
    async close() {
      closing.abort();
      await folderLock.close();
      await ports.sleeping.close();
      await tunnel.close();
      observation.stop();
      banKeeper.stop();
      await Promise.all([seen.release(), banEnds.release()]);
      runtime.close();
      stats.meter.stop();
      await files.crashes.settled();
      await console.close();
    },
  };
}

/** A tunnel ends with its supervisor, and with it the connections of the players who came through it. */
function assertNobodyOnTunnel({ tunnel, phase, playersOnline }: InstanceRuntime): void {
  if (tunnel && phase === 'running' && playersOnline !== 0)
    throw new GamekeeperError(
      'already_in_progress',
      'Players may be on the public address, which would be interrupted.',
    );
}

interface RecoverOptions {
  lifecycle: Lifecycle;
  crashes: CrashHandler;
  console: ConsoleLog;
  /** True if the previous supervisor was not lost, but has left. */
  isExpected: boolean;
  log: Log;
  signal: AbortSignal;
}

/** Recovers or ends what a killed supervisor left. Repeats this until it succeeds, since nothing can be started before. */
async function recover({ lifecycle, crashes, console, isExpected, log, signal }: RecoverOptions): Promise<void> {
  const onFailure = (error: unknown) =>
    log('error', 'the leftovers of the previous supervisor could not be inspected', { error });
  try {
    const found = await retry(() => lifecycle.recover(), { onFailure, signal });
    if (isExpected) return;
    if (found === 'ended') console.appendNotice('Ended a server process that was left without its supervisor.');
    if (found === 'ended' || found === 'restarting') await crashes.noteLostSupervisor();
  } catch (error) {
    onFailure(error);
  }
}
