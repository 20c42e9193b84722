import { Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { beginTotp, confirmTotp, newRecoveryCodes, turnTotpOff } from '../../../api/second-factor.ts';
import { checkSession, useSession } from '../../../api/session.ts';
import type { Schemas } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { OneTimeSecret } from '../../../ui/dialog/OneTimeSecret.tsx';
import { FormSection } from '../../../ui/form/FormSection.tsx';
import { accountText } from './account-text.ts';
import { PasswordStep } from './PasswordStep.tsx';
import { TotpStep } from './TotpStep.tsx';

type Step =
  | { asks: 'password'; for: 'begin' | 'codes' | 'off' }
  | { asks: 'code'; begun: Schemas['TotpBegun'] }
  | { shows: 'codes'; codes: readonly string[] };

/** Sets up and turns off the second factor, and replaces the recovery codes. Each step first asks for the password or a code. */
export function TwoFactor() {
  const t = useWords(accountText);
  const queries = useQueryClient();
  const session = useSession().data;
  const [step, setStep] = useState<Step>();
  const close = () => {
    setStep(undefined);
    checkSession(queries);
  };

  const withPassword = async (purpose: 'begin' | 'codes' | 'off', password: string) => {
    if (purpose === 'begin') {
      setStep({ asks: 'code', begun: await beginTotp(password) });
    } else if (purpose === 'codes') {
      setStep({ shows: 'codes', codes: await newRecoveryCodes(password) });
    } else {
      await turnTotpOff(password);
      close();
    }
  };
  const withCode = async (code: string) => {
    setStep({ shows: 'codes', codes: await confirmTotp(code) });
  };

  const on = session?.totp === true;
  return (
    <FormSection title={t('twoFactor')} hint={t(on ? 'on' : 'off')}>
      <Stack>
        {on && (
          <Text size="sm" c={session.recoveryCodes === 0 ? 'danger' : 'dimmed'}>
            {t('codesLeft', { count: session.recoveryCodes ?? 0 })}
          </Text>
        )}
        <Group justify="flex-end">
          {on ? (
            <>
              <Button variant="default" onClick={() => setStep({ asks: 'password', for: 'codes' })}>
                {t('newCodes')}
              </Button>
              <Button color="danger" variant="outline" onClick={() => setStep({ asks: 'password', for: 'off' })}>
                {t('turnOff')}
              </Button>
            </>
          ) : (
            <Button onClick={() => setStep({ asks: 'password', for: 'begin' })}>{t('setUp')}</Button>
          )}
        </Group>
      </Stack>
      <Dialog
        keepTyped
        opened={step !== undefined}
        onClose={close}
        title={step && 'for' in step && step.for === 'off' ? t('turnOffTitle') : t('twoFactor')}
      >
        {step && 'for' in step && (
          <PasswordStep
            {...(step.for === 'off' && { warning: t('turnOffWarning') })}
            onPassword={(password) => withPassword(step.for, password)}
          />
        )}
        {step && 'begun' in step && <TotpStep begun={step.begun} onCode={withCode} />}
        {step && 'codes' in step && (
          <OneTimeSecret
            label={t('codesTitle')}
            secret={step.codes.join('\n')}
            explanation={t('codesShown')}
            onClose={close}
          />
        )}
      </Dialog>
    </FormSection>
  );
}
