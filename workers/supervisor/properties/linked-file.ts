import type { AdoptedSettings } from '../../../shared/contract/daemon/instances.ts';
import { GamekeeperError, isGamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import { rulesOf } from '../game/game-rules.ts';
import type { Log } from '../own-process/process-log.ts';
import type { AgreedValues } from './agreed-values.ts';
import { readInstanceFile } from './instance-file.ts';
import { adoptedSettings, type Link, linksOf, type Reconciliation, reconcile } from './linked-settings.ts';
import { changePropertiesFile, type PropertiesFile } from './properties-file.ts';

export interface LinkedFileOptions {
  config: () => InstanceConfig;
  /** Stores these as the instance's settings. `config` returns them once this resolves. */
  adopt: (settings: AdoptedSettings) => Promise<void>;
  agreed: AgreedValues;
  /** A running game process has read its file already, and may write the old values back. */
  hasProcess: () => boolean;
  /** The folder is being backed up or restored. */
  isFolderLocked: () => boolean;
  log: Log;
}

/** Keeps the settings that an instance and its `server.properties` share (linked-settings.ts) equal in both. */
export class LinkedFile {
  readonly #options: LinkedFileOptions;

  constructor(options: LinkedFileOptions) {
    this.#options = options;
  }

  get links(): Link[] {
    const config = this.#options.config();
    return linksOf(config, rulesOf(config).definition);
  }

  load(): Promise<PropertiesFile> {
    return readInstanceFile(this.#options.config());
  }

  /** Returns the file and the changes that would make both sides equal. */
  async compare(): Promise<Reconciliation & { file: PropertiesFile }> {
    const { config, agreed } = this.#options;
    const file = await this.load();
    const { serverProperties: governed } = rulesOf(config()).definition;
    return { file, ...reconcile({ links: this.links, values: file.values, agreed: await agreed.read(), governed }) };
  }

  /**
   * Makes both sides equal and returns the file. Changes nothing while the folder is locked or if there is no file. If the file has values that
   * the daemon refuses, both stay as they are; `forStart` then throws `launch_failed`, since the start would overwrite what was edited.
   */
  async settle({ forStart = false }: { forStart?: boolean } = {}): Promise<PropertiesFile> {
    const { file, toFile, toInstance } = await this.compare();
    if (this.#options.isFolderLocked() || !file.exists) return file;
    try {
      if (Object.keys(toInstance).length > 0) await this.adopt(toInstance);
    } catch (error) {
      if (forStart && isGamekeeperError(error, 'invalid_request'))
        throw new GamekeeperError('launch_failed', `An edit of server.properties cannot be used: ${error.message}`, {
          resolution: 'Correct server.properties, then start the server again.',
          cause: error,
        });
      this.#options.log('warn', 'settings from server.properties could not be adopted', { error });
      return file;
    }
    const settled = (await changePropertiesFile(file, toFile)) ? await this.load() : file;
    await this.note(settled);
    return settled;
  }

  /** Stores values of the file as the instance's settings. */
  async adopt(values: Readonly<Record<string, string>>): Promise<void> {
    const { config, adopt } = this.#options;
    await adopt(adoptedSettings(values, config()));
  }

  /** Records the values on which both sides agree now. Later changes of either side are found by comparing with them. */
  async note({ values }: Pick<PropertiesFile, 'values'>): Promise<void> {
    if (this.#options.hasProcess()) return;
    const { agreed } = this.#options;
    const equal = this.links.filter(({ key, value }) => values[key] === value);
    if (equal.length === 0) return;
    // Where the sides differ, the former agreement still shows which one was edited.
    await agreed.note({ ...(await agreed.read()), ...Object.fromEntries(equal.map(({ key, value }) => [key, value])) });
  }
}
