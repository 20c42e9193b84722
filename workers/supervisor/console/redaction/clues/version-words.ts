const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const VERSION_WORDS = words(
  'version versions ver v build builds release revision rev java jdk jre openjdk jvm vm hotspot graalvm forge neoforge ' +
    'fml loader protocol driver kernel linux firmware',
);

/** Names that stand alone before versions of four numbers. */
export const PLATFORMS = words(
  'geyser floodgate bedrock minecraft paper spigot bukkit craftbukkit purpur folia velocity bungeecord waterfall ' +
    'fabric quilt sponge mixin netty viaversion viabackwards viarewind luckperms worldedit essentialsx protocollib',
);

/** Names in a User-Agent: `Chrome/120.0.0.0`. Any other name before a slash is a host: `play.example.com/203.0.113.7`. */
export const BROWSERS = words('chrome chromium crios edg edge opr opera safari firefox version headlesschrome');
export const OTHER_AGENTS = words('java java-http-client okhttp curl wget jdk');

/** Words before a name and its version: `Loaded plugin luckperms 5.4.1.2 by Luck`. */
export const BEFORE_NAMES = words(
  'plugin mod library addon extension module loading loaded enabling enabled disabling',
);

/** Words after a name and its version, perhaps with auxiliary verbs in between: `Geyser 2.2.0.1 was loaded`. */
export const BEHIND_NAMES = words(
  'loaded enabled disabled loading enabling initialized initialised available outdated supported',
);
export const AUXILIARIES = words('is was has been now successfully');

/** Words that make numbers in the same clause versions: `Updating Foo from 1.2.3.3 to 1.2.3.4`. */
export const UPDATE_WORDS = words(
  'update updates updated updater updating installed upgrade upgrades upgraded upgrading outdated newer newest latest version versions ' +
    'release java jdk jre jvm openjdk hotspot vm temurin',
);
/** Words that have an address or lead to one. They outweigh all words before them. */
export const ADDRESS_WORDS = words(
  'from to at on for by with via is as of and ip ips ipv4 address addresses addr host hosts hostname player players user ' +
    'users client clients connection connections connected connecting disconnected disconnecting server logged login ' +
    'logins joined left kick kicked ban bans banned unbanned pardon whitelist whitelisted blacklist session sessions remote peer ' +
    'peers socket proxy bind bound listening gateway node dns lan subnet network ping pinged query rcon pool dsl adsl ' +
    'vdsl static dynamic dyn dhcp cable cpe customer cust ppp pppoe broadband fiber ftth',
);
/** Address words that sentences about updates contain as well. */
export const NEUTRAL = words('from to at on for by with via is as of and server');

/** Returns whether a word in lower case announces a version. */
export function isVersionWord(word: string): boolean {
  return word.endsWith('version') || VERSION_WORDS.has(word);
}
