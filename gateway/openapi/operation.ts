import type * as z from 'zod';
import type { Operation } from '../http/operation.ts';
import type { JsonSchema, SchemaConverter } from './json-schema.ts';
import { type FailureResponses, responsesOf } from './responses.ts';
import { securityOf } from './security.ts';
import type { OpenApiOperation, OpenApiParameter } from './types.ts';

/** A route as Fastify's `onRoute` hook announces it. */
export interface DeclaredRoute {
  url: string;
  method: string | string[];
  /** Prefix of the plugin that declares the route. */
  prefix: string;
  schema?: object | undefined;
  config?: { operation?: Operation } | undefined;
}

export interface SharedComponents {
  schemas: SchemaConverter;
  failures: FailureResponses;
}

/** Operation ids are unique in a document: routes that are mounted a second time get a prefix. */
const ID_PREFIXES: Readonly<Record<string, string>> = { '/api/v1': 'v1', '/api': 'panel' };

export function describeOperation(route: DeclaredRoute, { schemas, failures }: SharedComponents): OpenApiOperation {
  const operation = route.config?.operation as Operation;
  const { params, querystring, body, response } = (route.schema ?? {}) as Record<string, z.ZodType | undefined> & {
    response?: Record<string, z.ZodType>;
  };
  const description = descriptionOf(operation);
  const parameters = [
    ...(params ? parametersOf(params, 'path', schemas) : []),
    ...(querystring ? parametersOf(querystring, 'query', schemas) : []),
    ...headersOf(operation),
  ];
  return {
    operationId: idOf(operation, route.prefix),
    summary: operation.summary,
    ...(description !== '' && { description }),
    tags: [route.prefix === '/api' ? 'Panel' : operation.tag],
    security: securityOf(operation.access),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: !body.safeParse(undefined).success,
        content: { 'application/json': { schema: schemas.convert(body, 'input') } },
      },
    }),
    ...(operation.upload && {
      requestBody: { required: true, content: { 'application/octet-stream': {} } },
    }),
    responses: responsesOf(
      operation,
      { response: response ?? {}, mayHaveBody: ![route.method].flat().includes('GET') },
      { schemas, failures },
    ),
  };
}

function idOf({ id }: Operation, mountedAt: string): string {
  const prefix = ID_PREFIXES[mountedAt];
  return prefix === undefined ? id : `${prefix}${id[0]?.toUpperCase()}${id.slice(1)}`;
}

function descriptionOf({ description, access }: Operation): string {
  const role = access.kind === 'public' ? undefined : access.role;
  const files = access.kind === 'scope' ? access.files : undefined;
  return [
    description,
    role !== undefined && role !== 'viewer' && `Users need the role ${role}.`,
    files && `Users need the role admin, or a grant with \`files\`: \`${files}\`.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Describes query values as they are parsed (`?lines=20` is an integer), and requires them as they are sent. */
function parametersOf(schema: z.ZodType, place: 'path' | 'query', schemas: SchemaConverter): OpenApiParameter[] {
  const { properties = {} } = schemas.convert(schema, 'output') as { properties?: Record<string, JsonSchema> };
  const { required = [] } = schemas.convert(schema, 'input') as { required?: string[] };
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(typeof description === 'string' && { description }),
    schema: property,
  }));
}

function headersOf({ requestHeaders = {} }: Operation): OpenApiParameter[] {
  return Object.entries(requestHeaders).map(([name, { description, example }]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
    example,
  }));
}
