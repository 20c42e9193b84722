/** An HTTP response. */
export interface Answer<T> {
  status: number;
  headers: Headers;
  /** Parsed JSON (its type is not checked), text, or `undefined` if the body is empty. */
  body: T;
}

export interface RequestOptions {
  /** Sent as JSON. */
  body?: object | undefined;
  headers?: Record<string, string> | undefined;
}

/** Sends one HTTP request. Does not throw for any status. */
export async function requestJson<T>(method: string, url: URL, { body, headers }: RequestOptions): Promise<Answer<T>> {
  const response = await fetch(url, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return {
    status: response.status,
    headers: response.headers,
    body: text && isJson ? JSON.parse(text) : text || undefined,
  };
}
