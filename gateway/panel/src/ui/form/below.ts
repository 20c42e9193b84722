import type { InputWrapperProps } from '@mantine/core';

/** Descriptions of fields beside each other go below, so that the inputs line up. */
export const BELOW: Pick<InputWrapperProps, 'inputWrapperOrder'> = {
  inputWrapperOrder: ['label', 'input', 'description', 'error'],
};
