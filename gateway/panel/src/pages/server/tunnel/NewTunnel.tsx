import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Instance } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { FormSection } from '../../../ui/form/FormSection.tsx';
import { ForwardedPort } from './ForwardedPort.tsx';
import { NothingOwn } from './NothingOwn.tsx';
import { OwnMachine } from './OwnMachine.tsx';
import { tunnelText } from './tunnel-text.ts';

const SITUATIONS = ['router', 'machine', 'neither'] as const;
type Situation = (typeof SITUATIONS)[number];

/** Leads from the owner's situation to a way that fits. */
export function NewTunnel({ instance }: { instance: Instance }) {
  const t = useWords(tunnelText);
  const [situation, setSituation] = useState<Situation>();
  return (
    <FormSection title={t('title')} hint={t('explanation')}>
      <Stack>
        <Radio.Group
          label={t('question')}
          value={situation ?? ''}
          onChange={(chosen) => setSituation(chosen as Situation)}
        >
          <Stack gap="xs" mt={6}>
            {SITUATIONS.map((each) => (
              <Radio key={each} value={each} label={t(each)} description={t(`${each}Hint`)} />
            ))}
          </Stack>
        </Radio.Group>
        {situation === 'router' && <ForwardedPort instance={instance} />}
        {situation === 'machine' && <OwnMachine instance={instance} />}
        {situation === 'neither' && <NothingOwn instance={instance} />}
      </Stack>
    </FormSection>
  );
}
