import type * as z from 'zod';
import type { Operation } from '../http/operation.ts';
import type { JsonSchema, SchemaConverter } from './json-schema.ts';
import { exampleOf } from './openapi-examples.ts';
import { type FailureResponses, responsesOf } from './openapi-responses.ts';
import { securityOf } from './openapi-security.ts';
import type { OpenApiOperation, OpenApiParameter } from './openapi-types.ts';

/** A route as Fastify announces it. */
export interface DeclaredRoute {
  url: string;
  method: string | string[];
  /** Of the plugin that it is declared in. */
  prefix: string;
  schema?: object | undefined;
  config?: { operation?: Operation } | undefined;
}

/** What the operations of a mounted module are called, by where it is mounted: ids are unique in a document. */
const ID_PREFIXES: Readonly<Record<string, string>> = { '/api/v1': 'v1', '/api': 'panel' };

/** Where what several operations have in common is put. */
interface Shared {
  schemas: SchemaConverter;
  failures: FailureResponses;
}

export function describeOperation(route: DeclaredRoute, { schemas, failures }: Shared): OpenApiOperation {
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
    responses: responsesOf(
      operation,
      { response: response ?? {}, mayHaveBody: ![route.method].flat().includes('GET') },
      { schemas, failures },
    ),
  };
}

/** Adds an example to everything that has a schema and no example yet, where one can be put together. */
export function withExamples(operation: OpenApiOperation, schemas: Readonly<Record<string, JsonSchema>>): void {
  const contents = [operation.requestBody, ...Object.values(operation.responses)].flatMap((part) =>
    part === undefined || '$ref' in part ? [] : Object.values(part.content ?? {}),
  );
  for (const content of contents) {
    if (content.schema === undefined || 'example' in content || 'examples' in content) continue;
    const example = exampleOf(content.schema, { schemas });
    if (example !== undefined) content.example = example;
  }
  for (const parameter of operation.parameters ?? [])
    parameter.example ??= exampleOf(parameter.schema, { schemas, name: parameter.name });
}

function idOf({ id }: Operation, mountedAt: string): string {
  const prefix = ID_PREFIXES[mountedAt];
  return prefix === undefined ? id : `${prefix}${id[0]?.toUpperCase()}${id.slice(1)}`;
}

function descriptionOf({ description, access }: Operation): string {
  const role = access.kind === 'public' ? undefined : access.role;
  return [description, role !== undefined && role !== 'viewer' && `Users need the role ${role}.`]
    .filter(Boolean)
    .join(' ');
}

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
