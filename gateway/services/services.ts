import { createPasswordWork } from '../../shared/node/passwords/password-work.ts';
import type { LinkStatus } from '../../shared/schema/link.ts';
import type { Settings } from '../../shared/schema/settings.ts';
import type { Credentials } from '../auth/credentials/credentials.ts';
import { createReAuthentication } from '../auth/passwords/re-authentication.ts';
import { openByteChannel } from '../upstream/byte-channel.ts';
import { createLiveness } from '../upstream/liveness.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { createAuditService } from './audit.ts';
import { createBackupFilesService } from './backup-files.ts';
import { createBackupsService } from './backups.ts';
import { createCloneService } from './clone.ts';
import { createConsoleService } from './console.ts';
import { createCrashesService } from './crashes.ts';
import { createEventsService } from './events/events.ts';
import { createExportService } from './export.ts';
import { createFilesService } from './files.ts';
import { createGameServerService } from './game-server.ts';
import { createHealthService } from './health.ts';
import { createHistoryService } from './history.ts';
import { createHostService, type HostServiceOptions } from './host.ts';
import { createImportService } from './import.ts';
import { createInstancesService } from './instances.ts';
import { createJobsService } from './jobs.ts';
import { createLifecycleService } from './lifecycle.ts';
import { createLinkService } from './link.ts';
import { createModpacksService } from './modpacks.ts';
import { createModrinthLimit } from './modrinth-limit.ts';
import { createModsService } from './mods.ts';
import { createPlayerSkinsService } from './player-skins.ts';
import { createPortsService } from './ports.ts';
import { createPropertiesService } from './properties.ts';
import { createSchedulesService } from './schedules.ts';
import { createSecondFactorService } from './second-factor.ts';
import { createSettingsService } from './settings.ts';
import { createSftpService } from './sftp.ts';
import { createSignInService } from './sign-in.ts';
import { createSoftwareService } from './software.ts';
import { createSshKeysService } from './ssh-keys.ts';
import { createStoresService } from './stores.ts';
import { createTokensService } from './tokens.ts';
import { createTunnelService } from './tunnel/tunnel.ts';
import { createUsersService } from './users.ts';
import { createVariablesService } from './variables.ts';
import { createWorldsService } from './worlds.ts';

export interface ServicesOptions {
  upstream: Upstream;
  credentials: Credentials;
  /** Read for each request: the settings may change. */
  settings: () => Settings;
  /** The connection to the hosted proxy; `undefined` if this gateway makes none. */
  linkStatus: () => LinkStatus | undefined;
  host: Pick<HostServiceOptions, 'usage' | 'newestBackups' | 'pausedSchedules'>;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Every use case. The routes and the console's WebSocket call these and nothing below them. */
export type Services = ReturnType<typeof createServices>;

export function createServices({ upstream, credentials, settings, linkStatus, host, now }: ServicesOptions) {
  const { daemon, view, supervisors, jobs, files, passiveJobs, store, audit } = upstream;
  const passwords = createPasswordWork();
  const reAuthentication = createReAuthentication({ store, passwords, now });
  const work = createJobsService({ jobs });
  const limits = () => settings().limits;
  const countQuestion = createModrinthLimit(now);
  const isAllowed = () => settings().players.skins;
  return {
    health: createHealthService({ view, liveness: createLiveness(daemon) }),
    host: createHostService({ ...host, now }),
    instances: createInstancesService({ daemon, view, supervisors, now }),
    imports: createImportService({ view, files, jobs, work, now }),
    clones: createCloneService({ view, jobs, work, now }),
    exports: createExportService({ view, jobs, work, openChannel: () => openByteChannel(daemon) }),
    files: createFilesService({ files, jobs, work, openChannel: () => openByteChannel(daemon) }),
    variables: createVariablesService({ daemon, view }),
    worlds: createWorldsService({ files, jobs, work }),
    history: createHistoryService({ daemon, view }),
    lifecycle: createLifecycleService({ view, supervisors }),
    gameServer: createGameServerService({ view, supervisors }),
    playerSkins: createPlayerSkinsService({ view, supervisors, jobs, isAllowed }),
    ports: createPortsService({ daemon, view }),
    properties: createPropertiesService({ supervisors, view }),
    backups: createBackupsService({ daemon, view, jobs, work }),
    backupFiles: createBackupFilesService({ view, jobs, work, openChannel: () => openByteChannel(daemon) }),
    jobs: work,
    schedules: createSchedulesService({ view, jobs }),
    modpacks: createModpacksService({ view, jobs, work, countQuestion, now }),
    mods: createModsService({ view, jobs, work, countQuestion }),
    tunnel: createTunnelService({ daemon, view, supervisors }),
    console: createConsoleService({ view, supervisors, credentials }),
    crashes: createCrashesService({ supervisors }),
    events: createEventsService({ view, jobs: passiveJobs, limits, now }),
    settings: createSettingsService({ daemon }),
    sftp: createSftpService({ daemon }),
    link: createLinkService({ store, linkStatus, now }),
    stores: createStoresService({ jobs }),
    software: createSoftwareService({ daemon, jobs }),
    signIn: createSignInService({ credentials, store, reAuthentication, passwords, now }),
    secondFactor: createSecondFactorService({ store, reAuthentication }),
    users: createUsersService({ store, passwords }),
    sshKeys: createSshKeysService({ store, reAuthentication, now }),
    tokens: createTokensService({ credentials, store, now }),
    audit: createAuditService(audit),
  };
}
