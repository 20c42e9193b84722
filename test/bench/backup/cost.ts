import { execFileSync } from 'node:child_process';

/** Seconds that some work took, and the CPU seconds that it used. */
export interface Cost {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** Resolves to the cost of work in this process and its threads. */
export async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { seconds: (performance.now() - start) / 1000, cpuSeconds: (user + system) / 1e6 };
}

/** Returns the cost of a shell command. Its output goes nowhere. */
export function costOfShell(command: string, cwd: string): Cost {
  const start = performance.now();
  const printed = execFileSync('sh', ['-ec', `{ ${command}; } > /dev/null; times`], { cwd, encoding: 'utf8' });
  const seconds = (performance.now() - start) / 1000;
  // The second line is that of the shell's children, such as "0m1.250000s 0m0.310000s": user and system time.
  const times = [...printed.split('\n')[1]!.matchAll(/(\d+)m([\d.]+)s/g)];
  const cpuSeconds = times.reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0);
  return { seconds, cpuSeconds };
}
