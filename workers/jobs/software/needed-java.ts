import type { JavaRule } from '../../../shared/domain/software/definition.ts';
import { isBelow } from '../../../shared/domain/software/minecraft-version.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { javaOfMinecraft } from '../runtimes/java-for.ts';
import { type MojangContext, versionDetails } from './mojang.ts';

/** Major version of the Java that a version of some software needs, by its definition's rule. */
export async function neededJava(
  rule: JavaRule,
  { version, java }: { version: string; java?: number | undefined },
  context: MojangContext,
): Promise<number> {
  const older = rule.older?.find(({ below }) => isBelow(version, below));
  if (older) return older.major;
  if (typeof rule.needed === 'number') return rule.needed;
  if (rule.needed === 'vendor' && java !== undefined) return java;
  return (await fromMojang(version, context)) ?? java ?? javaOfMinecraft(version);
}

/** `undefined` where Mojang does not say, or cannot be asked: a mirror of one vendor is enough to install what is that vendor's. */
async function fromMojang(version: string, context: MojangContext): Promise<number | undefined> {
  try {
    return (await versionDetails(version, context))?.javaVersion?.majorVersion;
  } catch (error) {
    if (error instanceof GamekeeperError && error.code === 'vendor_unavailable') return undefined;
    throw error;
  }
}
