import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Test } from 'tap';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';

/** One series in the result of an instant query. */
export interface Found {
  metric: Record<string, string>;
  /** Time and value. */
  value: [number, string];
}

/** Debian's Prometheus, scraping one Gamekeeper every second. */
export interface Prometheus {
  /** Runs a PromQL query. Throws Prometheus's error. */
  query(query: string): Promise<Found[]>;
}

/** Starts Prometheus with a temporary folder until the end of the test. `labels` are added to all metrics of the target. */
export async function startPrometheus(
  t: Test,
  { target, labels }: { target: string; labels: Record<string, string> },
): Promise<Prometheus> {
  return runPrometheus(t, { static_configs: [{ targets: [target], labels }] });
}

/** The same with other parts of a scrape configuration, such as where the targets are listed. */
export async function runPrometheus(t: Test, parts: object): Promise<Prometheus> {
  const folder = temporaryFolder(t);
  const config = path.join(folder, 'prometheus.yml');
  const scrape = {
    job_name: 'gamekeeper',
    honor_labels: true,
    scrape_interval: '1s',
    scrape_timeout: '1s',
    ...parts,
  };
  // JSON is valid YAML.
  writeFileSync(config, JSON.stringify({ scrape_configs: [scrape] }));
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(
    'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${path.join(folder, 'data')}`,
      `--web.listen-address=${new URL(url).host}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  t.teardown(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const isReady = () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until('Prometheus is ready', isReady, { describe: () => printed });
  return {
    async query(query) {
      const answer = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query })}`);
      const body = (await answer.json()) as { status: string; error?: string; data?: { result: Found[] } };
      if (body.status !== 'success' || !body.data) throw new Error(`${query}: ${body.error}`);
      return body.data.result;
    },
  };
}
