import { SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Instance } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { OverFrp } from './OverFrp.tsx';
import { OverSsh } from './OverSsh.tsx';
import { tunnelText } from './tunnel-text.ts';

/** A tunnel to the owner's machine on the internet, by what runs there. */
export function OwnMachine({ instance }: { instance: Instance }) {
  const t = useWords(tunnelText);
  const [program, setProgram] = useState('ssh');
  return (
    <Stack>
      <SegmentedControl
        aria-label={t('whatRuns')}
        value={program}
        onChange={setProgram}
        data={[
          { value: 'ssh', label: 'SSH' },
          { value: 'frp', label: 'frp' },
        ]}
      />
      {program === 'ssh' ? <OverSsh instance={instance} /> : <OverFrp instance={instance} />}
    </Stack>
  );
}
