const MAX_COMMANDS = 200;
/** What a line editor prints before the echo of a command. */
const PROMPT = /^[>$#:\s]+/;

/** Commands that were sent to one server from this browser, oldest first, with a position that moves back and forward. */
export interface CommandHistory {
  add(command: string): void;
  /** The command before the current position; stays at the oldest. */
  back(): string | undefined;
  /** The command after the current position; `undefined` past the newest, which is the line being typed. */
  forward(): string | undefined;
  /** The newest command that starts with `beginning`. */
  suggest(beginning: string): string | undefined;
  /** Whether a line of the console, without colours, shows one of the commands as it was typed. */
  isEcho(line: string): boolean;
}

export function createCommandHistory(instanceId: string, storage: Storage = localStorage): CommandHistory {
  const key = `gamekeeper.history.${instanceId}`;
  let commands = read(storage.getItem(key));
  let position = commands.length;
  let echoes = new Set(commands.map(withoutPrompt));
  return {
    add(command) {
      commands = [...commands.filter((known) => known !== command), command].slice(-MAX_COMMANDS);
      position = commands.length;
      echoes = new Set(commands.map(withoutPrompt));
      storage.setItem(key, JSON.stringify(commands));
    },
    back() {
      position = Math.max(0, position - 1);
      return commands[position];
    },
    forward() {
      position = Math.min(commands.length, position + 1);
      return commands[position];
    },
    suggest: (beginning) => commands.findLast((command) => command.startsWith(beginning) && command !== beginning),
    isEcho(line) {
      // Most lines begin with the prefix of a log.
      if (line === '' || line.startsWith('[')) return false;
      const echo = withoutPrompt(line);
      return echo !== '' && echoes.has(echo);
    },
  };
}

function withoutPrompt(line: string): string {
  return line.replace(PROMPT, '').trimEnd();
}

/** Tolerates anything in the browser's storage. */
function read(stored: string | null): string[] {
  if (stored === null) return [];
  try {
    const value: unknown = JSON.parse(stored);
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}
