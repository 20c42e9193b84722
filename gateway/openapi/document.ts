import { VERSION } from '../../shared/domain/version.ts';
import { errorResponse } from '../../shared/schema/answers.ts';
import { TAGS } from '../http/operation.ts';
import type { Api } from '../http/zod-provider.ts';
import { addExamples, errorExamples } from './example-values.ts';
import { EXAMPLES } from './examples.ts';
import { HOUSE_RULES } from './house-rules.ts';
import { createSchemaConverter, type JsonSchema } from './json-schema.ts';
import { type DeclaredRoute, describeOperation, type SharedComponents } from './operation.ts';
import { createFailureResponses } from './responses.ts';
import { SECURITY_SCHEMES } from './security.ts';
import type { OpenApiDocument, OpenApiOperation } from './types.ts';

/** Records every route that is declared on `app` from now on. Returns a function that describes them, built on its first call. */
export function collectOperations(app: Api): () => OpenApiDocument {
  const routes: DeclaredRoute[] = [];
  let document: OpenApiDocument | undefined;
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD' && route.config?.operation) routes.push(route);
  });
  return () => {
    document ??= buildDocument(routes);
    return document;
  };
}

function buildDocument(routes: readonly DeclaredRoute[]): OpenApiDocument {
  const schemas = createSchemaConverter();
  schemas.convert(errorResponse, 'output');
  const failures = createFailureResponses();
  const { document: paths, components } = schemas.settle(describePaths(routes, { schemas, failures }));
  const withExamples = addComponentExamples(components);
  const operations = Object.values(paths).flatMap(Object.values<OpenApiOperation>);
  for (const operation of operations) addExamples(operation, withExamples);
  const usedTags = new Set(operations.flatMap(({ tags }) => tags));
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
    tags: Object.entries(TAGS).flatMap(([name, description]) => (usedTags.has(name) ? [{ name, description }] : [])),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: withExamples,
      responses: failures.components,
      examples: errorExamples([...failures.codes].sort()),
    },
  };
}

function describePaths(routes: readonly DeclaredRoute[], shared: SharedComponents): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) {
    const path = route.url.replace(/:(\w+)/g, '{$1}');
    const operation = describeOperation(route, shared);
    for (const method of [route.method].flat()) paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }
  return paths;
}

function addComponentExamples(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => [
      id,
      EXAMPLES[id] === undefined ? schema : { ...schema, examples: [EXAMPLES[id]] },
    ]),
  );
}
