import t from 'tap';
import {
  isSecretProperty,
  knownProperties,
  knownProperty,
  propertiesOfVersion,
} from '../../../../shared/domain/properties/known-properties.ts';
import { valueProblem } from '../../../../shared/domain/properties/property.ts';

for (const edition of ['java', 'bedrock'] as const)
  t.test(`the known properties of ${edition} are complete`, async (t) => {
    const known = knownProperties(edition);
    const keys = known.map(({ key }) => key);
    t.same(keys, [...new Set(keys)].sort(), 'unique and in alphabetical order');
    for (const property of known) {
      const { key, type, description, choices, pattern, allowed, minimum = 0, maximum = minimum } = property;
      t.match(description, /^[A-Z][^\n]{5,200}\.$/, `${key} has a description`);
      if (property.default !== null)
        t.equal(valueProblem(property, property.default), undefined, `${key}: the default is valid`);
      t.equal(type === 'choice', choices !== undefined, `${key}: only choices have a list of choices`);
      t.equal(pattern === undefined, allowed === undefined, `${key}: a pattern has an explanation`);
      t.ok(minimum <= maximum, `${key}: the range is valid`);
      for (const version of [property.since, property.until]) t.match(version ?? '1.0', /^\d+(\.\d+)+$/);
    }
  });

t.test('a version has exactly its properties', async (t) => {
  const keys = (version: string) => propertiesOfVersion('java', version).map(({ key }) => key);
  t.ok(keys('1.7.10').includes('announce-player-achievements'));
  t.notOk(keys('1.12.2').includes('announce-player-achievements'));
  t.notOk(keys('1.21.8').includes('management-server-enabled'));
  for (const version of ['1.21.9', '26.1', 'latest', '26w14a'])
    t.ok(keys(version).includes('management-server-enabled'), version);
  t.ok(keys('1.21.8').includes('pvp'));
  t.notOk(keys('26.1').includes('pvp'), 'it is a game rule since then');
});

t.test('values are validated', async (t) => {
  const problem = (key: string, value: string) => valueProblem(knownProperty('java', key)!, value);
  t.equal(problem('difficulty', '2'), undefined, 'as older versions wrote it');
  t.equal(problem('max-tick-time', '-1'), undefined);
  t.equal(problem('view-distance', '64'), 'must be a whole number from 2 to 32');
  t.equal(problem('view-distance', ' 8'), 'must be a whole number from 2 to 32');
  t.equal(problem('view-distance', '1e1'), 'must be a whole number from 2 to 32');
  t.equal(problem('level-name', 'worlds/first'), undefined);
  for (const outside of ['../x', 'a/../../x', '/etc', 'C:\\x', 'a\\..\\x', '..', ''])
    t.match(problem('level-name', outside), /folder within/, outside);
  const bedrock = (value: string) =>
    valueProblem(knownProperty('bedrock', 'player-position-acceptance-threshold')!, value);
  t.equal(bedrock('0.75'), undefined);
  for (const value of ['NaN', 'Infinity', '-1', '0x1']) t.equal(bedrock(value), 'must be a number of at least 0');
});

t.test('secrets are recognised by their names', async (t) => {
  const secrets = [...knownProperties('java'), ...knownProperties('bedrock')]
    .map(({ key }) => key)
    .filter(isSecretProperty);
  t.same(secrets, [
    'management-server-secret',
    'management-server-tls-keystore-password',
    'rcon.password',
    'script-debugger-passcode',
  ]);
});
