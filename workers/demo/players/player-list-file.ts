import { readFile, rename, writeFile } from 'node:fs/promises';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';

/** The fields that all lists of vanilla share. */
export interface ListedPlayer {
  readonly uuid: string;
  readonly name: string;
}

/** One of vanilla's player lists (`ops.json`, `whitelist.json`, `banned-players.json`), written at every change. */
export class PlayerListFile<Entry extends ListedPlayer> {
  readonly #file: string;
  #entries: Entry[];

  private constructor(file: string, entries: Entry[]) {
    this.#file = file;
    this.#entries = entries;
  }

  /** Reads the list. Creates a missing file. Throws if the file is not a JSON list. */
  static async open<Entry extends ListedPlayer>(file: string): Promise<PlayerListFile<Entry>> {
    const list = new PlayerListFile<Entry>(file, []);
    await list.reload();
    return list;
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Ignores case, as vanilla does. */
  find(name: string): Entry | undefined {
    return this.#entries.find((entry) => entry.name.toLowerCase() === name.toLowerCase());
  }

  async add(entry: Entry): Promise<void> {
    this.#entries = [...this.#entries, entry];
    await this.#store();
  }

  async remove(entry: Entry): Promise<void> {
    this.#entries = this.#entries.filter((candidate) => candidate !== entry);
    await this.#store();
  }

  async reload(): Promise<void> {
    let text: string;
    try {
      text = await readFile(this.#file, 'utf8');
    } catch (error) {
      if (!hasErrorCode(error, 'ENOENT')) throw error;
      await this.#store();
      return;
    }
    const parsed: unknown = JSON.parse(text);
    if (!Array.isArray(parsed)) throw new SyntaxError(`${this.#file} is not a list`);
    this.#entries = parsed.filter((entry) => typeof entry?.name === 'string' && typeof entry?.uuid === 'string');
  }

  async #store(): Promise<void> {
    await writeFile(`${this.#file}.new`, `${JSON.stringify(this.#entries, null, 2)}\n`);
    await rename(`${this.#file}.new`, this.#file);
  }
}
