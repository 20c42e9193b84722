import { type FormValidateInput, type UseFormReturnType, useForm } from '@mantine/form';
import { useEffect, useEffectEvent, useRef } from 'react';

export interface LatestForm<Values> {
  form: UseFormReturnType<Values>;
  /** These are stored now: the form is no longer dirty. */
  markStored: (values: Values) => void;
  /** Back to what is stored. */
  reset: () => void;
}

/**
 * A form over values that others change as well. What nobody has touched here follows them, what was typed stays: so that saving
 * one field never takes back what somebody else has put into another.
 */
export function useLatestForm<Values extends object>(
  latest: Values,
  options: { validate?: FormValidateInput<Values> } = {},
): LatestForm<Values> {
  const form = useForm<Values>({ initialValues: latest, ...options });
  const seen = useRef(latest);
  const { getValues, setValues, resetDirty } = form;
  // By content: the object is another one whenever the page is drawn.
  const content = JSON.stringify(latest);
  const follow = useEffectEvent((now: Values) => {
    const typed = getValues();
    const untouched = Object.entries(now).filter(([key]) =>
      isSame(typed[key as keyof Values], seen.current[key as keyof Values]),
    );
    setValues(Object.fromEntries(untouched) as Partial<Values>);
    resetDirty(now);
    seen.current = now;
  });
  useEffect(() => follow(JSON.parse(content)), [content]);
  return {
    form,
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

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
