import { FOREIGN_PASSWORD_WORDS } from '../domain/password-words.ts';
import { softwareOf } from '../domain/software/catalogue.ts';
import { currentValue } from '../domain/software/placeholders.ts';
import type { InstanceConfig } from './instance.ts';

/** Endings of the names of secrets: `DB_PASSWORD`, `rconPassword`, `APIKEY`. */
const SECRET_WORD =
  /(?:password|passwd|passphrase|passcode|passwort|secret|token|credentials?|apikey|accesskey|privatekey)s?$/;
/** Whole words in the names of secrets; as endings they would match harmless ones: `MYSQL_PWD`, `DB_PASS`, `SIGNING_KEY`. */
const SECRET_WORDS = new Set([
  ...['pass', 'pwd', 'pw', 'key', 'keys', 'auth', 'webhook', 'cookie', 'creds'],
  ...['jsessionid', 'phpsessid'],
]);
/** `session-id`, unlike other ids. */
const SESSIONS = new Set(['session', 'sess']);
/** Last words of names that are about a secret: `PASSWORD_FILE`, `TOKEN_URL`, `KEY_LENGTH`. */
const ABOUT_A_SECRET = new Set(
  (
    'file path dir directory folder url uri host port name user username email id length size min max count limit ttl ' +
    'timeout expiry expires age algorithm type format policy enabled required rotation'
  ).split(' '),
);
/** The shell's own variables. */
const WORKING_DIRECTORIES = new Set(['PWD', 'OLDPWD']);

/** Values that are no secret and would blank the log. */
const TRIVIAL = /^(?:|true|false|yes|no|on|off|null|none|default|enabled|disabled|auto|-?\d{1,3}|\$\{?\w+\}?)$/i;

/** Schemes are short. Without a limit, a long value would be searched from each of its characters. */
const URL_PASSWORD = /[a-z][a-z0-9+.-]{0,31}:\/\/[^\s/:@"']*:([^\s/@"']+)@/gi;
const ASSIGNMENT = /^(?:--?|\/)?([A-Za-z][\w.-]*)[=:](.*)$/s;
const FLAG = /^(?:--?|\+)([A-Za-z][\w.-]*)$/;
/** A game's variable as an argument of its own: `+set rconPassword x`, `rcon_pw x`. A plain word may be anything else. */
const VARIABLE = /^(?:[\w.]+[_.]|[a-z]\w*(?=P)|rcon)(?:[Pp]ass(?:word|wd)?|[Pp]wd?)$/;

/**
 * Returns the secrets in an instance's settings, to hide them in the console: the passwords of RCON and tunnel, environment variables and arguments that
 * are named like a secret, passwords in URLs among these, and the variables of its kind that are secret or named like one.
 */
export function knownSecrets({ rcon, env, launch, tunnel, software, variables: values }: KnownSecretsInput): string[] {
  const variables = Object.entries(env);
  const secrets = [
    ...(rcon ? [rcon.password] : []),
    ...secretsOfTunnel(tunnel),
    ...variables.filter(([name]) => isSecretName(name)).map(([, value]) => value),
    ...secretVariables(software, values),
    ...argumentsOf(launch?.command ?? []),
    ...[...variables.map(([, value]) => value), ...(launch?.command ?? [])].flatMap(passwordsInUrls),
  ];
  return [...new Set(secrets)].filter((secret) => !isTrivial(secret));
}

type KnownSecretsInput = Pick<InstanceConfig, 'rcon' | 'env' | 'launch' | 'tunnel' | 'variables'> & {
  software?: string;
};

/** The kind may have been removed, or is not known to this process; then only the names tell. */
function secretVariables(software: string | undefined, values: InstanceConfig['variables'] = {}): string[] {
  const declared = (software === undefined ? undefined : softwareOf(software)?.variables) ?? [];
  return [
    ...declared.filter(({ secret }) => secret).map((one) => currentValue(one, { variables: values })),
    ...Object.entries(values).flatMap(([name, value]) => (isSecretName(name) ? [value] : [])),
  ];
}

type TunnelSecrets = { [name in 'password' | 'passphrase' | 'token' | 'secret']?: string | undefined };

/** A private key has many lines, none of which a console shows. */
function secretsOfTunnel(tunnel: InstanceConfig['tunnel']): string[] {
  const { password, passphrase, token, secret } = (tunnel ?? {}) as TunnelSecrets;
  return [password, passphrase, token, secret].filter((each) => each !== undefined);
}

/** `--password x`, `+set password x`, `--password=x`, `-Ddb.password=x`, `PASSWORD=x`, also in a command that is one argument of a shell. */
function argumentsOf(command: readonly string[]): string[] {
  const words = command.flatMap((argument) => [argument, ...(/\s/.test(argument) ? argument.split(/[\s"']+/) : [])]);
  return words.flatMap((word, index) => {
    const [, name = '', value = ''] = ASSIGNMENT.exec(word) ?? [];
    if (value !== '') return isSecretName(name) ? [value] : [];
    const next = words[index + 1] ?? '';
    const isName = isSecretName(FLAG.exec(word)?.[1] ?? '') || VARIABLE.test(word);
    return isName && !/^[-+]/.test(next) ? [next] : [];
  });
}

/** Returns the passwords in URLs, both as written and decoded. */
function passwordsInUrls(text: string): string[] {
  return Array.from(text.matchAll(URL_PASSWORD), ([, password = '']) => [password, decoded(password)]).flat();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a percent sign that begins no escape
  }
}

/** Returns whether a value is no secret whatever it is called. */
export function isTrivial(value: string): boolean {
  return TRIVIAL.test(value);
}

/** Returns whether a key, a variable or a file is named like a secret. */
export function isSecretName(name: string): boolean {
  if (WORKING_DIRECTORIES.has(name)) return false;
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => word !== '');
  if (words.includes('webhook')) return true; // its address is all that is needed to use it
  if (words.at(-1) === 'id' && SESSIONS.has(words.at(-2) ?? '')) return true;
  if (ABOUT_A_SECRET.has(words.at(-1) ?? '')) return false;
  return words.some((word) => SECRET_WORD.test(word) || SECRET_WORDS.has(word) || isForeignPassword(word));
}

/** Names in these languages are written in one word. */
function isForeignPassword(word: string): boolean {
  return FOREIGN_PASSWORD_WORDS.some((foreign) => word.endsWith(foreign));
}
