import { mkdir } from 'node:fs/promises';
import type { Command } from 'commander';
import { EXIT } from '../../../shared/node/processes/exit-codes.ts';
import { StartupError } from '../../../shared/node/processes/startup-error.ts';
import { takeHome } from '../serve.ts';
import { removeSealed } from '../store/remove-sealed.ts';
import { createKeyFile } from '../store/vault.ts';
import { configOf } from './config-of.ts';
import { withStore } from './with-store.ts';

export function addSecret(program: Command): void {
  const secret = program.command('secret').description('Manage the secret that encrypts what is in the database');
  secret
    .command('reset')
    .description('Begin with a new secret, if the present one was lost or somebody else may have it')
    .option('--yes', 'Delete everything that the former secret protects: see docs/proxy.md')
    .action(async ({ yes }: { yes?: boolean }, command: Command) => {
      const config = configOf(command);
      if (!yes)
        throw new StartupError(
          'This signs everybody out, removes all programs and turns off authenticator apps. Add --yes to do it.',
          { exitCode: EXIT.usage },
        );
      await mkdir(config.home.run, { recursive: true, mode: 0o700 });
      using stack = new DisposableStack();
      stack.defer(takeHome(config));
      // If it is interrupted after this, the proxy does not start until it is done again.
      if (config.secret === undefined) await createKeyFile(config.home.keyFile);
      await withStore(config, ({ database }) => removeSealed(database));
      process.stdout.write(
        'Everything that the former secret protected is gone. Accounts and linked computers stay.\n',
      );
    });
}
