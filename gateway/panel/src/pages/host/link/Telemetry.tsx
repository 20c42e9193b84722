import { List, Stack, Switch, Text } from '@mantine/core';
import { useChangeLink } from '../../../api/link.ts';
import { useWords } from '../../../text/section.ts';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { FormSection } from '../../../ui/form/FormSection.tsx';
import { linkText } from './link-text.ts';

/** Whether this computer reports its state to the proxy, and exactly what. */
export function Telemetry({ isOn }: { isOn: boolean }) {
  const t = useWords(linkText);
  const change = useChangeLink();
  return (
    <FormSection title={t('telemetry')}>
      <Stack>
        <Switch
          label={t('telemetrySwitch')}
          description={t('telemetryHint')}
          checked={isOn}
          disabled={change.isPending}
          onChange={(event) => change.mutate({ telemetry: event.currentTarget.checked })}
        />
        {change.error && <ProblemAlert error={change.error} />}
        <Text size="sm">{t('telemetrySent')}</Text>
        <List size="sm">
          <List.Item>{t('telemetryMachine')}</List.Item>
          <List.Item>{t('telemetryServers')}</List.Item>
        </List>
        <Text size="sm">{t('telemetryNever')}</Text>
      </Stack>
    </FormSection>
  );
}
