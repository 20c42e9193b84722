import { finished } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { instanceOf } from '../http/request.ts';
import type { Api } from '../http/zod-provider.ts';
import type { WorkPlaces } from './work-places.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Work that goes on after the answer: the request keeps its place until this settles. */
    ongoing: Promise<unknown> | null;
  }
}

/**
 * Runs the handlers of operations that name their `work` only if there is a place for it. The place is free again when the handler, the
 * answer and the job that it announced have all ended: a client who leaves early does not end the work.
 */
export function limitWork(app: Api, places: WorkPlaces): void {
  app.decorateRequest('ongoing', null);
  app.addHook('onRoute', (route) => {
    const work = route.config?.operation?.work;
    if (work === undefined) return;
    const { handler } = route;
    route.handler = async function (request, reply) {
      const { identity } = request;
      if (!identity) return handler.call(this, request, reply);
      const row = typeof work === 'function' ? work(request) : work;
      const leave = places.take(row, { identity, instance: instanceOf(request) });
      const handled = (async () => handler.call(this, request, reply))();
      void Promise.allSettled([handled.then(() => request.ongoing), closed(reply)]).then(leave);
      return handled;
    };
  });
}

/** Resolves when the answer was taken by its reader, or the connection is gone. */
function closed({ raw }: FastifyReply): Promise<void> {
  return new Promise((resolve) => {
    finished(raw, () => resolve());
  });
}
