import type { Grant } from '../../../shared/domain/access/grant.ts';
import type { Role } from '../../../shared/domain/access/scope.ts';
import { administrator, newUser, type PanelUser, signIn } from '../browser/panel-user.ts';
import type { Gamekeeper } from '../processes/gamekeeper.ts';
import { type Answer, requestJson } from './request-json.ts';

/** A signed-in user of the panel whose headers a test can change or misuse. */
export interface SignedInUser {
  readonly username: string;
  readonly password: string;
  /** `Cookie` and `Origin`, as the panel's own pages send them. */
  readonly headers: Record<string, string>;
  api<T = unknown>(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Answer<T>>;
}

/** The administrator who creates users, by Gamekeeper: signed in once, because hashing the password costs 100 ms. */
const administrators = new WeakMap<Gamekeeper, Promise<PanelUser>>();

/** Signs in as `admin`, for operations that tokens may not use. */
export async function signedInAdmin(gamekeeper: Gamekeeper): Promise<SignedInUser> {
  return session(gamekeeper, 'admin', gamekeeper.password);
}

/** Creates a user and signs in. Without `instances`, the user has access to all of them. */
export async function signedInUser(
  gamekeeper: Gamekeeper,
  user: { username: string; role: Role; instances?: Grant[] },
): Promise<SignedInUser> {
  const admin = administrators.get(gamekeeper) ?? administrator(gamekeeper);
  administrators.set(gamekeeper, admin);
  return withHeaders(gamekeeper, user.username, await newUser(gamekeeper, await admin, user));
}

/** Signs in again, as from another browser. */
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
