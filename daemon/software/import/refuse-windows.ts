import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

/** Refuses Windows programs by the name of what would run them. */
export function refuseWindows({
  images,
  start,
  installsWindows,
}: {
  images: string;
  start: string;
  installsWindows: boolean;
}): void {
  const program = /\bproton\b/i.test(images) || /\bproton\b/i.test(start) ? 'Proton' : 'Wine';
  const isWindows =
    installsWindows ||
    /\b(?:proton|wine)\b|[:/_-]wine/i.test(images) ||
    /\b(?:proton|wine|wine64|xvfb-run wine)\b/i.test(start) ||
    /(?:^|[\s"'/\\])[\w.-]+\.exe\b/i.test(start);
  if (!isWindows) return;
  const runs = /mono/i.test(start) ? undefined : program;
  if (runs === undefined) return;
  throw new GamekeeperError(
    'invalid_request',
    `This is a Windows program that needs ${runs}, which Gamekeeper does not run.`,
    {
      resolution: 'Look for a description of the Linux server of this game.',
    },
  );
}
