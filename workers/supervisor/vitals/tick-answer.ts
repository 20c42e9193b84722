/** How fast a server ticks, by its own measure. */
export interface TickStats {
  /** Mean work of one tick, milliseconds; below 50 if the server keeps up. Absent if it reports ticks per second only. */
  tickTimeMs?: number;
  /** Ticks per second, as reported, or computed from the work of one tick. */
  tps: number;
}

const DEFAULT_RATE = 20;
/** Colour codes, which Bukkit servers send over RCON as well. */
const COLOURS = /§./g;
/** The total comes last, so the end of a long answer (hundreds of dimensions) is enough. UTF-16 units. */
const LONGEST_ANSWER = 10_000;

/** Parses the answer to a TickQuestion. Returns `undefined` if it has no stats, for example because the command is unknown. */
export function readTickAnswer(answer: string, pattern: RegExp): TickStats | undefined {
  const groups = pattern.exec(answer.slice(-LONGEST_ANSWER).replace(COLOURS, ''))?.groups;
  const ms = numberOf(groups?.ms);
  const tps = numberOf(groups?.tps) ?? (ms !== undefined ? tpsOf(ms, numberOf(groups?.rate)) : undefined);
  if (tps === undefined) return undefined;
  return { ...(ms !== undefined && { tickTimeMs: hundredths(ms) }), tps: hundredths(tps) };
}

function tpsOf(ms: number, rate = DEFAULT_RATE): number {
  return Math.min(rate, 1000 / ms);
}

/** Java writes the decimal mark of the system's language. */
function numberOf(text: string | undefined): number | undefined {
  const value = Number(text?.replace(',', '.'));
  return text === undefined || !Number.isFinite(value) || value < 0 ? undefined : value;
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
