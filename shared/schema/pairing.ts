import * as z from 'zod';

/** Hosts that only this machine can answer for; a URL's parser has already brought other spellings of an address into this form. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** An address that keys may be fetched from: nobody on the way can put others in their place. */
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

/** What a daemon is told when it is paired with a hosted proxy. */
export const newPairing = z.strictObject({
  /** The proxy: the `iss` of its tokens, compared to the letter (RFC 8414, section 2). */
  issuer: trustworthyUrl.refine((text) => !text.includes('?'), 'must be without a query'),
  /** Where its public keys are. */
  jwksUri: trustworthyUrl,
});
export type NewPairing = z.infer<typeof newPairing>;

/** The hosted proxy whose access tokens this daemon accepts. */
export interface Pairing extends NewPairing {
  /** The `aud` of tokens for this daemon: `urn:uuid:<daemonId>`, an absolute URI as RFC 8707 wants it, and the same wherever it runs. */
  audience: string;
  /** ISO time. */
  pairedAt: string;
}
