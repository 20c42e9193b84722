// Generated from the OpenAPI document; see test/gateway/panel-types.test.ts.
export interface paths {
  '/openapi.json': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** This description, for programs */
    get: operations['getOpenApi'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/metrics': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Metrics for Prometheus
     * @description Open to callers on this machine; OpenMetrics on request.
     */
    get: operations['getMetrics'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/health': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Health of the daemon */
    get: operations['getHealth'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/instances': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List all instances with live figures */
    get: operations['listInstances'];
    put?: never;
    /**
     * Create an instance
     * @description Only a local administrator may set launch, directory and env.
     */
    post: operations['createInstance'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/instances/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One instance */
    get: operations['getInstance'];
    put?: never;
    post?: never;
    /**
     * Delete a stopped instance
     * @description The server folder and the backups stay unless the query says otherwise.
     */
    delete: operations['deleteInstance'];
    options?: never;
    head?: never;
    /**
     * Change the configuration of an instance
     * @description Takes effect with the next start.
     */
    patch: operations['updateInstance'];
    trace?: never;
  };
  '/instances/{id}/history': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** CPU, memory and players over the last hour, day or week */
    get: operations['getHistory'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/instances/{id}/start': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Start an instance */
    post: operations['startInstance'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/instances/{id}/stop': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Stop an instance gracefully, its world saved */
    post: operations['stopInstance'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/instances/{id}/restart': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Restart an instance; starts one that is stopped */
    post: operations['restartInstance'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/instances/{id}/kill': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** End an instance at once; what was not saved is lost */
    post: operations['killInstance'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/instances/{id}/logs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Sanitized console log, oldest line first
     * @description Without colour codes; personal data is redacted. Works while the instance is stopped.
     */
    get: operations['getLogs'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/instances/{id}/commands': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Run one console command and get its answer */
    post: operations['runCommand'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/instances/{id}/players': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Players that are online */
    get: operations['listPlayers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/instances/{id}/players/{name}/kick': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Kick a player */
    post: operations['kickPlayer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/instances/{id}/players/{name}/ban': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Ban a player */
    post: operations['banPlayer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/instances/{id}/players/{name}/pardon': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Pardon a player */
    post: operations['pardonPlayer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/instances/{id}/players/{name}/op': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Op a player */
    post: operations['opPlayer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/instances/{id}/players/{name}/deop': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Deop a player */
    post: operations['deopPlayer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/instances/{id}/players/{name}/whitelist': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Whitelist a player */
    post: operations['whitelistPlayer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/instances/{id}/properties': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Server properties
     * @description Secrets read as "********".
     */
    get: operations['getProperties'];
    /**
     * Set server properties
     * @description Sets the named keys; the others stay. With If-Match, only if nobody has changed them meanwhile.
     */
    put: operations['setProperties'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/instances/{id}/backup': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Back up an instance as a ZIP with its SHA-256
     * @description Answers when the archive is on disk. A running server is backed up with its world held still.
     */
    post: operations['createBackup'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/instances/{id}/backups': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The backups of an instance */
    get: operations['listBackups'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/instances/{id}/backups/{backupId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One backup */
    get: operations['getBackup'];
    put?: never;
    post?: never;
    /** Delete a backup */
    delete: operations['deleteBackup'];
    options?: never;
    head?: never;
    /** Keep a backup from being removed by retention, or no longer */
    patch: operations['pinBackup'];
    trace?: never;
  };
  '/instances/{id}/backups/{backupId}/restore': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Put a stopped instance back to a backup */
    post: operations['restoreBackup'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/instances/{id}/backups/{backupId}/verify': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Check hash, checksums and structure of a backup */
    post: operations['verifyBackup'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/instances/{id}/backups/{backupId}/archive': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Download the ZIP of a backup */
    get: operations['downloadBackup'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/instances/{id}/tunnel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Public address of an instance */
    get: operations['getTunnel'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/software': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Kinds of server software */
    get: operations['listSoftware'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/jobs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Long work that runs, waits or has ended lately */
    get: operations['listJobs'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/jobs/{jobId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Progress of one job */
    get: operations['getJob'];
    put?: never;
    post?: never;
    /** Cancel a job */
    delete: operations['cancelJob'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What happens, as Server-Sent Events
     * @description Events: instance.phase, instance.removed, usage, job.progress, backup.done. Begins with the state of every instance, or behind Last-Event-ID.
     */
    get: operations['streamEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/login': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Sign in; sets the session cookie */
    post: operations['login'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/logout': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Sign out; ends the session */
    post: operations['logout'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/session': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Who is signed in */
    get: operations['getSession'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/password': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Change the own password; a new session replaces the present one */
    put: operations['changePassword'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/tokens': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Valid bearer tokens, without the tokens themselves */
    get: operations['listTokens'];
    put?: never;
    /** Make a bearer token; it is shown this once */
    post: operations['createToken'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/tokens/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /** Revoke a bearer token at once */
    delete: operations['revokeToken'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/instances/{id}/start': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Start an instance */
    post: operations['panelStart'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/instances/{id}/stop': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Stop an instance */
    post: operations['panelStop'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/instances/{id}/restart': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Restart an instance */
    post: operations['panelRestart'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/instances/{id}/players/{name}/kick': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Kick a player */
    post: operations['panelKickPlayer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/instances/{id}/players/{name}/ban': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Ban a player */
    post: operations['panelBanPlayer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/instances/{id}/players/{name}/op': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Op a player */
    post: operations['panelOpPlayer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/instances/{id}/players/{name}/deop': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Deop a player */
    post: operations['panelDeopPlayer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/instances/{id}/properties': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Server properties */
    get: operations['panelGetProperties'];
    /** Set server properties */
    put: operations['panelSetProperties'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/instances/{id}/console-ticket': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A ticket that opens the console WebSocket once */
    post: operations['createConsoleTicket'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/ws/instances/{id}/console': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Live console over WebSocket
     * @description Sends redacted console text with colour codes, takes one command line per text frame. Sending needs servers:write. With format=json and unfinished=1, {"unfinished": "> "} says what the line behind the last one shows so far; the next lines take it back. The server's terminal takes the size of whoever may send and named one last: with columns and rows, or later with a binary frame that holds {"columns": 120, "rows": 30}.
     */
    get: operations['openConsole'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    ErrorResponse: {
      /** Format: uri */
      type: string;
      title: string;
      status: number;
      detail: string;
      code: string;
      resolution?: string;
    };
    HealthResponse: {
      status: string;
      version: string;
      platform: string;
      activeInstances: number;
    };
    Instance: {
      id: string;
      name: string;
      software: string;
      version: string;
      javaVersion?: string;
      port: number;
      /** @enum {string} */
      status: 'running' | 'stopped' | 'starting';
      playersOnline?: number;
      maxPlayers?: number;
      memoryMb?: number;
      /** @enum {string} */
      phase?: 'stopped' | 'provisioning' | 'starting' | 'running' | 'stopping' | 'crashed' | 'sleeping';
      /** @enum {string} */
      activity?: 'installing' | 'backing-up' | 'restoring';
      /** @description 100 = one core, whole process tree */
      cpuPercent?: number;
      memoryUsedMb?: number;
      uptimeSeconds?: number;
      crash?: {
        /** Format: date-time */
        at: string;
        exitCode: number | null;
        signal: string | null;
        reason: string;
        restarts: number;
      };
    };
    CreateInstance: {
      name: string;
      software: string;
      id?: string;
      version?: string;
      port?: number;
      /** @enum {string} */
      javaVersion?: '8' | '11' | '17' | '21' | '25';
      /** @default 2048 */
      memoryMb: number;
      maxPlayers?: number;
      /** @default false */
      acceptEula: boolean;
      /** @default false */
      autoStart: boolean;
      /** @default {} */
      crashPolicy: {
        /**
         * @default on-failure
         * @enum {string}
         */
        restart: 'on-failure' | 'always' | 'never';
        /** @default 3 */
        maxRestarts: number;
        /** @default 600 */
        windowSeconds: number;
      };
      /** @default 60 */
      stopTimeoutSeconds: number;
      sleepWhenEmptyMinutes?: number;
      directory?: string;
      rcon?: {
        port: number;
        password: string;
      };
      env?: {
        [key: string]: string;
      };
      launch?: {
        command: string[];
      };
      readyPattern?: string;
      stopCommand?: string;
      saveCommands?: {
        off?: string;
        flush?: string;
        on?: string;
        savedPattern?: string;
      };
    };
    UpdateInstance: {
      name?: string;
      version?: string;
      port?: number;
      /** @enum {string} */
      javaVersion?: '8' | '11' | '17' | '21' | '25';
      memoryMb?: number;
      maxPlayers?: number;
      acceptEula?: boolean;
      autoStart?: boolean;
      crashPolicy?: {
        /**
         * @default on-failure
         * @enum {string}
         */
        restart: 'on-failure' | 'always' | 'never';
        /** @default 3 */
        maxRestarts: number;
        /** @default 600 */
        windowSeconds: number;
      };
      stopTimeoutSeconds?: number;
      sleepWhenEmptyMinutes?: number;
      rcon?: {
        port: number;
        password: string;
      };
      env?: {
        [key: string]: string;
      };
      launch?: {
        command: string[];
      };
      readyPattern?: string;
      stopCommand?: string;
      saveCommands?: {
        off?: string;
        flush?: string;
        on?: string;
        savedPattern?: string;
      };
    };
    History: {
      /** @enum {string} */
      range: '1h' | '24h' | '7d';
      stepSeconds: number;
      points: {
        /**
         * Format: date-time
         * @description Beginning of the time that the point stands for
         */
        at: string;
        /** @description Mean; 100 = one core */
        cpuPercent?: number;
        /** @description Mean */
        memoryUsedMb?: number;
        /** @description The most at once */
        playersOnline?: number;
      }[];
    };
    ActionResponse: {
      success: boolean;
      message: string;
    };
    LogsResponse: {
      lines: string[];
    };
    CommandRequest: {
      command: string;
    };
    CommandResponse: {
      output: string;
    };
    Player: {
      name: string;
      uuid?: string;
      op?: boolean;
      /** Format: date-time */
      since?: string;
    };
    /** @default {} */
    PlayerActionRequest: {
      reason?: string;
    };
    Properties: {
      properties: {
        [key: string]: string;
      };
    };
    BackupRequest: {
      /** @default true */
      cloudReplicate: boolean;
    };
    BackupResponse: {
      backupId: string;
      sizeBytes: number;
      sha256: string;
      /** @enum {string} */
      cloudStatus: 'disabled' | 'not_configured' | 'pending' | 'replicated' | 'partial' | 'failed';
    };
    Job: {
      jobId: string;
      /** @enum {string} */
      kind: 'backup' | 'restore' | 'verify' | 'drill' | 'replicate' | 'provision';
      instanceId: string;
      /** @enum {string} */
      state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
      percent: number;
      bytesDone: number;
      bytesTotal: number;
      /** @description smoothed; while running */
      bytesPerSecond?: number;
      /** @description at the present speed */
      remainingSeconds?: number;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      endedAt?: string;
      backupId?: string;
      /** @description where a replication goes */
      store?: string;
      error?: {
        code: string;
        detail: string;
      };
    };
    Backup: {
      backupId: string;
      instanceId: string;
      /** Format: date-time */
      createdAt: string;
      sizeBytes: number;
      sha256: string;
      /** @enum {string} */
      cloudStatus: 'disabled' | 'not_configured' | 'pending' | 'replicated' | 'partial' | 'failed';
      /** @enum {string} */
      reason: 'manual' | 'schedule' | 'before-restore';
      software: string;
      version: string;
      durationMs: number;
      fileCount: number;
      sourceBytes: number;
      /** @description true: the world was flushed, confirmed and held still while it was read, or the server was stopped */
      quiesced: boolean;
      pinned: boolean;
      /** @description files that changed or vanished while they were read */
      changedFiles: string[];
    };
    PinBackup: {
      pinned: boolean;
    };
    VerifyResponse: {
      ok: boolean;
      sha256: string;
      replicas: {
        store: string;
        ok: boolean;
      }[];
    };
    TunnelResponse: {
      enabled: boolean;
      tunnelAddress: string;
      numericAddress: string;
      /** @description -1: no tunnel, or the last probe failed */
      pingMs: number;
      provider?: string;
      /** Format: date-time */
      lastCheckedAt?: string;
      error?: string;
    };
    Software: {
      /** @description What "software" of an instance takes */
      kind: string;
      title: string;
      /** @enum {string} */
      edition: 'java' | 'bedrock';
      /** @description The licence must be accepted before the first start */
      eula: boolean;
      /** @description null: the newest stable one of the vendor */
      defaultVersion: string | null;
    };
    LoginRequest: {
      username: string;
      password: string;
      totp?: string;
    };
    LoginResponse: {
      username: string;
      /** @enum {string} */
      role: 'admin' | 'operator' | 'viewer';
      /** Format: date-time */
      expiresAt: string;
      mustChangePassword: boolean;
    };
    ChangePassword: {
      currentPassword: string;
      newPassword: string;
    };
    Token: {
      id: string;
      name: string;
      scopes: ('servers:read' | 'servers:write' | 'backups:create' | 'logs:read' | 'tunnels:manage')[];
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      expiresAt: string;
      createdBy: string;
    };
    CreateToken: {
      name: string;
      scopes?: ('servers:read' | 'servers:write' | 'backups:create' | 'logs:read' | 'tunnels:manage')[];
      /** @default 2592000 */
      ttlSeconds: number;
    };
    CreatedToken: {
      id: string;
      token: string;
      name: string;
      scopes: ('servers:read' | 'servers:write' | 'backups:create' | 'logs:read' | 'tunnels:manage')[];
      /** Format: date-time */
      expiresAt: string;
    };
    /** @description Good once, for one console, for 30 seconds */
    ConsoleTicket: {
      ticket: string;
      /** Format: date-time */
      expiresAt: string;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  getOpenApi: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description This description, for programs */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            openapi: '3.1.0';
          } & {
            [key: string]: unknown;
          };
        };
      };
    };
  };
  getMetrics: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The metrics. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/plain': unknown;
        };
      };
    };
  };
  getHealth: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The daemon answers. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HealthResponse'];
        };
      };
    };
  };
  listInstances: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List all instances with live figures */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Instance'][];
        };
      };
    };
  };
  createInstance: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateInstance'];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        headers: {
          /** @description Address of the instance */
          Location?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Instance'];
        };
      };
    };
  };
  getInstance: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One instance */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Instance'];
        };
      };
    };
  };
  deleteInstance: {
    parameters: {
      query?: {
        files?: 'keep' | 'delete';
        backups?: 'keep' | 'delete';
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  updateInstance: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateInstance'];
      };
    };
    responses: {
      /** @description Change the configuration of an instance */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Instance'];
        };
      };
    };
  };
  getHistory: {
    parameters: {
      query?: {
        range?: '1h' | '24h' | '7d';
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description CPU, memory and players over the last hour, day or week */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['History'];
        };
      };
    };
  };
  startInstance: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Start an instance */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ActionResponse'];
        };
      };
    };
  };
  stopInstance: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Stop an instance gracefully, its world saved */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ActionResponse'];
        };
      };
    };
  };
  restartInstance: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Restart an instance; starts one that is stopped */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ActionResponse'];
        };
      };
    };
  };
  killInstance: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description End an instance at once; what was not saved is lost */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ActionResponse'];
        };
      };
    };
  };
  getLogs: {
    parameters: {
      query?: {
        lines?: number;
        contains?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Sanitized console log, oldest line first */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LogsResponse'];
        };
      };
    };
  };
  runCommand: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CommandRequest'];
      };
    };
    responses: {
      /** @description Run one console command and get its answer */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CommandResponse'];
        };
      };
    };
  };
  listPlayers: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Players that are online */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Player'][];
        };
      };
    };
  };
  kickPlayer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
        name: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['PlayerActionRequest'];
      };
    };
    responses: {
      /** @description Kick a player */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ActionResponse'];
        };
      };
    };
  };
  banPlayer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
        name: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['PlayerActionRequest'];
      };
    };
    responses: {
      /** @description Ban a player */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ActionResponse'];
        };
      };
    };
  };
  pardonPlayer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
        name: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['PlayerActionRequest'];
      };
    };
    responses: {
      /** @description Pardon a player */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ActionResponse'];
        };
      };
    };
  };
  opPlayer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
        name: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['PlayerActionRequest'];
      };
    };
    responses: {
      /** @description Op a player */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ActionResponse'];
        };
      };
    };
  };
  deopPlayer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
        name: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['PlayerActionRequest'];
      };
    };
    responses: {
      /** @description Deop a player */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ActionResponse'];
        };
      };
    };
  };
  whitelistPlayer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
        name: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['PlayerActionRequest'];
      };
    };
    responses: {
      /** @description Whitelist a player */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ActionResponse'];
        };
      };
    };
  };
  getProperties: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The properties. */
      200: {
        headers: {
          /** @description Version of the properties, for If-Match */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Properties'];
        };
      };
    };
  };
  setProperties: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['Properties'];
      };
    };
    responses: {
      /** @description The properties. */
      200: {
        headers: {
          /** @description Version of the properties, for If-Match */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Properties'];
        };
      };
    };
  };
  createBackup: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['BackupRequest'];
      };
    };
    responses: {
      /** @description The archive is complete. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BackupResponse'];
        };
      };
      /** @description Accepted, with "Prefer: respond-async": the job to watch. */
      202: {
        headers: {
          /** @description Address of the job */
          Location?: string;
          /** @description respond-async */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Job'];
        };
      };
    };
  };
  listBackups: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The backups of an instance */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Backup'][];
        };
      };
    };
  };
  getBackup: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
        backupId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One backup */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Backup'];
        };
      };
    };
  };
  deleteBackup: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
        backupId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  pinBackup: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
        backupId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PinBackup'];
      };
    };
    responses: {
      /** @description Keep a backup from being removed by retention, or no longer */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Backup'];
        };
      };
    };
  };
  restoreBackup: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
        backupId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Restored. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ActionResponse'];
        };
      };
      /** @description Accepted, with "Prefer: respond-async": the job to watch. */
      202: {
        headers: {
          /** @description Address of the job */
          Location?: string;
          /** @description respond-async */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Job'];
        };
      };
    };
  };
  verifyBackup: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
        backupId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The result. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VerifyResponse'];
        };
      };
      /** @description Accepted, with "Prefer: respond-async": the job to watch. */
      202: {
        headers: {
          /** @description Address of the job */
          Location?: string;
          /** @description respond-async */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Job'];
        };
      };
    };
  };
  downloadBackup: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
        backupId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The whole archive. */
      200: {
        headers: {
          /** @description SHA-256 of the archive */
          'Repr-Digest'?: string;
          /** @description Its version */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/zip': unknown;
        };
      };
      /** @description The range that was asked for. */
      206: {
        headers: {
          /** @description Which part */
          'Content-Range'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/zip': unknown;
        };
      };
    };
  };
  getTunnel: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Public address of an instance */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TunnelResponse'];
        };
      };
    };
  };
  listSoftware: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Kinds of server software */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Software'][];
        };
      };
    };
  };
  listJobs: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Long work that runs, waits or has ended lately */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Job'][];
        };
      };
    };
  };
  getJob: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        jobId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Progress of one job */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Job'];
        };
      };
    };
  };
  cancelJob: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        jobId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The job is being cancelled. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  streamEvents: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The events follow. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': unknown;
        };
      };
    };
  };
  login: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LoginRequest'];
      };
    };
    responses: {
      /** @description Signed in. */
      200: {
        headers: {
          /** @description RemoteCookies */
          'Set-Cookie'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LoginResponse'];
        };
      };
    };
  };
  logout: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Signed out, or was not signed in. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  getSession: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Who is signed in */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LoginResponse'];
        };
      };
    };
  };
  changePassword: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangePassword'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          /** @description RemoteCookies */
          'Set-Cookie'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ActionResponse'];
        };
      };
    };
  };
  listTokens: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Valid bearer tokens, without the tokens themselves */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Token'][];
        };
      };
    };
  };
  createToken: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateToken'];
      };
    };
    responses: {
      /** @description Made. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CreatedToken'];
        };
      };
    };
  };
  revokeToken: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Revoked. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  panelStart: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Start an instance */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ActionResponse'];
        };
      };
    };
  };
  panelStop: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Stop an instance */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ActionResponse'];
        };
      };
    };
  };
  panelRestart: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Restart an instance */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ActionResponse'];
        };
      };
    };
  };
  panelKickPlayer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
        name: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['PlayerActionRequest'];
      };
    };
    responses: {
      /** @description Kick a player */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ActionResponse'];
        };
      };
    };
  };
  panelBanPlayer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
        name: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['PlayerActionRequest'];
      };
    };
    responses: {
      /** @description Ban a player */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ActionResponse'];
        };
      };
    };
  };
  panelOpPlayer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
        name: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['PlayerActionRequest'];
      };
    };
    responses: {
      /** @description Op a player */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ActionResponse'];
        };
      };
    };
  };
  panelDeopPlayer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
        name: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['PlayerActionRequest'];
      };
    };
    responses: {
      /** @description Deop a player */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ActionResponse'];
        };
      };
    };
  };
  panelGetProperties: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The properties. */
      200: {
        headers: {
          /** @description Version of the properties */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Properties'];
        };
      };
    };
  };
  panelSetProperties: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['Properties'];
      };
    };
    responses: {
      /** @description The properties. */
      200: {
        headers: {
          /** @description Version of the properties */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Properties'];
        };
      };
    };
  };
  createConsoleTicket: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Open /ws/instances/{id}/console?ticket=... within 30 seconds. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConsoleTicket'];
        };
      };
    };
  };
  openConsole: {
    parameters: {
      query?: {
        format?: 'text' | 'json';
        after?: number;
        unfinished?: '0' | '1';
        columns?: number;
        rows?: number;
        ticket?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The console follows. */
      101: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
