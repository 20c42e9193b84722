import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { quoted } from './quoted.ts';
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

/**
 * Refuses what no route takes: the path is unknown, or only the method is. Before the body is read, whose type or size would else
 * be what is wrong.
 */
export function refuseUnrouted(app: Api, methods: AllowedMethods): void {
  app.addHook('onRequest', (request, reply, done) => {
    const [path = ''] = request.url.split('?', 1);
    if (!request.is404 && !endsWithTooMuch(path, request.routeOptions.url)) {
      done();
      return;
    }
    const allowed = methods.at(path);
    if (allowed.length > 0) reply.header('allow', allowed.join(', '));
    done(unrouted({ method: request.method, path, allowed, withoutSlash: methods.at(path.replace(/\/$/, '')) }));
  });
}

/** True for a slash that the router took for the start of an empty parameter. */
function endsWithTooMuch(path: string, pattern = ''): boolean {
  return path.endsWith('/') && !pattern.endsWith('/') && !pattern.endsWith('*');
}

interface Unrouted {
  method: string;
  path: string;
  allowed: readonly string[];
  /** What is served at the path without its last slash. */
  withoutSlash: readonly string[];
}

function unrouted({ method, path, allowed, withoutSlash }: Unrouted): GamekeeperError {
  if (allowed.length > 0)
    return new GamekeeperError(
      'method_not_allowed',
      `${quoted(path)} does not take ${method}, only ${allowed.join(', ')}.`,
    );
  return new GamekeeperError('route_not_found', `Nothing is served at ${quoted(path)} here.`, {
    ...(withoutSlash.length > 0 && { resolution: 'Leave out the slash at the end.' }),
  });
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, index) => part === segments[index] || (part.startsWith(':') && segments[index] !== ''));
}
