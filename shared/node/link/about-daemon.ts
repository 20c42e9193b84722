import * as z from 'zod';
import { SCOPES } from '../../domain/access/scope.ts';
import { displayName } from '../../schema/printable-line.ts';

/** UTF-8 bytes: the longest name, and all scopes. */
const MOST_BYTES = 1_024;
/** So that other messages need not be parsed to tell them apart. */
const BEGINNING = '{"type":"about"';

const about = z.object({
  type: z.literal('about'),
  name: displayName,
  /** The most that the owner lets the proxy do. */
  scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length),
});
/** What a daemon tells its proxy about itself whenever the link opens and when its owner changes it: a text message of the link, in JSON. */
export type AboutDaemon = z.infer<typeof about>;

/** Returns whether a text message is about the daemon itself, valid or not. */
export function isAboutDaemon(text: Buffer): boolean {
  return text.subarray(0, BEGINNING.length).equals(Buffer.from(BEGINNING));
}

/** Returns the message, or `undefined` for one that is too long or not valid. */
export function parseAboutDaemon(text: Buffer): AboutDaemon | undefined {
  if (text.length > MOST_BYTES) return undefined;
  try {
    return about.safeParse(JSON.parse(text.toString())).data;
  } catch {
    return undefined;
  }
}
