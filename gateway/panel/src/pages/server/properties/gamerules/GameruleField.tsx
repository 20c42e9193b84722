import { Loader, NumberInput, type NumberInputProps, Switch, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Gamerule, gamerulesQuery, readGamerules, useSetGamerule } from '../../../../api/gamerules.ts';
import { GAMERULE_WORDS } from '../../../../text/gamerule-words.ts';
import { useLanguage } from '../../../../text/language.ts';
import { useWords } from '../../../../text/section.ts';
import { notifyInfo, notifyProblem, notifyUndoable } from '../../../../ui/feedback/notify.tsx';
import { useProblem } from '../../../../ui/feedback/use-problem.ts';
import { NamedLabel } from '../NamedLabel.tsx';
import { gamerulesText } from './gamerules-text.ts';

/** Of 32 bits, as the game stores it. */
const HIGHEST = 2_147_483_647;

export interface GameruleFieldProps {
  instanceId: string;
  rule: Gamerule;
  disabled: boolean;
}

/** The input for a game rule. The running game takes a new value at once; the input shows the value that it reports. */
export function GameruleField({ instanceId, rule, disabled }: GameruleFieldProps) {
  const t = useWords(gamerulesText);
  const { language } = useLanguage();
  const queries = useQueryClient();
  const change = useSetGamerule(instanceId);
  const own = GAMERULE_WORDS[rule.key]?.[language];
  const [label, description = rule.description] = own ?? [rule.name];
  const inWords = (value: Gamerule['value']) => (typeof value === 'boolean' ? t(value ? 'on' : 'off') : value);
  /** Undoes a change, unless someone has changed the rule since. */
  const putBack = async (before: Gamerule['value'], after: Gamerule['value']) => {
    const rules = await readGamerules(instanceId);
    const present = rules.find(({ name }) => name === rule.name)?.value;
    if (present === after) {
      await change.mutateAsync({ name: rule.name, value: before });
      return;
    }
    notifyInfo(t('changedSince'));
    await queries.invalidateQueries({ queryKey: gamerulesQuery(instanceId).queryKey });
  };
  const set = (value: Gamerule['value']) => {
    const { name, value: before } = rule;
    if (change.isPending || value === before) return;
    change.mutate(
      { name, value },
      {
        onSuccess: () =>
          notifyUndoable(
            t('changed', { rule: label, value: inWords(value) }),
            () => void putBack(before, value).catch(notifyProblem),
          ),
      },
    );
  };
  const common = {
    label: <NamedLabel label={label} name={own && rule.name} />,
    description,
    disabled,
    error: change.error && <Refusal error={change.error} />,
    'aria-busy': change.isPending,
  };
  const shown = change.isPending ? change.variables.value : rule.value;
  return typeof shown === 'boolean' ? (
    <Switch
      {...common}
      checked={shown}
      thumbIcon={change.isPending && <Loader size={10} />}
      onChange={(event) => set(event.currentTarget.checked)}
    />
  ) : (
    <NumberField
      {...common}
      value={shown}
      {...(rule.minimum !== undefined && { min: rule.minimum })}
      max={rule.maximum ?? HIGHEST}
      isPending={change.isPending}
      onCommit={set}
    />
  );
}

interface NumberFieldProps extends Omit<NumberInputProps, 'value'> {
  value: number;
  isPending: boolean;
  /** Called with a whole number when the user leaves the input or presses Enter. */
  onCommit: (value: number) => void;
}

function NumberField({ value, isPending, onCommit, ...props }: NumberFieldProps) {
  const [typed, setTyped] = useState<string | number>();
  const commit = () => {
    setTyped(undefined);
    if (typed !== undefined && typed !== '' && Number.isInteger(Number(typed))) onCommit(Number(typed));
  };
  return (
    <NumberInput
      {...props}
      value={typed ?? value}
      // A second value would be lost.
      readOnly={isPending}
      clampBehavior="strict"
      allowDecimal={false}
      hideControls
      rightSection={isPending && <Loader size={16} />}
      onChange={setTyped}
      onBlur={commit}
      onKeyDown={({ key }) => {
        if (key === 'Enter') commit();
      }}
    />
  );
}

/** Why a value was refused: the game's own words. */
function Refusal({ error }: { error: unknown }) {
  const { message, detail, detailLanguage } = useProblem(error);
  return (
    <span role="alert">
      {message}{' '}
      {detail && (
        <Text span inherit lang={detailLanguage}>
          {detail}
        </Text>
      )}
    </span>
  );
}
