import type { Command } from 'commander';
import { addLifecycle } from './lifecycle-command.ts';

export function addStop(program: Command): void {
  const description = 'stop a server gracefully: its world is saved first';
  addLifecycle(program, { name: 'stop', description, wanted: 'stopped', doing: 'stopping' });
}
