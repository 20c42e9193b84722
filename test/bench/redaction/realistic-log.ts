/**
 * Returns the log of a busy server in the formats of common server software: joins and leaves with addresses, chat, commands, advancements,
 * warnings, plugin messages, stack traces and a few secrets that plugins print. A quarter of the lines are coloured. The same seed returns
 * the same log. It does not repeat itself, so that no branch predictor can learn it.
 */
export function realisticLog(bytes: number, seed = 20261120): Buffer {
  const random = generator(seed);
  const players = Array.from({ length: 600 }, () => player(random));
  const log = Buffer.allocUnsafe(bytes);
  let written = 0;
  let clock = 28_800_000;
  for (;;) {
    clock += random.below(400);
    const someone = players[random.below(players.length)]!;
    const lines = random.below(400) === 0 ? SECRETS : LINES;
    const line = `${pick(lines, random)(clockOf(clock), someone, random)}\r\n`;
    const length = Buffer.byteLength(line);
    if (written + length > bytes) {
      return log.subarray(0, written);
    }
    written += log.write(line, written);
  }
}

interface Random {
  below(limit: number): number;
}

interface Player {
  readonly name: string;
  readonly address: string;
  readonly uuid: string;
}

type Line = (time: string, player: Player, random: Random) => string;

const paper = (message: Line): Line => {
  return (time, player, random) => `[${time} INFO]: ${message(time, player, random)}`;
};
const vanilla = (message: Line): Line => {
  return (time, player, random) => `[${time}] [Server thread/INFO]: ${message(time, player, random)}`;
};
const forge = (message: Line): Line => {
  return (time, player, random) =>
    `[20Nov2026 ${time}.${100 + random.below(900)}] [Server thread/INFO] [net.minecraft.server.dedicated.DedicatedServer/]: ${message(time, player, random)}`;
};
const coloured = (line: Line): Line => {
  return (time, player, random) => `\x1b[3${1 + random.below(6)}m${line(time, player, random)}\x1b[0m`;
};

const says: Line = (_, { name }, random) => `<${name}> ${pick(CHAT, random)}`;
const coordinates = (random: Random) =>
  `${random.below(4000) - 2000}.${random.below(99)}, ${random.below(256)}.0, ${random.below(4000) - 2000}.${random.below(99)}`;

const CHAT = [
  'does anyone have spare iron, I need 24 for a hopper line',
  'brb dinner',
  'lol who put the creeper in my house again',
  'tp me please, I am at the nether hub near the blaze farm',
  'gg! nice build :) how long did that take?',
  'selling 2 stacks of golden carrots for 12 diamonds',
];

