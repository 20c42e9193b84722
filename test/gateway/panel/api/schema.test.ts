import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import t from 'tap';
import { build } from '../../../support/processes/gateway-app.ts';

const TYPES = path.join(import.meta.dirname, '../../../../gateway/panel/src/api/schema.d.ts');

/** Update the types with `TAP_SNAPSHOT=1 npm test -- test/gateway/panel/api/schema.test.ts`. */
t.test('the API types of the panel match the OpenAPI document', async (t) => {
  const { app } = await build(t);
  const document = forPanel((await app.inject('/openapi.json')).json<OpenAPI3>());
  const types = `// Generated from the OpenAPI document; see test/gateway/panel/api/schema.test.ts.\n${astToString(await openapiTS(document))}`;
  if (process.env.TAP_SNAPSHOT === '1') await writeFile(TYPES, types);
  t.equal(await readFile(TYPES, 'utf8'), types);
});

/** Leaves out the routes' second mount, and errors: the panel's client throws them, whatever the operation. */
function forPanel(document: OpenAPI3): OpenAPI3 {
  const paths = Object.entries(document.paths ?? {}).filter(([path]) => !path.startsWith('/api/v1/'));
  const text = JSON.stringify({ ...document, paths: Object.fromEntries(paths) });
  return JSON.parse(text, (key, value) =>
    key === 'responses' ? Object.fromEntries(Object.entries(value).filter(([status]) => status < '4')) : value,
  );
}
