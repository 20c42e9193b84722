import { gzipSync } from 'node:zlib';
import { Float32, Int32, write } from 'nbtify';
import t from 'tap';
import { readLevel } from '../../../../workers/files/worlds/read-level.ts';

const PLAYED = Date.UTC(2026, 10, 20, 8, 15);

async function javaLevel(data: Record<string, unknown>): Promise<Buffer> {
  const root = { Data: data } as Parameters<typeof write>[0];
  return gzipSync(await write(root, { rootName: '', endian: 'big', compression: null, bedrockLevel: false }));
}

t.test('a world of Java Edition', async (t) => {
  const data = {
    LevelName: 'Castle\u202e\n',
    LastPlayed: BigInt(PLAYED),
    Version: { Name: '1.21.8', Id: new Int32(4440) },
    WorldGenSettings: { seed: -4172144997902289642n },
    BorderSize: 6e7,
  };
  t.same(await readLevel(await javaLevel(data)), {
    name: 'Castle  ',
    version: '1.21.8',
    seed: '-4172144997902289642',
    lastPlayedAt: '2026-11-20T08:15:00.000Z',
  });
  t.same(await readLevel(await javaLevel({ RandomSeed: 7n })), { seed: '7' }, 'older than 1.16');
});

t.test('a world of Bedrock Edition', async (t) => {
  const data = {
    StorageVersion: new Int32(10),
    LevelName: 'Rock',
    LastPlayed: BigInt(PLAYED / 1_000),
    RandomSeed: 42n,
    lastOpenedWithVersion: [1, 21, 80, 3, 0].map((part) => new Int32(part)),
    spawnMobs: new Float32(1),
  };
  const options = { rootName: '', endian: 'little', compression: null, bedrockLevel: true } as const;
  const file = Buffer.from(await write(data as unknown as Parameters<typeof write>[0], options));
  t.same(await readLevel(file), {
    name: 'Rock',
    version: '1.21.80',
    seed: '42',
    lastPlayedAt: '2026-11-20T08:15:00.000Z',
  });
});

t.test('values of other types and impossible times are left out', async (t) => {
  const data = { LevelName: new Int32(1), LastPlayed: -1n, Version: 'new', WorldGenSettings: { seed: 'x' } };
  t.same(await readLevel(await javaLevel(data)), {});
  t.same(await readLevel(await javaLevel({ LastPlayed: 2n ** 62n })), {});
});

t.test('characters as Java writes them, and fields of other compounds', async (t) => {
  const data = {
    LevelName: 'Ä 🏰 城',
    Player: { LevelName: 'other', Version: { Name: 'x' } },
    Version: { Id: new Int32(1) },
  };
  t.same(await readLevel(await javaLevel(data)), { name: 'Ä 🏰 城' });
});

t.test('a million empty lists or compounds are passed over, not built', async (t) => {
  const seed = [
    0x0a,
    0,
    0,
    0x0a,
    0,
    4,
    ...Buffer.from('Data'),
    4,
    0,
    10,
    ...Buffer.from('RandomSeed'),
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    7,
  ];
  const list = (tag: number, count: number) => [
    9,
    0,
    1,
    0x61,
    tag,
    ...[24, 16, 8, 0].map((shift) => (count >>> shift) & 255),
  ];
  for (const [tag, bytes] of [
    [10, 1],
    [9, 5],
  ] as const) {
    const count = Math.floor(1_000_000 / bytes);
    const file = Buffer.concat([
      Buffer.from(seed),
      Buffer.from(list(tag, count)),
      Buffer.alloc(count * bytes),
      Buffer.alloc(2),
    ]);
    const before = process.cpuUsage();
    t.same(await readLevel(gzipSync(file)), { seed: '7' });
    const { user } = process.cpuUsage(before);
    t.ok(user < 500_000, `${user} microseconds of processor time, where a parser of whole files takes a second`);
  }
});

t.test('hostile files are refused, and soon', async (t) => {
  const deep = Buffer.concat([Buffer.from('0a0000', 'hex'), Buffer.from('0900016109'.repeat(100_000), 'hex')]);
  const nested = Buffer.concat([Buffer.from('0a0000', 'hex'), Buffer.from('0a000161'.repeat(200_000), 'hex')]);
  const long = Buffer.from('0a0000090001610' + '07fffffff', 'hex');
  const numbers = Buffer.from('0a0000090001610' + '17fffffff', 'hex');
  const bytes = Buffer.from('0a000007000161' + '7fffffff', 'hex');
  const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024));
  const damaged = (await javaLevel({ LevelName: 'x' })).subarray(0, 20);
  const cases = {
    deep,
    nested,
    long,
    numbers,
    bytes,
    bomb,
    damaged,
    empty: Buffer.alloc(0),
    text: Buffer.from('level'),
  };
  for (const [name, file] of Object.entries(cases)) await t.rejects(readLevel(file), name);
});
