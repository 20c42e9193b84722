import type { Gateway } from '../gateway.ts';
import { pathOf } from './request-path.ts';
import type { Api } from './zod-provider.ts';

/** Counts every answer and writes a log line for it. */
export function observe(app: Api, { metrics, log }: Gateway): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { url: route = 'unmatched' } = request.routeOptions;
    const { method } = request;
    const { statusCode: status, elapsedTime } = reply;
    metrics.observeRequest({ method, route, status }, elapsedTime / 1000);
    const changes = method !== 'GET' && method !== 'HEAD';
    if (changes || log.isLevelEnabled('debug')) {
      const line = { requestId: request.id, method, path: pathOf(request), status, ms: Math.round(elapsedTime) };
      if (changes) log.info(line, 'request');
      else log.debug(line, 'request');
    }
    done();
  });
}
