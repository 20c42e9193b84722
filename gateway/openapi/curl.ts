import type { OpenApiOperation, OpenApiParameter } from './types.ts';

export interface CurlRequest {
  method: string;
  /** Pattern with `{name}` for parameters. */
  path: string;
  operation: OpenApiOperation;
  base: string;
}

/** Returns a command that calls the operation with its examples. It takes a token from `$TOKEN`, a cookie from `cookies.txt`. */
export function curlOf({ method, path, operation, base }: CurlRequest): string {
  const { parameters = [], requestBody, security, responses } = operation;
  const placed = (place: OpenApiParameter['in']) => parameters.filter((parameter) => parameter.in === place);
  const filled = placed('path').reduce((url, { name, example }) => url.replace(`{${name}}`, encoded(example)), path);
  const query = placed('query')
    .filter(({ required, example, schema }) => required || (example !== undefined && schema.default === undefined))
    .map(({ name, example }) => `${name}=${encoded(example)}`);
  const url = `${base}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const body = requestBody?.content['application/json']?.example;
  const setsCookie = Object.values(responses).some(
    (answer) => 'headers' in answer && 'Set-Cookie' in (answer.headers ?? {}),
  );
  const parts = [
    'curl -sS',
    ...(method === 'GET' || (method === 'POST' && body !== undefined) ? [] : [`-X ${method}`]),
    ...(setsCookie ? ['-c cookies.txt'] : []),
    ...credentials({ security, changes: method !== 'GET', base }),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`]),
    ...(responses['206'] ? ['-OJ'] : []),
    quoted(url),
  ];
  return parts.join(' ');
}

function credentials({
  security,
  changes,
  base,
}: {
  security: Record<string, unknown>[];
  changes: boolean;
  base: string;
}) {
  if (security.length === 0) return [];
  if (security.some((scheme) => 'BearerAuth' in scheme)) return ['-H "Authorization: Bearer $TOKEN"'];
  return ['-b cookies.txt', ...(changes ? [`-H 'Origin: ${base}'`] : [])];
}

function encoded(value: unknown): string {
  return encodeURIComponent(String(value));
}

/** Quotes for a POSIX shell, if needed. */
function quoted(text: string): string {
  return /^[\w:/.,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
