/**
 * `node:http` alone, for comparison. Answers each path with what its parent has sent for it: headers, and a body as text, or as a value that
 * is serialized for each request.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BareAnswer {
  headers: Record<string, string>;
  body: string | object;
}

process.once('message', (answers: Record<string, BareAnswer>) => {
  const server = createServer((request, response) => {
    const { headers, body } = answers[request.url!]!;
    response.writeHead(200, headers);
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
