import { Box, Stack } from '@mantine/core';
import { useState } from 'react';
import type { ModChange } from '../../../api/mods.ts';
import type { TabProps } from '../tab-props.ts';
import { ChangeDialog } from './ChangeDialog.tsx';
import { InstalledMods } from './InstalledMods.tsx';
import { ModSearch } from './ModSearch.tsx';

export function ModsTab({ instance, session }: TabProps) {
  const [change, setChange] = useState<ModChange>();
  // Mods run code on the host.
  const mayChange = session.role === 'admin';
  return (
    <Box className="page-width" py="md">
      <Stack gap="xl">
        <InstalledMods instanceId={instance.id} mayChange={mayChange} onChange={setChange} />
        <ModSearch instanceId={instance.id} mayChange={mayChange} onChange={setChange} />
      </Stack>
      {change && <ChangeDialog instanceId={instance.id} change={change} onClose={() => setChange(undefined)} />}
    </Box>
  );
}
