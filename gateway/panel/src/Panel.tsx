import { Center, Container, Loader } from '@mantine/core';
import { useSession } from './api/session.ts';
import { ChoosePassword } from './pages/ChoosePassword.tsx';
import { SignIn } from './pages/SignIn.tsx';
import { Shell } from './shell/Shell.tsx';
import { ProblemAlert } from './ui/ProblemAlert.tsx';

/** The way in: a session, a password of one's own, then the panel. The address stays, so that signing in again leads back. */
export function Panel() {
  const session = useSession();
  if (session.isPending)
    return (
      <Center mih="100dvh">
        <Loader />
      </Center>
    );
  if (session.isError)
    return (
      <Container size="xs" pt="xl">
        <ProblemAlert error={session.error} onRetry={() => void session.refetch()} />
      </Container>
    );
  if (session.data === null) return <SignIn />;
  if (session.data.mustChangePassword) return <ChoosePassword />;
  return <Shell session={session.data} />;
}
