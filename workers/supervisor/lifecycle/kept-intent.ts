import { rmSync } from 'node:fs';
import type { Intent } from '../../../shared/domain/instance/intent.ts';
import { writeIntent } from '../../../shared/node/processes/intent-record.ts';
import type { Log } from '../own-process/process-log.ts';

/** Keeps what the server should do on record, for the next supervisor and the daemon in case this supervisor is killed. */
export class KeptIntent {
  readonly #file: string;
  readonly #log: Log;
  #last: Intent | undefined;

  constructor(file: string, log: Log) {
    this.#file = file;
    this.#log = log;
  }

  /** Returns once it is on record. If that fails, there is no record: a request to stop a server must not depend on the disk. */
  write(intent: Intent): void {
    if (intent === this.#last) return;
    try {
      writeIntent(this.#file, intent);
      this.#last = intent;
    } catch (error) {
      this.#log('error', 'what the server should do could not be recorded', { error });
      this.remove(); // a wrong record is worse than none
    }
  }

  /** Removes the record: this supervisor ends in good order. */
  remove(): void {
    this.#last = undefined;
    try {
      rmSync(this.#file, { force: true });
    } catch (error) {
      this.#log('error', 'the record of what the server should do could not be removed', { error });
    }
  }
}
