import type { Command } from 'commander';
import { type ProxyConfig, readConfig } from '../startup/config.ts';
import { withSecretFiles } from '../startup/secret-files.ts';

/** Returns the configuration for a command, from the environment and the option `--home`, which may stand before or after its name. */
export function configOf(command: Command): ProxyConfig {
  const { home, edge } = command.optsWithGlobals<{ home?: string; edge?: boolean }>();
  return readConfig(withSecretFiles(process.env), home, edge);
}
