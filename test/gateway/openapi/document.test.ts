import t from 'tap';
import type { OpenApiDocument } from '../../../gateway/openapi/types.ts';
import { SCOPES } from '../../../shared/domain/access/scope.ts';
import { operationsOf } from '../../support/openapi/described-operations.ts';
import { build } from '../../support/processes/gateway-app.ts';

t.test('the document is OpenAPI 3.1.0 with its version, schemes and scopes', async (t) => {
  const { app } = await build(t);
  const document = (await app.inject('/openapi.json')).json() as OpenApiDocument;
  t.match(document, { openapi: '3.1.0', info: { version: '1.9.9' }, security: [{ CookieAuth: [] }] });
  t.match(document.components.securitySchemes, {
    CookieAuth: { type: 'apiKey', in: 'cookie', name: 'RemoteCookies' },
    BearerAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    OAuth2: { type: 'oauth2', flows: { authorizationCode: { scopes: Object } } },
  });
  const { OAuth2 } = document.components.securitySchemes as {
    OAuth2: { flows: { authorizationCode: { scopes: object } } };
  };
  t.same(Object.keys(OAuth2.flows.authorizationCode.scopes).sort(), [...SCOPES].sort());
});

t.test('the document describes every route of each family once', async (t) => {
  const { app } = await build(t);
  const document = (await app.inject('/openapi.json')).json() as OpenApiDocument;
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const served = app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const match = /(\/\S*) \(([^)]+)\)/.exec(line);
      return match ? [{ path: match[1], methods: match[2] }] : [];
    });
  t.ok(served.length > 20);
  for (const path of [
    '/instances',
    '/api/v1/instances',
    '/instances/{id}/start',
    '/api/v1/instances/{id}/backups/{backupId}/archive',
    '/api/login',
    '/api/instances/{id}/players/{name}/deop',
    '/ws/instances/{id}/console',
    '/metrics',
    '/openapi.json',
  ])
    t.ok(path in document.paths, path);
  const unprefixed = described.filter((name) => name.includes(' /api/v1/')).map((name) => name.replace('/api/v1', ''));
  for (const name of unprefixed) t.ok(described.includes(name), `${name} in both families`);
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  t.equal(new Set(ids).size, ids.length, 'operation ids are unique');
});

t.test('every reference resolves, and every operation describes its path parameters and errors', async (t) => {
  const { app } = await build(t);
  const document = (await app.inject('/openapi.json')).json() as OpenApiDocument;
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? '');
  t.ok(references.length > 100);
  for (const reference of new Set(references)) {
    const [, , kind, id = ''] = reference.split('/');
    t.ok(id in document.components[kind as 'schemas' | 'responses' | 'examples'], reference);
  }
  t.notMatch(JSON.stringify(document), /\$defs|\$schema|9007199254740991/);
  for (const name of [
    'Instance',
    'HealthResponse',
    'ActionResponse',
    'LogsResponse',
    'BackupResponse',
    'TunnelResponse',
    'ErrorResponse',
  ])
    t.ok(name in document.components.schemas, name);
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const inPath = (operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'path')
        .map(({ name }) => name);
      t.same(inPath.sort(), named.sort(), `${method} ${path}`);
      t.ok(operation.responses['500'] && operation.responses['403'], `${method} ${path} documents its errors`);
      t.equal(
        operation.security.length === 0,
        operation.responses['401'] === undefined || operation.operationId === 'login',
        `${method} ${path}: 401 if credentials are needed`,
      );
    }
});

t.test('query, body and answers are described correctly', async (t) => {
  const { app } = await build(t);
  const { paths } = (await app.inject('/openapi.json')).json() as OpenApiDocument;
  t.match(paths['/instances/{id}/logs']?.get?.parameters, [
    { name: 'id', in: 'path', required: true },
    {
      name: 'lines',
      in: 'query',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
    },
    { name: 'contains', in: 'query', required: false },
  ]);
  t.match(paths['/instances']?.post, {
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/CreateInstance' } } },
    },
    responses: {
      201: {
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Instance' } } },
        headers: { Location: Object },
      },
    },
    security: [{ CookieAuth: [] }, { BearerAuth: [] }, { OAuth2: ['servers:write'] }],
  });
  t.match(paths['/instances/{id}/backup']?.post, {
    requestBody: { required: false },
    responses: { 200: Object, 202: Object, 507: Object },
  });
  t.match(paths['/instances/{id}/backups/{backupId}/archive']?.get?.responses, {
    200: { content: { 'application/zip': Object } },
    206: Object,
    416: Object,
  });
  t.same(paths['/health']?.get?.security, []);
});

t.test('each listener describes only its own operations', async (t) => {
  const { listener } = await build(t);
  const pathsOf = async (families: ('daemon' | 'versioned' | 'session')[]) =>
    Object.keys(((await (await listener({ families })).inject('/openapi.json')).json() as OpenApiDocument).paths);
  t.ok(
    (await pathsOf(['versioned'])).every(
      (path) => path.startsWith('/api/v1/') || ['/openapi.json', '/metrics'].includes(path),
    ),
  );
  t.notOk((await pathsOf(['daemon', 'session'])).some((path) => path.startsWith('/api/v1/')));
});

t.test('schemas that are used twice are named components', async (t) => {
  const { app } = await build(t);
  const document = (await app.inject('/openapi.json')).json() as OpenApiDocument;
  const inline = new Map<string, string[]>();
  const note = (value: unknown, place: string) => {
    if (typeof value !== 'object' || value === null) return;
    const isComponent = /^\/components\/schemas\/\w+$/.test(place);
    if (!isComponent && 'properties' in value && 'type' in value) {
      const text = JSON.stringify(value);
      inline.set(text, [...(inline.get(text) ?? []), place]);
    }
    for (const [key, inner] of Object.entries(value)) note(inner, `${place}/${key}`);
  };
  note({ paths: document.paths, components: document.components }, '');
  for (const places of inline.values()) {
    t.equal(places.length, 1, places.join(' and '));
    t.notMatch(places[0], /^\/paths/, 'bodies and responses are components');
  }
  for (const name of Object.keys(document.components.schemas)) t.match(name, /^[A-Z][A-Za-z]+$/, name);
});

t.test('unknown query parameters are ignored everywhere', async (t) => {
  const { app, bearer, cookie } = await build(t);
  const document = (await app.inject('/openapi.json')).json() as OpenApiDocument;
  const [token, session] = [await bearer(), await cookie()];
  for (const { name, path, method, operation } of operationsOf(document)) {
    if (method !== 'GET' || operation.operationId.endsWith('treamEvents')) continue;
    const headers = operation.security.some((scheme) => 'BearerAuth' in scheme) ? token : session;
    const url = path.replace('{id}', 'demo').replace(/\{\w+\}/g, 'none');
    const [plain, more] = [await app.inject({ url, headers }), await app.inject({ url: `${url}?unknown=1`, headers })];
    t.equal(more.statusCode, plain.statusCode, name);
  }
});
