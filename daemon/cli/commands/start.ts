import type { Command } from 'commander';
import { addLifecycle } from './lifecycle-command.ts';

export function addStart(program: Command): void {
  addLifecycle(program, { name: 'start', description: 'start a server', wanted: 'running', doing: 'starting' });
}
