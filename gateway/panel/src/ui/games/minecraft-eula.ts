export const MINECRAFT_EULA = 'https://aka.ms/MinecraftEULA';
