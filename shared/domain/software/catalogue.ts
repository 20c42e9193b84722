import type { SoftwareDefinition, Transport } from './definition.ts';
import { extendDefinition, type SoftwareFile } from './extend-definition.ts';
import ark from './kinds/ark.json' with { type: 'json' };
import bedrock from './kinds/bedrock.json' with { type: 'json' };
import cs2 from './kinds/cs2.json' with { type: 'json' };
import custom from './kinds/custom.json' with { type: 'json' };
import demo from './kinds/demo.json' with { type: 'json' };
import fabric from './kinds/fabric.json' with { type: 'json' };
import factorio from './kinds/factorio.json' with { type: 'json' };
import folia from './kinds/folia.json' with { type: 'json' };
import forge from './kinds/forge.json' with { type: 'json' };
import freeciv from './kinds/freeciv.json' with { type: 'json' };
import luanti from './kinds/luanti.json' with { type: 'json' };
import neoforge from './kinds/neoforge.json' with { type: 'json' };
import openarena from './kinds/openarena.json' with { type: 'json' };
import openttd from './kinds/openttd.json' with { type: 'json' };
import palworld from './kinds/palworld.json' with { type: 'json' };
import paper from './kinds/paper.json' with { type: 'json' };
import purpur from './kinds/purpur.json' with { type: 'json' };
import quilt from './kinds/quilt.json' with { type: 'json' };
import rust from './kinds/rust.json' with { type: 'json' };
import satisfactory from './kinds/satisfactory.json' with { type: 'json' };
import teeworlds from './kinds/teeworlds.json' with { type: 'json' };
import terraria from './kinds/terraria.json' with { type: 'json' };
import valheim from './kinds/valheim.json' with { type: 'json' };
import vanilla from './kinds/vanilla.json' with { type: 'json' };
import velocity from './kinds/velocity.json' with { type: 'json' };
import zomboid from './kinds/zomboid.json' with { type: 'json' };

/** In the order in which the software is offered. Each file comes after the one that it extends. */
const BUILT_IN_FILES: readonly { kind: string }[] = [
  vanilla,
  paper,
  folia,
  purpur,
  fabric,
  quilt,
  forge,
  neoforge,
  velocity,
  bedrock,
  luanti,
  openttd,
  openarena,
  teeworlds,
  freeciv,
  factorio,
  terraria,
  valheim,
  palworld,
  rust,
  cs2,
  satisfactory,
  zomboid,
  ark,
  custom,
  demo,
];

/** The built-in software, in the order in which it is offered. A test validates the files. */
export const SOFTWARE: readonly SoftwareDefinition[] = definitions();

let customSoftware: readonly SoftwareDefinition[] = [];

/** Replaces the custom software known to this process. Names of built-in software are not allowed. */
export function setCustomSoftware(definitions: readonly SoftwareDefinition[]): void {
  customSoftware = definitions;
}

export function allSoftware(): readonly SoftwareDefinition[] {
  return [...SOFTWARE, ...customSoftware];
}

export function softwareOf(kind: string): SoftwareDefinition | undefined {
  return allSoftware().find((definition) => definition.kind === kind);
}

/** Returns the definition for one instance: of custom software, its owner may have named the transport. */
export function softwareFor({
  software,
  transport,
}: {
  software: string;
  transport?: Transport;
}): SoftwareDefinition | undefined {
  const definition = softwareOf(software);
  if (!definition || transport === undefined || transport === definition.gamePort.transport) return definition;
  return { ...definition, gamePort: { ...definition.gamePort, transport }, listPing: false };
}

function definitions(): SoftwareDefinition[] {
  const known: SoftwareDefinition[] = [];
  for (const file of BUILT_IN_FILES) known.push(extendDefinition(file as SoftwareFile, known) as SoftwareDefinition);
  return known;
}
