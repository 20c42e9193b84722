import t from 'tap';
import { addressGroup } from '../../../shared/node/address-group.ts';

t.test('an IPv4 address counts alone, an IPv6 address as its /64 network, and all of loopback as one', (t) => {
  const groups: [string, string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', 'this machine'],
    ['127.0.0.1', 'this machine'],
    ['127.255.3.4', 'this machine'],
    ['::ffff:127.0.0.9', 'this machine'],
    ['128.0.0.1', '128.0.0.1'],
    ['::2', '0:0:0:0::/64'],
    ['this machine', 'this machine'],
  ];
  for (const [address, group] of groups) t.equal(addressGroup(address), group, address);
  t.end();
});
