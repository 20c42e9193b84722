import type { OutgoingHttpHeaders } from 'node:http2';

/** A request that was admitted, and where it goes. */
export interface RelayedRequest {
  daemonId: string;
  /** With the pseudo-headers of HTTP/2. */
  headers: OutgoingHttpHeaders;
  /** Gives back the place that the request has taken. */
  leave: () => void;
}
