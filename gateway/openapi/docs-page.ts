import { type Html, html, joinHtml, markCode } from '../../shared/node/html.ts';
import { PROBLEM_TYPE } from '../http/problem.ts';
import { curlOf } from './curl.ts';
import { HOUSE_RULES } from './house-rules.ts';
import { htmlPage } from './html-page.ts';
import type { JsonSchema } from './json-schema.ts';
import type {
  OpenApiContent,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
  Reference,
} from './types.ts';

const VERSIONED = '/api/v1';

interface Rendering {
  document: OpenApiDocument;
  base: string;
}

interface DescribedOperation {
  method: string;
  path: string;
  operation: OpenApiOperation;
}

/** Renders the OpenAPI document for people: every operation with its parameters, answers and a curl command that calls it at `base`. */
export function docsPage(document: OpenApiDocument, base: string): string {
  const operations = operationsOf(document);
  const groups = document.tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  const contents = groups.map(
    ({ name, operations }) =>
      html`<li><a href="#${anchorOf(name)}">${name}</a> ${joinHtml(operations.map(contentsLink), ' ')}</li>`,
  );
  const sections = groups.map(
    ({ name, description, operations }) =>
      html`<h2 id="${anchorOf(name)}">${name}</h2><p>${description}</p>${joinHtml(
        operations.map((one) => operationDetails(one, { document, base })),
        '\n',
      )}`,
  );
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => html`<details id="schema-${name}"><summary>${name}</summary>${json(schema)}</details>`,
  );
  return htmlPage(
    'Gamekeeper: operations',
    html`<h1>Operations</h1>
<p>For programs: <a href="/openapi.json">/openapi.json</a>. <a href="/docs/errors">All error codes</a>.
Operations whose path does not begin with <code>/api</code> are also served under <code>${VERSIONED}</code> on the remote listener.</p>
<p>The examples take a token from the environment: <code>TOKEN=$(gamekeeper token create --name docs --json | jq -r .token)</code></p>
${joinHtml(
  HOUSE_RULES.map(({ title, text }) => html`<p><strong>${title}.</strong> ${markCode(text)}</p>`),
  '\n',
)}
<ul class="contents">${joinHtml(contents, '\n')}</ul>
${joinHtml(sections, '\n')}<h2>Schemas</h2>${joinHtml(schemas, '\n')}`,
  );
}

/** Each operation once: one that is served at two paths is shown at the shorter one. */
function operationsOf({ paths }: OpenApiDocument): DescribedOperation[] {
  return Object.entries(paths)
    .filter(([path]) => !(path.startsWith(VERSIONED) && path.slice(VERSIONED.length) in paths))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    );
}

function contentsLink({ method, operation: { operationId, summary } }: DescribedOperation): Html {
  return html`<a class="small" href="#${operationId}" title="${`${method}: ${summary}`}">${operationId}</a>`;
}

function operationDetails({ method, path, operation }: DescribedOperation, { document, base }: Rendering): Html {
  const { operationId, summary, description = '', parameters = [], requestBody, responses } = operation;
  const answers = Object.entries(responses).map(([status, answer]) => answerRow(status, resolve(answer, document)));
  return html`<details id="${operationId}"><summary><span class="method">${method}</span> <code>${path}</code> ${summary}</summary>
<p>${markCode(description)} ${accessOf(operation)}</p>
<pre>${curlOf({ method, path, operation, base })}</pre>
${parameters.length > 0 ? html`<table><tr><th>Parameter</th><th></th><th></th></tr>${parameters.map(parameterRow)}</table>` : ''}
${requestBody ? html`<p>Body${requestBody.required ? '' : ', optional'}: ${contentOf(requestBody.content)}</p>` : ''}
<table><tr><th>Status</th><th>Answer</th></tr>${answers}</table></details>`;
}

function resolve(answer: OpenApiResponse | Reference, { components }: OpenApiDocument): OpenApiResponse {
  return '$ref' in answer ? components.responses[answer.$ref.split('/').at(-1) ?? '']! : answer;
}

function accessOf({ security }: OpenApiOperation): string {
  if (security.length === 0) return 'No credentials needed.';
  const scopes = security.flatMap((scheme) => scheme.OAuth2 ?? []);
  const without = security.some((scheme) => Object.keys(scheme).length === 0)
    ? ', unless the caller is on this machine'
    : '';
  return `Needs ${scopes.length > 0 ? `the scope ${scopes.join(', ')}` : 'a signed-in user (cookie)'}${without}.`;
}

function parameterRow({ name, in: place, required, description = '', schema }: OpenApiParameter): Html {
  const { examples, ...rules } = schema;
  return html`<tr><td><code>${name}</code></td><td>${place}${required ? '' : ', optional'}</td><td>${description} <code>${JSON.stringify(rules)}</code></td></tr>`;
}

function answerRow(status: string, { description, headers = {}, content = {} }: OpenApiResponse): Html {
  const named = Object.entries(headers).map(
    ([name, header]) => html`<br><code>${name}</code>: ${String(header.description)}`,
  );
  const text =
    PROBLEM_TYPE in content
      ? linkErrorCodes(description)
      : html`${markCode(description)}${named} ${contentOf(content)}`;
  return html`<tr><td>${status}</td><td>${text}</td></tr>`;
}

function contentOf(content: Readonly<Record<string, OpenApiContent>>): Html {
  const kinds = Object.entries(content).map(
    ([type, { schema, example }]) =>
      html`<code>${type}</code> ${schema ? schemaLink(schema) : ''}${example === undefined ? '' : pre(example)}`,
  );
  return joinHtml(kinds, '<br>');
}

function schemaLink(schema: JsonSchema): Html {
  const { $ref, items, type } = schema as { $ref?: string; items?: JsonSchema; type?: string };
  if (items) return html`list of ${schemaLink(items)}`;
  const name = $ref?.split('/').at(-1);
  return name === undefined ? html`${type ?? ''}` : html`<a href="#schema-${name}">${name}</a>`;
}

function pre(example: unknown): Html {
  return typeof example === 'string' ? html`<pre>${example}</pre>` : json(example);
}

function json(value: unknown): Html {
  return html`<pre>${JSON.stringify(value, null, 2)}</pre>`;
}

/** Text in which backticks mark error codes: each links to its explanation. */
function linkErrorCodes(text: string): Html {
  const { markup } = markCode(text);
  return { markup: markup.replace(/<code>([a-z_]+)<\/code>/g, '<a href="/docs/errors#$1"><code>$1</code></a>') };
}

function anchorOf(tag: string): string {
  return `tag-${tag.toLowerCase().replace(/\W/g, '-')}`;
}
