/** Every operation of the document shows how it is used, and what it shows is true of its schemas. */
import t, { type Test } from 'tap';
import type { OpenApiDocument } from '../../../gateway/http/openapi.ts';
import type { OpenApiContent, OpenApiOperation } from '../../../gateway/http/openapi-operation.ts';
import { ERRORS } from '../../../shared/errors/catalogue.ts';
import { documentSchemas } from '../../support/document-schemas.ts';
import { build } from '../../support/gateway-app.ts';

interface Place {
  name: string;
  path: string[];
  operation: OpenApiOperation;
}

const { app } = await build(t);
const document = (await app.inject('/openapi.json')).json() as OpenApiDocument;
const schemas = documentSchemas(document);
const operations: Place[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path: ['paths', path, method],
    operation,
  })),
);

t.test('every parameter, body and success has an example that fits its schema', async (t) => {
  t.ok(operations.length > 60);
  for (const { name, path, operation } of operations) {
    const { parameters = [], requestBody, responses } = operation;
    for (const [index, parameter] of parameters.entries())
      fits(t, `${name}: ${parameter.name}`, [...path, 'parameters', String(index)], parameter);
    for (const [type, content] of Object.entries(requestBody?.content ?? {}))
      fits(t, `${name}: body`, [...path, 'requestBody', 'content', type], content);
    for (const [status, { content = {} }] of Object.entries(responses))
      for (const [type, described] of Object.entries(content))
        if (Number(status) < 400 && type !== 'application/zip')
          fits(t, `${name}: ${status}`, [...path, 'responses', status, 'content', type], described);
  }
});

t.test('every operation shows its errors, by code', async (t) => {
  for (const { name, operation } of operations) {
    const failures = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
    t.ok(failures.length > 2, name);
    for (const [status, { description, content = {} }] of failures) {
      const examples = content['application/problem+json']?.examples ?? {};
      t.ok(Object.keys(examples).length > 0, `${name}: ${status}`);
      for (const [code, { $ref }] of Object.entries(examples)) {
        t.equal(ERRORS[code as keyof typeof ERRORS].status, Number(status), `${name}: ${code}`);
        t.ok(description.includes(`\`${code}\``));
        t.equal($ref, `#/components/examples/${code}`);
      }
    }
  }
  const validate = schemas.at(['components', 'schemas', 'ErrorResponse']);
  for (const [code, example] of Object.entries(document.components.examples)) {
    t.ok(validate(example.value), `${code}: ${JSON.stringify(validate.errors)}`);
    t.match(example.value, { code, type: new RegExp(`/docs/errors#${code}$`) });
  }
  t.same(Object.keys(document.components.examples), Object.keys(ERRORS));
});

t.test('examples of components fit them', async (t) => {
  for (const [id, schema] of Object.entries(document.components.schemas))
    for (const example of (schema.examples ?? []) as unknown[]) {
      const validate = schemas.at(['components', 'schemas', id]);
      t.ok(validate(example), `${id}: ${JSON.stringify(validate.errors)}`);
    }
});

function fits(t: Test, name: string, place: string[], { schema, example }: OpenApiContent): void {
  t.not(example, undefined, `${name} has an example`);
  if (schema === undefined) return;
  const validate = schemas.at([...place, 'schema']);
  t.ok(validate(example), `${name}: ${JSON.stringify(example)} ${JSON.stringify(validate.errors)}`);
}
