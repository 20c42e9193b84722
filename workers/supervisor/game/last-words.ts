import type { LineFeed } from './line-feed.ts';

/** The lines with which vanilla (`[Eve: Stopping the server]` for a player's command) and Velocity stop. A crash logs them as well. */
const STOPPING = /^(?:\[[^\]:]{1,40}: )?Stopping (?:the )?server\]?\.*$|^Shutting down the proxy/;
const CRASHING =
  /^Encountered an unexpected exception|^Considering it to be crashed|^The server has stopped responding!/;
const LAST_WORDS = ['Stopping', 'Shutting down the proxy', 'Encountered an', 'Considering it', 'stopped responding'];

/** Returns a function that returns true once the game logged that it stops, unless it also logged a crash. */
export function watchLastWords(lines: LineFeed): () => boolean {
  let last: 'stops' | 'crashes' | undefined;
  lines.onLineWith(LAST_WORDS, ({ message }) => {
    if (CRASHING.test(message)) last = 'crashes';
    else if (STOPPING.test(message)) last ??= 'stops';
  });
  return () => last === 'stops';
}
