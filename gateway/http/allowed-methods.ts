import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Api } from './zod-provider.ts';

/** The methods that a listener serves, by path pattern; for telling 405 from 404. */
export interface AllowedMethods {
  /** Methods served at a concrete path, sorted; empty where nothing is. */
  at(path: string): string[];
}

/** Remembers every route declared on `app` from here on. */
export function collectMethods(app: Api): AllowedMethods {
  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ method, url }) => {
    const known = methods.get(url) ?? new Set();
    methods.set(url, known);
    for (const name of [method].flat()) known.add(name.toUpperCase());
  });
  return {
    at(path) {
      const segments = path.split('/');
      const found = new Set<string>();
      for (const [pattern, names] of methods) {
        if (matches(pattern.split('/'), segments)) for (const name of names) found.add(name);
      }
      return [...found].sort();
    },
  };
}

/** The error for a request that no route took: the path is unknown, or only the method is. */
export function unrouted(method: string, path: string, allowed: readonly string[]): GamekeeperError {
  return allowed.length === 0
    ? new GamekeeperError('route_not_found', `Nothing is served at ${path} here.`)
    : new GamekeeperError('method_not_allowed', `${path} does not take ${method}, only ${allowed.join(', ')}.`);
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, index) => part === segments[index] || (part.startsWith(':') && segments[index] !== ''));
}
