import path from 'node:path';
import { environmentOf, MARK, requirePlainPaths, type ServiceDefinition } from './definition.ts';
import { escapeXml } from './escape-xml.ts';

/** The label of the agent and the name of its file. */
export const LAUNCHD_LABEL = 'net.gamekeeper.daemon';

/** Returns an agent for macOS (launchd.plist(5)). It starts when its user logs in, and after a crash. */
export function launchdAgent(definition: ServiceDefinition): string {
  requirePlainPaths(definition);
  const { node, entry, home, stopSeconds } = definition;
  const log = path.posix.join(home, 'logs', 'service.log');
  const environment = Object.entries(environmentOf('launchd', definition));
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ${MARK}. -->
<plist version="1.0">
<dict>
  <key>Label</key>
  ${launchdString(LAUNCHD_LABEL)}
  <key>ProgramArguments</key>
  <array>
    ${[node, entry, '--home', home].map(launchdString).join('\n    ')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    ${environment.map(([name, value]) => `<key>${name}</key>\n    ${launchdString(value)}`).join('\n    ')}
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ExitTimeOut</key>
  <integer>${stopSeconds}</integer>
  <key>AbandonProcessGroup</key>
  <true/>
  <key>ProcessType</key>
  <string>Interactive</string>
  <key>StandardOutPath</key>
  ${launchdString(log)}
  <key>StandardErrorPath</key>
  ${launchdString(log)}
</dict>
</plist>
`;
}

export function launchdString(value: string): string {
  return `<string>${escapeXml(value)}</string>`;
}
