/** A method that clients may call. It gets the raw parameters and returns, or resolves to, the result. */
export type RpcMethod = (params: unknown) => unknown;

/** The parameters do not fit the method. */
export class InvalidParams extends Error {
  override name = 'InvalidParams';
}

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;

/** Returns vanilla's answer to one JSON-RPC 2.0 message, or `undefined` for a notification. */
export async function answerRpc(text: string, methods: ReadonlyMap<string, RpcMethod>): Promise<object | undefined> {
  const request = parse(text);
  if (request === undefined) return failure(null, PARSE_ERROR, 'Parse error');
  const { id = null, method, params } = request;
  if (typeof method !== 'string') return failure(id, INVALID_REQUEST, 'Invalid Request');
  const run = methods.get(method);
  if (!run) return failure(id, METHOD_NOT_FOUND, 'Method not found', `Method not found: ${method}`);
  try {
    const result = await run(params);
    return 'id' in request ? { jsonrpc: '2.0', id, result } : undefined;
  } catch (error) {
    const [code, title] =
      error instanceof InvalidParams ? [INVALID_PARAMS, 'Invalid params'] : [INTERNAL_ERROR, 'Internal error'];
    return failure(id, code, title, error instanceof Error ? error.message : String(error));
  }
}

/** Returns a notification. */
export function notification(method: string, ...params: unknown[]): object {
  return { jsonrpc: '2.0', method, ...(params.length > 0 && { params }) };
}

function failure(id: unknown, code: number, message: string, data?: string): object {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
}

function parse(text: string): { id?: unknown; method?: unknown; params?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return undefined;
  }
}
