import { Center, Loader } from '@mantine/core';

/** Stands for a part of a page that is still being loaded. */
export function Waiting() {
  return (
    <Center mih="40vh">
      <Loader size="sm" />
    </Center>
  );
}
