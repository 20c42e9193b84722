import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { auditRoute } from './audit.ts';
import { panelInstanceRoutes } from './instances.ts';
import { settingsRoutes } from './settings.ts';
import { signInRoutes } from './sign-in.ts';
import { storeRoutes } from './stores.ts';
import { tokenRoutes } from './tokens.ts';
import { totpRoutes } from './totp.ts';
import { userRoutes } from './users.ts';

/** Family C without its WebSocket (reference-api.md, section 4; api.md, Credentials). */
export async function panelRoutes(
  app: Api,
  services: Services,
  options: { secure: boolean; now: () => number },
): Promise<void> {
  signInRoutes(app, services, options.secure);
  totpRoutes(app, services);
  userRoutes(app, services);
  tokenRoutes(app, services);
  auditRoute(app, services);
  settingsRoutes(app, services);
  storeRoutes(app, services);
  await app.register(async (panel) => panelInstanceRoutes(panel as Api, services, options.now), { prefix: '/api' });
}
