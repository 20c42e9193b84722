import type { CreateUser } from '../../../shared/schema/users.ts';
import { type ConsoleViewer, openConsole } from '../console/console-viewer.ts';
import { type Answer, requestJson } from '../http/request-json.ts';
import type { Gamekeeper } from '../processes/gamekeeper.ts';

/** A user who is signed in to a running Gamekeeper. */
export interface PanelUser {
  readonly cookie: string;
  /** Sends a request as the panel's pages do. */
  ask<T = unknown>(method: string, path: string, body?: object): Promise<Answer<T>>;
  console(id: string): Promise<ConsoleViewer>;
}

export interface SignIn {
  username: string;
  password: string;
  totp?: string;
}

/** Returns the response to an attempt to sign in. */
export function tryToSignIn({ addresses }: Gamekeeper, proof: SignIn, headers: Record<string, string> = {}) {
  return requestJson<{ code?: string }>('POST', new URL('/api/login', addresses().panel), { body: proof, headers });
}

/** Signs in. Throws if that is refused. */
export async function signIn(gamekeeper: Gamekeeper, proof: SignIn): Promise<PanelUser> {
  const answer = await tryToSignIn(gamekeeper, proof);
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0];
  if (cookie === undefined) throw new Error(`Cannot sign in: ${answer.status} ${JSON.stringify(answer.body)}`);
  return panelUser(gamekeeper, cookie);
}

/** Signs in as `admin`. */
export function administrator(gamekeeper: Gamekeeper): Promise<PanelUser> {
  return signIn(gamekeeper, { username: 'admin', password: gamekeeper.password });
}

/** Creates a user with the password of all tests, and signs in. */
export async function newUser(
  gamekeeper: Gamekeeper,
  admin: PanelUser,
  user: Pick<CreateUser, 'username' | 'role'> & Partial<CreateUser>,
): Promise<PanelUser> {
  const { password } = gamekeeper;
  const made = await admin.ask('POST', '/api/users', { password, ...user });
  if (made.status !== 201) throw new Error(`No user: ${made.status} ${JSON.stringify(made.body)}`);
  return signIn(gamekeeper, { username: user.username, password });
}

function panelUser({ addresses }: Gamekeeper, cookie: string): PanelUser {
  return {
    cookie,
    ask: (method, path, body) =>
      requestJson(method, new URL(path, addresses().panel), { body, headers: { cookie, origin: addresses().panel } }),
    console: (id) => openConsole(`${addresses().panel.replace(/^http/, 'ws')}/ws/instances/${id}/console`, { cookie }),
  };
}
