import type { VersionSource } from '../../../../shared/domain/software/definition.ts';
import { bedrockLinks } from './bedrock-links.ts';
import { fabricMeta } from './fabric-meta.ts';
import { fixed } from './fixed.ts';
import { forgePromotions } from './forge-promotions.ts';
import { mojangManifest } from './mojang-manifest.ts';
import { neoforgeMaven } from './neoforge-maven.ts';
import { paperFill } from './paper-fill.ts';
import { purpur } from './purpur.ts';
import { quiltMeta } from './quilt-meta.ts';
import type { Source, SourceContext } from './source.ts';

export function openSource(source: VersionSource, context: SourceContext): Source {
  switch (source.type) {
    case 'mojang-manifest':
      return mojangManifest(context);
    case 'paper-fill':
      return paperFill(source, context);
    case 'purpur':
      return purpur(source.project, context);
    case 'fabric-meta':
      return fabricMeta(context);
    case 'quilt-meta':
      return quiltMeta(context);
    case 'forge-promotions':
      return forgePromotions(context);
    case 'neoforge-maven':
      return neoforgeMaven(context);
    case 'bedrock-links':
      return bedrockLinks(context);
    case 'fixed':
      return fixed(source.versions);
  }
}
