import type { AuditService } from './audit.ts';
import type { BackupsService } from './backups.ts';
import type { ConsoleService } from './console.ts';
import type { CrashesService } from './crashes.ts';
import type { EventsService } from './events.ts';
import type { GameServerService } from './game-server.ts';
import type { HealthService } from './health.ts';
import type { HistoryService } from './history.ts';
import type { ImportService } from './import.ts';
import type { InstancesService } from './instances.ts';
import type { JobsService } from './jobs.ts';
import type { LifecycleService } from './lifecycle.ts';
import type { PropertiesService } from './properties.ts';
import type { SchedulesService } from './schedules.ts';
import type { SecondFactorService } from './second-factor.ts';
import type { SettingsService } from './settings.ts';
import type { SignInService } from './sign-in.ts';
import type { SoftwareService } from './software.ts';
import type { StoresService } from './stores.ts';
import type { TokensService } from './tokens.ts';
import type { TunnelService } from './tunnel.ts';
import type { UsersService } from './users.ts';

/** Every use case. The three families of routes and the console's socket call these and nothing below them. */
export interface Services {
  health: HealthService;
  instances: InstancesService;
  imports: ImportService;
  history: HistoryService;
  lifecycle: LifecycleService;
  gameServer: GameServerService;
  properties: PropertiesService;
  backups: BackupsService;
  jobs: JobsService;
  schedules: SchedulesService;
  tunnel: TunnelService;
  console: ConsoleService;
  crashes: CrashesService;
  events: EventsService;
  settings: SettingsService;
  stores: StoresService;
  software: SoftwareService;
  signIn: SignInService;
  secondFactor: SecondFactorService;
  users: UsersService;
  tokens: TokensService;
  audit: AuditService;
}
