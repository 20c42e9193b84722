import { Input, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useSoftwareOf } from '../../../api/software.ts';
import type { Instance } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { OverFrp } from './OverFrp.tsx';
import { OverSsh } from './OverSsh.tsx';
import { tunnelText } from './tunnel-text.ts';

/** A tunnel to the owner's machine on the internet, by what runs there. SSH forwards only TCP. */
export function OwnMachine({ instance }: { instance: Instance }) {
  const t = useWords(tunnelText);
  const [program, setProgram] = useState('ssh');
  if (useSoftwareOf(instance)?.transport === 'udp')
    return (
      <Stack>
        <Text size="sm">{t('onlyFrp')}</Text>
        <OverFrp instance={instance} />
      </Stack>
    );
  return (
    <Stack>
      <Input.Wrapper label={t('whatRuns')} labelElement="div">
        <SegmentedControl
          aria-label={t('whatRuns')}
          fullWidth
          value={program}
          onChange={setProgram}
          data={[
            { value: 'ssh', label: 'SSH' },
            { value: 'frp', label: 'frp' },
          ]}
        />
      </Input.Wrapper>
      {program === 'ssh' ? <OverSsh instance={instance} /> : <OverFrp instance={instance} />}
    </Stack>
  );
}
