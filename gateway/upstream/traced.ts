import type { AnyTRPCRouter } from '@trpc/server';
import type { CallOptions } from '../../shared/node/ipc/calls.ts';
import type { IpcClient } from '../../shared/node/ipc/client.ts';
import { currentRequestId } from '../http/request.ts';

type AnyCall = (input?: unknown, options?: CallOptions) => unknown;

/** The same client, whose calls carry the id of the request that they are made for. */
export function traced<Router extends AnyTRPCRouter>(client: IpcClient<Router>): IpcClient<Router> {
  const call = new Proxy(client.call, {
    get(calls, name) {
      // Calls may be handed out by async functions, and a promise asks what it resolves to whether it is one itself.
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
