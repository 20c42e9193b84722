/**
 * What a game server gets of our environment. A list of what may pass rather than of what may not: it runs plug-ins of strangers,
 * and whatever else is in the environment (tokens, proxies with passwords, GAMEKEEPER_*, NODE_*) is none of their business.
 */
const PASSED_ON = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'TMP',
  'TEMP',
  'XDG_RUNTIME_DIR',
  // Windows programs do not start, or find nothing, without these.
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'USERPROFILE',
  'USERNAME',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'NUMBER_OF_PROCESSORS',
  'PROCESSOR_ARCHITECTURE',
]);

/** The environment of a game process: what may pass, and over it what the instance sets. */
export function gameEnvironment(
  own: NodeJS.ProcessEnv,
  instance: Readonly<Record<string, string>>,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    const upper = name.toUpperCase();
    if (value !== undefined && (PASSED_ON.has(upper) || upper.startsWith('LC_'))) environment[name] = value;
  }
  return { ...environment, ...instance };
}
