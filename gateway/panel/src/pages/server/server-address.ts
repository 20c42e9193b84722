import type { Instance } from '../../api/transport/client.ts';

/** Where players on this network find a server: this page's own host, and the port unless it is the game's usual one. */
export function serverAddress({ port }: Instance, host = window.location.hostname): string {
  return port === 25_565 ? host : `${host}:${port}`;
}
