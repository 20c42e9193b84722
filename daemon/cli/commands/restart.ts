import type { Command } from 'commander';
import { addLifecycle } from './lifecycle-command.ts';

export function addRestart(program: Command): void {
  const description = 'stop a server gracefully and start it again';
  addLifecycle(program, { name: 'restart', description, wanted: 'running', doing: 'restarting' });
}
