/**
 * Every REST route, by path family (docs/api.md). To add a resource:
 * 1. `shared/schema/`: the Zod schemas of its bodies and answers
 * 2. `gateway/services/`: the use case, added to `createServices` in services.ts
 * 3. `gateway/rest/resources/`: a file that declares its routes, each with its `operation` (scope, errors, texts for the documentation)
 * 4. `resourceRoutes` below, and an example in `gateway/openapi/examples.ts`
 *
 * `/openapi.json`, `/docs`, the access check and the metrics follow from that.
 */
import type { Api } from '../http/zod-provider.ts';
import type { Services } from '../services/services.ts';
import { fileArchiveRoutes } from './files/archives.ts';
import { contentRoutes } from './files/content.ts';
import { folderRoutes } from './files/folders.ts';
import { fileHistoryRoutes } from './files/history.ts';
import { importUploadRoutes } from './files/import-uploads.ts';
import { searchRoutes } from './files/search.ts';
import { trashRoutes } from './files/trash.ts';
import { uploadRoutes } from './files/uploads.ts';
import { worldRoutes } from './files/worlds.ts';
import { archiveRoute } from './resources/archive.ts';
import { backupActionRoutes } from './resources/backup-actions.ts';
import { backupFileRoutes } from './resources/backup-files.ts';
import { backupRoutes } from './resources/backups.ts';
import { cloneRoute } from './resources/clone.ts';
import { consoleRoutes } from './resources/console.ts';
import { crashesRoute } from './resources/crashes.ts';
import { type EventsRouteOptions, eventsRoute } from './resources/events.ts';
import { exportRoute } from './resources/export.ts';
import { gameruleRoutes } from './resources/gamerules.ts';
import { healthRoute } from './resources/health.ts';
import { historyRoute } from './resources/history.ts';
import { importRoute } from './resources/import.ts';
import { instanceRoutes } from './resources/instances.ts';
import { jobRoutes } from './resources/jobs.ts';
import { lifecycleRoutes } from './resources/lifecycle.ts';
import { modpackRoutes } from './resources/modpacks.ts';
import { modRoutes } from './resources/mods.ts';
import { playerActionRoutes, playerRoutes } from './resources/players.ts';
import { portsRoute } from './resources/ports.ts';
import { propertiesRoutes } from './resources/properties.ts';
import { runtimeRoutes } from './resources/runtimes.ts';
import { scheduleRoutes } from './resources/schedules.ts';
import { softwareRoutes } from './resources/software.ts';
import { tunnelRoutes } from './resources/tunnel.ts';
import { variableRoutes } from './resources/variables.ts';
import { auditRoute } from './session/audit.ts';
import { consoleTicketRoute } from './session/console-ticket.ts';
import { hostRoute } from './session/host.ts';
import { linkRoutes } from './session/link.ts';
import { settingsRoutes } from './session/settings.ts';
import { sftpRoute } from './session/sftp.ts';
import { signInRoutes } from './session/sign-in.ts';
import { sshKeyRoutes } from './session/ssh-keys.ts';
import { storeRoutes } from './session/stores.ts';
import { tokenRoutes } from './session/tokens.ts';
import { totpRoutes } from './session/totp.ts';
import { userRoutes } from './session/users.ts';

/** The resources. Mounted twice: at `/` (family `daemon`) and at `/api/v1` (family `versioned`). */
export function resourceRoutes(app: Api, services: Services, options: EventsRouteOptions): void {
  healthRoute(app, services, options.now);
  instanceRoutes(app, services);
  variableRoutes(app, services);
  importRoute(app, services);
  importUploadRoutes(app, services);
  cloneRoute(app, services);
  exportRoute(app, services);
  folderRoutes(app, services);
  contentRoutes(app, services);
  fileArchiveRoutes(app, services);
  uploadRoutes(app, services);
  fileHistoryRoutes(app, services);
  searchRoutes(app, services);
  trashRoutes(app, services);
  worldRoutes(app, services);
  historyRoute(app, services);
  lifecycleRoutes(app, services);
  consoleRoutes(app, services);
  crashesRoute(app, services);
  playerRoutes(app, services);
  portsRoute(app, services);
  propertiesRoutes(app, services);
  gameruleRoutes(app, services);
  backupActionRoutes(app, services);
  backupRoutes(app, services);
  archiveRoute(app, services);
  backupFileRoutes(app, services);
  scheduleRoutes(app, services);
  modpackRoutes(app, services);
  modRoutes(app, services);
  tunnelRoutes(app, services);
  softwareRoutes(app, services);
  runtimeRoutes(app, services);
  jobRoutes(app, services);
  eventsRoute(app, services, options);
}

/** Sessions, users, tokens and settings under `/api` (family `session`). */
export function sessionRoutes(app: Api, services: Services, options: { secure: boolean; now: () => number }): void {
  signInRoutes(app, services, options.secure);
  totpRoutes(app, services);
  userRoutes(app, services);
  tokenRoutes(app, services);
  auditRoute(app, services);
  hostRoute(app, services);
  settingsRoutes(app, services);
  sftpRoute(app, services);
  sshKeyRoutes(app, services);
  storeRoutes(app, services);
  linkRoutes(app, services);
  consoleTicketRoute(app, services, options.now);
}

/** The resource routes that family `session` has as well, mounted at `/api`. */
export function sessionResourceRoutes(app: Api, services: Services): void {
  lifecycleRoutes(app, services, ['start', 'stop', 'restart']);
  playerActionRoutes(app, services, ['kick', 'ban', 'op', 'deop']);
  propertiesRoutes(app, services);
}
