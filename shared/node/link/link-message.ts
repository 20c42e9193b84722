import * as z from 'zod';

const linkMessage = z.discriminatedUnion('type', [
  /** Tokens of this grant are no longer valid. */
  z.object({ type: z.literal('grant-revoked'), grantId: z.string().min(1).max(256) }),
  /** The keys that sign tokens have changed: fetch them again before the next check. */
  z.object({ type: z.literal('keys-changed') }),
  /** The proxy is about to restart: open another link within this time, then close this one. */
  z.object({ type: z.literal('reconnect'), withinMs: z.int().min(0).max(600_000) }),
]);

/** What the proxy tells a daemon: a text message of the link, in JSON. */
export type LinkMessage = z.infer<typeof linkMessage>;

/** What concerns the tokens that a daemon accepts. */
export type TokenNotice = Exclude<LinkMessage, { type: 'reconnect' }>;

/** Returns the message, or `undefined` for one that this version does not know. */
export function parseLinkMessage(text: string): LinkMessage | undefined {
  try {
    return linkMessage.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
