/**
 * A command that runs another one with SIGHUP ignored, as nohup(1) does, in the same process: an ignored signal stays so over exec, and
 * node-pty resets what we ignore ourselves. HotSpot installs no handler for a SIGHUP that it finds ignored, so that a JVM goes on when its
 * terminal goes away.
 */
export function ignoringHangup({ program, args }: { program: string; args: readonly string[] }): {
  program: string;
  args: string[];
} {
  return { program: '/bin/sh', args: ['-c', 'trap "" HUP; exec "$@"', 'sh', program, ...args] };
}
