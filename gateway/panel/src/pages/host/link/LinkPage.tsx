import { Alert, Skeleton, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import { useLink } from '../../../api/link.ts';
import type { Schemas } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { LinkedProxy } from './LinkedProxy.tsx';
import { LinkRequest } from './LinkRequest.tsx';
import { linkText } from './link-text.ts';
import { NewLink } from './NewLink.tsx';

/** Remote access through a hosted proxy. */
export function LinkPage() {
  const t = useWords(linkText);
  const link = useLink();
  return (
    <Stack>
      <Title order={1}>{t('title')}</Title>
      {link.isPending && <Skeleton h={240} />}
      {link.isError && !link.data && <ProblemAlert error={link.error} onRetry={() => void link.refetch()} />}
      {link.data && <LinkState link={link.data} />}
    </Stack>
  );
}

function LinkState({ link: { proxy, status, request, lastRequest } }: { link: Schemas['Link'] }) {
  /** The outcome of an older request is no news. */
  const [watched, setWatched] = useState<string>();
  if (request && request.id !== watched) setWatched(request.id);
  const isNews = !request && lastRequest?.id === watched && (lastRequest?.outcome !== 'approved' || proxy !== null);
  return (
    <>
      {isNews && lastRequest && <Outcome outcome={lastRequest} />}
      {request && <LinkRequest request={request} />}
      {proxy && <LinkedProxy proxy={proxy} status={status} />}
      {!request && !proxy && <NewLink />}
    </>
  );
}

function Outcome({ outcome: { outcome, detail, resolution } }: { outcome: Schemas['LinkOutcome'] }) {
  const t = useWords(linkText);
  if (outcome === 'cancelled') return null;
  const approved = outcome === 'approved';
  return (
    <Alert color={approved ? 'good' : 'warning'} variant="light" role="status" title={t(outcome)}>
      {[detail, resolution].filter((text) => text !== undefined).join(' ') ||
        t(approved ? 'approvedHint' : 'unchanged')}
    </Alert>
  );
}
