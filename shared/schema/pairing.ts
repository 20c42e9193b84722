import * as z from 'zod';
import { SCOPES } from '../domain/access/scope.ts';
import { displayName } from './printable-line.ts';

/** The URL parser has normalised other spellings of an address. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** The address of a proxy, which must not be replaced on the way. */
const trustworthyUrl = z
  .url({ protocol: /^https?$/ })
  .max(2048)
  .refine((text) => {
    const url = URL.parse(text);
    return url !== null && (url.protocol === 'https:' || LOOPBACK.test(url.hostname));
  }, 'must be an https URL (http only on this machine)')
  .refine((text) => {
    const url = URL.parse(text);
    return url !== null && url.username === '' && url.password === '' && url.hash === '';
  }, 'must be without user, password and fragment');

/** Scopes that a proxy's tokens can have here, whatever they say. */
export const ceiling = z.array(z.enum(SCOPES)).min(1);

export const newPairing = z.strictObject({
  /** The `iss` of the proxy's tokens, compared exactly (RFC 8414, section 2). */
  issuer: trustworthyUrl.refine((text) => !text.includes('?'), 'must be without a query'),
  /** URL of its public keys. */
  jwksUri: trustworthyUrl,
  ceiling,
  /** This daemon's name at the proxy. */
  name: displayName,
  /** The proxy's account that has linked this daemon, if the proxy names it. */
  account: z.string().optional(),
  /** The owner lets this daemon report its state to the proxy (docs/remote-access.md). */
  telemetry: z.boolean().optional(),
  /** Its id, the `sub` of its tokens: those of other accounts are not valid here. Absent in pairings of earlier versions. */
  accountId: z.string().optional(),
});
export type NewPairing = z.infer<typeof newPairing>;

export interface Pairing extends NewPairing {
  /** The `aud` of tokens for this daemon: `urn:uuid:<daemonId>`, an absolute URI (RFC 8707) that does not depend on the machine. */
  audience: string;
  /** ISO time. Tokens that were issued earlier are not valid. */
  pairedAt: string;
}
