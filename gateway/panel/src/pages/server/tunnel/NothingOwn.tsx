import { Input, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useLink } from '../../../api/link.ts';
import { useSoftwareOf } from '../../../api/software.ts';
import type { Instance } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { OverPlayit } from './OverPlayit.tsx';
import { OverProxy } from './OverProxy.tsx';
import { tunnelText } from './tunnel-text.ts';

/** For owners without a public address or machine: the hosted proxy if this computer is linked to one, or playit.gg. */
export function NothingOwn({ instance }: { instance: Instance }) {
  const t = useWords(tunnelText);
  // Only administrators may read it. For others it fails, and playit.gg is offered.
  const proxy = useLink().data?.proxy?.issuer;
  const [way, setWay] = useState('proxy');
  // Proxies relay only Minecraft.
  if (useSoftwareOf(instance)?.listPing === false) return <OverPlayit instance={instance} />;
  if (proxy === undefined)
    return (
      <Stack>
        <OverPlayit instance={instance} />
        <Text size="sm">{t('proxyInstead')}</Text>
      </Stack>
    );
  return (
    <Stack>
      <Input.Wrapper label={t('whichService')} labelElement="div">
        <SegmentedControl
          aria-label={t('whichService')}
          fullWidth
          value={way}
          onChange={setWay}
          data={[
            { value: 'proxy', label: t('yourProxy') },
            { value: 'playit', label: 'playit.gg' },
          ]}
        />
      </Input.Wrapper>
      {way === 'proxy' ? <OverProxy instance={instance} proxy={proxy} /> : <OverPlayit instance={instance} />}
    </Stack>
  );
}
