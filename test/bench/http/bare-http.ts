/** `node:http` alone, for comparison. Answers every request with the headers and the body that its parent sends. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

process.once('message', ({ headers, body }: { headers: Record<string, string>; body: string }) => {
  const server = createServer((_request, response) => {
    response.writeHead(200, headers);
    response.end(body);
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  // Every further message requests the CPU time used so far, in microseconds.
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
});
