import { VERSION } from '../../shared/domain/version.ts';
import { errorResponse } from '../../shared/schema/answers.ts';
import { TAGS } from '../http/operation.ts';
import type { Api } from '../http/zod-provider.ts';
import { EXAMPLES } from './examples.ts';
import { HOUSE_RULES } from './house-rules.ts';
import { type JsonSchema, schemaConverter } from './json-schema.ts';
import { errorExamples } from './openapi-examples.ts';
import { type DeclaredRoute, describeOperation, withExamples } from './openapi-operation.ts';
import { failureResponses } from './openapi-responses.ts';
import { SECURITY_SCHEMES } from './openapi-security.ts';
import type { OpenApiOperation, OpenApiResponse } from './openapi-types.ts';

export interface OpenApiDocument {
  openapi: '3.1.0';
  info: JsonSchema;
  servers: { url: string }[];
  security: Record<string, string[]>[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: {
    securitySchemes: JsonSchema;
    schemas: Record<string, JsonSchema>;
    responses: Record<string, OpenApiResponse>;
    examples: Record<string, JsonSchema>;
  };
}

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
  const converter = schemaConverter();
  converter.convert(errorResponse, 'output');
  const failures = failureResponses();
  const { document: paths, components } = converter.settle(describePaths(routes, { schemas: converter, failures }));
  const schemas = withOwnExamples(components);
  const tags = new Set<string>();
  for (const operation of Object.values(paths).flatMap(Object.values<OpenApiOperation>)) {
    withExamples(operation, schemas);
    for (const tag of operation.tags) tags.add(tag);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gamekeeper',
      version: VERSION,
      description: `Runs game servers on this machine: lifecycle, console, players, properties and backups.\n\n${HOUSE_RULES.map(
        ({ title, text }) => `**${title}.** ${text}`,
      ).join('\n\n')}`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ CookieAuth: [] }],
    tags: Object.entries(TAGS).flatMap(([name, description]) => (tags.has(name) ? [{ name, description }] : [])),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas,
      responses: failures.components,
      examples: errorExamples([...failures.codes].sort()),
    },
  };
}

function describePaths(
  routes: readonly DeclaredRoute[],
  shared: Parameters<typeof describeOperation>[1],
): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) {
    const path = route.url.replace(/:(\w+)/g, '{$1}');
    const operation = describeOperation(route, shared);
    for (const method of [route.method].flat()) paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }
  return paths;
}

function withOwnExamples(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => [
      id,
      EXAMPLES[id] === undefined ? schema : { ...schema, examples: [EXAMPLES[id]] },
    ]),
  );
}
