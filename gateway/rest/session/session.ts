import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { auditRoute } from './audit.ts';
import { consoleTicketRoute } from './console-ticket.ts';
import { settingsRoutes } from './settings.ts';
import { signInRoutes } from './sign-in.ts';
import { storeRoutes } from './stores.ts';
import { tokenRoutes } from './tokens.ts';
import { totpRoutes } from './totp.ts';
import { userRoutes } from './users.ts';

/** What only family C has, without its WebSocket (reference-api.md, section 4; api.md, Credentials). */
export function panelRoutes(app: Api, services: Services, options: { secure: boolean; now: () => number }): void {
  signInRoutes(app, services, options.secure);
  totpRoutes(app, services);
  userRoutes(app, services);
  tokenRoutes(app, services);
  auditRoute(app, services);
  settingsRoutes(app, services);
  storeRoutes(app, services);
  consoleTicketRoute(app, services, options.now);
}
