import type { Answer } from '../http/request-json.ts';
import { until } from '../machine/until.ts';
import type { Gamekeeper } from '../processes/gamekeeper.ts';

/** No request may take longer, whoever is killed meanwhile: it is answered, or its connection ends. */
const LONGEST_REQUEST_MS = 60_000;

/** The API of a Gamekeeper whose processes are being killed. */
export interface PatientApi {
  /** Once: `undefined` where the connection failed. Throws where nothing comes of it at all. */
  once<T>(method: string, path: string, body?: object): Promise<Answer<T> | undefined>;
  /** Again and again until it is answered with success; for what does no harm twice. */
  insist<T>(method: string, path: string, body?: object): Promise<T>;
}

export function patientApi(gamekeeper: Gamekeeper): PatientApi {
  const api: PatientApi = {
    async once<T>(method: string, path: string, body?: object) {
      let timer: NodeJS.Timeout | undefined;
      const hung = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`${method} ${path} hangs`)), LONGEST_REQUEST_MS);
      });
      // No gateway, or no ready file just now.
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
