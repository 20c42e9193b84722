import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { SCOPES } from '../../../shared/domain/access/scope.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { MOST_GRANTS_ASKED } from '../../../shared/node/link/protocol.ts';
import { displayName } from '../../../shared/schema/printable-line.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { bearerOf } from '../http/refuse.ts';
import type { Grants } from '../oauth/grants.ts';
import { apiOf, LINK_SCOPE, resourceOf } from '../oauth/resources.ts';
import type { TokenCheck } from '../oauth/tokens/check-token.ts';
import type { CheckedToken } from '../oauth/tokens/checked-token.ts';
import type { DaemonTokens } from './daemon-token.ts';
import type { Daemons } from './directory.ts';
import type { LiveLinks } from './live-links.ts';
import type { RemoveDaemon } from './remove-daemon.ts';

const newDaemon = z.strictObject({
  daemonId: z.uuid().regex(/^[0-9a-f-]+$/, 'must be in lower case'),
  name: displayName,
  publicKey: z.strictObject({
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    /** 32 bytes (RFC 8037, section 2). */
    x: z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes in base64url'),
  }),
  scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length),
  /** A token that the daemon signs for this proxy: it has the private key. */
  proof: z.string().max(2048),
});

const grantsQuestion = z.strictObject({
  grantIds: z.array(z.string().min(1).max(256)).max(MOST_GRANTS_ASKED),
});

export interface DaemonRoutesOptions {
  issuer: string;
  accounts: Accounts;
  daemons: Daemons;
  tokens: { check: TokenCheck; daemon: DaemonTokens };
  grants: Grants;
  links: LiveLinks;
  removeDaemon: RemoveDaemon;
}

/** The API for daemons, and for programs that ask which computers they were let into (docs/proxy.md). */
export function daemonRoutes(app: FastifyInstance, options: DaemonRoutesOptions): void {
  const { issuer, accounts, daemons, tokens, grants, links, removeDaemon } = options;
  const jwksUri = `${issuer}/oauth/jwks`;

  async function callerOf(request: FastifyRequest): Promise<CheckedToken> {
    const caller = await tokens.check.forAudience(bearerOf(request.raw) ?? '', apiOf(issuer));
    if (!caller) throw unauthenticated('The access token is missing, not for this API, expired or revoked.');
    return caller;
  }

  app.get('/api/daemons', async (request) => {
    const { accountId, grantId } = await callerOf(request);
    const granted = await grants.find(grantId, accountId);
    const linked = await daemons.ofAccount(accountId);
    return linked
      .filter(({ daemonId }) => granted?.daemonIds.includes(daemonId))
      .map(({ daemonId, name, lastSeen }) => ({
        daemonId,
        name,
        resource: resourceOf(daemonId),
        ...(lastSeen && { lastSeen: lastSeen.toISOString() }),
      }));
  });

  app.post('/api/daemons', async (request, reply) => {
    const { accountId, scopes } = await callerOf(request);
    if (!scopes.includes(LINK_SCOPE))
      throw new GamekeeperError('insufficient_scope', `This needs the scope ${LINK_SCOPE}.`, { scope: LINK_SCOPE });
    const { proof, ...daemon } = parse(newDaemon, request.body);
    await tokens.daemon.prove(proof, daemon);
    const outcome = await daemons.register({ ...daemon, accountId });
    // A link that was made with the former key must not live on.
    if (outcome === 'key changed') links.disconnect(daemon.daemonId);
    const { daemonId } = daemon;
    const account = (await accounts.find(accountId))?.name;
    return reply
      .code(outcome === 'added' ? 201 : 200)
      .send({ daemonId, resource: resourceOf(daemonId), issuer, jwksUri, account, accountId });
  });

  // The one lasting answer: the link reports a revoked grant only once, and only while it is open.
  app.post<{ Params: { daemonId: string } }>('/api/daemons/:daemonId/grants', async (request) => {
    const daemon = await tokens.daemon.redeem(bearerOf(request.raw) ?? '', request.params.daemonId);
    return { ended: await grants.endedFor(daemon, parse(grantsQuestion, request.body).grantIds) };
  });

  app.delete<{ Params: { daemonId: string } }>('/api/daemons/:daemonId', async (request, reply) => {
    const daemon = await tokens.daemon.redeem(bearerOf(request.raw) ?? '', request.params.daemonId);
    await removeDaemon(daemon.daemonId, daemon.accountId);
    return reply.code(204).send();
  });
}

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new GamekeeperError('invalid_request', `Body: ${issue?.path.join('.') || 'value'}: ${issue?.message}.`);
}

function unauthenticated(detail: string): GamekeeperError {
  return new GamekeeperError('unauthenticated', detail, {
    resolution: 'Get a new token from this proxy and send it as "Authorization: Bearer ...".',
  });
}
