/** Every operation of the document has examples, and they fit its schemas. */
import t, { type Test } from 'tap';
import type { OpenApiContent, OpenApiDocument } from '../../../gateway/openapi/types.ts';
import { ERRORS } from '../../../shared/errors/catalogue.ts';
import { operationsOf } from '../../support/openapi/described-operations.ts';
import { documentSchemas } from '../../support/openapi/document-schemas.ts';
import { build } from '../../support/processes/gateway-app.ts';

const { app } = await build(t);
const document = (await app.inject('/openapi.json')).json() as OpenApiDocument;
const schemas = documentSchemas(document);
const operations = operationsOf(document);

/** What has no example: bytes. */
const FILES = ['application/zip', 'application/octet-stream', 'image/png'];

t.test('every parameter, body and success has an example that fits its schema', async (t) => {
  t.ok(operations.length > 60);
  for (const { name, place, operation, answers } of operations) {
    const { parameters = [], requestBody } = operation;
    for (const [index, parameter] of parameters.entries())
      fits(t, `${name}: ${parameter.name}`, [...place, 'parameters', String(index)], parameter);
    for (const [type, content] of Object.entries(requestBody?.content ?? {}))
      if (!FILES.includes(type)) fits(t, `${name}: body`, [...place, 'requestBody', 'content', type], content);
    for (const { status, response, place } of answers)
      for (const [type, content] of Object.entries(response.content ?? {}))
        if (status < 400 && !FILES.includes(type)) fits(t, `${name}: ${status}`, [...place, 'content', type], content);
  }
});

t.test('every operation shows its errors by code', async (t) => {
  for (const { name, answers } of operations) {
    const failures = answers.filter(({ status }) => status >= 400);
    t.ok(failures.length > 2, name);
    for (const { status, response } of failures) {
      const examples = response.content?.['application/problem+json']?.examples ?? {};
      t.ok(Object.keys(examples).length > 0, `${name}: ${status}`);
      for (const [code, { $ref }] of Object.entries(examples)) {
        t.equal(ERRORS[code as keyof typeof ERRORS].status, status, `${name}: ${code}`);
        t.ok(response.description.includes(`\`${code}\``));
        t.equal($ref, `#/components/examples/${code}`);
      }
    }
  }
  const validate = schemas.at(['components', 'schemas', 'ErrorResponse']);
  for (const [code, example] of Object.entries(document.components.examples)) {
    t.ok(validate(example.value), `${code}: ${JSON.stringify(validate.errors)}`);
    t.match(example.value, { code, type: new RegExp(`/docs/errors#${code}$`) });
  }
});

t.test('examples of components fit their schemas', async (t) => {
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
