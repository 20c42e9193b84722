import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { shellText } from '../shell/shell-text.ts';
import { useWords } from '../text/section.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';

export function NotFound() {
  const t = useWords(shellText);
  return (
    <EmptyState
      picture="gap"
      title={t('notFound')}
      action={
        <Button component={Link} href="/">
          {t('overview')}
        </Button>
      }
    >
      {t('notFoundHint')}
    </EmptyState>
  );
}
