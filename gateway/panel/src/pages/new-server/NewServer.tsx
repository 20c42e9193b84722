import { Anchor, Container, Group, SegmentedControl, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useWords } from '../../text/section.ts';
import { CreateServer } from './CreateServer.tsx';
import { ImportServer } from './ImportServer.tsx';
import { newServerText } from './new-server-text.ts';

const WAYS = ['fresh', 'import'] as const;

export function NewServer() {
  const t = useWords(newServerText);
  const [way, setWay] = useState<(typeof WAYS)[number]>('fresh');
  return (
    <Container>
      <Stack>
        <Group justify="space-between">
          <Title order={1}>{t('title')}</Title>
          <Anchor component={Link} href="/host/games" size="sm">
            {t('games')}
          </Anchor>
        </Group>
        <SegmentedControl
          aria-label={t('title')}
          w="fit-content"
          value={way}
          onChange={(chosen) => setWay(chosen as typeof way)}
          data={WAYS.map((value) => ({ value, label: t(value) }))}
        />
        {way === 'fresh' ? <CreateServer /> : <ImportServer />}
      </Stack>
    </Container>
  );
}