/** Weighted by repetition. */
const LINES: readonly Line[] = [
  ...Array<Line>(5).fill(vanilla(says)),
  ...Array<Line>(5).fill(paper(says)),
  ...Array<Line>(3).fill(coloured(paper(says))),
  ...Array<Line>(2).fill(vanilla((_, { name }) => `${name} joined the game`)),
  ...Array<Line>(2).fill(vanilla((_, { name }) => `${name} left the game`)),
  paper((_, { name, uuid }) => `UUID of player ${name} is ${uuid}`),
  vanilla(
    (_, { name, address }, r) =>
      `${name}[/${address}:${1024 + r.below(60000)}] logged in with entity id ${r.below(90000)} at (${coordinates(r)})`,
  ),
  paper((_, { name, address }, r) => `${name} (/${address}:${1024 + r.below(60000)}) lost connection: Disconnected`),
  ...Array<Line>(3).fill(paper((_, { name }) => `${name} issued server command: /home bed`)),
  ...Array<Line>(3).fill(forge((_, { name }) => `${name} has made the advancement [Getting an Upgrade]`)),
  ...Array<Line>(3).fill(
    forge((_, __, r) => `Saving chunks for level 'ServerLevel[world]'/minecraft:overworld (${r.below(900)} ms)`),
  ),
  ...Array<Line>(2).fill(vanilla((_, { name }) => `${name} was slain by Zombie`)),
  ...Array<Line>(3).fill(
    coloured(
      (time, _, r) =>
        `[${time} WARN]: Can't keep up! Is the server overloaded? Running ${2000 + r.below(9000)}ms or ${40 + r.below(180)} ticks behind`,
    ),
  ),
  ...Array<Line>(3).fill(
    coloured((time, { name }, r) => `[${time}] [Server thread/WARN]: ${name} moved too quickly! ${coordinates(r)}`),
  ),
  ...Array<Line>(2).fill(
    (time, _, r) =>
      `[${time} INFO]: \x1b[32m[LuckPerms]\x1b[0m Loading configuration from plugins/LuckPerms/config.yml (${r.below(300)} ms)`,
  ),
  ...Array<Line>(2).fill(
    (time, { name }, r) =>
      `[${time} INFO]: \x1b[38;2;85;255;85m${name}\x1b[0m \x1b[33mbought\x1b[0m ${r.below(64)} x minecraft:stone_bricks for \x1b[1m$${r.below(900)}.${r.below(99)}\x1b[0m`,
  ),
  ...Array<Line>(4).fill(
    (_, __, r) =>
      `\tat net.minecraft.server.MinecraftServer.runServer(MinecraftServer.java:${r.below(1400)}) ~[paper-1.21.4.jar:1.21.4-${r.below(300)}-7b0a7d8]`,
  ),
  ...Array<Line>(4).fill(
    (_, __, r) =>
      `\tat java.base/java.util.concurrent.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:${r.below(1400)}) ~[?:?]`,
  ),
  (time) => `[${time} ERROR]: Could not pass event PlayerInteractEvent to Shopkeepers v2.23.3`,
  (time, _, r) =>
    `[${time}] [Worker-Main-${r.below(8)}/WARN]: Ignoring unknown block minecraft:oak_planks_${r.below(99)} in chunk [${r.below(200) - 100}, ${r.below(200) - 100}]`,
  (time, { name, address }) =>
    `[${time}] [main/INFO] [com.velocitypowered.proxy.connection.client.ConnectedPlayer]: [connected player] ${name} (/${address}:51234) has connected`,
  (time) => `[${time}] [Server thread/INFO] (Minecraft) Preparing spawn area: 83%`,
  (time) => `[${time}] [Geyser] Loaded 1342 custom blocks, 12 custom items and 3 behaviour packs in 1.804s`,
];

/** About one line in 400. */
const SECRETS: readonly Line[] = [
  paper((_, { name }) => `${name} issued server command: /login correct-horse-9`),
  paper(() => '[DiscordSRV] Connecting to jdbc:mysql://mc:s3cr3tPw@db.internal:3306/discordsrv?useSSL=false'),
  paper((_, { name }) => `[Votifier] Received vote from ${name.toLowerCase()}@example.com`),
  paper(
    () =>
      '[Webstore] Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P',
  ),
  paper(() => 'Saved report to /home/marta/servers/survival/reports/2026-11-20.txt'),
];

function pick<T>(choices: readonly T[], random: Random): T {
  return choices[random.below(choices.length)]!;
}

function player(random: Random): Player {
  const hex = (digits: number) => Array.from({ length: digits }, () => random.below(16).toString(16)).join('');
  const syllables = ['Al', 'ex', 'Ste', 've', 'no', 'tch', 'Kil', 'ler', 'Mo', 'ss', 'y_', 'Dra', 'gon', '77', 'xX'];
  return {
    name: Array.from({ length: 3 }, () => pick(syllables, random)).join(''),
    address: `${[203, 198, 81, 91, 185][random.below(5)]}.${random.below(256)}.${random.below(256)}.${1 + random.below(254)}`,
    uuid: `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  };
}

function clockOf(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}

/** Mulberry32. */
function generator(seed: number): Random {
  let state = seed >>> 0;
  return {
    below(limit) {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
    },
  };
}
