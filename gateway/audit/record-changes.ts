import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Identity } from '../auth/identity.ts';
import type { Gateway } from '../gateway.ts';
import { instanceOf, pathOf } from '../http/request.ts';
import type { Api } from '../http/zod-provider.ts';
import type { AuditEntry } from '../upstream/audit.ts';
import { commandWord } from './command-word.ts';

/** A response waits this long for its audit entry. If the daemon is away for longer, the entry is written later. Milliseconds. */
const PATIENCE_MS = 2_000;

/** Names of users that do not exist are not recorded: people type passwords there. */
const UNKNOWN_USER = 'unknown user';

/** Records every request that changes something or tries to, before it is answered. */
export function recordChanges(app: Api, { audit, now }: Gateway): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const who = whoChanges(request, reply.statusCode);
    if (!who) {
      done(null, payload);
      return;
    }
    const entry = { ...entryOf(request, who, now()), ...resultOf(request, reply) };
    void within(PATIENCE_MS, audit.write(entry)).then(() => done(null, payload));
  });
}

/** Returns the entry for a command typed into a console. `request` is the one that opened the socket. */
export function typedCommand(
  request: FastifyRequest,
  { identity, line, at }: { identity: Identity; line: string; at: number },
): AuditEntry {
  const command = commandWord(line);
  return {
    ...entryOf(request, { who: identity.name, username: identity.username }, at),
    method: 'WS',
    status: 200,
    ...(command !== undefined && { command }),
  };
}

interface Who {
  who: string;
  username: string;
}

/**
 * Returns the name to record: of a known caller, or of a failed sign-in. Other requests without credentials change nothing, and
 * rate-limited ones could fill the audit log.
 */
function whoChanges({ method, identity, actor, routeOptions }: FastifyRequest, status: number): Who | undefined {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || status === 429) return undefined;
  if (identity) return { who: identity.name, username: identity.username };
  if (actor !== null) return { who: actor, username: actor };
  const failed = routeOptions.config.operation?.signsIn && status === 401;
  return failed ? { who: UNKNOWN_USER, username: UNKNOWN_USER } : undefined;
}

function entryOf(request: FastifyRequest, who: Who, at: number): Omit<AuditEntry, 'status'> {
  const instance = instanceOf(request);
  return {
    at: new Date(at).toISOString(),
    ...who,
    from: request.ip ?? 'this machine',
    method: request.method,
    path: pathOf(request),
    requestId: request.id,
    ...(instance !== undefined && { instance: instance.slice(0, LONGEST_ID) }),
  };
}

/** Twice the length of an id. */
const LONGEST_ID = 64;

function resultOf(request: FastifyRequest, reply: FastifyReply): Pick<AuditEntry, 'status' | 'instance' | 'command'> {
  const made = /\/instances\/([a-z0-9-]+)$/.exec(String(reply.getHeader('location') ?? ''))?.[1];
  const line = request.routeOptions.config.operation?.commandIn?.(request.body);
  const command = line === undefined ? undefined : commandWord(line);
  return {
    status: reply.statusCode,
    ...(made !== undefined && { instance: made }),
    ...(command !== undefined && { command }),
  };
}

async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, patience]);
  clearTimeout(timer);
}
