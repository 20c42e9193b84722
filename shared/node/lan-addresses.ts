import { networkInterfaces } from 'node:os';

/** Returns this computer's IPv4 address in each network that it is in. */
export function lanAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flat()
    .filter((each) => each !== undefined)
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
}
