/** Lines of the icons of the kinds that ship, in a square of 24. Our own drawings: the logos of games are trademarks. */
export const KIND_DRAWINGS: Readonly<Record<string, string>> = {
  // A block.
  vanilla: 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9',
  // A sheet with a folded corner.
  paper: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  // A leaf.
  folia: 'M6 18C5 9 11 4 20 4c0 10-5 15-14 14zM4 21c2-6 5-9 9-11',
  // A cut stone.
  purpur: 'M7 4h10l4 6-9 10L3 10zM3 10h18M8.5 10l3.5 10M15.5 10L12 20',
  // Threads, woven.
  fabric: 'M4 7h4M12 7h8M4 12h8M16 12h4M4 17h4M12 17h8M7 4v10M7 18v2M12 4v1M12 9v11M17 4v6M17 14v6',
  // Patches.
  quilt: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7zM4 11l7-7M13 20l7-7',
  // An anvil.
  forge: 'M4 7h14v2c-3 0-5 2-5 5v2h3v3H7v-3h3v-2c-3 0-6-2-6-7zM18 8h3',
  // A hammer.
  neoforge: 'M4 20l9-9M9 6l9 9 3-3-5-5h-4zM4 5h3M5.500 3.500v3',
  // Arrows.
  velocity: 'M3 6h9M3 12h13M3 18h9M14 5l7 7-7 7',
  // A telephone with a block.
  bedrock: 'M7 3h10v18H7zM11 18.500h2M9 8.500L12 7l3 1.500V12l-3 1.500L9 12zM9 8.500l3 1.500 3-1.500M12 10v3.500',
  // A pickaxe.
  luanti: 'M4 8c5-5 11-5 16 0M15 5.500L6 20',
  // A locomotive.
  openttd: 'M6 4h12v12H6zM6 10h12M12 4v6M9 13h.1M15 13h.1M8 16l-3 4M16 16l3 4M7 19h10',
  // Crosshairs.
  openarena: 'M12 5a7 7 0 1 0 .01 0zM12 2v6M12 16v6M2 12h6M16 12h6',
  // A round creature with feet.
  teeworlds: 'M12 4a7 7 0 1 0 .01 0zM10 9v3M15 9v3M6 20h4M13 20h4',
  // A temple.
  freeciv: 'M4 9l8-5 8 5zM6 12v5M10 12v5M14 12v5M18 12v5M4 20h16',
  // A cog.
  factorio:
    'M12 8a4 4 0 1 0 .01 0zM12 2v4M12 18v4M2 12h4M18 12h4M5 5l2.800 2.800M16.200 16.200L19 19M19 5l-2.800 2.800M7.800 16.200L5 19',
  // A sapling.
  terraria: 'M12 21v-9M12 12c-5 0-7-3-7-7 4 0 7 2 7 7zM12 15c4 0 6-2 6-6-4 0-6 2-6 6zM6 21h12',
  // A longship.
  valheim: 'M3 14c3 6 15 6 18 0zM12 14V4c4 1 6 3 6 7h-6M3 14l-1-4M21 14l1-4',
  // A paw.
  palworld: 'M12 13c-3 0-5 2-5 4.500S9 20 12 20s5 0 5-2.500S15 13 12 13zM6 9v2M10 5v2M14 5v2M18 9v2',
  // A fire.
  rust: 'M12 3c1 4 5 5 5 10a5 5 0 0 1-10 0c0-2 1-3 2-4 1 1.500 2 1 3-6zM5 21h14',
  // A stopwatch.
  cs2: 'M12 7a7 7 0 1 0 .01 0zM12 10v4l3 2M10 3h4M12 3v4',
  // A factory.
  satisfactory: 'M3 20V10l6 4v-4l6 4V5h5v15zM7 17h2M13 17h2',
  // A house with boards on its door.
  zomboid: 'M4 11l8-7 8 7v9H4zM9 20v-7h6v7M8 15l8 3M8 18l8-3',
  // An egg.
  ark: 'M12 3c4 0 7 6 7 11a7 7 0 0 1-14 0c0-5 3-11 7-11zM6 13l3-2 3 2 3-2 3 2',
  // A terminal.
  custom: 'M4 5h16v14H4zM7 9l3 3-3 3M12 15h5',
  // A flask.
  demo: 'M9 3h6M10 3v6l-5 9.500A1.700 1.700 0 0 0 6.500 21h11a1.700 1.700 0 0 0 1.500-2.500L14 9V3M7.500 15h9',
};
