import { Command } from 'commander';
import { VERSION } from '../../shared/domain/version.ts';
import { addBackup } from './commands/backup.ts';
import { addBackups } from './commands/backups.ts';
import { addConsole } from './commands/console.ts';
import { addCreate } from './commands/create.ts';
import { addDoctor } from './commands/doctor.ts';
import { addDown } from './commands/down.ts';
import { addExec } from './commands/exec.ts';
import { addImport } from './commands/import.ts';
import { addKill } from './commands/kill.ts';
import { addList } from './commands/list.ts';
import { addLogs } from './commands/logs.ts';
import { addRemote } from './commands/remote.ts';
import { addRestart } from './commands/restart.ts';
import { addRestore } from './commands/restore.ts';
import { addService } from './commands/service.ts';
import { addStart } from './commands/start.ts';
import { addStatus } from './commands/status.ts';
import { addStop } from './commands/stop.ts';
import { addToken } from './commands/token.ts';
import { addUp } from './commands/up.ts';
import { addUpgrade } from './commands/upgrade.ts';
import { addUser } from './commands/user.ts';
import { addVerify } from './commands/verify.ts';

/** Every command, in the order of the help. Parsing throws: CommanderError for wrong usage, Failure for what did not work. */
export function createProgram(): Command {
  const program = new Command('gamekeeper')
    .description('Runs game servers: starts, stops, watches and backs them up.')
    .version(VERSION)
    .enablePositionalOptions()
    .showHelpAfterError('Try: gamekeeper --help')
    .exitOverride();
  const commands = [
    ...[addUp, addDown, addStatus, addList, addCreate, addImport, addStart, addStop, addRestart, addKill],
    ...[addLogs, addConsole, addExec, addBackup, addBackups, addVerify, addRestore, addToken, addUser, addRemote],
    ...[addService, addUpgrade, addDoctor],
  ];
  for (const add of commands) add(program);
  return program;
}
