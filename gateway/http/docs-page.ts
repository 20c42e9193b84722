import { escapeHtml, page } from './html.ts';
import type { JsonSchema } from './json-schema.ts';
import type { OpenApiDocument, OpenApiOperation } from './openapi.ts';

/** The OpenAPI document as a page to read: every operation with what it takes and answers. */
export function docsPage(document: OpenApiDocument): string {
  const sections = document.tags.map(({ name, description }) => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => operation.tags.includes(name))
        .map(([method, operation]) => describe(method, path, operation)),
    );
    return `<h2>${escapeHtml(name)}</h2><p>${escapeHtml(description)}</p>${operations.join('\n')}`;
  });
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `<details id="schema-${escapeHtml(name)}"><summary>${escapeHtml(name)}</summary>${json(schema)}</details>`,
  );
  return page(
    'Gamekeeper: operations',
    `<h1>Operations</h1><p>Machine-readable: <a href="/openapi.json">/openapi.json</a>. <a href="/docs/errors">All error codes</a>.</p>
${sections.join('\n')}<h2>Schemas</h2>${schemas.join('\n')}`,
  );
}

function describe(method: string, path: string, operation: OpenApiOperation): string {
  const scopes = operation.security.flatMap((scheme) => scheme.OAuth2 ?? []);
  const access =
    operation.security.length === 0
      ? 'No credentials needed.'
      : `Needs ${scopes.length > 0 ? `the scope ${scopes.join(', ')}` : 'a signed-in user'}.`;
  const parameters = (operation.parameters ?? []).map(
    ({ name, in: place, schema }) =>
      `<tr><td><code>${escapeHtml(String(name))}</code></td><td>${escapeHtml(String(place))}</td><td>${json(schema)}</td></tr>`,
  );
  const answers = Object.entries(operation.responses).map(
    ([status, { description, content }]) =>
      `<tr><td>${escapeHtml(status)}</td><td>${escapeHtml(String(description))}</td><td>${contentOf(content)}</td></tr>`,
  );
  return `<details id="${escapeHtml(operation.operationId)}"><summary><span class="method">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code> ${escapeHtml(operation.summary)}</summary>
<p>${escapeHtml(operation.description ?? '')} ${escapeHtml(access)}</p>
${parameters.length > 0 ? `<table>${parameters.join('')}</table>` : ''}
${operation.requestBody ? `<p>Body: ${contentOf(operation.requestBody.content)}</p>` : ''}
<table>${answers.join('')}</table></details>`;
}

function contentOf(content: unknown): string {
  return Object.entries((content ?? {}) as Record<string, { schema?: JsonSchema }>)
    .map(([type, { schema }]) => `${escapeHtml(type)} ${schema ? reference(schema) : ''}`)
    .join('<br>');
}

function reference(schema: JsonSchema): string {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  return name === undefined ? json(schema) : `<a href="#schema-${escapeHtml(name)}">${escapeHtml(name)}</a>`;
}

function json(value: unknown): string {
  return `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`;
}
