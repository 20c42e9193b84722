/** Exit codes of every process of ours (api.md, command line). */
export const EXIT = {
  ok: 0,
  /** Port taken, home in use, anything the API refuses. */
  failure: 1,
  /** Wrong usage or settings. */
  usage: 2,
} as const;
