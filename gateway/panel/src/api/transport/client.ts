import createClient, { type Middleware } from 'openapi-fetch';
import type { components, paths } from '../schema.d.ts';
import { problemOf, unreachable } from './problem.ts';

export type Schemas = components['schemas'];
/** `startedAt`: by the clock of this browser, milliseconds since the epoch; `uptimeSeconds` is old as soon as it has been answered. */
export type Instance = Schemas['Instance'] & { startedAt?: number };
export type Job = Schemas['Job'];
export type Backup = Schemas['Backup'];
export type Player = Schemas['Player'];

/** Throws a `Problem` for every answer but a good one, so that callers only ever see data. */
const throwProblems: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) throw await problemOf(response);
  },
  onError: () => unreachable(),
};

/** The documented API of the daemon that served this page, with the session's cookie. */
export const api = createClient<paths>({ baseUrl: window.location.origin });
api.use(throwProblems);

/** The body of an answer that has one; `throwProblems` has seen to the others. */
export async function dataOf<T>(answer: Promise<{ data?: T }>): Promise<T> {
  const { data } = await answer;
  return data as T;
}
