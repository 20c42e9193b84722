import type { Answer } from '../http/request-json.ts';
import { until } from '../machine/until.ts';
import type { Gamekeeper } from '../processes/gamekeeper.ts';

/** No request may take longer, whichever process is killed meanwhile: it is answered, or its connection ends. */
const LONGEST_REQUEST_MS = 60_000;

/** A client of the API that expects the gateway to be killed at any time. */
export interface PatientApi {
  /** Sends one request. Resolves to `undefined` if the connection failed. Throws if it hangs. */
  once<T>(method: string, path: string, body?: object): Promise<Answer<T> | undefined>;
  /** Repeats a request until it succeeds. Only for requests that may be executed twice. */
  insist<T>(method: string, path: string, body?: object): Promise<T>;
}

export function patientApi(gamekeeper: Gamekeeper): PatientApi {
  const api: PatientApi = {
    async once<T>(method: string, path: string, body?: object) {
      let timer: NodeJS.Timeout | undefined;
      const hung = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`${method} ${path} hangs`)), LONGEST_REQUEST_MS);
      });
      // There is no gateway or no run/daemon.json now.
      const answered = gamekeeper.api<T>(method, path, body).catch(() => undefined);
      return Promise.race([answered, hung]).finally(() => clearTimeout(timer));
    },
    async insist<T>(method: string, path: string, body?: object) {
      let last: Answer<T> | undefined;
      const answer = await until(
        `${method} ${path} succeeds`,
        async () => {
          last = await api.once<T>(method, path, body);
          return last !== undefined && last.status < 400 && last;
        },
        { deadlineMs: LONGEST_REQUEST_MS, describe: () => ({ status: last?.status, body: last?.body }) },
      );
      return answer.body;
    },
  };
  return api;
}
