import { setTimeout as delay } from 'node:timers/promises';
import type { LogsResponse } from '../../../shared/schema/answers.ts';
import type { Instance } from '../../../shared/schema/instance.ts';
import type { InstanceConfiguration } from '../../../shared/schema/instance-configuration.ts';
import type { Api } from '../api/api-client.ts';
import { Failure } from '../api/failure.ts';

export const TESTED_ID = 'test';
const AT = `/instances/${TESTED_ID}`;
const LOOK_EVERY_MS = 200;
/** The most that the API returns at once. */
const LINES = 1_000;

/** The server that is being tested. */
export interface TestedServer {
  look(): Promise<Instance>;
  configuration(): Promise<InstanceConfiguration>;
  /** Throws the Failure of the API. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Ends it at once. Never throws. */
  kill(): Promise<void>;
  backUp(): Promise<void>;
  /** The last lines of its console. */
  lines(): Promise<string[]>;
  /** Resolves to what `found` returns, or to `undefined` if that takes too long. Throws a Failure if the user ends the test. */
  until<T>(found: () => Promise<T | undefined | false>, withinMs: number): Promise<T | undefined>;
}

export function createTestedServer(api: Api, signal: AbortSignal): TestedServer {
  const post = async (action: string, body?: object) => {
    await api.request('POST', `${AT}/${action}`, body && { body });
  };
  return {
    look: async () => (await api.request<Instance>('GET', AT)).body,
    configuration: async () => (await api.request<InstanceConfiguration>('GET', `${AT}/configuration`)).body,
    start: () => post('start'),
    stop: () => post('stop'),
    kill: () => post('kill').catch(() => undefined),
    backUp: () => post('backup', { cloudReplicate: false }),
    lines: async () => (await api.request<LogsResponse>('GET', `${AT}/logs?lines=${LINES}`)).body.lines,
    async until(found, withinMs) {
      const begun = performance.now();
      for (;;) {
        const result = await found();
        if (result !== undefined && result !== false) return result;
        if (performance.now() - begun > withinMs) return undefined;
        await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => {
          throw new Failure('The test was interrupted.');
        });
      }
    },
  };
}
