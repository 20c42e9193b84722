import { type Family, type Labels, samplesOf } from './family.ts';

export interface ConsoleTraffic {
  viewers: number;
  sentBytes: number;
  skippedLines: number;
}

export interface ConsoleTraffics {
  of(instance: string): ConsoleTraffic;
  forget(instance: string): void;
  families(labels: (instance: string) => Labels): Family[];
}

export function createConsoleTraffics(): ConsoleTraffics {
  const traffics = new Map<string, ConsoleTraffic>();
  return {
    of(instance) {
      const known = traffics.get(instance) ?? { viewers: 0, sentBytes: 0, skippedLines: 0 };
      traffics.set(instance, known);
      return known;
    },
    forget: (instance) => void traffics.delete(instance),
    families(labels) {
      const samples = (value: (traffic: ConsoleTraffic) => number) =>
        samplesOf(
          traffics,
          ([instance]) => labels(instance),
          ([, traffic]) => value(traffic),
        );
      return [
        {
          name: 'gamekeeper_console_viewers',
          help: 'Open console WebSockets.',
          type: 'gauge',
          samples: samples(({ viewers }) => viewers),
        },
        {
          name: 'gamekeeper_console_sent_bytes_total',
          help: 'Bytes sent to console viewers.',
          type: 'counter',
          samples: samples(({ sentBytes }) => sentBytes),
        },
        {
          name: 'gamekeeper_console_skipped_lines_total',
          help: 'Lines that were rotated away before a slow viewer could read them.',
          type: 'counter',
          samples: samples(({ skippedLines }) => skippedLines),
        },
      ];
    },
  };
}
