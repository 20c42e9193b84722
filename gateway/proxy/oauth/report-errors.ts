import type { EventEmitter } from 'node:events';
import type { Provider } from 'oidc-provider';
import type { Logger } from '../../../shared/node/logger.ts';
import { DATABASE_RETRY_S } from '../http/database-away.ts';
import { isDatabaseAway } from '../store/database.ts';

/** Logs what fails in oidc-provider. While the database is away, its answer is 503. */
export function reportErrors(provider: Provider, log: Logger): void {
  // Koa's own event, which the types of oidc-provider leave out. Without a listener it prints to stderr.
  (provider as EventEmitter).on('error', (error: Error) => log.error({ err: error }, 'OAuth failed'));
  provider.on('server_error', (ctx, error: Error) => {
    log.error({ err: error }, 'OAuth failed');
    if (!isDatabaseAway(error)) return;
    ctx.status = 503;
    ctx.set('retry-after', String(DATABASE_RETRY_S));
  });
}
