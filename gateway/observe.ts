import type { FastifyRequest } from 'fastify';
import type { Identity } from './auth/identity.ts';
import type { Gateway } from './gateway.ts';
import type { Api } from './http/zod-provider.ts';
import type { AuditEntry } from './upstream/audit.ts';

const LONGEST_PATH = 256;

/** Counts every answer, writes a log line for it and, for what changes something, an entry into the audit trail. */
export function observe(app: Api, { metrics, audit, log, now }: Gateway): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { url: route = 'unmatched' } = request.routeOptions;
    const { method } = request;
    const { statusCode: status, elapsedTime } = reply;
    metrics.observeRequest({ method, route, status }, elapsedTime / 1000);
    const changes = method !== 'GET' && method !== 'HEAD';
    if (changes || log.isLevelEnabled('debug')) {
      const line = { requestId: request.id, method, path: pathOf(request), status, ms: Math.round(elapsedTime) };
      if (changes) log.info(line, 'request');
      else log.debug(line, 'request');
    }
    const who = changes ? nameOf(request) : undefined;
    if (who !== undefined) audit(auditEntry(request, { who, status, at: now() }));
    done();
  });
}

/** A command typed into a console socket, as an entry: the socket's own request says who, the text itself is not kept. */
export function auditOfCommand(request: FastifyRequest, identity: Identity, at: number): AuditEntry {
  return { ...auditEntry(request, { who: identity.name, status: 200, at }), method: 'WS' };
}

/** Who is to be written down: a known caller, or the name with which somebody tried to sign in. Strangers' other requests change nothing. */
function nameOf({ identity, routeOptions, body }: FastifyRequest): string | undefined {
  if (identity) return identity.name;
  if (!routeOptions.config.operation?.signsIn) return undefined;
  const { username } = (body ?? {}) as { username?: unknown };
  return typeof username === 'string' ? username.slice(0, 64) : 'nobody';
}

function auditEntry(
  request: FastifyRequest,
  { who, status, at }: { who: string; status: number; at: number },
): AuditEntry {
  return {
    at: new Date(at).toISOString(),
    who,
    from: request.ip ?? 'this machine',
    method: request.method,
    path: pathOf(request),
    status,
    requestId: request.id,
  };
}

/** Without the query, which may hold a ticket. */
function pathOf({ url }: FastifyRequest): string {
  return (url.split('?')[0] ?? '').slice(0, LONGEST_PATH);
}
