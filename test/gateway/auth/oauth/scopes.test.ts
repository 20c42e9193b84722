/** Every operation with a scope in the OpenAPI document, requested with each kind of token. */
import t from 'tap';
import type { OpenApiDocument } from '../../../../gateway/openapi/types.ts';
import { isScope, SCOPES, type Scope } from '../../../../shared/domain/access/scope.ts';
import { isProblem } from '../../../support/http/problem.ts';
import { build } from '../../../support/processes/gateway-app.ts';
import { testProxy } from '../../../support/stand-ins/test-proxy.ts';

interface Guarded {
  method: string;
  /** Names resources that do not exist, so allowed requests change nothing. */
  url: string;
  scope: Scope;
}

function guardedOperations({ paths }: OpenApiDocument): Guarded[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { security }]) =>
      security
        .flatMap((scheme) => scheme.OAuth2 ?? [])
        .filter(isScope)
        .map((scope) => ({ method: method.toUpperCase(), url: path.replaceAll(/\{\w+\}/g, 'none'), scope })),
    ),
  );
}

t.test('an operation accepts a token with its scope, and names the scope to all others', async (t) => {
  const world = await build(t, { settings: { limits: { requestsPerSecond: 10_000, burst: 10_000 } } });
  const proxy = await testProxy(t);
  world.daemon.setPairing(proxy.pairing);
  // Not on loopback, where /metrics is public.
  const app = await world.listener({ loopback: false });
  const operations = guardedOperations((await app.inject('/openapi.json')).json());
  const bearers = new Map(
    await Promise.all(SCOPES.map(async (scope) => [scope, await proxy.bearer([scope])] as const)),
  );
  for (const scope of SCOPES)
    t.ok(
      operations.some((operation) => operation.scope === scope),
      `${scope} is used by an operation`,
    );

  for (const { method, url, scope } of operations) {
    // As a stream, because the event stream never ends.
    const ask = (headers: Record<string, string> = {}) =>
      app.inject({ method: method as 'GET', url, headers, payloadAsStream: true });
    const name = `${method} ${url}`;

    const stranger = await ask();
    t.equal(stranger.statusCode, 401, name);
    t.equal(stranger.headers['www-authenticate'], 'Bearer', name);
    for (const [other, headers] of bearers) {
      const answer = await ask(headers);
      if (other === scope) {
        t.notOk([401, 403].includes(answer.statusCode), `${name} with ${other}: ${answer.statusCode}`);
        answer.stream().destroy();
        continue;
      }
      t.equal(answer.statusCode, 403, `${name} with ${other}`);
      t.equal(answer.headers['www-authenticate'], `Bearer error="insufficient_scope", scope="${scope}"`, name);
    }
    const other = SCOPES.find((one) => one !== scope) as Scope;
    const refusal = await app.inject({ method: method as 'GET', url, headers: bearers.get(other) ?? {} });
    isProblem(t, refusal, 'insufficient_scope', name);
    t.ok(refusal.json().detail.includes(scope), name);
  }
});
