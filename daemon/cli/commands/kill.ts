import type { Command } from 'commander';
import { addLifecycle } from './lifecycle-command.ts';

export function addKill(program: Command): void {
  const description = 'end a server at once; what it has not saved is lost';
  addLifecycle(program, { name: 'kill', description, wanted: 'stopped', doing: 'ending' });
}
