import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTotals, type Totals } from './tap-report.ts';

/** How long a test file may take unless it asks for more with `t.setTimeout`, in seconds. */
const TIMEOUT_S = 600;
/** A test that exceeds its timeout has this long to report what it waits for; then its process is killed. */
const REPORT_MS = 30_000;

export interface FileResult {
  file: string;
  ok: boolean;
  totals: Totals;
  /** From the start of its process to its end, in milliseconds. */
  ms: number;
  /** CPU time of its process and of those that it waited for, milliseconds. 0 beyond Linux. */
  cpuMs: number;
  /** TAP, and what the test printed besides. */
  output: string;
}

/**
 * Runs one test file in its own process.
 *
 * tap's own runner is not used: it makes every process that a test starts (daemons, gateways, supervisors) load the module hooks
 * that it needs for coverage, which triples the time they take to start.
 */
export async function runFile(root: string, file: string): Promise<FileResult> {
  const started = performance.now();
  const child = spawn(process.execPath, [file], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      // TypeScript is stripped and compiled once, not once per test file. First, so that a caller can choose another folder.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/tests'),
      ...process.env,
      TAP_TIMEOUT: String(TIMEOUT_S),
    },
  });
  const forget = passOnSignals((signal) => child.kill(signal));

  let killing: NodeJS.Timeout;
  const allow = (ms: number) => {
    clearTimeout(killing);
    killing = setTimeout(() => child.kill('SIGKILL'), ms + REPORT_MS);
  };
  allow(TIMEOUT_S * 1000);
  // tap reports `t.setTimeout` of the whole file in this way.
  child.on('message', (message) => {
    if (typeof message === 'object' && 'setTimeout' in message) allow(Number(message.setTimeout));
  });

  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(() => {
    clearTimeout(killing);
    forget();
  });

  const totals = readTotals(output);
  const ok = code === 0 && totals !== undefined && totals.failed === 0;
  const { passed = 0, failed = 0, skipped = 0 } = totals ?? {};
  return {
    file,
    ok,
    // A file that cannot even be loaded has no assertion that failed.
    totals: { passed, failed: ok ? failed : Math.max(failed, 1), skipped },
    ms: performance.now() - started,
    cpuMs: newlyWaitedMs(),
    output,
  };
}

/** Unit of CPU times in /proc; always 100 on Linux (sysconf(_SC_CLK_TCK)). */
const TICKS_PER_SECOND = 100;
let countedMs = 0;

/** Returns the CPU time of the children that have ended since the last call: `cutime` and `cstime` (proc_pid_stat(5)). */
function newlyWaitedMs(): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const before = countedMs;
  countedMs = ((Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND) * 1000;
  return countedMs - before;
}

function passOnSignals(passOn: (signal: NodeJS.Signals) => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, passOn);
  return () => {
    for (const signal of signals) process.off(signal, passOn);
  };
}
