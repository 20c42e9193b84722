import type { Command } from './command.ts';

/** Vanilla's command. */
export const gameruleCommand: Command = {
  name: 'gamerule',
  usages: ['gamerule <rule> [<value>]'],
  run: ({ game: { world }, source, line }) => {
    const name = line.word(1);
    const present = world.gamerules.get(name) ?? line.refuse(1, 'Incorrect argument for command');
    const wanted = line.optionalWord(2);
    if (wanted === undefined) return source.succeed(`Gamerule ${name} is currently set to: ${present}`);
    const isFlag = FLAGS.includes(present);
    if (isFlag && !FLAGS.includes(wanted))
      line.refuse(2, `Invalid boolean, expected 'true' or 'false' but found '${wanted}'`);
    if (!isFlag && !/^-?\d{1,9}$/.test(wanted)) line.refuse(2, 'Expected integer');
    line.expectEnd(3);
    const value = isFlag ? wanted : String(Number(wanted));
    world.gamerules.set(name, value);
    source.succeed(`Gamerule ${name} is now set to: ${value}`, 'told');
  },
};

const FLAGS = ['true', 'false'];
