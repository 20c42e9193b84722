import type { Grant } from '../../../shared/domain/grant.ts';
import type { Role } from '../../../shared/domain/scope.ts';
import { administrator, newUser, type PanelUser, signIn } from '../browser/panel-user.ts';
import type { Gamekeeper } from '../processes/gamekeeper.ts';
import { type Answer, requestJson } from './request-json.ts';

/** A user of the panel whose headers a test wants to change, or to show where they do not belong. */
export interface SignedInUser {
  readonly username: string;
  readonly password: string;
  /** `Cookie` and `Origin`, as the panel's own pages send them. */
  readonly headers: Record<string, string>;
  api<T = unknown>(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Answer<T>>;
}

/** Signing in takes a tenth of a second of work on purpose: whoever makes users does it once. */
const makers = new WeakMap<Gamekeeper, Promise<PanelUser>>();

/** Signs in as `admin`: for what tokens may not do. */
export async function signedInAdmin(gamekeeper: Gamekeeper): Promise<SignedInUser> {
  return session(gamekeeper, 'admin', gamekeeper.password);
}

/** Makes a user and signs in as such; without `instances`, on all of them. */
export async function signedInUser(
  gamekeeper: Gamekeeper,
  user: { username: string; role: Role; instances?: Grant[] },
): Promise<SignedInUser> {
  const maker = makers.get(gamekeeper) ?? administrator(gamekeeper);
  makers.set(gamekeeper, maker);
  return withHeaders(gamekeeper, user.username, await newUser(gamekeeper, await maker, user));
}

/** Signs in again, as on another machine. */
export async function session(gamekeeper: Gamekeeper, username: string, password: string): Promise<SignedInUser> {
  return { ...withHeaders(gamekeeper, username, await signIn(gamekeeper, { username, password })), password };
}

function withHeaders(gamekeeper: Gamekeeper, username: string, { cookie }: PanelUser): SignedInUser {
  const { panel } = gamekeeper.addresses();
  const headers = { cookie, origin: panel };
  return {
    username,
    password: gamekeeper.password,
    headers,
    api: (method, path, body, more) =>
      requestJson(method, new URL(path, panel), { body, headers: { ...headers, ...more } }),
  };
}
