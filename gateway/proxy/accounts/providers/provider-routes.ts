import type { FastifyInstance } from 'fastify';
import { type ConnectRoutesOptions, connectRoutes } from './connect-routes.ts';
import { type ProviderSignInRoutesOptions, providerSignInRoutes } from './sign-in-routes.ts';
import { type ProviderSignUpOptions, providerSignUpRoutes } from './sign-up-routes.ts';

export type ProviderRoutesOptions = ConnectRoutesOptions &
  Omit<ProviderSignUpOptions, 'access'> &
  Omit<ProviderSignInRoutesOptions, 'signUp' | 'connect'>;

/** Everything about signing in at another service. */
export function providerRoutes(app: FastifyInstance, options: ProviderRoutesOptions): void {
  const connect = connectRoutes(app, options);
  const signUp = providerSignUpRoutes(app, { ...options, access: options });
  providerSignInRoutes(app, { ...options, signUp, connect });
}
