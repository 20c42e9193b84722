/**
 * Starts flying-squid, a Minecraft server that somebody else wrote, in the current folder:
 *
 *     node flying-squid.js --port 25565 [--version 1.20.4]
 *
 * Everything it prints is its own: a coloured log, a `> ` prompt and a line editor with cursor codes. It takes commands
 * without a slash (`kick Anna`, `say hello`, `stop`), has no RCON, and listens on 127.0.0.1 only.
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
  console.error('flying-squid.js: say where to listen: --port 25565');
  process.exit(2);
}

// It starts reading standard input as soon as it is loaded: hence only now that the arguments are known to be good.
const { default: flyingSquid } = await import('flying-squid');

flyingSquid.createMCServer({
  host: '127.0.0.1',
  port,
  version: values.version,
  motd: 'A real server that Gamekeeper did not write',
  'max-players': 10,
  // No account server is asked: the tests run without the Internet.
  'online-mode': false,
  logging: true,
  gameMode: 1,
  difficulty: 1,
  worldFolder: 'world',
  // Flat and two chunks far: a player costs some ten megabytes, not hundreds.
  generation: { name: 'superflat', options: {} },
  'view-distance': 2,
  'max-entities': 20,
  kickTimeout: 10_000,
  plugins: {},
  modpe: false,
  'everybody-op': false,
  'player-list-text': { header: { text: 'flying-squid' }, footer: { text: 'Gamekeeper' } },
});
