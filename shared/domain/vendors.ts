/** The APIs of vendors. `vendors` in the settings may name a mirror for each. */
export const VENDORS = {
  mojang: 'https://piston-meta.mojang.com',
  mojangSessions: 'https://sessionserver.mojang.com',
  mojangTextures: 'https://textures.minecraft.net',
  adoptium: 'https://api.adoptium.net',
  paper: 'https://fill.papermc.io',
  purpur: 'https://api.purpurmc.org',
  fabric: 'https://meta.fabricmc.net',
  quilt: 'https://meta.quiltmc.org',
  forge: 'https://maven.minecraftforge.net',
  forgeFiles: 'https://files.minecraftforge.net',
  neoforge: 'https://maven.neoforged.net',
  bedrock: 'https://net-secondary.web.minecraft-services.net',
  modrinth: 'https://api.modrinth.com',
} as const;

export type VendorName = keyof typeof VENDORS;
export const VENDOR_NAMES = Object.keys(VENDORS) as VendorName[];
