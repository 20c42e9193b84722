const MOST_REMEMBERED = 200;

/** What was typed into a server's console in this browser. Oldest first. */
export interface CommandHistory {
  add(command: string): void;
  /** The command before the present one, or after it; `undefined` at the end: the line being typed. */
  back(): string | undefined;
  forward(): string | undefined;
  /** The newest command that begins like this. */
  suggest(beginning: string): string | undefined;
}

export function openHistory(instanceId: string, storage: Storage = localStorage): CommandHistory {
  const key = `gamekeeper.history.${instanceId}`;
  let commands = read(storage.getItem(key));
  let position = commands.length;
  return {
    add(command) {
      commands = [...commands.filter((known) => known !== command), command].slice(-MOST_REMEMBERED);
      position = commands.length;
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
  };
}

function read(stored: string | null): string[] {
  if (stored === null) return [];
  try {
    const value: unknown = JSON.parse(stored);
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  } catch {
    return []; // Somebody else's, or cut short: the history begins anew.
  }
}
