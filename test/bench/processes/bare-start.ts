/** Starts a program on a terminal and waits for its end, for comparison: `bare-start.ts <folder> <program> [arguments]`. */
import { spawn } from 'node-pty';

const [cwd = '', program = '', ...args] = process.argv.slice(2);
const terminal = spawn(program, args, { cwd, cols: 120, rows: 40, encoding: null });
// The program would outlive its terminal.
process.on('SIGTERM', () => terminal.kill('SIGKILL'));
terminal.onExit(() => process.exit());
