/** The process of a client that sends requests as fast as they are answered. Its parent sends what to request; it reports when done. */
import { connect } from 'node:net';

export interface Load {
  port: number;
  path: string;
  headers: Record<string, string>;
  requests: number;
  /** Number of kept-alive connections, each with one request at a time. */
  connections: number;
}

process.on('message', (load: Load) => {
  void run(load).then(() => process.send?.('done'));
});

async function run({ port, path, headers, requests, connections }: Load): Promise<void> {
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const request = `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
  let left = requests;
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.setNoDelay(true);
      socket.once('error', reject);
      socket.once('close', resolve);
      let answer = '';
      const next = () => {
        if (left-- > 0) socket.write(request);
        else socket.destroy();
      };
      socket.once('connect', next);
      socket.on('data', (chunk) => {
        answer += chunk.toString('latin1');
        const head = answer.indexOf('\r\n\r\n');
        const length = /content-length: (\d+)/i.exec(answer)?.[1];
        if (head < 0 || length === undefined || answer.length < head + 4 + Number(length)) return;
        if (!answer.startsWith('HTTP/1.1 200')) socket.destroy(new Error(answer.slice(0, 200)));
        answer = '';
        next();
      });
    });
  await Promise.all(Array.from({ length: connections }, ask));
}
