import { Center, Loader } from '@mantine/core';

export function Loading() {
  return (
    <Center mih="40vh">
      <Loader size="sm" />
    </Center>
  );
}
