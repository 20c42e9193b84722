import type { VersionSource } from '../../../../shared/domain/software/definition.ts';
import { createBedrockLinks } from './bedrock-links.ts';
import { createFabricMeta } from './fabric-meta.ts';
import { createFixed } from './fixed.ts';
import { createForgePromotions } from './forge-promotions.ts';
import { createMojangManifest } from './mojang-manifest.ts';
import { createNeoforgeMaven } from './neoforge-maven.ts';
import { createPaperFill } from './paper-fill.ts';
import { createPurpur } from './purpur.ts';
import { createQuiltMeta } from './quilt-meta.ts';
import type { Source, SourceContext } from './source.ts';

export function createSource(source: VersionSource, context: SourceContext): Source {
  switch (source.type) {
    case 'mojang-manifest':
      return createMojangManifest(context);
    case 'paper-fill':
      return createPaperFill(source, context);
    case 'purpur':
      return createPurpur(source.project, context);
    case 'fabric-meta':
      return createFabricMeta(context);
    case 'quilt-meta':
      return createQuiltMeta(context);
    case 'forge-promotions':
      return createForgePromotions(context);
    case 'neoforge-maven':
      return createNeoforgeMaven(context);
    case 'bedrock-links':
      return createBedrockLinks(context);
    case 'fixed':
      return createFixed(source.versions);
  }
}
