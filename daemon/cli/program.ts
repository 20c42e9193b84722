import { Command } from 'commander';
import { VERSION } from '../../shared/domain/version.ts';
import { addBackup } from './commands/backup.ts';
import { addBackups } from './commands/backups.ts';
import { addConsole } from './commands/console.ts';
import { addCreate } from './commands/create.ts';
import { addDoctor } from './commands/doctor.ts';
import { addDown } from './commands/down.ts';
import { addExec } from './commands/exec.ts';
import { addFiles } from './commands/files.ts';
import { addImport } from './commands/import.ts';
import { addKind } from './commands/kind.ts';
import { addLifecycle } from './commands/lifecycle.ts';
import { addLink } from './commands/link.ts';
import { addList } from './commands/list.ts';
import { addLogs } from './commands/logs.ts';
import { addProxy } from './commands/proxy.ts';
import { addRemote } from './commands/remote.ts';
import { addRestore } from './commands/restore.ts';
import { addService } from './commands/service.ts';
import { addSshKeys } from './commands/ssh-keys.ts';
import { addStatus } from './commands/status.ts';
import { addToken } from './commands/token.ts';
import { addTunnel } from './commands/tunnel.ts';
import { addUp } from './commands/up.ts';
import { addUpgrade } from './commands/upgrade.ts';
import { addUser } from './commands/user.ts';
import { addVerify } from './commands/verify.ts';
import { addWorlds } from './commands/worlds.ts';

/** Returns the program with all commands, in the order of the help. Parsing throws CommanderError for wrong usage, Failure for everything else. */
export function createProgram(): Command {
  const program = new Command('gamekeeper')
    .description('Run game servers: start, stop, watch and back them up.')
    .version(VERSION)
    .enablePositionalOptions()
    .showHelpAfterError('Run "gamekeeper --help" for help.')
    .exitOverride();
  const commands = [
    ...[addUp, addDown, addStatus, addList, addCreate, addImport, addKind, addLifecycle],
    ...[
      addLogs,
      addConsole,
      addExec,
      addBackup,
      addBackups,
      addVerify,
      addRestore,
      addFiles,
      addWorlds,
      addToken,
      addSshKeys,
      addUser,
      addRemote,
      addLink,
      addTunnel,
    ],
    ...[addService, addUpgrade, addDoctor, addProxy],
  ];
  for (const add of commands) add(program);
  return program;
}
