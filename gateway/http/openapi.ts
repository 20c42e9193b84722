import type * as z from 'zod';
import type { Scope } from '../../shared/domain/scope.ts';
import { VERSION } from '../../shared/domain/version.ts';
import { errorResponse } from '../../shared/schema/answers.ts';
import { type JsonSchema, type SchemaConverter, schemaConverter } from './json-schema.ts';
import { responsesOf } from './openapi-responses.ts';
import { type Access, type Operation, TAGS } from './operation.ts';
import type { Api } from './zod-provider.ts';

export interface OpenApiOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: JsonSchema[];
  requestBody?: JsonSchema;
  responses: Record<string, JsonSchema>;
}

export interface OpenApiDocument {
  openapi: '3.1.0';
  info: JsonSchema;
  servers: { url: string }[];
  security: Record<string, string[]>[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { securitySchemes: JsonSchema; schemas: Record<string, JsonSchema> };
}

const SCOPE_MEANINGS: Readonly<Record<Scope, string>> = {
  'servers:read': 'Read instances, metrics and health statuses',
  'servers:write': 'Start, stop and configure instances',
  'backups:create': 'Trigger and manage local and cloud backups',
  'logs:read': 'Read sanitized console logs',
  'tunnels:manage': 'Configure tunnels',
};

/** A route as Fastify announces it. */
interface DeclaredRoute {
  url: string;
  method: string | string[];
  schema?: object | undefined;
  config?: { operation?: Operation } | undefined;
}

/** The customer's three schemes (reference-api.md, section 5). */
const SECURITY_SCHEMES: JsonSchema = {
  CookieAuth: { type: 'apiKey', in: 'cookie', name: 'RemoteCookies', description: 'Obtained from POST /api/login.' },
  BearerAuth: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Session token of the local daemon, HMAC-SHA256.',
  },
  OAuth2: {
    type: 'oauth2',
    description: "Access tokens of the hosted proxy that the daemon is paired with; the addresses are the proxy's.",
    flows: {
      authorizationCode: {
        authorizationUrl: 'https://proxy.invalid/oauth/authorize',
        tokenUrl: 'https://proxy.invalid/oauth/token',
        scopes: SCOPE_MEANINGS,
      },
    },
  },
};

/** Remembers every route declared on `app` from here on. Returns the document of what is served there, made when first asked for. */
export function collectOperations(app: Api): () => OpenApiDocument {
  const routes: DeclaredRoute[] = [];
  let document: OpenApiDocument | undefined;
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD' && route.config?.operation) routes.push(route);
  });
  return () => {
    document ??= describe(routes);
    return document;
  };
}

function describe(routes: readonly DeclaredRoute[]): OpenApiDocument {
  const schemas = schemaConverter();
  schemas.convert(errorResponse, 'output');
  const paths: OpenApiDocument['paths'] = {};
  const tags = new Set<string>();
  for (const route of routes) {
    const path = route.url.replace(/:(\w+)/g, '{$1}');
    const operation = describeOperation(route, schemas);
    for (const tag of operation.tags) tags.add(tag);
    for (const method of [route.method].flat()) paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gamekeeper',
      version: VERSION,
      description: 'Runs game servers on this machine: lifecycle, console, players, properties and backups.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ CookieAuth: [] }],
    tags: Object.entries(TAGS).flatMap(([name, description]) => (tags.has(name) ? [{ name, description }] : [])),
    paths,
    components: { securitySchemes: SECURITY_SCHEMES, schemas: schemas.components },
  };
}

function describeOperation(route: DeclaredRoute, schemas: SchemaConverter): OpenApiOperation {
  const operation = route.config?.operation as Operation;
  const { params, querystring, body, response } = (route.schema ?? {}) as Record<string, z.ZodType | undefined> & {
    response?: Record<string, z.ZodType>;
  };
  const parameters = [
    ...(params ? parametersOf(params, 'path', schemas) : []),
    ...(querystring ? parametersOf(querystring, 'query', schemas) : []),
  ];
  return {
    operationId: route.url.startsWith('/api/v1/')
      ? `v1${operation.id[0]?.toUpperCase()}${operation.id.slice(1)}`
      : operation.id,
    summary: operation.summary,
    ...(operation.description !== undefined && { description: operation.description }),
    tags: [operation.tag],
    security: securityOf(operation.access),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: !body.safeParse(undefined).success,
        content: { 'application/json': { schema: schemas.convert(body, 'input') } },
      },
    }),
    responses: responsesOf(operation, { response: response ?? {}, takesBody: body !== undefined }, schemas),
  };
}

function parametersOf(schema: z.ZodType, place: 'path' | 'query', schemas: SchemaConverter): JsonSchema[] {
  const { properties = {} } = schemas.convert(schema, 'output') as { properties?: Record<string, JsonSchema> };
  const { required = [] } = schemas.convert(schema, 'input') as { required?: string[] };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function securityOf(access: Access): Record<string, string[]>[] {
  if (access.kind === 'public') return [];
  if (access.kind === 'panel') return [{ CookieAuth: [] }];
  const credentials = [{ CookieAuth: [] }, { BearerAuth: [] }, { OAuth2: [access.scope] }];
  return access.openOnLoopback ? [{}, ...credentials] : credentials;
}
