import { Anchor, Box, Group, SegmentedControl, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useWords } from '../../text/section.ts';
import { useIsPhone } from '../../ui/use-is-phone.ts';
import { CreateServer } from './CreateServer.tsx';
import { ImportServer } from './ImportServer.tsx';
import { ModpackServer } from './ModpackServer.tsx';
import { newServerText } from './new-server-text.ts';

const WAYS = ['fresh', 'modpack', 'import'] as const;
type Way = (typeof WAYS)[number];

export function NewServer() {
  const t = useWords(newServerText);
  const [way, setWay] = useState<Way>('fresh');
  // Three ways side by side are too wide for a phone.
  const isPhone = useIsPhone();
  return (
    <Box className="page-width" py="md">
      <Stack>
        <Group justify="space-between">
          <Title order={1}>{t('title')}</Title>
          <Anchor component={Link} href="/host/games" size="sm">
            {t('games')}
          </Anchor>
        </Group>
        <SegmentedControl
          aria-label={t('title')}
          {...(isPhone ? { orientation: 'vertical', fullWidth: true } : { w: 'fit-content' })}
          value={way}
          onChange={(chosen) => setWay(chosen as Way)}
          data={WAYS.map((value) => ({ value, label: t(value) }))}
        />
        {way === 'fresh' && <CreateServer />}
        {way === 'modpack' && <ModpackServer onImport={() => setWay('import')} />}
        {way === 'import' && <ImportServer />}
      </Stack>
    </Box>
  );
}
