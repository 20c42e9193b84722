import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import t from 'tap';
import { createProvider } from '../../../../../workers/tunnel/providers/create-provider.ts';
import { startSshServer } from '../../../../support/machine/ssh-server.ts';
import { requireProgram } from '../../../../support/machine/system-packages.ts';

const BYTES = 2 ** 30;
const BLOCK = randomBytes(2 ** 20);

/** Differs from block to block, so that a lost or swapped one is noticed. */
function* blocks(): Generator<Buffer> {
  for (let n = 0; n < BYTES / BLOCK.length; n++) {
    const block = Buffer.from(BLOCK);
    block.writeUInt32BE(n);
    yield block;
  }
}

t.test('1 GiB passes through OpenSSH unchanged', async (t) => {
  if (!requireProgram(t, 'sshd', 'openssh-server')) return;
  const sent = createHash('sha256');
  const game = createServer((player) => {
    void pipeline(
      Readable.from(blocks()),
      async function* (source) {
        for await (const block of source) {
          sent.update(block);
          yield block;
        }
      },
      player,
    ).catch((error: Error) => t.fail(error.message));
  }).listen(0, '127.0.0.1');
  await once(game, 'listening');
  t.teardown(() => game.close());
  const ssh = await startSshServer(t);
  const { port } = game.address() as AddressInfo;
  const { privateKey, port: sshPort } = ssh;
  const provider = createProvider(
    { provider: 'ssh', host: '127.0.0.1', port: sshPort, username: 'root', privateKey, bindAddress: '', remotePort: 0 },
    { folder: '/nowhere', instance: 'demo', askPermit: () => Promise.reject(new Error('there is no proxy')) },
  );
  const target = { host: '127.0.0.1', port, probe: 'java', answers: true } as const;
  const news = { claim: () => undefined, learned: () => undefined };
  const { address, close } = await provider.open(() => target, new AbortController().signal, news);
  t.teardown(close);
  const received = createHash('sha256');
  let bytes = 0;
  for await (const chunk of connect(address.port!, address.host)) {
    received.update(chunk);
    bytes += chunk.length;
  }
  t.equal(bytes, BYTES);
  t.equal(received.digest('hex'), sent.digest('hex'));
});
