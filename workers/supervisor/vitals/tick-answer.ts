/** How fast a server ticks, as it says itself. */
export interface TickStats {
  /** Mean work of one tick, milliseconds; a server that keeps up stays below 50. Absent: it tells ticks per second only. */
  tickTimeMs?: number;
  /** Ticks per second: as told, or else as many as such ticks leave time for. */
  tps: number;
}

/** Ticks per second of a server that says nothing about it. */
const USUAL_RATE = 20;
/** Colours, as Bukkit's servers send them over RCON too. */
const COLOURS = /§./g;
/** The whole is told behind its parts: of a server with hundreds of dimensions the end is enough. */
const LONGEST_ANSWER = 10_000;

/** Reads the answer to a TickQuestion. `undefined`: it has no stats, as where the server does not know the command. */
export function readTickAnswer(answer: string, pattern: RegExp): TickStats | undefined {
  const groups = pattern.exec(answer.slice(-LONGEST_ANSWER).replace(COLOURS, ''))?.groups;
  const ms = numberOf(groups?.ms);
  const tps = numberOf(groups?.tps) ?? (ms !== undefined ? tpsOf(ms, numberOf(groups?.rate)) : undefined);
  if (tps === undefined) return undefined;
  return { ...(ms !== undefined && { tickTimeMs: hundredths(ms) }), tps: hundredths(tps) };
}

function tpsOf(ms: number, rate = USUAL_RATE): number {
  return Math.min(rate, 1000 / ms);
}

/** Java writes the decimal mark of the machine's language. */
function numberOf(text: string | undefined): number | undefined {
  const value = Number(text?.replace(',', '.'));
  return text === undefined || !Number.isFinite(value) || value < 0 ? undefined : value;
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
