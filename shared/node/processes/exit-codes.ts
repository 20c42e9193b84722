/** Exit codes of all processes (docs/operating.md). */
export const EXIT = {
  ok: 0,
  /** Port in use, data directory in use, anything the API refuses. */
  failure: 1,
  /** Wrong usage or settings. */
  usage: 2,
} as const;
