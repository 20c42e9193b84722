import t from 'tap';
import { whyNotAllowed } from '../../../../workers/jobs/vendors/allowed-url.ts';

const allowed = async (url: string, base: string) => (await whyNotAllowed(new URL(url), base)) === undefined;

t.test('the host that the owner chose is allowed as it is, and over https', async (t) => {
  t.ok(await allowed('http://127.0.0.1:8080/a', 'http://127.0.0.1:8080'));
  t.ok(await allowed('https://vendor.example/a', 'https://vendor.example'));
  t.ok(await allowed('https://vendor.example/a', 'http://vendor.example'));
});

t.test('nothing leads from https to http, not even on the same host', async (t) => {
  t.notOk(await allowed('http://vendor.example/a', 'https://vendor.example'));
  t.notOk(await allowed('http://vendor.example:443/a', 'https://vendor.example:443'));
  t.notOk(await allowed('http://8.8.8.8/a', 'https://vendor.example'));
});

t.test('another port of the same host is another address', async (t) => {
  t.notOk(await allowed('http://127.0.0.1:8081/a', 'http://127.0.0.1:8080'));
  t.notOk(await allowed('https://127.0.0.1:8081/a', 'https://127.0.0.1:8080'));
});
