import type { RouteOptions } from 'fastify';
import { INSTANCE_PARAMETER } from '../http/request.ts';
import type { Api } from '../http/zod-provider.ts';

/** Throws when a route is declared that the access check would let through: a mistake in our own code, found at the start. */
export function checkRoutes(app: Api): void {
  app.addHook('onRoute', (route) => {
    const mistake = mistakeIn(route);
    if (mistake !== undefined) throw new Error(`The route ${String(route.method)} ${route.url} ${mistake}.`);
  });
}

function mistakeIn({ url, config }: RouteOptions): string | undefined {
  if ((config?.operation === undefined) === (config?.page === undefined))
    return 'must declare either an operation, with its access, or that it is a page';
  const segments = url.toLowerCase().split('/');
  const isHidden = segments.some((segment, at) =>
    segments[at - 1] === 'instances'
      ? isVariable(segment) && segment !== INSTANCE_PARAMETER
      : NAMES_INSTANCE.test(segment),
  );
  return isHidden
    ? `must name its instance /instances/${INSTANCE_PARAMETER}, which the access check looks for`
    : undefined;
}

/** Everything that is not literal: parameters, with patterns or several in a segment, and wildcards. */
function isVariable(segment: string): boolean {
  return /[:*(]/.test(segment);
}

/** A parameter for an instance at another place. */
const NAMES_INSTANCE = /:\w*(?:instance|server)/;
