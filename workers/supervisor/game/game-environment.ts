/**
 * The variables of our environment that a game server gets. An allow list, because a server runs plug-ins of strangers, and tokens, proxy
 * passwords, GAMEKEEPER_* and NODE_* must not reach them.
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
  // Windows programs need these to start and to find their files.
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

/** Returns the environment of a game process: the allowed variables of our own, overridden by the instance's. */
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

/** Returns our environment with what differs for a game of another user, whose home is the server's folder. Our temporary folder may be private. */
export function environmentFor(
  { name }: { name: string },
  directory: string,
  own: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const { TMPDIR, TMP, TEMP, XDG_RUNTIME_DIR, SHELL, ...rest } = own;
  return { ...rest, HOME: directory, USER: name, LOGNAME: name };
}
