import { useLocalStorage } from '@mantine/hooks';
import { Suspense } from 'react';
import { isLocalAdmin } from '../../../api/roles.ts';
import type { Session } from '../../../api/session.ts';
import type { Instance } from '../../../api/transport/client.ts';
import { lazyPart } from '../../../ui/feedback/lazy-part.ts';
import { PartBoundary } from '../../../ui/feedback/PartBoundary.tsx';

/** Whoever has more is no newcomer. Also bounds how many servers are asked for their schedules. */
const MOST_SERVERS = 5;

const Checklist = lazyPart(async () => (await import('./Checklist.tsx')).Checklist);

interface OnboardingProps {
  session: Session;
  /** At least one. */
  instances: readonly Instance[];
}

/** What a new owner does first, until it is done or hidden in this browser. */
export function Onboarding({ session, instances }: OnboardingProps) {
  const [isOver, setOver] = useLocalStorage({
    key: 'gamekeeper.first-steps-over',
    defaultValue: false,
    getInitialValueInEffect: false,
    deserialize: (stored) => stored === 'true',
  });
  if (isOver || !isLocalAdmin(session) || instances.length > MOST_SERVERS) return null;
  return (
    <PartBoundary>
      <Suspense>
        <Checklist totp={session.totp} instances={instances} onOver={() => setOver(true)} />
      </Suspense>
    </PartBoundary>
  );
}
