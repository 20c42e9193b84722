import * as z from 'zod';
import { parseGameAddress } from '../domain/tunnel/game-address.ts';

const count = z
  .int()
  .min(0)
  .max(2 ** 31);

/** What a daemon asks its proxy: to ping the public address of a server as a player elsewhere would. */
export const outsidePingQuestion = z.strictObject({
  address: z
    .string()
    .max(270)
    .refine((text) => parseGameAddress(text) !== undefined, 'must be an address such as play.example.net:25565'),
  edition: z.enum(['java', 'bedrock']),
});
export type OutsidePingQuestion = z.infer<typeof outsidePingQuestion>;

/**
 * Why no server answers:
 * - `unknown-name`: it is not in DNS
 * - `private`: the address is not one of the internet
 * - `refused`: nothing listens there
 * - `closed`: the connection is closed at once
 * - `not-minecraft`: something else answers
 * - `no-answer`
 */
export const OUTSIDE_FAILURES = ['unknown-name', 'private', 'refused', 'closed', 'not-minecraft', 'no-answer'] as const;
export type OutsideFailure = (typeof OUTSIDE_FAILURES)[number];

/** What the proxy answers. */
export const outsidePing = z.discriminatedUnion('reachable', [
  z.object({
    reachable: z.literal(true),
    /** Milliseconds from the proxy. */
    pingMs: count,
    version: z.string().max(1_000),
    online: count,
    max: count,
  }),
  z.object({ reachable: z.literal(false), failure: z.enum(OUTSIDE_FAILURES) }),
]);
export type OutsidePing = z.infer<typeof outsidePing>;

/** The same for the owner. */
export const outsideTest = z
  .object({
    reachable: z.boolean(),
    address: z.string().describe('What was tested'),
    from: z.url().describe('The hosted proxy that tested it'),
    pingMs: z.int().optional().describe('Milliseconds between the proxy and the server'),
    version: z.string().optional().describe('What the server there says it is'),
    playersOnline: z.int().optional(),
    maxPlayers: z.int().optional(),
    error: z.string().optional().describe('Why friends cannot connect, and what to do about it'),
  })
  .meta({ id: 'OutsideTest' });
export type OutsideTest = z.infer<typeof outsideTest>;
