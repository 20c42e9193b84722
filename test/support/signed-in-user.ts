import type { Grant } from '../../shared/domain/grant.ts';
import type { Role } from '../../shared/domain/scope.ts';
import type { Gamekeeper } from './gamekeeper.ts';
import { type Answer, requestJson } from './request-json.ts';

const PASSWORD = 'a password of their own';

/** Somebody with a session of a running Gamekeeper's panel. */
export interface SignedInUser {
  readonly username: string;
  readonly password: string;
  /** `Cookie` and `Origin`, as the panel's own pages send them. */
  readonly headers: Record<string, string>;
  api<T = unknown>(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Answer<T>>;
}

/** Signs in as `admin`: for what tokens may not do. */
export async function signedInAdmin(gamekeeper: Gamekeeper): Promise<SignedInUser> {
  return session(gamekeeper, 'admin', gamekeeper.password);
}

/** Makes a user and signs in as such; without `instances`, on all of them. */
export async function signedInUser(
  gamekeeper: Gamekeeper,
  user: { username: string; role: Role; instances?: Grant[] },
): Promise<SignedInUser> {
  const admin = await signedInAdmin(gamekeeper);
  const made = await admin.api('POST', '/api/users', { ...user, password: PASSWORD });
  if (made.status !== 201) throw new Error(`No user: ${made.status} ${JSON.stringify(made.body)}`);
  return session(gamekeeper, user.username, PASSWORD);
}

/** Signs in again, as after a second login on another machine. */
export async function session(gamekeeper: Gamekeeper, username: string, password: string): Promise<SignedInUser> {
  const { panel } = gamekeeper.addresses();
  const answer = await requestJson('POST', new URL('/api/login', panel), { body: { username, password } });
  const cookie = answer.headers.getSetCookie().find((value) => value.startsWith('RemoteCookies='));
  if (cookie === undefined) throw new Error(`Cannot sign in: ${answer.status} ${JSON.stringify(answer.body)}`);
  const headers = { cookie: cookie.split(';', 1).join(), origin: new URL(panel).origin };
  return {
    username,
    password,
    headers,
    api: (method, path, body, more) =>
      requestJson(method, new URL(path, panel), { body, headers: { ...headers, ...more } }),
  };
}
