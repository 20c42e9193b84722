import { encodeBatches } from '../../../shared/contract/console-batch.ts';
import type { SupervisorStats } from '../../../shared/contract/stats.ts';
import type { SupervisorService } from '../../../shared/contract/supervisor.ts';
import type { InstanceRuntime } from '../../../shared/domain/instance/runtime.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Player } from '../../../shared/schema/answers.ts';
import { encodeBatch } from '../console/console-batch.ts';
import { eventQueue } from '../http/event-queue.ts';
import { PROCESS_STATS } from './process-stats.ts';

/** The process stats that the stand-in reports. */
const STATS: SupervisorStats = {
  process: PROCESS_STATS,
  console: { lines: 10, bytes: 1_000, redactions: 3 },
  rcon: { connections: 2, errors: 1, latency: { bounds: [0.01, 0.1], counts: [4, 2, 1], sum: 0.5 } },
};

/** The supervisor's contract, implemented in memory and controlled by the test. */
export interface StandInSupervisor extends SupervisorService {
  runtime: InstanceRuntime;
  onlinePlayers: Player[];
  serverProperties: Record<string, string>;
  /** Commands, console lines and player actions in the order of their arrival. */
  readonly heard: string[];
  /** The requested sizes of the terminal, in order. */
  readonly sizes: { columns: number; rows: number }[];
  /** Prints lines to the log and to all followers. */
  print(...lines: string[]): void;
  /** Shows an incomplete line. */
  prompt(text: string): void;
  /** Removes the oldest lines, as rotation does. */
  rotateAway(upToSeq: number): void;
  /** Restarts the numbering, as after the deletion of the log. */
  startOver(): void;
  /** Prints lines to the log only, as for followers that are too slow. */
  withholdLive: boolean;
  readonly followers: number;
  readonly reads: number;
}

export function standInSupervisor(onRuntime: (runtime: InstanceRuntime) => void = () => undefined): StandInSupervisor {
  const heard: string[] = [];
  const console = createConsole(() => supervisor.withholdLive);
  let version = 1;

  function become(phase: InstanceRuntime['phase']): void {
    supervisor.runtime = { ...supervisor.runtime, phase };
    onRuntime(supervisor.runtime);
  }

  function requireStopped(): void {
    if (supervisor.runtime.phase !== 'stopped')
      throw new GamekeeperError('invalid_state', `It is ${supervisor.runtime.phase} already.`);
  }

  const supervisor: StandInSupervisor = {
    runtime: { phase: 'stopped' },
    onlinePlayers: [],
    serverProperties: { 'server-port': '25565' },
    heard,
    sizes: [],
    ...console.calls,
    withholdLive: false,
    get followers() {
      return console.live.subscribers;
    },
    get reads() {
      return console.reads();
    },
    status: () => supervisor.runtime,
    async *watch(signal) {
      yield supervisor.runtime;
      yield* eventQueue<InstanceRuntime>().subscribe(signal);
    },
    stats: () => STATS,
    async handOver() {
      throw new GamekeeperError('invalid_state', 'The stand-in has no terminal.');
    },
    configure: () => undefined,
    async restartWhenEmpty(isWanted) {
      const { restartWhenEmpty: _, ...runtime } = supervisor.runtime;
      supervisor.runtime = { ...runtime, ...(isWanted && { restartWhenEmpty: true as const }) };
    },
    setRedaction: () => undefined,
    setSoftware: () => undefined,
    probeTunnel: async () => supervisor.runtime,
    sleep: async () => become('sleeping'),
    async start() {
      requireStopped();
      become('starting');
    },
    async stop() {
      if (supervisor.runtime.phase === 'stopped') throw new GamekeeperError('invalid_state', 'It is stopped already.');
      become('stopping');
    },
    restart: async () => become('starting'),
    kill: async () => become('stopped'),
    async command(line) {
      heard.push(line);
      if (line === 'fail') throw new GamekeeperError('command_rejected', 'Unknown command.');
      return `ran ${line}`;
    },
    sendLine(line) {
      if (line === 'nobody hears') throw new GamekeeperError('invalid_state', 'The server is stopped.');
      heard.push(line);
    },
    resize: (size) => void supervisor.sizes.push(size),
    players: async () => supervisor.onlinePlayers,
    listedPlayers: async (list) => [{ name: `somebody of ${list}` }],
    seenPlayers: () => [{ name: 'Alice', lastSeen: '2026-11-20T08:00:00.000Z', playSeconds: 60, online: false }],
    accounts: async () => [{ name: 'Alice', uuid: '069a79f4-44e9-4726-a5be-fca90e38aaf5' }],
    async playerAction({ name, action, reason }) {
      if (name === 'Nobody') throw new GamekeeperError('player_not_found', 'No player was found');
      heard.push([action, name, ...(reason === undefined ? [] : [reason])].join(' '));
      return action === 'op' ? '' : `${action} done`;
    },
    allowPlayers: async (names) => ({
      added: names.filter((name) => name !== 'Nobody'),
      failed: names.filter((name) => name === 'Nobody').map((name) => ({ name, detail: 'No player was found' })),
    }),
    crashes: async () => [
      {
        at: '2026-11-20T08:00:00.000Z',
        exitCode: 1,
        signal: null,
        reason: 'It crashed.',
        restarts: 0,
        lines: ['oops'],
      },
    ],
    properties: async () => ({ properties: supervisor.serverProperties, etag: `v${version}` }),
    async setProperties({ properties, ifMatch }) {
      if (ifMatch !== undefined && ifMatch !== `v${version}`)
        throw new GamekeeperError('precondition_failed', 'Changed meanwhile.');
      supervisor.serverProperties = { ...supervisor.serverProperties, ...properties };
      version++;
      return { properties: supervisor.serverProperties, etag: `v${version}` };
    },
    gamerules: async () => [],
    setGamerules: async () => [],
    hold: async () => ({ leaseId: 'l', quiesced: true }),
    renew: () => true,
    release: async () => undefined,
    notice: () => undefined,
    retire: async () => undefined,
  };
  return supervisor;
}

