import { systemdWord } from '../../../shared/domain/systemd-word.ts';

/** Longer than links take to move to another replica. */
const STOP_SECONDS = 150;

/**
 * Returns a system unit that runs a command line, the proxy's, as a user that exists only meanwhile. Its data directory is
 * `/var/lib/gamekeeper-proxy`, which only that user and root can open.
 */
export function systemdUnit(commandLine: readonly string[]): string {
  const [program = '', ...args] = commandLine;
  // The colon turns off variable substitution, so a dollar sign stays a dollar sign.
  const words = [`:${program}`, ...args].map(systemdWord).join(' ');
  return `# Written by "gamekeeper proxy unit". Settings: /etc/gamekeeper-proxy.env
[Unit]
Description=Gamekeeper proxy, which reaches Gamekeepers behind any router
Wants=network-online.target
After=network-online.target postgresql.service
# The database or an address may not be available yet. Never give up.
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart=${words}
Environment="GAMEKEEPER_PROXY_HOME=%S/gamekeeper-proxy"
EnvironmentFile=-/etc/gamekeeper-proxy.env
SyslogIdentifier=gamekeeper-proxy
DynamicUser=yes
StateDirectory=gamekeeper-proxy
StateDirectoryMode=0700
UMask=0077
Restart=always
RestartSec=2
# Wrong usage or settings: a restart does not help.
RestartPreventExitStatus=2
TimeoutStopSec=${STOP_SECONDS}
KillMode=mixed
# One file for each link and each request.
LimitNOFILE=1048576

# Only the network, and nothing of this machine. V8 compiles at run time, so MemoryDenyWriteExecute= cannot be set.
CapabilityBoundingSet=
LockPersonality=yes
NoNewPrivileges=yes
PrivateDevices=yes
PrivateTmp=yes
PrivateUsers=yes
ProcSubset=pid
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=read-only
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
RemoveIPC=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallErrorNumber=EPERM
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources

[Install]
WantedBy=multi-user.target
`;
}
