import { notifications } from '@mantine/notifications';
import { asProblem } from '../api/problem.ts';

/** Says in passing that something worked. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'moss' });
}

/** Says what failed and what to do; stays until it is closed. */
export function notifyProblem(error: unknown): void {
  const { title, message, resolution } = asProblem(error);
  notifications.show({
    title,
    message: resolution ? `${message} ${resolution}` : message,
    color: 'red',
    autoClose: false,
  });
}
