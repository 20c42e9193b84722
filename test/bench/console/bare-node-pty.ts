/** Measures node-pty alone: reads the output of the given program, and prints bytes, seconds and CPU seconds as JSON. */
import { spawn } from 'node-pty';

const [program = '', ...args] = process.argv.slice(2);
const start = performance.now();
const before = process.cpuUsage();
let bytes = 0;
const terminal = spawn(program, args, { encoding: null, cols: 120, rows: 40 });
// The types say text, but with `encoding: null` it is a Buffer.
terminal.onData((chunk: string | Buffer) => {
  bytes += chunk.length;
});
terminal.onExit(() => {
  const { user, system } = process.cpuUsage(before);
  const seconds = (performance.now() - start) / 1000;
  process.stdout.write(`${JSON.stringify({ bytes, seconds, cpuSeconds: (user + system) / 1e6 })}\n`);
});
