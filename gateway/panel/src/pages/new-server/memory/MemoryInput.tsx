import { Box, Group, NumberInput, Slider } from '@mantine/core';
import type { ReactNode } from 'react';
import { useHost } from '../../../api/host.ts';
import { useInstances } from '../../../api/instances.ts';
import { isLocalAdmin } from '../../../api/roles.ts';
import { useSession } from '../../../api/session.ts';
import { useQuantities } from '../../../text/quantities.ts';
import { useWords } from '../../../text/section.ts';
import { GIGABYTE_MB } from '../create-values.ts';
import { newServerText } from '../new-server-text.ts';
import { memoryRange, memoryShare } from './memory-share.ts';

const STEP_GB = 0.5;
const BYTES_PER_MIB = 1_048_576;

export interface MemoryInputProps {
  /** GB. What is being typed may be empty, or only a sign. */
  value?: number | string;
  onChange: (gigabytes: number | string) => void;
  /** How much to choose. */
  hint: string;
  error?: ReactNode;
  required?: boolean;
  disabled?: boolean;
}

/** The memory as a number, and beside it as a part of the computer's, for those who may see that. */
export function MemoryInput({ hint, ...input }: MemoryInputProps) {
  const t = useWords(newServerText);
  const { memory } = useQuantities();
  const session = useSession().data;
  const host = useHost({ enabled: session != null && isLocalAdmin(session) }).data;
  const totalMb = host && host.memory.totalBytes / BYTES_PER_MIB;
  const wantedGb = Number(input.value) || 0;
  return (
    <NumberInput
      label={t('memory')}
      description={<Hint hint={hint} wantedMb={wantedGb * GIGABYTE_MB} totalMb={totalMb} />}
      inputContainer={(field) => (
        <Group wrap="nowrap" gap="lg">
          <Box w={120}>{field}</Box>
          {totalMb !== undefined && (
            <Slider
              flex={1}
              min={STEP_GB}
              max={memoryRange(totalMb, STEP_GB)}
              step={STEP_GB}
              value={wantedGb}
              onChange={input.onChange}
              disabled={input.disabled ?? false}
              label={null}
              thumbSize={24}
              thumbLabel={t('memorySteps')}
              thumbValueText={(gigabytes) => memory(gigabytes * GIGABYTE_MB)}
            />
          )}
        </Group>
      )}
      suffix=" GB"
      min={STEP_GB}
      max={1_024}
      step={STEP_GB}
      {...input}
    />
  );
}

interface HintProps {
  hint: string;
  wantedMb: number;
  /** Absent for those who may not see it, and until it is read. */
  totalMb: number | undefined;
}

function Hint({ hint, wantedMb, totalMb }: HintProps) {
  const t = useWords(newServerText);
  const { memory } = useQuantities();
  const others = useInstances().data ?? [];
  if (totalMb === undefined || wantedMb === 0) return hint;
  const { leftMb, othersMb, isTight } = memoryShare(wantedMb, totalMb, others);
  const sizes = { left: memory(leftMb), total: memory(totalMb), others: memory(othersMb) };
  return (
    <>
      {hint} {!isTight && t('memoryLeft', sizes)}
      <span role="status" style={{ color: 'var(--mantine-color-warning-light-color)', fontWeight: 600 }}>
        {isTight && t('memoryTight', sizes)}
      </span>{' '}
      {othersMb > 0 && t('memoryOthers', sizes)}
    </>
  );
}
