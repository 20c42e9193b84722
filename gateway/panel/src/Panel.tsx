import { Box, Center, Loader } from '@mantine/core';
import { Activity } from 'react';
import { useSession } from './api/session.ts';
import { ChoosePassword } from './pages/sign-in/ChoosePassword.tsx';
import { EndedAtProxy } from './pages/sign-in/EndedAtProxy.tsx';
import { SignIn } from './pages/sign-in/SignIn.tsx';
import { Shell } from './shell/Shell.tsx';
import { ProblemAlert } from './ui/feedback/ProblemAlert.tsx';

/**
 * Asks the user to sign in and to replace a generated password, then shows the panel. The URL stays the same throughout. When a session
 * ends, the pages stay mounted but hidden, so that unsaved input is still there after the same user signs in again.
 */
export function Panel() {
  const { data: session, error, refetch } = useSession();
  if (session === undefined)
    return error ? (
      <Box maw={540} p="md" pt="xl">
        <ProblemAlert error={error} onRetry={() => void refetch()} />
      </Box>
    ) : (
      <Center mih="100dvh">
        <Loader />
      </Center>
    );
  if (session === null) return <SignIn />;
  if (session.mustChangePassword) return <ChoosePassword username={session.username} />;
  const { ended, username, proxy } = session;
  return (
    <>
      <Activity mode={ended ? 'hidden' : 'visible'}>
        <Shell key={username} session={session} />
      </Activity>
      {ended && (proxy === undefined ? <SignIn again={username} /> : <EndedAtProxy />)}
    </>
  );
}
