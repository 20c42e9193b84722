import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import type { LogLine } from '../game/log-prefix.ts';
import { LONGEST_MATCHED_LINE } from '../game/owner-patterns.ts';

/** What a line of the console reports: a player joined or left. */
export interface Movement {
  name: string;
  hasLeft: boolean;
}

/** How a kind's console reports its players. */
export interface MovementReader {
  /** ASCII texts, one of which is in every such line; absent: every line is read. */
  texts?: readonly string[];
  read(line: LogLine): Movement | undefined;
}

/**
 * Searched for in all output. A search jumps between occurrences of the first character, so each text begins with a rare one: texts that
 * began with a blank or an "o" took 14 % of a supervisor's CPU time in a flood.
 */
const TEXTS = ['joined the game', 'ft the game', 'connected'] as const;
/** Vanilla and its descendants, some with a full stop; Velocity and flying-squid with the address. */
const MOVEMENT =
  /^(?:\[[^\]]{1,40}\] )?(\S.{0,40}?)(?: \([^)]{1,60}\)(?: has)?)? (joined the game|left the game|connected|disconnected)\.?$/;
/** Bedrock: `Player connected: Two Words, xuid: 2535473624588400`. */
const BEDROCK_MOVEMENT = /^Player (connected|disconnected): (.{1,40}?), xuid: /;
const LEAVING = new Set(['left the game', 'disconnected']);

const JAVA: MovementReader = {
  texts: TEXTS,
  read({ message }) {
    const [, name, movement = ''] = MOVEMENT.exec(message) ?? [];
    return name === undefined ? undefined : { name, hasLeft: LEAVING.has(movement) };
  },
};

const BEDROCK: MovementReader = {
  texts: TEXTS,
  read({ message }) {
    const [, movement = '', name] = BEDROCK_MOVEMENT.exec(message) ?? [];
    return name === undefined ? undefined : { name, hasLeft: LEAVING.has(movement) };
  },
};

/** Returns how the console of a kind reports its players: in the kind's own words, else in those of Minecraft. */
export function movementsOf({ players, edition }: Pick<SoftwareDefinition, 'players' | 'edition'>): MovementReader {
  const { joined, left } = players ?? {};
  if (joined === undefined || left === undefined) return edition === 'bedrock' ? BEDROCK : JAVA;
  const patterns = [
    { pattern: new RegExp(joined), hasLeft: false },
    { pattern: new RegExp(left), hasLeft: true },
  ];
  return {
    read({ message, text }) {
      for (const { pattern, hasLeft } of patterns) {
        const found =
          pattern.exec(message.slice(0, LONGEST_MATCHED_LINE)) ?? pattern.exec(text.slice(0, LONGEST_MATCHED_LINE));
        const name = found?.groups?.name;
        if (name !== undefined) return { name, hasLeft };
      }
      return undefined;
    },
  };
}
