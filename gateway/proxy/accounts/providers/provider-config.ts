import { isLoopback } from '../../../../shared/node/loopback.ts';
import { EXIT } from '../../../../shared/node/processes/exit-codes.ts';
import { StartupError } from '../../../../shared/node/processes/startup-error.ts';

const LONGEST_NAME = 32;

/** The id is part of the redirect URI that is registered with the provider. */
export type ProviderId = 'discord' | 'github' | 'google' | 'oidc';

export interface ProviderConfig {
  id: ProviderId;
  /** On buttons. */
  name: string;
  clientId: string;
  clientSecret: string;
  /** With OpenID Connect: where to discover everything else. */
  issuer?: string;
}

/** Who may make an account without an invitation: nobody, or everybody with an account at one of the providers. */
export type SignUpPolicy = 'invited' | 'providers';

const WELL_KNOWN: Readonly<Record<Exclude<ProviderId, 'oidc'>, { name: string; issuer?: string }>> = {
  discord: { name: 'Discord' },
  github: { name: 'GitHub' },
  google: { name: 'Google', issuer: 'https://accounts.google.com' },
};

/** Reads which providers are configured. Throws StartupError with the name of a variable that is missing or wrong. */
export function readProviders(env: NodeJS.ProcessEnv): ProviderConfig[] {
  const known = Object.entries(WELL_KNOWN).flatMap(([id, about]) => {
    const credentials = credentialsOf(env, id.toUpperCase());
    return credentials ? [{ id: id as ProviderId, ...about, ...credentials }] : [];
  });
  const issuer = env.GAMEKEEPER_PROXY_OIDC_ISSUER;
  const credentials = credentialsOf(env, 'OIDC');
  if (!issuer && !credentials) return known;
  if (!issuer) throw wrong('GAMEKEEPER_PROXY_OIDC_ISSUER', 'is missing');
  if (!credentials) throw wrong('GAMEKEEPER_PROXY_OIDC_CLIENT_ID', 'is missing');
  const name = env.GAMEKEEPER_PROXY_OIDC_NAME || new URL(checkedIssuer(issuer)).host;
  if (name.length > LONGEST_NAME)
    throw wrong('GAMEKEEPER_PROXY_OIDC_NAME', `must have at most ${LONGEST_NAME} characters`);
  return [...known, { id: 'oidc', name, issuer: checkedIssuer(issuer), ...credentials }];
}

/** Throws StartupError if the variable has another value. */
export function readSignUpPolicy({ GAMEKEEPER_PROXY_SIGN_UP: policy }: NodeJS.ProcessEnv): SignUpPolicy {
  if (!policy || policy === 'invited') return 'invited';
  if (policy === 'providers') return policy;
  throw wrong('GAMEKEEPER_PROXY_SIGN_UP', 'must be "invited" or "providers"');
}

function credentialsOf(env: NodeJS.ProcessEnv, provider: string) {
  const [idName, secretName] = ['CLIENT_ID', 'CLIENT_SECRET'].map((part) => `GAMEKEEPER_PROXY_${provider}_${part}`);
  const [clientId, clientSecret] = [env[idName ?? ''], env[secretName ?? '']];
  if (!clientId && !clientSecret) return undefined;
  if (!clientId) throw wrong(idName ?? '', 'is missing');
  if (!clientSecret) throw wrong(secretName ?? '', 'is missing');
  return { clientId, clientSecret };
}

/** Tokens are believed because of TLS, so nothing less will do. */
function checkedIssuer(text: string): string {
  const url = URL.parse(text);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (!isSafe) throw wrong('GAMEKEEPER_PROXY_OIDC_ISSUER', 'must be an https URL (http only on this machine)');
  return text;
}

function wrong(variable: string, problem: string): StartupError {
  return new StartupError(`${variable} ${problem}.`, { exitCode: EXIT.usage });
}
