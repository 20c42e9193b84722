import type { SupervisorService } from '../../shared/contract/supervisor.ts';
import type { InstanceRuntime } from '../../shared/domain/instance/runtime.ts';
import { setCustomSoftware } from '../../shared/domain/software/catalogue.ts';
import type { LatestValue } from '../../shared/node/primitives/latest-value.ts';
import { LimitedTurns } from '../../shared/node/primitives/limited-turns.ts';
import type { ConsoleLog } from './console/console-log.ts';
import { followConsole } from './console/console-stream.ts';
import type { CrashFile } from './crash/crash-file.ts';
import type { FolderGuard, FolderLock } from './folder/folder-lock.ts';
import { rulesOf } from './game/game-rules.ts';
import type { OperatorCommands } from './game/operator-commands.ts';
import type { InstanceSettings } from './instance-settings.ts';
import type { Lifecycle } from './lifecycle/lifecycle.ts';
import type { BanEnds } from './players/bans/ban-ends.ts';
import { readAccounts } from './players/lists/accounts.ts';
import { withEnd } from './players/lists/changed-list.ts';
import { readListedPlayers } from './players/lists/listed-players.ts';
import type { InstanceProperties } from './properties/instance-properties.ts';
import type { LiveProperties } from './properties/live-properties.ts';
import type { Gamerules } from './world/gamerules/gamerules.ts';

export interface ServiceOptions {
  settings: InstanceSettings;
  lifecycle: Lifecycle;
  commands: OperatorCommands;
  gamerules: Gamerules;
  banEnds: Pick<BanEnds, 'of'>;
  console: ConsoleLog;
  folder: {
    lock: FolderLock;
    guard: FolderGuard;
    properties: Pick<InstanceProperties, 'read'> & LiveProperties;
  };
  status: {
    runtime: LatestValue<InstanceRuntime>;
    crashes: CrashFile;
    players: SupervisorService['players'];
    seenPlayers: SupervisorService['seenPlayers'];
    probeTunnel: () => Promise<void>;
  };
  /** The calls that concern the supervisor itself. */
  supervisor: Pick<SupervisorService, 'configure' | 'stats' | 'retire' | 'handOver'>;
}

export function createService(options: ServiceOptions): SupervisorService {
  const { settings, lifecycle, commands, gamerules, banEnds, console, folder, status, supervisor } = options;
  /** A list of bans or a file that a plug-in wrote may have megabytes, which take tens of milliseconds to parse. */
  const folderReads = new LimitedTurns({ mostWaiting: 16, what: "reads of the server's files" });
  return {
    ...supervisor,
    setRedaction(redaction) {
      console.setRedaction(redaction);
      console.hideSecrets(redaction.secrets ?? []);
    },
    setSoftware: setCustomSoftware,

    status: () => status.runtime.value,
    watch: (signal) => status.runtime.follow(signal),
    crashes: () => status.crashes.all(),
    players: status.players,
    seenPlayers: status.seenPlayers,
    accounts: () =>
      folderReads.run(() => {
        const { directory: folder } = settings.current;
        const { definition } = rulesOf(settings.current);
        const seen = new Set(status.seenPlayers().map(({ name }) => name.toLowerCase()));
        return readAccounts(
          { folder, definition },
          { isSeen: (name) => seen.has(name.toLowerCase()), isHidden: (name) => console.redact(name) !== name },
        );
      }),
    listedPlayers: (list) =>
      folderReads.run(async () => {
        const { definition } = rulesOf(settings.current);
        const listed = await readListedPlayers(list, { folder: settings.current.directory, definition });
        return list === 'bans' ? listed.map((ban) => withEnd(ban, banEnds.of(ban.name))) : listed;
      }),

    start: () => lifecycle.start(),
    stop: () => lifecycle.stop(),
    sleep: () => lifecycle.sleep(),
    restart: () => lifecycle.restart(),
    restartWhenEmpty: (isWanted) => lifecycle.restartWhenEmpty(isWanted),
    kill: () => lifecycle.kill(),

    ...commands,
    ...gamerules,

    logs: ({ lines, contains }, signal) =>
      contains === undefined ? console.lastLines(lines) : console.search(contains, { limit: lines, signal }),
    readConsole: (query) => console.read(query),
    console: (signal) => followConsole(console, signal),

    async probeTunnel() {
      await status.probeTunnel();
      return status.runtime.value;
    },

    properties: () => folderReads.run(folder.properties.read),
    setProperties: folder.properties.change,
    hold: (activity, peer) => folder.lock.take(activity, peer, folder.guard),
    renew: (leaseId) => folder.lock.renew(leaseId),
    release: (leaseId) => folder.lock.release(leaseId),
    notice: (text) => console.appendNotice(text),
  };
}
