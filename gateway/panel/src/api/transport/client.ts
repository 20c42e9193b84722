import createClient, { type Middleware } from 'openapi-fetch';
import type { components, paths } from '../schema.d.ts';
import { problemOf, unreachable } from './problem.ts';

export type Schemas = components['schemas'];
/**
 * `startedAt` is by the browser's clock, in milliseconds since the epoch: an uptime would be out of date once it has arrived.
 * `isNamesake`: another server has the same name, so pages also show the id.
 */
export type Instance = Omit<Schemas['Instance'], 'uptimeSeconds'> & { startedAt?: number; isNamesake?: true };
export type Job = Schemas['Job'];
export type Backup = Schemas['Backup'];
export type Player = Schemas['Player'];

const throwProblems: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) throw await problemOf(response);
  },
  onError: () => unreachable(),
};

/** Client of the API that served this page, signed in by the session cookie. Every failed request throws a `Problem`. */
export const api = createClient<paths>({ baseUrl: window.location.origin });
api.use(throwProblems);

/** Returns the body of a response that has one. */
export async function dataOf<T>(response: Promise<{ data?: T }>): Promise<T> {
  const { data } = await response;
  return data as T;
}
