import { type FormValidateInput, type UseFormReturnType, useForm } from '@mantine/form';
import { useEffect, useEffectEvent, useRef } from 'react';
import { uneditedFields } from './merge-latest.ts';

export interface LatestForm<Values> {
  form: UseFormReturnType<Values>;
  /** Returns what is stored as far as the form knows: `latest`, or what was saved since, before `latest` says so. */
  stored: () => Values;
  /** Call after saving: the form is clean with these values. */
  markStored: (values: Values) => void;
  reset: () => void;
}

/** A form over values that others may change too: fields without edits follow `latest`, edited ones keep what the user typed. */
export function useLatestForm<Values extends object>(
  latest: Values,
  options: { validate?: FormValidateInput<Values> } = {},
): LatestForm<Values> {
  const form = useForm<Values>({ initialValues: latest, ...options });
  const seen = useRef(latest);
  const { getValues, setValues, resetDirty } = form;
  // `latest` is a new object at each render.
  const content = JSON.stringify(latest);
  const follow = useEffectEvent((now: Values) => {
    setValues(uneditedFields(now, { typed: getValues(), seen: seen.current }));
    resetDirty(now);
    seen.current = now;
  });
  useEffect(() => follow(JSON.parse(content)), [content]);
  return {
    form,
    stored: () => seen.current,
    markStored: (values) => {
      seen.current = values;
      resetDirty(values);
    },
    reset: () => {
      setValues(seen.current);
      resetDirty(seen.current);
      form.clearErrors();
    },
  };
}
