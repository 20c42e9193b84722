/** Begins each line of Gamekeeper's own in a console and its log. The supervisor changes lines of a game that begin like this. */
export const NOTICE_PREFIX = '[gamekeeper] ';
