import * as z from 'zod';
import { SCOPES } from '../domain/access/scope.ts';
import { ceiling } from './pairing.ts';
import { displayName } from './printable-line.ts';

/** The connection to the hosted proxy. */
export const linkStatus = z
  .object({
    state: z
      .enum(['off', 'connecting', 'connected', 'refused'])
      .describe('`off`: not linked. `refused`: the proxy does not accept this daemon (any more)'),
    since: z.iso.datetime(),
    latencyMs: z.number().optional().describe('Round trip to the proxy, while connected'),
    error: z.string().optional().describe('Why there is no connection'),
  })
  .meta({ id: 'LinkStatus' });
export type LinkStatus = z.infer<typeof linkStatus>;

/** A request to link this daemon that waits for its approval in a browser (RFC 8628). */
export const linkRequest = z
  .object({
    id: z.string(),
    issuer: z.string().describe('The proxy that was asked'),
    name: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    telemetry: z.boolean().describe('Report to the proxy once it is linked'),
    userCode: z.string().describe('The code to enter at `verificationUri`'),
    verificationUri: z.string(),
    verificationUriComplete: z.string().describe('The same address with the code, for a link or a QR code'),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'LinkRequest' });
export type LinkRequest = z.infer<typeof linkRequest>;

/** How the last request ended. */
export const linkOutcome = z
  .object({
    id: z.string().describe('Id of the request'),
    issuer: z.string(),
    outcome: z.enum(['approved', 'denied', 'expired', 'cancelled', 'failed']),
    at: z.iso.datetime(),
    detail: z.string().optional().describe('Why it failed'),
    resolution: z.string().optional().describe('What to do about it'),
  })
  .meta({ id: 'LinkOutcome' });
export type LinkOutcome = z.infer<typeof linkOutcome>;

/** The proxy that this daemon is linked to. */
export const linkedProxy = z
  .object({
    issuer: z.string().describe('The `iss` of its tokens'),
    daemonId: z.string(),
    resource: z.string().describe('The `aud` of tokens for this daemon'),
    name: z.string().describe("This daemon's name at the proxy"),
    account: z.string().optional().describe('The account that approved the link'),
    scopes: z.array(z.enum(SCOPES)).describe('Scopes that tokens of the proxy can have here, whatever they say'),
    telemetry: z.boolean().describe('This daemon reports the state of its servers to the proxy'),
    linkedAt: z.iso.datetime(),
  })
  .meta({ id: 'LinkedProxy' });
export type LinkedProxy = z.infer<typeof linkedProxy>;

export const link = z
  .object({
    proxy: linkedProxy.nullable(),
    status: linkStatus,
    request: linkRequest.nullable(),
    lastRequest: linkOutcome.nullable(),
  })
  .meta({ id: 'Link' });
export type Link = z.infer<typeof link>;

const telemetry = z
  .boolean()
  .describe(
    'Report the state of this machine and its servers to the proxy: names, phases, counts of players, CPU, memory, disk space, age of the last backup. No names of players, no console, no addresses',
  );
const scopes = ceiling.describe('Scopes that tokens of the proxy can have here, whatever they say');

export const createLink = z
  .strictObject({
    url: z.string().min(1).max(2048).describe('Address of the proxy, https unless it is on this machine'),
    name: displayName.optional().describe("This daemon's name at the proxy. Default: the machine's name"),
    scopes: scopes.default([...SCOPES]),
    telemetry: telemetry.optional(),
  })
  .meta({ id: 'CreateLink' });
export type CreateLink = z.infer<typeof createLink>;

export const changeLink = z
  .strictObject({ scopes: scopes.optional(), name: displayName.optional(), telemetry: telemetry.optional() })
  .meta({ id: 'ChangeLink' });
export type ChangeLink = z.infer<typeof changeLink>;

export const unlinked = z
  .object({
    proxyTold: z.boolean().describe('False if the proxy did not answer: it still lists this daemon'),
  })
  .meta({ id: 'Unlinked' });
export type Unlinked = z.infer<typeof unlinked>;
