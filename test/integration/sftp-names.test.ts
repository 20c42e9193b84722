/** Names that are not UTF-8, and changes that meet those of the game. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { openSsh } from '../support/sftp/open-ssh.ts';
import { rawPackets } from '../support/sftp/raw-packets.ts';
import { connectSsh } from '../support/sftp/ssh-client.ts';

const gamekeeper = await startGamekeeper(t);
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
const folder = path.join(gamekeeper.home, 'instances/demo');
mkdirSync(folder, { recursive: true });
const { port } = await openSsh(t, gamekeeper);
const { channel } = await connectSsh(t, port, { username: 'admin', password: gamekeeper.password });

/** A string of the protocol. */
function text(bytes: string | Buffer): Buffer {
  const content = Buffer.from(bytes as string);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, content]);
}

t.test('a name keeps its bytes, whatever they are', async (t) => {
  const packets = rawPackets(await channel());
  await packets.begin();
  const ask = async (
    type: number,
    ...fields: Parameters<typeof packets.send> extends [number, ...infer F] ? F : never
  ) => {
    packets.send(type, 1, ...fields);
    return (await packets.next())!;
  };
  const statusOf = (answer: Buffer) => answer.readUInt32BE(5);
  const name = Buffer.from([0x63, 0xe9, 0xff, 0x2e, 0x64]);
  const place = text(Buffer.concat([Buffer.from('/demo/'), name]));
  const opened = await ask(3, place, 2 | 8 | 16, 0);
  const handle = opened.subarray(5);
  t.equal(statusOf(await ask(6, handle, 0n, 'content')), 0);
  t.equal(statusOf(await ask(4, handle)), 0);
  const found = readdirSync(folder, { encoding: 'buffer' }).find((entry) => entry.equals(name));
  t.ok(found, 'on the disk');
  const listing = (await ask(11, text('/demo'))).subarray(5);
  t.ok((await ask(12, listing)).includes(text(name)), 'in the list');
  t.ok((await ask(16, place)).includes(name), 'in a path');
  t.equal(statusOf(await ask(13, place)), 0);
  t.notOk(readdirSync(folder, { encoding: 'buffer' }).some((entry) => entry.equals(name)));
});

t.test('a part is written into what was read, or not at all', async (t) => {
  const packets = rawPackets(await channel());
  await packets.begin();
  const file = path.join(folder, 'world');
  const begin = async () => {
    writeFileSync(file, '0123456789');
    packets.send(3, 1, text('/demo/world'), 2, 0);
    const handle = (await packets.next())!.subarray(5);
    packets.send(6, 1, handle, 3n, 'abc');
    await packets.next();
    // Waits until it is written.
    packets.send(8, 1, handle);
    t.equal((await packets.next())![0], 105);
    return handle;
  };
  const close = async (handle: Buffer) => {
    packets.send(4, 1, handle);
    return (await packets.next())!.readUInt32BE(5);
  };
  const handle = await begin();
  t.equal(readFileSync(file, 'utf8'), '0123456789', 'nobody sees it before it is closed');
  t.equal(await close(handle), 0);
  t.equal(readFileSync(file, 'utf8'), '012abc6789');

  const late = await begin();
  writeFileSync(file, 'saved by the game');
  t.equal(await close(late), 4, 'the game has written meanwhile');
  t.equal(readFileSync(file, 'utf8'), 'saved by the game');
});
