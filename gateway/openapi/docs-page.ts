import { PROBLEM_TYPE } from '../http/problem.ts';
import { curlOf } from './curl.ts';
import { HOUSE_RULES } from './house-rules.ts';
import { escapeHtml, page } from './html.ts';
import type { JsonSchema } from './json-schema.ts';
import type { OpenApiDocument } from './openapi.ts';
import type {
  OpenApiContent,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
  Reference,
} from './openapi-types.ts';

const VERSIONED = '/api/v1';

interface DescribedIn {
  document: OpenApiDocument;
  base: string;
}

interface Described {
  method: string;
  path: string;
  operation: OpenApiOperation;
}

/** The OpenAPI document as a page to read: every operation with what it takes and answers, and how to call it at `base`. */
export function docsPage(document: OpenApiDocument, base: string): string {
  const operations = operationsOf(document);
  const groups = document.tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  const contents = groups.map(
    ({ name, operations }) =>
      `<li><a href="#${anchorOf(name)}">${escapeHtml(name)}</a> ${operations.map(({ method, operation }) => `<a class="small" href="#${operation.operationId}" title="${escapeHtml(`${method}: ${operation.summary}`)}">${escapeHtml(operation.operationId)}</a>`).join(' ')}</li>`,
  );
  const sections = groups.map(
    ({ name, description, operations }) =>
      `<h2 id="${anchorOf(name)}">${escapeHtml(name)}</h2><p>${escapeHtml(description)}</p>${operations.map((one) => describe(one, { document, base })).join('\n')}`,
  );
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `<details id="schema-${escapeHtml(name)}"><summary>${escapeHtml(name)}</summary>${json(schema)}</details>`,
  );
  return page(
    'Gamekeeper: operations',
    `<h1>Operations</h1>
<p>For programs: <a href="/openapi.json">/openapi.json</a>. <a href="/docs/errors">All error codes</a>.
The operations without <code>/api</code> in front are also served under <code>${VERSIONED}</code>, on the remote listener.</p>
<p>The examples take a token from the environment: <code>TOKEN=$(gamekeeper token create --name docs --json | jq -r .token)</code></p>
${HOUSE_RULES.map(({ title, text }) => `<p><strong>${title}.</strong> ${inline(text)}</p>`).join('\n')}
<ul class="contents">${contents.join('\n')}</ul>
${sections.join('\n')}<h2>Schemas</h2>${schemas.join('\n')}`,
  );
}

/** Each once: what is served at two places is described at the shorter one. */
function operationsOf({ paths }: OpenApiDocument): Described[] {
  return Object.entries(paths)
    .filter(([path]) => !(path.startsWith(VERSIONED) && path.slice(VERSIONED.length) in paths))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    );
}

function describe({ method, path, operation }: Described, { document, base }: DescribedIn): string {
  const { operationId, summary, description = '', parameters = [], requestBody, responses } = operation;
  const answers = Object.entries(responses).map(([status, answer]) => [status, resolved(answer, document)] as const);
  return `<details id="${escapeHtml(operationId)}"><summary><span class="method">${method}</span> <code>${escapeHtml(path)}</code> ${escapeHtml(summary)}</summary>
<p>${inline(description)} ${escapeHtml(accessOf(operation))}</p>
<pre>${escapeHtml(curlOf({ method, path, operation, base }))}</pre>
${parameters.length > 0 ? `<table><tr><th>Parameter</th><th></th><th></th></tr>${parameters.map(parameterRow).join('')}</table>` : ''}
${requestBody ? `<p>Body${requestBody.required ? '' : ', optional'}: ${contentOf(requestBody.content)}</p>` : ''}
<table><tr><th>Status</th><th>Answer</th></tr>${answers.map(answerRow).join('')}</table></details>`;
}

function resolved(answer: OpenApiResponse | Reference, { components }: OpenApiDocument): OpenApiResponse {
  return '$ref' in answer ? components.responses[answer.$ref.split('/').at(-1) ?? '']! : answer;
}

function accessOf({ security }: OpenApiOperation): string {
  if (security.length === 0) return 'No credentials needed.';
  const scopes = security.flatMap((scheme) => scheme.OAuth2 ?? []);
  const without = security.some((scheme) => Object.keys(scheme).length === 0) ? ' unless asked from this machine' : '';
  return `Needs ${scopes.length > 0 ? `the scope ${scopes.join(', ')}` : 'a signed-in user (cookie)'}${without}.`;
}

function parameterRow({ name, in: place, required, description = '', schema }: OpenApiParameter): string {
  const { examples, ...rules } = schema;
  return `<tr><td><code>${escapeHtml(name)}</code></td><td>${place}${required ? '' : ', optional'}</td><td>${escapeHtml(description)} <code>${escapeHtml(JSON.stringify(rules))}</code></td></tr>`;
}

function answerRow([status, { description, headers = {}, content = {} }]: readonly [string, OpenApiResponse]): string {
  const [problem] = Object.entries(content).map(([type, { examples }]) =>
    type === PROBLEM_TYPE ? examples : undefined,
  );
  const named = Object.entries(headers).map(
    ([name, header]) => `<br><code>${escapeHtml(name)}</code>: ${escapeHtml(String(header.description))}`,
  );
  const text = problem ? linked(description) : `${inline(description)}${named.join('')} ${contentOf(content)}`;
  return `<tr><td>${escapeHtml(status)}</td><td>${text}</td></tr>`;
}

function contentOf(content: Readonly<Record<string, OpenApiContent>>): string {
  return Object.entries(content)
    .map(
      ([type, { schema, example }]) =>
        `<code>${escapeHtml(type)}</code> ${schema ? reference(schema) : ''}${example === undefined ? '' : pre(example)}`,
    )
    .join('<br>');
}

function reference(schema: JsonSchema): string {
  const { $ref, items, type } = schema as { $ref?: string; items?: JsonSchema; type?: string };
  if (items) return `list of ${reference(items)}`;
  const name = $ref?.split('/').at(-1);
  return name === undefined ? escapeHtml(type ?? '') : `<a href="#schema-${escapeHtml(name)}">${escapeHtml(name)}</a>`;
}

function pre(example: unknown): string {
  return typeof example === 'string' ? `<pre>${escapeHtml(example)}</pre>` : json(example);
}

function json(value: unknown): string {
  return `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`;
}

/** Text in which backticks mark code. */
function inline(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** The same, the code being error codes, which are explained elsewhere. */
function linked(text: string): string {
  return inline(text).replace(/<code>([a-z_]+)<\/code>/g, '<a href="/docs/errors#$1"><code>$1</code></a>');
}

function anchorOf(tag: string): string {
  return `tag-${tag.toLowerCase().replace(/\W/g, '-')}`;
}
