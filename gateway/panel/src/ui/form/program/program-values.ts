/** Of a server whose kind does not say how it is started. */
export interface ProgramValues {
  /** As `toCommand` reads it. */
  command: string;
  /** Empty: that of the kind. */
  stopCommand: string;
  udp: boolean;
  /** As `toEnvironment` reads it. */
  env: string;
  ready: Ready;
  readyPattern: string;
  readySeconds: number | '';
}

/** How a server shows that players can join; `usual`: as its kind says. */
export const READY = ['usual', 'pattern', 'seconds'] as const;
type Ready = (typeof READY)[number];

/** What the API calls the readiness; `null`: that of the kind. */
export function toReadiness({ ready, readyPattern, readySeconds }: ProgramValues) {
  return {
    readyPattern: ready === 'pattern' ? readyPattern.trim() : null,
    readyAfterSeconds: ready === 'seconds' ? Number(readySeconds) : null,
  };
}
