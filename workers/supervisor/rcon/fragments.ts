/** A packet from the server. */
export interface Packet {
  readonly id: number;
  readonly type: number;
  readonly payload: Buffer;
}

/**
 * How a server reacts to a sentinel: a packet of an unknown type, sent to find the end of an answer. Vanilla and its descendants answer it
 * after all pieces of the answer; Cuberite drops the connection.
 */
export type SentinelTolerance = 'unknown' | 'answers' | 'drops';

/** What to do after a packet: */
export type NextStep =
  /** Nothing: it belongs to an earlier command. */
  | 'ignore'
  /** Send the sentinel and wait for its answer. */
  | 'send-sentinel'
  /** Wait for more pieces, or for the answer to the sentinel. */
  | 'wait'
  /** Wait until nothing has arrived for a moment. */
  | 'wait-for-quiet'
  | 'whole'
  | 'too-long';

/**
 * Joins the pieces of one answer and finds its end, which the protocol does not mark (minecraft.wiki, "RCON", Fragmentation). Uses no sockets
 * and no clock.
 *
 * The sentinel is sent after the first piece only: vanilla reads once per packet and drops the connection if it reads two together.
 */
export class Answer {
  /** What is known about the server; pass it on to the next answer. */
  tolerance: SentinelTolerance;
  readonly #id: number;
  readonly #pieces: Buffer[] = [];
  #length = 0;

  constructor(id: number, tolerance: SentinelTolerance) {
    this.#id = id;
    this.tolerance = tolerance;
  }

  /** The id of the sentinel for this answer. */
  get sentinelId(): number {
    return FIRST_SENTINEL_ID + this.#id;
  }

  /** The bytes of all pieces, to be decoded together: some servers cut in the middle of a character. */
  get bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  take({ id, type, payload }: Packet): NextStep {
    if (id >= FIRST_SENTINEL_ID) {
      // A late answer to an earlier sentinel counts too.
      this.tolerance = 'answers';
      return id === this.sentinelId ? 'whole' : 'ignore';
    }
    if (id !== this.#id) return 'ignore';
    this.#pieces.push(payload);
    this.#length += payload.length;
    if (this.#length > LONGEST_ANSWER) return 'too-long';

    const first = this.#pieces.length === 1;
    if (first && this.tolerance === 'unknown' && type !== ANSWER_TYPE) this.tolerance = 'drops';
    // Cuberite ends each answer with an empty piece.
    if (this.tolerance === 'drops') return payload.length === 0 ? 'whole' : 'wait-for-quiet';
    return first ? 'send-sentinel' : 'wait';
  }

  /** Call this if the sentinel was not answered in time: the server ignores sentinels, and the answer is complete by now. */
  sentinelIgnored(): void {
    this.tolerance = 'drops';
  }

  /** Call this when the connection has ended. Returns whether the answer is complete, as after `stop` or a rejected sentinel. */
  closed(): boolean {
    const last = this.#pieces.at(-1);
    if (this.tolerance === 'unknown' && last !== undefined) this.tolerance = 'drops';
    // A full piece almost always has a successor.
    return last !== undefined && last.toString('utf8').length !== FULL_PIECE;
  }
}

/** A type that no server knows. */
export const SENTINEL_TYPE = 100;

/** Vanilla's answers; Cuberite's have type 2. */
const ANSWER_TYPE = 0;
/** Far above the ids of commands, which count from 0. */
const FIRST_SENTINEL_ID = 0x4000_0000;
/** Vanilla cuts answers after this number of UTF-16 units. */
const FULL_PIECE = 4096;
/** In bytes. More is an attack or a fault rather than an answer. */
const LONGEST_ANSWER = 4 * 1024 * 1024;
