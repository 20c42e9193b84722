/**
 * What a daemon tells its proxy before it closes a link: a text message of the link, in JSON. The proxy then sends no more requests over this
 * link, and ends it when those under way are done. HTTP/2 alone would lose those that are on their way as the daemon says so: nghttp2 drops
 * them after a GOAWAY frame, and Node has no way to announce one (RFC 9113, section 6.8).
 */
export const CLOSING_NOTICE = '{"type":"closing"}';

export function isClosingNotice(text: Buffer): boolean {
  return text.equals(Buffer.from(CLOSING_NOTICE));
}
