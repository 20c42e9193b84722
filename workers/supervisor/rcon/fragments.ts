/** A packet as it came from the server. */
export interface Packet {
  readonly id: number;
  readonly type: number;
  readonly payload: Buffer;
}

/**
 * What a server makes of a packet of a kind that it does not know, sent to learn where an answer ends. Vanilla and its
 * descendants answer it after all pieces of the answer; Cuberite drops the connection.
 */
export type SentinelTolerance = 'unknown' | 'answers' | 'drops';

/** What to do after a packet. */
export type NextStep =
  /** It belongs to an earlier command. */
  | 'ignore'
  /** Send the sentinel, and wait for its answer. */
  | 'ask-for-the-end'
  /** Wait for more pieces, or for the sentinel's answer. */
  | 'wait'
  /** Wait until nothing has come for a while. */
  | 'wait-for-quiet'
  | 'whole'
  /** The peer does not stop. */
  | 'too-long';

/**
 * Puts the pieces of one answer together and finds out where it ends, which the protocol does not say. Knows nothing of
 * sockets and clocks; see wiki.vg, "RCON", on fragmentation.
 *
 * The sentinel is only sent after the first piece: vanilla reads once for each packet, and two that are read together
 * make it drop the connection.
 */
export class Answer {
  /** What has been learned about the peer; to be given to the next answer. */
  tolerance: SentinelTolerance;
  readonly #id: number;
  readonly #pieces: Buffer[] = [];
  #length = 0;

  constructor(id: number, tolerance: SentinelTolerance) {
    this.#id = id;
    this.tolerance = tolerance;
  }

  /** The id of the sentinel of this answer's command. */
  get sentinelId(): number {
    return FIRST_SENTINEL_ID + this.#id;
  }

  /**
   * The answer's bytes. Vanilla encodes each piece by itself, so that they can be decoded together; a server that cuts
   * in the middle of a character needs just that.
   */
  get bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  take({ id, type, payload }: Packet): NextStep {
    if (id >= FIRST_SENTINEL_ID) {
      // Even one that comes too late for its own command shows what the peer can do.
      this.tolerance = 'answers';
      return id === this.sentinelId ? 'whole' : 'ignore';
    }
    if (id !== this.#id) return 'ignore';
    this.#pieces.push(payload);
    this.#length += payload.length;
    if (this.#length > LONGEST_ANSWER) return 'too-long';

    const first = this.#pieces.length === 1;
    if (first && this.tolerance === 'unknown' && type !== ANSWER_TYPE) this.tolerance = 'drops';
    // An empty piece after others, or alone, is the last: Cuberite ends each answer with one.
    if (this.tolerance === 'drops') return payload.length === 0 ? 'whole' : 'wait-for-quiet';
    return first ? 'ask-for-the-end' : 'wait';
  }

  /** The sentinel was not answered in time: the peer ignores such packets, and the answer must be whole by now. */
  sentinelIgnored(): void {
    this.tolerance = 'drops';
  }

  /** The connection is gone. Whether what came is the whole answer, as it is after `stop` or a sentinel that was not liked. */
  closed(): boolean {
    const last = this.#pieces.at(-1);
    if (this.tolerance === 'unknown' && last !== undefined) this.tolerance = 'drops';
    // A full piece has a successor in all but one of thousands of cases.
    return last !== undefined && last.toString('utf8').length !== FULL_PIECE;
  }
}

/** The kind that nobody knows. */
export const SENTINEL_TYPE = 100;

/** The kind of vanilla's answers; Cuberite's are of kind 2. */
const ANSWER_TYPE = 0;
/** Far above the ids of commands, which count from 0. */
const FIRST_SENTINEL_ID = 0x4000_0000;
/** Vanilla cuts answers after this many UTF-16 units. */
const FULL_PIECE = 4096;
/** In bytes. More is no answer to a command but an attack, or a fault. */
const LONGEST_ANSWER = 4 * 1024 * 1024;
