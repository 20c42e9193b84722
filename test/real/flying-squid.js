/**
 * Starts flying-squid, a third-party Minecraft server, in the current folder:
 *
 *     node flying-squid.js --port 25565 [--version 1.20.4]
 *
 * It prints a coloured log, a `> ` prompt and the cursor codes of a line editor, takes commands without a slash (`kick Anna`, `say hello`,
 * `stop`), has no RCON, and listens on 127.0.0.1 only.
 */
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    version: { type: 'string', default: '1.20.4' },
  },
});
const port = Number(values.port);
if (!Number.isInteger(port) || port < 1 || port > 65_535) {
  console.error('Usage: node flying-squid.js --port 25565 [--version 1.20.4]');
  process.exit(2);
}

// Imported after the arguments are checked, because it reads standard input as soon as it is loaded.
const { default: flyingSquid } = await import('flying-squid');

flyingSquid.createMCServer({
  host: '127.0.0.1',
  port,
  version: values.version,
  motd: 'A real server that Gamekeeper did not write',
  'max-players': 10,
  // The tests run without internet access, so there is no account server.
  'online-mode': false,
  logging: true,
  gameMode: 1,
  difficulty: 1,
  worldFolder: 'world',
  // With a flat world and a short view distance, a player needs about 10 MB instead of hundreds.
  generation: { name: 'superflat', options: {} },
  'view-distance': 2,
  'max-entities': 20,
  kickTimeout: 10_000,
  plugins: {},
  modpe: false,
  'everybody-op': false,
  'player-list-text': { header: { text: 'flying-squid' }, footer: { text: 'Gamekeeper' } },
});
