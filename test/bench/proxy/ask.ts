import { type Agent, request } from 'node:http';

export interface Question {
  url: string;
  headers: { authorization: string };
  agent: Agent;
}

/** Sends a GET request. Resolves to its status, and the milliseconds until the end of the response. */
export function ask({ url, headers, agent }: Question): Promise<{ status: number; ms: number }> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    request(url, { headers, agent }, (response) => {
      response.resume();
      response.once('end', () => resolve({ status: response.statusCode ?? 0, ms: performance.now() - begun }));
    })
      .on('error', reject)
      .end();
  });
}
