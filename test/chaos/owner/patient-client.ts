import { type Answer, requestJson } from '../../support/http/request-json.ts';

/** No request may take longer, whichever process is killed or paused meanwhile. Milliseconds. */
const LONGEST_REQUEST_MS = 120_000;

export interface Credentials {
  /** A session of `admin` that was created before the first kill. */
  cookie: string;
  /** A bearer token that was created before the first kill. */
  token: string;
}

/** A client of the API that expects the gateway to be killed at any time. */
export interface PatientClient {
  /** Sends one request. Resolves to `undefined` if the connection ended without an answer. */
  request<T>(method: string, route: string, options?: RequestOptions): Promise<Answer<T> | undefined>;
  /** How many requests got each status, and how many were cut off. */
  readonly tally: Readonly<Record<string, number>>;
}

export interface RequestOptions {
  body?: object;
  /** The credential to use; the token by default. */
  as?: 'token' | 'session' | { bearer: string };
}

/** `onFault` is called for a status 500 and for a request that is neither answered nor cut off. */
export function createPatientClient(
  panel: string,
  credentials: Credentials,
  onFault: (what: string) => void,
): PatientClient {
  const tally: Record<string, number> = {};

  function headersFor(as: NonNullable<RequestOptions['as']>): Record<string, string> {
    if (as === 'session') return { cookie: credentials.cookie, origin: panel };
    return { authorization: `Bearer ${as === 'token' ? credentials.token : as.bearer}` };
  }

  return {
    tally,
    async request<T>(method: string, route: string, { body, as = 'token' }: RequestOptions = {}) {
      const late = Symbol('late');
      let timer: NodeJS.Timeout | undefined;
      const deadline = new Promise<typeof late>((resolve) => {
        timer = setTimeout(resolve, LONGEST_REQUEST_MS, late);
      });
      const answered = requestJson<T>(method, new URL(route, panel), { body, headers: headersFor(as) }).catch(
        () => undefined, // There is no gateway now, or it was killed during the request.
      );
      const answer = await Promise.race([answered, deadline]).finally(() => clearTimeout(timer));
      if (answer === late) onFault(`${method} ${route} was neither answered nor cut off`);
      else if (answer?.status === 500) onFault(`${method} ${route} answered 500: ${JSON.stringify(answer.body)}`);
      const outcome = answer === late ? 'hung' : (answer?.status ?? 'cut off');
      tally[outcome] = (tally[outcome] ?? 0) + 1;
      return answer === late ? undefined : answer;
    },
  };
}
