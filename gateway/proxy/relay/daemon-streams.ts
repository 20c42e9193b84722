import type { ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { DaemonDirectory } from '../daemons/directory.ts';
import type { DaemonLink } from '../links/link.ts';
import type { Links } from '../links/links.ts';
import { lostError, OfflineError } from './offline-error.ts';

const RETRY_AFTER_SECONDS = 5;

/** The head of a request for a daemon. */
export interface StreamRequest {
  daemonId: string;
  /** With the pseudo-headers of HTTP/2. */
  headers: OutgoingHttpHeaders;
  /** The request has no body. */
  endStream: boolean;
}

/** Sends requests to daemons, wherever their links are. */
export interface DaemonStreams {
  /**
   * Sends the head of a request. `onOpen` gets the stream before any of its events, and sends the body. Rejects with an OfflineError if the
   * daemon is not connected, and if the request could not be sent; nothing of the body has been sent then.
   */
  open(request: StreamRequest, onOpen: (stream: ClientHttp2Stream) => void): Promise<void>;
}

export interface LocalStreamsOptions {
  links: Pick<Links, 'find'>;
  directory: Pick<DaemonDirectory, 'find'>;
}

/** Sends requests over the links that this process holds. */
export function createLocalStreams({ links, directory }: LocalStreamsOptions): DaemonStreams {
  return {
    async open({ daemonId, headers, endStream }, onOpen) {
      const link = links.find(daemonId);
      if (!link) throw new OfflineError(await directory.find(daemonId));
      onOpen(openOn(link, headers, { endStream }));
    },
  };
}

/** Sends the head of a request over a link. Throws if the link cannot take it. */
export function openOn(
  link: DaemonLink,
  headers: OutgoingHttpHeaders,
  options: { endStream: boolean },
): ClientHttp2Stream {
  if (!link.isOpen) throw lostError();
  if (link.isFull) throw tooBusy();
  return link.request(headers, options);
}

/** The daemon has as many requests under way as it may. */
export function tooBusy(): GamekeeperError {
  return new GamekeeperError('rate_limited', 'Too many requests to this daemon are under way.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
