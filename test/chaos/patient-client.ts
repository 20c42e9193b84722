import { type Answer, requestJson } from '../support/http/request-json.ts';

/** No request may take longer, whoever is killed or paused meanwhile. Milliseconds. */
const LONGEST_REQUEST_MS = 120_000;

export interface Credentials {
  /** The session of `admin`, from before all kills. */
  cookie: string;
  /** A bearer token likewise. */
  token: string;
}

/** The API of a Gamekeeper whose processes are being killed. */
export interface PatientClient {
  /** One request; `undefined`: the connection ended without an answer. `as`: who asks, by default the token. */
  request<T>(method: string, route: string, options?: RequestBy): Promise<Answer<T> | undefined>;
  /** How many answers there were of each status, and how many requests were cut off. */
  readonly tally: Readonly<Record<string, number>>;
}

export interface RequestBy {
  body?: object;
  as?: 'token' | 'session' | { bearer: string };
}

/** `onFault` is told of what nobody may ever get: an internal error, or no answer and no end either. */
export function patientClient(panel: string, credentials: Credentials, onFault: (what: string) => void): PatientClient {
  const tally: Record<string, number> = {};

  function headersFor(as: NonNullable<RequestBy['as']>): Record<string, string> {
    if (as === 'session') return { cookie: credentials.cookie, origin: panel };
    return { authorization: `Bearer ${as === 'token' ? credentials.token : as.bearer}` };
  }

  return {
    tally,
    async request<T>(method: string, route: string, { body, as = 'token' }: RequestBy = {}) {
      const late = Symbol('late');
      let timer: NodeJS.Timeout | undefined;
      const deadline = new Promise<typeof late>((resolve) => {
        timer = setTimeout(resolve, LONGEST_REQUEST_MS, late);
      });
      const answered = requestJson<T>(method, new URL(route, panel), { body, headers: headersFor(as) }).catch(
        () => undefined, // No gateway just now, or it was killed over this.
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