function createConsole(isLiveWithheld: () => boolean) {
  const live = eventQueue<Uint8Array>();
  let lines: { seq: number; text: string }[] = [];
  let lastSeq = 0;
  let reads = 0;
  const calls = {
    print(...texts: string[]) {
      const firstSeq = lastSeq + 1;
      for (const text of texts) lines.push({ seq: ++lastSeq, text });
      if (!isLiveWithheld()) live.publish(encodeBatch(firstSeq, texts));
    },
    prompt(text) {
      live.publish(encodeBatches([{ firstSeq: lastSeq + 1, count: 0, at: 0, skipped: 0, text: Buffer.from(text) }]));
    },
    rotateAway(upToSeq) {
      lines = lines.filter(({ seq }) => seq > upToSeq);
    },
    startOver() {
      lines = [];
      lastSeq = 0;
    },
    logs: async ({ lines: count, contains }) =>
      lines
        .map(({ text }) => text)
        .filter((text) => contains === undefined || text.includes(contains))
        .slice(-count),
    async readConsole(query) {
      reads++;
      const wanted =
        'tail' in query
          ? lines.slice(-query.tail)
          : take(
              lines.filter(({ seq }) => seq > query.after),
              query.maxBytes,
            );
      const [first] = wanted;
      return first
        ? encodeBatch(
            first.seq,
            wanted.map(({ text }) => text),
          )
        : new Uint8Array();
    },
    console: (signal) => live.subscribe(signal),
  } satisfies Partial<StandInSupervisor>;
  return { live, calls, reads: () => reads };
}

function take(lines: { seq: number; text: string }[], maxBytes: number): { seq: number; text: string }[] {
  let bytes = 0;
  return lines.filter(({ text }, index) => {
    bytes += text.length + 2;
    return index === 0 || bytes <= maxBytes;
  });
}
