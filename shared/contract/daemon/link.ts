import { initTRPC } from '@trpc/server';
import * as z from 'zod';
import type { Scope } from '../../domain/access/scope.ts';
import { INSTANCE_ID_PATTERN } from '../../domain/instance/instance-id.ts';
import {
  type ChangeLink,
  type CreateLink,
  changeLink,
  createLink,
  type LinkedProxy,
  type LinkOutcome,
  type LinkRequest,
  type Unlinked,
} from '../../schema/link.ts';
import { type OutsidePing, type OutsidePingQuestion, outsidePingQuestion } from '../../schema/outside-ping.ts';
import { asSent, type CallContext } from '../call.ts';
import { type VerifiedUser, verifiedUser } from './verified-user.ts';

/** The proxy to connect to. */
export interface LinkTarget {
  issuer: string;
  daemonId: string;
  /** Of this machine, in the proxy's list. */
  name: string;
  /** Scopes that tokens of the proxy can have here. */
  ceiling: readonly Scope[];
  /** The owner lets this daemon report its state to the proxy. */
  telemetry: boolean;
}

/** What a server needs of the proxy. */
export interface TunnelWish {
  /** Of the instance. */
  id: string;
  edition: 'java' | 'bedrock';
  /** Its name at the proxy; absent: the present one, or any. */
  hostname?: string;
}

/** With it, a tunnel process can connect to its edge for a minute. */
export interface TunnelPermit {
  /** Of the tunnel at the edge. */
  url: string;
  token: string;
  /** What players connect to. */
  host: string;
  port: number;
}

export interface LinkState {
  proxy: LinkedProxy | null;
  request: LinkRequest | null;
  lastRequest: LinkOutcome | null;
}

/** The link to a hosted proxy. The private key stays in the daemon. */
export interface DaemonLink {
  /** Yields the present target, `null` if there is none, then each change. */
  watchLink(signal: AbortSignal): AsyncIterable<LinkTarget | null>;
  /** Returns a JWT that proves to the paired proxy which daemon this is, valid for 60 s. Throws `not_linked`. */
  linkToken(): Promise<string>;
  /** Gives a server an address at the paired proxy. Throws `not_linked`, `proxy_unavailable`, or `proxy_refused` with its reason. */
  permitTunnel(wish: TunnelWish): Promise<TunnelPermit>;
  /** Has the paired proxy ping an address. Throws `not_linked`, `proxy_unavailable`, `rate_limited`, or `proxy_refused` with its reason. */
  pingFromOutside(question: OutsidePingQuestion): Promise<OutsidePing>;
  linkState(): LinkState;
  /**
   * Asks a proxy for a code, which its owner enters in a browser. Resolves once there is a code; the daemon waits for the approval. Throws
   * `already_in_progress`, `proxy_unavailable`, `proxy_refused`, or `not_linked` if it is cancelled meanwhile. The link is made only
   * if `by` is still as verified at the approval.
   */
  requestLink(request: { link: CreateLink; by: VerifiedUser | null }): Promise<LinkRequest>;
  /** Throws `not_linked` if no request is waiting. */
  cancelLinkRequest(): Promise<void>;
  /** Throws `not_linked`. */
  changeLink(change: ChangeLink): LinkedProxy;
  /** Forgets the proxy, cancels a waiting request, and tells the proxy if it answers. Throws `not_linked` if there was neither. */
  unlink(): Promise<Unlinked>;
  /** Records that something stored depends on a grant of the paired proxy. Throws `unauthenticated` if it is revoked. */
  useGrant(grantId: string): void;
  /** Returns false once a grant that something depends on has ended, or the proxy is no longer paired as it was. */
  isGoodGrant(grantId: string): boolean;
  /** Ends what depends on a grant, because the proxy has revoked it. */
  endGrant(grantId: string): void;
  /** Has the proxy asked which of these grants are revoked, and of those that something depends on. */
  askAboutGrants(grantIds: string[]): void;
}

const t = initTRPC.context<CallContext<DaemonLink>>().create({ transformer: asSent });
const grantId = z.string().min(1).max(256);
const instanceId = z.string().regex(INSTANCE_ID_PATTERN);
const tunnelWish = z.object({
  id: instanceId,
  edition: z.enum(['java', 'bedrock']),
  hostname: z.string().max(63).exactOptional(),
});

export const linkRouter = t.router({
  watchLink: t.procedure.subscription(({ ctx, signal }) => ctx.service.watchLink(signal!)),
  linkToken: t.procedure.query(({ ctx }) => ctx.service.linkToken()),
  permitTunnel: t.procedure.input(tunnelWish).mutation(({ ctx, input }) => ctx.service.permitTunnel(input)),
  pingFromOutside: t.procedure
    .input(outsidePingQuestion)
    .mutation(({ ctx, input }) => ctx.service.pingFromOutside(input)),
  linkState: t.procedure.query(({ ctx }) => ctx.service.linkState()),
  requestLink: t.procedure
    .input(z.object({ link: createLink, by: verifiedUser.nullable() }))
    .mutation(({ ctx, input }) => ctx.service.requestLink(input)),
  cancelLinkRequest: t.procedure.mutation(({ ctx }) => ctx.service.cancelLinkRequest()),
  changeLink: t.procedure.input(changeLink).mutation(({ ctx, input }) => ctx.service.changeLink(input)),
  unlink: t.procedure.mutation(({ ctx }) => ctx.service.unlink()),
  useGrant: t.procedure.input(grantId).mutation(({ ctx, input }) => ctx.service.useGrant(input)),
  isGoodGrant: t.procedure.input(grantId).query(({ ctx, input }) => ctx.service.isGoodGrant(input)),
  endGrant: t.procedure.input(grantId).mutation(({ ctx, input }) => ctx.service.endGrant(input)),
  askAboutGrants: t.procedure.input(z.array(grantId)).mutation(({ ctx, input }) => ctx.service.askAboutGrants(input)),
});
