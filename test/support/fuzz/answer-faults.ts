import type { OpenApiDocument } from '../../../gateway/openapi/types.ts';
import { ERRORS, type ErrorCode } from '../../../shared/errors/catalogue.ts';
import type { DescribedOperation } from '../openapi/described-operations.ts';
import { documentSchemas } from '../openapi/document-schemas.ts';

/** The response to a fuzzed request. */
export interface FuzzAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string | undefined>;
  body: string;
}

/** The parts of a request that the response depends on. */
export interface SentRequest {
  address: string;
  requestId: string | undefined;
  /** The parsed JSON body; `undefined` if there is none or it is not JSON. */
  json: unknown;
}

export interface FaultFinder {
  /** Returns what is wrong with a response; nothing if the document describes it. */
  faults(operation: DescribedOperation, sent: SentRequest, answer: FuzzAnswer): string[];
}

export interface FaultFinderOptions {
  /** Texts that no response may contain: folders, passwords, tokens. */
  secrets: readonly string[];
  /** Returns whether the current state explains a status above 499. */
  mayFail: (code: string, sent: SentRequest) => boolean;
}

/** Texts of internal errors. */
const INSIDES =
  /\n\s+at |node_modules|\bdist\/|\/work\/|\.[cm]?[jt]s:\d+|node:internal|ECONN|ENOENT|EACCES|SQLITE|ZodError|TypeError/;
const LONGEST_BODY = 8 * 1024 * 1024;

export function faultFinder(document: OpenApiDocument, { secrets, mayFail }: FaultFinderOptions): FaultFinder {
  const answers = documentSchemas(document, { closed: true });
  const requests = documentSchemas(document);

  function bodyFaults(operation: DescribedOperation, answer: FuzzAnswer): string[] {
    const described = operation.answers.find(({ status }) => status === answer.status);
    if (!described) return [`status ${answer.status} is not documented`];
    const { content = {} } = described.response;
    const type = (answer.headers['content-type'] ?? '').split(';')[0] ?? '';
    if (Object.keys(content).length === 0) return answer.body === '' ? [] : ['a body where none is documented'];
    // The request decides between the two formats of metrics.
    const media = content[type] ?? (type.startsWith('application/openmetrics') ? content['text/plain'] : undefined);
    if (!media) return [`content type "${type}" is not documented for ${answer.status}`];
    if (media.schema === undefined || !type.endsWith('json')) return [];
    const validate = answers.at([...described.place, 'content', type, 'schema']);
    const value = parsed(answer.body);
    if (validate(value)) return [];
    return [`the body does not fit its schema: ${JSON.stringify(validate.errors?.slice(0, 3))}`];
  }

  function problemFaults(operation: DescribedOperation, sent: SentRequest, answer: FuzzAnswer): string[] {
    if (answer.status < 400) return [];
    const { code, status, type } = (parsed(answer.body) ?? {}) as Record<string, unknown>;
    const known = ERRORS[code as ErrorCode];
    if (!known) return [`unknown code ${String(code)}`];
    const found: string[] = [];
    const described = operation.answers.find((one) => one.status === answer.status)?.response;
    if (!(String(code) in (described?.content?.['application/problem+json']?.examples ?? {})))
      found.push(`code ${code} is not documented`);
    if (known.status !== answer.status || status !== answer.status) found.push(`${code} with status ${answer.status}`);
    if (!String(type).endsWith(`/docs/errors#${code}`)) found.push(`type ${String(type)}`);
    if (answer.status >= 500 && !mayFail(String(code), sent)) found.push(`${answer.status} ${code}`);
    return found;
  }

  function acceptedWrongly(
    { operation, place }: DescribedOperation,
    sent: SentRequest,
    { status }: FuzzAnswer,
  ): string[] {
    if (status >= 300 || sent.json === undefined) return [];
    if (!operation.requestBody?.content['application/json']) return [];
    const validate = requests.at([...place, 'requestBody', 'content', 'application/json', 'schema']);
    return validate(sent.json)
      ? []
      : [`a body was accepted that the document forbids: ${JSON.stringify(validate.errors)}`];
  }

  return {
    faults(operation, sent, answer) {
      const { headers, body } = answer;
      const found = [
        ...bodyFaults(operation, answer),
        ...problemFaults(operation, sent, answer),
        ...acceptedWrongly(operation, sent, answer),
      ];
      if (!headers['x-request-id']) found.push('no x-request-id');
      if (
        sent.requestId !== undefined &&
        /^[A-Za-z0-9._-]{1,64}$/.test(sent.requestId) &&
        headers['x-request-id'] !== sent.requestId
      )
        found.push('another x-request-id');
      if (headers['x-content-type-options'] !== 'nosniff') found.push('no x-content-type-options');
      if (body.length > LONGEST_BODY) found.push(`a body of ${body.length} characters`);
      // The document describes errors, so it may contain such texts.
      if (operation.operation.operationId !== 'getOpenApi' && INSIDES.test(body))
        found.push('the body reveals internals');
      for (const secret of secrets) if (body.includes(secret)) found.push(`the body contains "${secret}"`);
      return found;
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON, so it matches no schema.
  }
}
