import { randomInt } from 'node:crypto';
import type { PingTarget, ServerPing } from '../list-ping/ping-server.ts';
import { count, MOST_NAMES, shownText } from './answer-fields.ts';
import { exchangeDatagrams } from './datagram-exchange.ts';

/** Before every packet without a connection. */
const OUT_OF_BAND = Buffer.alloc(4, 0xff);
/** `^1` and the like. */
const COLOUR = /\^\w/g;

/**
 * Asks a server of Quake III Arena or a game on its engine (OpenArena, Xonotic, Urban Terror, ...) for its players, over UDP, with `getinfo`
 * and `getstatus` (ioquake3, code/server/sv_main.c). Bots do not count if the server says how many players are human. The answer is
 * untrusted. Throws ListPingError.
 */
export function queryQuake3(target: PingTarget): Promise<ServerPing> {
  return exchangeDatagrams(target, async ({ ask }) => {
    const asked = performance.now();
    // The server repeats it, so that only the receiver of the question can answer.
    const challenge = String(randomInt(2 ** 31));
    const { values } = await ask(question('getinfo', challenge), (message) =>
      answerIn(message, 'infoResponse', challenge),
    );
    const latencyMs = performance.now() - asked;
    const { lines } = await ask(question('getstatus', challenge), (message) =>
      answerIn(message, 'statusResponse', challenge),
    );
    const online = count(values.get('g_humanplayers') ?? values.get('clients'));
    return {
      version: shownText(values.get('gamename') ?? ''),
      protocol: Number(values.get('protocol') ?? -1),
      online,
      max: count(values.get('sv_maxclients')),
      // A bot has a ping of 0, but so can a player on the same machine.
      sample: namesIn(lines).slice(0, Math.min(online, MOST_NAMES)),
      latencyMs,
    };
  });
}

function question(command: string, challenge: string): Buffer {
  return Buffer.concat([OUT_OF_BAND, Buffer.from(`${command} ${challenge}`)]);
}

interface Answer {
  values: ReadonlyMap<string, string>;
  lines: readonly string[];
}

/** Returns the values of an answer and its further lines; `undefined` if it is not the answer to this question. */
function answerIn(message: Buffer, title: string, challenge: string): Answer | undefined {
  if (!message.subarray(0, OUT_OF_BAND.length).equals(OUT_OF_BAND)) return undefined;
  const [found, info = '', ...lines] = message.toString('utf8', OUT_OF_BAND.length).split('\n');
  if (found !== title) return undefined;
  const [, ...fields] = info.split('\\');
  const values = new Map<string, string>();
  for (let at = 0; at + 1 < fields.length; at += 2) values.set(fields[at]!, fields[at + 1]!);
  return values.get('challenge') === challenge ? { values, lines } : undefined;
}

/** Parses `score ping "name"` of each line. Returns the names, highest ping first. */
function namesIn(lines: readonly string[]): string[] {
  return lines
    .flatMap((line) => {
      const [, ping, name] = /^-?\d+ (\d+) "(.*)"$/.exec(line) ?? [];
      return ping === undefined || name === undefined ? [] : [{ ping: Number(ping), name }];
    })
    .sort((one, other) => other.ping - one.ping)
    .map(({ name }) => shownText(name.replace(COLOUR, '')));
}
