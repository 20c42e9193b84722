import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

/** What a known property may hold. */
type Rule =
  | { type: 'boolean' }
  | { type: 'integer'; min: number; max: number }
  | { type: 'word'; words: readonly string[] };

const boolean: Rule = { type: 'boolean' };
const integer = (min: number, max = 2_147_483_647): Rule => ({ type: 'integer', min, max });
const port = integer(1, 65_535);

/** The properties of vanilla's `server.properties` that have a form (minecraft.wiki, "server.properties"). Others are free text. */
const RULES: Readonly<Record<string, Rule>> = {
  'accepts-transfers': boolean,
  'allow-flight': boolean,
  'allow-nether': boolean,
  'broadcast-console-to-ops': boolean,
  'broadcast-rcon-to-ops': boolean,
  'enable-command-block': boolean,
  'enable-query': boolean,
  'enable-rcon': boolean,
  'enable-status': boolean,
  'enforce-secure-profile': boolean,
  'enforce-whitelist': boolean,
  'entity-broadcast-range-percentage': integer(10, 1000),
  'force-gamemode': boolean,
  'function-permission-level': integer(1, 4),
  'generate-structures': boolean,
  hardcore: boolean,
  'hide-online-players': boolean,
  'log-ips': boolean,
  'max-players': integer(0),
  'max-tick-time': integer(-1),
  'max-world-size': integer(1, 29_999_984),
  'network-compression-threshold': integer(-1),
  'online-mode': boolean,
  'op-permission-level': integer(0, 4),
  'player-idle-timeout': integer(0),
  'prevent-proxy-connections': boolean,
  pvp: boolean,
  'query.port': port,
  'rate-limit': integer(0),
  'rcon.port': port,
  'require-resource-pack': boolean,
  'server-port': port,
  'simulation-distance': integer(2, 32),
  'spawn-animals': boolean,
  'spawn-monsters': boolean,
  'spawn-npcs': boolean,
  'spawn-protection': integer(0),
  'sync-chunk-writes': boolean,
  'use-native-transport': boolean,
  'view-distance': integer(2, 32),
  'white-list': boolean,
  difficulty: { type: 'word', words: ['peaceful', 'easy', 'normal', 'hard', '0', '1', '2', '3'] },
  gamemode: { type: 'word', words: ['survival', 'creative', 'adventure', 'spectator', '0', '1', '2', '3'] },
};

/** Throws `invalid_request`, naming the property and what is allowed, for a key or value that the file should not get. */
export function checkProperty(key: string, value: string): void {
  if (!/^[\x21-\x7e]{1,100}$/.test(key)) throw wrong(key, 'a name has 1 to 100 visible ASCII characters');
  if (value.length > 10_000) throw wrong(key, 'a value has at most 10,000 characters');
  if (value.includes('\0')) throw wrong(key, 'a value cannot hold a NUL character');
  const rule = RULES[key];
  if (rule === undefined || fits(rule, value)) return;
  throw wrong(key, allowed(rule));
}

/** True for properties whose value nobody gets to read. */
export function isSecret(key: string): boolean {
  return /(?:password|secret|token|api-?key)$/i.test(key);
}

function fits(rule: Rule, value: string): boolean {
  switch (rule.type) {
    case 'boolean':
      return value === 'true' || value === 'false';
    case 'integer':
      return /^-?\d{1,10}$/.test(value) && Number(value) >= rule.min && Number(value) <= rule.max;
    case 'word':
      return rule.words.includes(value);
  }
}

function allowed(rule: Rule): string {
  switch (rule.type) {
    case 'boolean':
      return 'must be "true" or "false"';
    case 'integer':
      return `must be a whole number from ${rule.min} to ${rule.max}`;
    case 'word':
      return `must be one of ${rule.words.join(', ')}`;
  }
}

function wrong(key: string, rule: string): GamekeeperError {
  return new GamekeeperError('invalid_request', `properties.${key.slice(0, 100)}: ${rule}.`);
}
