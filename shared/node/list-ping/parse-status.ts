import { ListPingError } from './list-ping-error.ts';

/** The status of a server. Texts are cut to `LONGEST_TEXT`. */
export interface ServerListStatus {
  readonly version: string;
  /** The number of its network protocol; -1 if it names none. */
  readonly protocol: number;
  readonly online: number;
  readonly max: number;
  /** Some of the players' names; many servers give none. */
  readonly sample: string[];
}

/**
 * Parses the JSON of a status answer. Throws ListPingError `malformed` if the player counts are missing or it nests too deep, SyntaxError
 * if it is not JSON.
 */
export function parseStatus(json: string): ServerListStatus {
  if (nestsDeeperThan(json, DEEPEST)) throw new ListPingError('malformed', 'its status nests too deep');
  const status = asRecord(JSON.parse(json));
  const version = asRecord(status?.version);
  const players = asRecord(status?.players);
  const online = asCount(players?.online);
  const max = asCount(players?.max);
  if (online === undefined || max === undefined)
    throw new ListPingError('malformed', 'its status has no player counts');
  const sample = Array.isArray(players?.sample) ? players.sample.slice(0, LONGEST_SAMPLE) : [];
  return {
    version: asText(version?.name) ?? '',
    protocol: typeof version?.protocol === 'number' && Number.isSafeInteger(version.protocol) ? version.protocol : -1,
    online,
    max,
    sample: sample.map((player: unknown) => asText(asRecord(player)?.name)).filter((name) => name !== undefined),
  };
}

/** The rich texts of real servers nest about ten levels deep. */
const DEEPEST = 64;
const LONGEST_SAMPLE = 1_000;
/** In UTF-16 units. Some proxies list all versions that they accept. */
const LONGEST_TEXT = 200;

function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, LONGEST_TEXT) : undefined;
}

/** Returns `undefined` for the negative or absurd numbers that some servers show for fun. */
function asCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Counts brackets outside of strings, in one pass and without recursion. */
function nestsDeeperThan(json: string, most: number): boolean {
  let depth = 0;
  let inText = false;
  for (let index = 0; index < json.length; index += 1) {
    const char = json[index];
    if (inText && char === '\\') index += 1;
    else if (char === '"') inText = !inText;
    else if (!inText && (char === '[' || char === '{')) depth += 1;
    else if (!inText && (char === ']' || char === '}')) depth -= 1;
    if (depth > most) return true;
  }
  return false;
}
