import { randomUUID } from 'node:crypto';
import type { AuditEntry } from '../shared/contract/daemon/audit.ts';
import type { DaemonInfo, DaemonService } from '../shared/contract/daemon.ts';
import { COMMAND_LINE } from '../shared/domain/access/local-administrator.ts';
import { GamekeeperError } from '../shared/errors/gamekeeper-error.ts';
import type { Home } from '../shared/node/files/home.ts';
import { createInstanceCalls, type Instances } from './instances/instance-calls.ts';
import type { OwnLink } from './link/link.ts';
import type { OnDemandProcess } from './processes/on-demand-process.ts';
import type { SftpProcess } from './processes/sftp-process.ts';
import type { LiveSettings } from './settings/live-settings.ts';
import type { SettingsOffers } from './settings/settings-offers.ts';
import type { Shutdown } from './shutdown/shutdown.ts';
import { createCustomKinds } from './software/custom-kinds.ts';
import type { CustomSoftwareFiles } from './software/custom-software.ts';
import type { Credentials } from './users/credentials.ts';

export interface DaemonServiceOptions {
  home: Home;
  instances: Instances;
  configuration: { settings: LiveSettings; offers: SettingsOffers; customSoftware: CustomSoftwareFiles };
  credentials: Credentials & Omit<OwnLink, 'close'>;
  processes: { jobs: OnDemandProcess; files: OnDemandProcess; sftp: Pick<SftpProcess, 'state'> };
  daemon: { info: () => DaemonInfo; stats: DaemonService['stats']; shutdown: Shutdown };
}

/** All calls that the other processes and the command line can make. */
export function createDaemonService(options: DaemonServiceOptions): DaemonService {
  const { home, instances, credentials } = options;
  const { jobs, files, sftp } = options.processes;
  const { settings, offers, customSoftware } = options.configuration;
  const { info, stats, shutdown } = options.daemon;

  const requireOpen = () => {
    if (shutdown.begun.aborted) throw new GamekeeperError('shutting_down', 'Gamekeeper is shutting down.');
  };

  return {
    ...credentials,
    ...createInstanceCalls({
      home,
      instances,
      settings: settings.current,
      readKinds: customSoftware.read,
      jobs,
      link: credentials,
      requireOpen,
    }),
    info,
    stats,
    settings: settings.current,
    settingsDocument: settings.settingsDocument,
    updateSettings: settings.updateSettings,
    watchSettings: settings.watchSettings,
    settingsOffers: offers.settingsOffers,
    settingsTaken: offers.settingsTaken,
    customSoftware: customSoftware.read,
    watchCustomSoftware: customSoftware.watch,
    ...createCustomKinds({
      folder: home.software,
      files: customSoftware,
      instances: () => instances.registry.all().map(({ config }) => config),
    }),
    async jobs() {
      requireOpen();
      await jobs.ensure();
      return { socket: home.jobsSocket };
    },
    async files() {
      requireOpen();
      await files.ensure();
      return { socket: home.filesSocket };
    },
    sftp: sftp.state,
    watchJobsPresence: jobs.watch,
    async *shutdown(withServers, signal) {
      const lines = shutdown.lines(signal);
      if (!shutdown.begun.aborted) credentials.audit(shutdownEntry(withServers));
      shutdown.begin({ withServers });
      yield* lines;
    },
  };
}

/** Only the command line shuts Gamekeeper down by a call. */
function shutdownEntry(withServers: boolean): AuditEntry {
  return {
    at: new Date().toISOString(),
    who: COMMAND_LINE,
    from: 'this machine',
    method: 'CLI',
    path: withServers ? 'down --with-servers' : 'down',
    status: 200,
    requestId: randomUUID(),
  };
}
