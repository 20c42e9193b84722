import { Center, Container, Loader } from '@mantine/core';
import { Activity } from 'react';
import { useSession } from './api/session.ts';
import { ChoosePassword } from './pages/sign-in/ChoosePassword.tsx';
import { SignIn } from './pages/sign-in/SignIn.tsx';
import { Shell } from './shell/Shell.tsx';
import { ProblemAlert } from './ui/feedback/ProblemAlert.tsx';

/**
 * The way in: a session, a password of one's own, then the panel. The address stays, so that signing in again leads back; a session that
 * ran out leaves the pages as they were, hidden and at rest, so that what was typed is there again for the same person.
 */
export function Panel() {
  const { data: session, error, refetch } = useSession();
  if (session === undefined)
    return error ? (
      <Container size="xs" pt="xl">
        <ProblemAlert error={error} onRetry={() => void refetch()} />
      </Container>
    ) : (
      <Center mih="100dvh">
        <Loader />
      </Center>
    );
  if (session === null) return <SignIn />;
  if (session.mustChangePassword) return <ChoosePassword />;
  const { ended, username } = session;
  return (
    <>
      <Activity mode={ended ? 'hidden' : 'visible'}>
        <Shell key={username} session={session} />
      </Activity>
      {ended && <SignIn again={username} />}
    </>
  );
}
