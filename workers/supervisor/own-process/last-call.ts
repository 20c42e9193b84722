import type { SupervisorService } from '../../../shared/contract/supervisor.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

/** Calls that end with this process and that their callers repeat with the next one. */
const REPEATED: ReadonlySet<string> = new Set(['watch', 'console', 'stats'] satisfies (keyof SupervisorService)[]);

/** Sees to it that nothing of what callers were promised is lost when this supervisor leaves its game to another one. */
export class LastCall {
  #underWay = 0;
  #isOver = false;

  /** Returns the same service, whose calls are counted and, after `end`, refused. */
  wrap(service: SupervisorService): SupervisorService {
    return new Proxy(service, {
      get: (target, name, receiver) => {
        const method: unknown = Reflect.get(target, name, receiver);
        if (typeof method !== 'function' || typeof name !== 'string' || REPEATED.has(name)) return method;
        return (...args: unknown[]) => this.#count(() => Reflect.apply(method, target, args));
      },
    });
  }

  /** Throws `already_in_progress` if a call is under way besides that of the caller. */
  assertLast(): void {
    if (this.#underWay > 1)
      throw new GamekeeperError('already_in_progress', 'Other calls of the supervisor have to end first.');
  }

  /** Refuses all further calls. */
  end(): void {
    this.#isOver = true;
  }

  #count(call: () => unknown): unknown {
    if (this.#isOver) throw new GamekeeperError('worker_unavailable', 'Another supervisor is taking over.');
    this.#underWay += 1;
    let result: unknown;
    try {
      result = call();
    } catch (error) {
      this.#underWay -= 1;
      throw error;
    }
    if (result instanceof Promise)
      return result.finally(() => {
        this.#underWay -= 1;
      });
    this.#underWay -= 1;
    return result;
  }
}
