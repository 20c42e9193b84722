/** Some game rules of 1.20.4, with their values in a new world (minecraft.wiki, "Game rule"), as texts. */
export const DEFAULT_GAMERULES: Readonly<Record<string, string>> = {
  announceAdvancements: 'true',
  doDaylightCycle: 'true',
  doFireTick: 'true',
  doImmediateRespawn: 'false',
  doInsomnia: 'true',
  doMobSpawning: 'true',
  doWeatherCycle: 'true',
  fallDamage: 'true',
  keepInventory: 'false',
  mobGriefing: 'true',
  naturalRegeneration: 'true',
  playersSleepingPercentage: '100',
  randomTickSpeed: '3',
  sendCommandFeedback: 'true',
  showDeathMessages: 'true',
  spawnRadius: '10',
};
