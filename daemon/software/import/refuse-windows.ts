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
  const names = (program: RegExp) => program.test(images) || program.test(start);
  const isExe = installsWindows || /(?:^|[\s"'/\\])[\w.-]+\.exe\b/i.test(start);
  // Mono runs programs for .NET without Wine.
  const needsWine = names(/\bwine(?:64)?\b|[:/_-]wine/i) || (isExe && !/\bmono(?:64)?\b/i.test(start));
  const needsProton = names(/\bproton\b/i);
  if (!needsWine && !needsProton) return;
  const program = needsProton ? 'Proton' : 'Wine';
  throw new GamekeeperError(
    'invalid_request',
    `This is a Windows program that needs ${program}, which Gamekeeper does not run.`,
    {
      resolution: 'Look for a description of the Linux server of this game.',
    },
  );
}
