import type { StandInSupervisor } from './stand-in-supervisor.ts';

/** From now on, commands wait in the supervisor until `release` is called. `arrived` resolves when the first one is there. */
export function holdCommands(supervisor: Pick<StandInSupervisor, 'command'>): {
  arrived: Promise<void>;
  release: () => void;
} {
  const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { command } = supervisor;
  supervisor.command = async (line) => {
    arrived.resolve();
    await released.promise;
    return command(line);
  };
  return { arrived: arrived.promise, release: released.resolve };
}
