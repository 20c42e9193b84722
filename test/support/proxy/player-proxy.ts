import type { Test } from 'tap';
import { freePort } from '../machine/free-port.ts';
import { type OauthWorld, oauthWorld } from './oauth-world.ts';

/** What the servers of `startPlayerProxy` are under. Such names lead to this machine. */
export const SUFFIX = 'play.localhost';

export interface PlayerProxy {
  world: OauthWorld;
  /** The port that players connect to. */
  players: number;
}

/** Starts a proxy that players can connect to. */
export async function startPlayerProxy(t: Test, more: Readonly<Record<string, string>> = {}): Promise<PlayerProxy> {
  const players = await freePort();
  const env = {
    ...more,
    GAMEKEEPER_PROXY_PORT: String(await freePort()),
    GAMEKEEPER_PROXY_EDGE_NAME: SUFFIX,
    GAMEKEEPER_PROXY_EDGE_HOST: '127.0.0.1',
    GAMEKEEPER_PROXY_EDGE_PORT: String(players),
  };
  return { world: await oauthWorld(t, env, ['--edge']), players };
}
