import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { archiveRoute } from './archive.ts';
import { backupWorkRoutes } from './backup-work.ts';
import { backupRoutes } from './backups.ts';
import { cloneRoute } from './clone.ts';
import { consoleRoutes } from './console.ts';
import { crashesRoute } from './crashes.ts';
import { type EventsRouteOptions, eventsRoute } from './events.ts';
import { exportRoute } from './export.ts';
import { healthRoute } from './health.ts';
import { historyRoute } from './history.ts';
import { importRoute } from './import.ts';
import { instanceRoutes } from './instances.ts';
import { jobRoutes } from './jobs.ts';
import { lifecycleRoutes } from './lifecycle.ts';
import { modRoutes } from './mods.ts';
import { playerActionRoutes, playerRoutes } from './players.ts';
import { propertiesRoutes } from './properties.ts';
import { runtimeRoutes } from './runtimes.ts';
import { scheduleRoutes } from './schedules.ts';
import { softwareRoutes } from './software.ts';
import { tunnelRoute } from './tunnel.ts';

/** Families A and B: mounted at `/` and at `/api/v1` (reference-api.md, section 4). */
export function resourceRoutes(app: Api, services: Services, options: EventsRouteOptions): void {
  healthRoute(app, services, options.now);
  instanceRoutes(app, services);
  importRoute(app, services);
  cloneRoute(app, services);
  exportRoute(app, services);
  historyRoute(app, services);
  lifecycleRoutes(app, services);
  consoleRoutes(app, services);
  crashesRoute(app, services);
  playerRoutes(app, services);
  propertiesRoutes(app, services);
  backupWorkRoutes(app, services);
  backupRoutes(app, services);
  archiveRoute(app, services);
  scheduleRoutes(app, services);
  modRoutes(app, services);
  tunnelRoute(app, services);
  softwareRoutes(app, services);
  runtimeRoutes(app, services);
  jobRoutes(app, services);
  eventsRoute(app, services, options);
}

/** What family C has of them under the same paths, mounted at `/api`: that which the customer's document names there. */
export function resourceRoutesOfPanel(app: Api, services: Services): void {
  lifecycleRoutes(app, services, ['start', 'stop', 'restart']);
  playerActionRoutes(app, services, ['kick', 'ban', 'op', 'deop']);
  propertiesRoutes(app, services);
}
