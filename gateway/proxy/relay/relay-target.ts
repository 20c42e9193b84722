/** Where a request to `/d/{daemonId}/...` goes. */
export interface RelayTarget {
  daemonId: string;
  /** Path and query at the daemon. */
  path: string;
}

const TARGET = /^\/d\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})((?:\/[^?]*)?)((?:\?.*)?)$/s;

/** Returns where the path of a request leads; `undefined` if that is no daemon. The rest of the path is the daemon's matter, as it is. */
export function relayTarget(url: string): RelayTarget | undefined {
  const match = TARGET.exec(url);
  if (!match) return undefined;
  const [, daemonId = '', path = '', query = ''] = match;
  return { daemonId, path: `${path === '' ? '/' : path}${query}` };
}

/** Returns the path of a daemon's resource at this proxy. */
export function relayedPath(daemonId: string, path: string): string {
  return `/d/${daemonId}${path}`;
}
