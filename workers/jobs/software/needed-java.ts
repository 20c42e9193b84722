import type { JavaRule } from '../../../shared/domain/software/definition.ts';
import { isBelow } from '../../../shared/domain/software/minecraft-version.ts';
import { isGamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { javaOfMinecraft } from '../runtimes/java-for.ts';
import { type MojangContext, versionDetails } from './mojang.ts';

/** Returns the major version of Java that a version of the software needs, by its definition's rule. */
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

/** Returns `undefined` if Mojang has no answer or cannot be reached: a mirror of the software's own vendor must be enough. */
async function fromMojang(version: string, context: MojangContext): Promise<number | undefined> {
  try {
    return (await versionDetails(version, context))?.javaVersion?.majorVersion;
  } catch (error) {
    if (isGamekeeperError(error, 'vendor_unavailable')) return undefined;
    throw error;
  }
}
