import type { AnyTRPCRouter } from '@trpc/server';
import type { CallOptions } from '../../shared/node/ipc/calls.ts';
import type { IpcClient } from '../../shared/node/ipc/client.ts';
import { currentRequestId } from '../http/request.ts';

type AnyCall = (input?: unknown, options?: CallOptions) => unknown;

/** Returns a client whose calls carry the id of the HTTP request they belong to. */
export function traced<Router extends AnyTRPCRouter>(client: IpcClient<Router>): IpcClient<Router> {
  const call = new Proxy(client.call, {
    get(calls, name) {
      // Async functions return calls, and `await` checks whether they are thenable.
      if (name === 'then') return undefined;
      const original = Reflect.get(calls, name) as AnyCall | undefined;
      if (original === undefined) return undefined;
      return (input?: unknown, options?: CallOptions) => {
        const requestId = currentRequestId();
        return original(input, requestId === undefined ? options : { requestId, ...options });
      };
    },
  });
  return { ...client, call };
}
