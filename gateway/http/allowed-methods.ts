import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { quoted } from './quoted.ts';
import type { Api } from './zod-provider.ts';

/** The methods that a listener serves, to tell 405 from 404. */
export interface AllowedMethods {
  at(path: string): string[];
}

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

/** Returns 404 or 405 before the body is read: otherwise the error would be about the body's type or size. */
export function refuseUnrouted(app: Api, methods: AllowedMethods): void {
  app.addHook('onRequest', (request, reply, done) => {
    const [path = ''] = request.url.split('?', 1);
    if (!request.is404 && !hasExtraSlash(path, request.routeOptions.url)) {
      done();
      return;
    }
    const allowed = methods.at(path);
    if (allowed.length > 0) reply.header('allow', allowed.join(', '));
    done(unrouted({ method: request.method, path, allowed, withoutSlash: methods.at(path.replace(/\/$/, '')) }));
  });
}

/** Returns whether the router took a slash at the end for an empty parameter. */
function hasExtraSlash(path: string, pattern = ''): boolean {
  return path.endsWith('/') && !pattern.endsWith('/') && !pattern.endsWith('*');
}

interface Unrouted {
  method: string;
  path: string;
  allowed: readonly string[];
  withoutSlash: readonly string[];
}

function unrouted({ method, path, allowed, withoutSlash }: Unrouted): GamekeeperError {
  if (allowed.length > 0)
    return new GamekeeperError(
      'method_not_allowed',
      `${quoted(path)} does not support ${method}, only ${allowed.join(', ')}.`,
    );
  return new GamekeeperError('route_not_found', `Nothing is served at ${quoted(path)} on this port.`, {
    ...(withoutSlash.length > 0 && { resolution: 'Remove the slash at the end.' }),
  });
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, index) => part === segments[index] || (part.startsWith(':') && segments[index] !== ''));
}
