// Generated from the OpenAPI document; see test/gateway/panel/api/schema.test.ts.
export interface paths {
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get this OpenAPI document */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get metrics for Prometheus
         * @description Callers on this machine need no credentials, unless a proxy is in front. Send `Accept: application/openmetrics-text` for OpenMetrics.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the health of the daemon */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the instances that you can see, with live stats */
        get: operations["listInstances"];
        put?: never;
        /**
         * Create an instance
         * @description Only a local administrator may set `launch`, `directory`, `env` and `runAs`. Users need the role admin.
         */
        post: operations["createInstance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an instance */
        get: operations["getInstance"];
        put?: never;
        post?: never;
        /**
         * Delete a stopped instance
         * @description The server folder and the backups are kept unless the query says otherwise. Users need the role admin.
         */
        delete: operations["deleteInstance"];
        options?: never;
        head?: never;
        /**
         * Change the configuration of an instance
         * @description Takes effect at the next start. `null` sets a field back to its default. Only a local administrator may set `launch` and `env`. Users need the role admin.
         */
        patch: operations["updateInstance"];
        trace?: never;
    };
    "/instances/{id}/configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the configuration of an instance: the fields that PATCH changes */
        get: operations["getConfiguration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/variables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the variables of an instance with their values
         * @description Its kind declares them. Values of secrets are left out.
         */
        get: operations["getVariables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set variables of an instance
         * @description Variables that are not named keep their values. Takes effect at the next start. `editableBy` says who may set each.
         */
        patch: operations["changeVariables"];
        trace?: never;
    };
    "/instances/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a server that exists already
         * @description Software, version, port and other settings are recognised from the files. A folder is used in place and nothing in it is changed. An archive on this machine, or one that was uploaded to `/instances/import/uploads`, is unpacked into a new folder; the answer comes when that is done. Only for local administrators. Users need the role admin.
         */
        post: operations["importInstance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/clone": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copy an instance, running or stopped
         * @description Answers when the copy is complete. The copy gets its own ports and secrets. Schedules, backups and the tunnel are not copied. Users need the role admin.
         */
        post: operations["cloneInstance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an instance as a ZIP that another Gamekeeper can import
         * @description Contains the server folder and a manifest. It is created during the download. Meanwhile a running server does not write to its world, for ten minutes at most. A download slower than 64 KiB/s ends with an error. Users need the role admin.
         */
        get: operations["exportInstance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a folder
         * @description Folders first. Links are shown and not followed. Users need the role admin, or a grant with `files`: `read`.
         */
        get: operations["listFiles"];
        put?: never;
        post?: never;
        /**
         * Delete a file or folder
         * @description It is kept in the trash for 7 days unless it is deleted permanently. Users need the role admin, or a grant with `files`: `write`.
         */
        delete: operations["deleteFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/files/folder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a folder
         * @description The folder above must exist. Users need the role admin, or a grant with `files`: `write`.
         */
        post: operations["createFolder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/files/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move or rename a file or folder
         * @description Nothing is replaced: `to` must be free, and the folder above it must exist. Users need the role admin, or a grant with `files`: `write`.
         */
        post: operations["moveFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/files/copy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copy a file or folder
         * @description Answers when the copy is complete. Ends, and leaves nothing behind, if the client leaves. Users need the role admin, or a grant with `files`: `write`.
         */
        post: operations["copyFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/files/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a file
         * @description Who may only read gets text files with secrets masked: passwords and tokens that are named as such, and those in the settings of the server. A reader slower than 64 KiB/s is left. Users need the role admin, or a grant with `files`: `read`.
         */
        get: operations["readFile"];
        /**
         * Write a file
         * @description The body is the file. It replaces the file at once when all of it has arrived, and keeps its mode and owner. The folder must exist. With `If-Match`, only if nobody has changed the file since. Users need the role admin, or a grant with `files`: `write`.
         */
        put: operations["writeFile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/files/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a folder as a ZIP
         * @description It is created during the download, from the files as they are at that moment. Links are left out. Nothing in it is masked, so the right to write is needed. A download slower than 64 KiB/s ends with an error. Users need the role admin, or a grant with `files`: `write`.
         */
        get: operations["downloadFolder"];
        put?: never;
        /**
         * Create a ZIP
         * @description It appears when it is whole, and never in place of something else. Links are left out. Nothing in it is masked. Answers when it is there. Users need the role admin, or a grant with `files`: `write`.
         */
        post: operations["createArchive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/files/extract": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unpack a ZIP
         * @description Answers when everything is in its place. Nothing is replaced: if one of the names at the top of the ZIP is there already, nothing is changed. ZIP files with links, dangerous names or wrong sizes are refused. Users need the role admin, or a grant with `files`: `write`.
         */
        post: operations["extractArchive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/files/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the earlier versions of a file
         * @description Newest first. Whenever a file is replaced through the panel, this API or SFTP, its former content is kept: 20 versions of a file of up to 16 MiB, for 30 days. A version belongs to the path, also after the file was deleted or renamed. Users need the role admin, or a grant with `files`: `read`.
         */
        get: operations["listFileVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/files/history/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an earlier version of a file
         * @description Who may only read gets it with secrets masked. Users need the role admin, or a grant with `files`: `read`.
         */
        get: operations["readFileVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/files/history/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put an earlier version of a file back
         * @description The present content becomes an earlier version, so this can be undone. Users need the role admin, or a grant with `files`: `write`.
         */
        post: operations["restoreFileVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/files/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search for files
         * @description By name, by what is in text files, or both, in a folder and all below it. Who may only read finds nothing that is masked. Users need the role admin, or a grant with `files`: `read`.
         */
        get: operations["searchFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/files/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See what fills a folder
         * @description Sizes of all that is in a folder. Links count nothing. Users need the role admin, or a grant with `files`: `read`.
         */
        get: operations["getFileUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/files/trash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the trash
         * @description Newest first. Everything is deleted for good after 7 days. Users need the role admin, or a grant with `files`: `read`.
         */
        get: operations["listTrash"];
        put?: never;
        post?: never;
        /**
         * Empty the trash
         * @description Users need the role admin, or a grant with `files`: `write`.
         */
        delete: operations["emptyTrash"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/files/trash/{trashId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put something back from the trash
         * @description It goes back to where it was, if nothing is there now. Users need the role admin, or a grant with `files`: `write`.
         */
        post: operations["restoreFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/files/trash/{trashId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete something in the trash for good
         * @description Users need the role admin, or a grant with `files`: `write`.
         */
        delete: operations["deleteFromTrash"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/worlds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the worlds
         * @description The folders at the top of the server's folder that have a `level.dat`, with what it says. To download one: `GET .../files/archive?path=`. Users need the role admin, or a grant with `files`: `read`.
         */
        get: operations["listWorlds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/worlds/replace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a world by an uploaded one
         * @description The world is found wherever it lies in the ZIP. The server must be stopped. Its folder is backed up first, and the worlds are swapped at once: a failure changes nothing. If there is no such world yet, it is added. Users need the role admin, or a grant with `files`: `write`.
         */
        post: operations["replaceWorld"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/worlds/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a world anew
         * @description Empties the world, with its Nether and End, so that the next start creates a new one, and sets `level-seed` if `seed` is there. The server must be stopped. Its folder is backed up first. Users need the role admin, or a grant with `files`: `write`.
         */
        post: operations["resetWorld"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get CPU, memory, tick time, players, free disk space and events over the last hour, day or week */
        get: operations["getHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start an instance */
        post: operations["startInstance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Save the world and stop an instance */
        post: operations["stopInstance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/restart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Restart an instance, or start it if it is stopped */
        post: operations["restartInstance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/kill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Kill an instance at once; unsaved progress is lost */
        post: operations["killInstance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/restart-when-empty": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restart a running instance when nobody is online
         * @description Once, when the server itself reports that nobody is online. It is kept when Gamekeeper restarts, and void after any other restart or stop. `restartWhenEmpty` of the instance shows it.
         */
        post: operations["restartWhenEmpty"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/cancel-restart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a restart that waits until nobody is online */
        post: operations["cancelRestart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the newest lines of the redacted console log, oldest first
         * @description Without colour codes. Works while the instance is stopped. An answer has about 1 MiB at most: fewer lines if they are very long. Few searches may run at once; beyond that 429.
         */
        get: operations["getLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run a console command and get its output */
        post: operations["runCommand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/crashes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the last crashes with their cause and last 50 lines, newest first */
        get: operations["listCrashes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/players": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the players online */
        get: operations["listPlayers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/players/seen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List players seen before
         * @description The last 1,000 players, newest first. Works while the server is stopped.
         */
        get: operations["listSeenPlayers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/players/allowlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List players on the allowlist
         * @description Reads the server's own file. Works while the server is stopped.
         */
        get: operations["listAllowedPlayers"];
        put?: never;
        /**
         * Add several players to the allowlist
         * @description Tries each player, and returns why some were not added. Works while the server is stopped.
         */
        post: operations["allowPlayers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/skins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the skins of players
         * @description Never waits for Mojang: skins that are missing are fetched in the background. Works while the server is stopped.
         */
        get: operations["listPlayerSkins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/skins/{texture}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a skin of a player
         * @description A picture of 64 by 64 pixels, or 64 by 32. The face is at 8, 8 and the hat at 40, 8, each 8 by 8.
         */
        get: operations["getPlayerSkin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/players/bans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List banned players
         * @description Reads the server's own file. Works while the server is stopped.
         */
        get: operations["listBans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/players/operators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List operators
         * @description Reads the server's own file. Works while the server is stopped.
         */
        get: operations["listOperators"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/players/{name}/kick": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Kick a player */
        post: operations["kickPlayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/players/{name}/ban": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ban a player */
        post: operations["banPlayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/players/{name}/pardon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Unban a player */
        post: operations["pardonPlayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/players/{name}/op": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a player an operator */
        post: operations["opPlayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/players/{name}/deop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Remove a player from the operators */
        post: operations["deopPlayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/players/{name}/whitelist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a player to the allowlist */
        post: operations["whitelistPlayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/players/{name}/unwhitelist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Remove a player from the allowlist */
        post: operations["unwhitelistPlayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the ports that the instances you can see are set to use
         * @description Two instances may have the same port, but cannot run at the same time.
         */
        get: operations["listPorts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/properties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the server properties
         * @description Secrets are shown as `********`.
         */
        get: operations["getProperties"];
        /**
         * Set server properties
         * @description Sets the given keys and keeps the others. With `If-Match`, only if nothing has changed since. A running server takes some values at once; `effects` in the answer says which. `server-port`, `max-players` and `rcon.port` also change the settings of the instance. Users need the role admin.
         */
        put: operations["setProperties"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/properties/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the known properties with their types and ranges
         * @description Type, range, default and description of each known key of the instance's version.
         */
        get: operations["getPropertiesSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/gamerules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the game rules of a running server
         * @description Asks the game for the rules that many owners set, and leaves out those that it does not know. Only while the server runs.
         */
        get: operations["getGamerules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set game rules of a running server
         * @description They apply at once, and the world keeps them. The answer has what the game then reports. At the first rule that it refuses, `command_rejected` has its words; those before it are set. Users need the role admin.
         */
        patch: operations["setGamerules"];
        trace?: never;
    };
    "/instances/{id}/backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a backup: a ZIP with its SHA-256
         * @description Answers when the archive is on disk. A running server does not write to its world meanwhile.
         */
        post: operations["createBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/backups/{backupId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a stopped instance from a backup
         * @description With `restart`, a running server is stopped for it and started again, also if the restore fails.
         */
        post: operations["restoreBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/backups/{backupId}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Verify the hash, checksums and structure of a backup */
        post: operations["verifyBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/backups/{backupId}/drill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a restore in a scratch folder
         * @description Unpacks the backup, reads every file back, and removes everything again. The server may be running.
         */
        post: operations["drillBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/backups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the backups of an instance, newest first */
        get: operations["listBackups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/backups/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the retention rules
         * @description These are `backups.retention` of the settings, which only administrators can read. A backup that no rule keeps is deleted after the next backup, or within a day.
         */
        get: operations["getBackupRetention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/backups/{backupId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a backup */
        get: operations["getBackup"];
        put?: never;
        post?: never;
        /** Delete a backup */
        delete: operations["deleteBackup"];
        options?: never;
        head?: never;
        /** Pin a backup, so that retention keeps it, or unpin it */
        patch: operations["pinBackup"];
        trace?: never;
    };
    "/instances/{id}/backups/{backupId}/replicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copy a backup to every store that lacks it
         * @description Also retries failed copies at once. Answers when the copies are queued; they are jobs, and the backup shows the state of each.
         */
        post: operations["replicateBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/backups/{backupId}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a backup as a ZIP
         * @description The archive contains the secrets of the server, so the right to write its files is needed, as for a folder's download. Users need the role admin, or a grant with `files`: `write`.
         */
        get: operations["downloadBackup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/backups/{backupId}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a folder in a backup
         * @description Folders come first, then everything is sorted by name. If the archive is not on this machine, only its directory is fetched from a store. Users need the role admin, or a grant with `files`: `write`.
         */
        get: operations["listBackupFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/backups/{backupId}/files/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download one file of a backup
         * @description The last bytes are only sent once the checksum of the file is right: a complete response is the complete file. A download slower than 64 KiB/s ends with an error. Users need the role admin, or a grant with `files`: `write`.
         */
        get: operations["readBackupFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/backups/{backupId}/files/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare a file or folder of a backup with today's
         * @description By kind, size and CRC-32, in the order of the paths. A folder that only one side has stands for all that is in it. One answer reads 256 MB at most; `next` continues. Users need the role admin, or a grant with `files`: `write`.
         */
        get: operations["compareBackupFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/backups/{backupId}/files/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore single files and folders of a stopped instance
         * @description Each replaces what is there today; everything else stays. Like a whole restore, it backs up the present content first, and a failure leaves the folder as it was. Users need the role admin, or a grant with `files`: `write`.
         */
        post: operations["restoreBackupFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the schedules of an instance
         * @description For callers without `servers:write`, commands are `********`. Sent back like that, a command stays as it is.
         */
        get: operations["getSchedules"];
        /**
         * Replace the schedules of an instance
         * @description Removes schedules that are not in the list. A schedule runs with the present rights of the user who saved its last change, so each change needs the scope of its action; it is paused when the token that was used ends. `savedBy`, `savedAt`, `paused`, `nextRuns` and `lastRun` are ignored. With `If-Match`, only if nothing has changed since.
         */
        put: operations["setSchedules"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/schedules/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the runs of schedules, newest first */
        get: operations["getScheduleHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/modpacks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search Modrinth for modpacks that servers can use
         * @description Users need the role admin.
         */
        get: operations["searchModpacks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/modpacks/{project}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a modpack
         * @description Users need the role admin.
         */
        get: operations["listModpackVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/modpack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an instance from a modpack on Modrinth
         * @description Returns when its files are downloaded. Software, version and mod loader are those of the modpack; the loader itself is installed at the first start. Users need the role admin.
         */
        post: operations["createFromModpack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/mods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the mods or plugins of an instance
         * @description Every JAR in the folder, including those that Gamekeeper did not install.
         */
        get: operations["listMods"];
        put?: never;
        /**
         * Install a Modrinth project with its dependencies
         * @description Users need the role admin.
         */
        post: operations["installMod"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/mods/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Search Modrinth for mods or plugins that fit an instance */
        get: operations["searchMods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/mods/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Update one mod or plugin, or all
         * @description Users need the role admin.
         */
        post: operations["updateMods"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/mods/{mod}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a mod or plugin; its configuration and data are kept
         * @description Users need the role admin.
         */
        delete: operations["removeMod"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/tunnel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the public address of an instance
         * @description While the server runs, its address is probed every 15 seconds as a player would connect.
         */
        get: operations["getTunnel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/tunnel/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Probe the public address of an instance now
         * @description Connects through the public address as a player would. Returns the last result if it is newer than 5 seconds.
         */
        post: operations["testTunnel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/tunnel/test/outside": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have the hosted proxy connect to the public address of an instance
         * @description The proxy that this daemon is linked to asks the server for its entry in the server list, as the computer of a friend would. Six at once, then one every ten seconds for each account of the proxy.
         */
        post: operations["testTunnelFromOutside"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/tunnel/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how players on the internet reach an instance
         * @description Secrets are `********`.
         */
        get: operations["getTunnelSettings"];
        /**
         * Set how players on the internet reach an instance
         * @description Takes effect at once; players who are connected through the former tunnel are disconnected. `provider: null` removes it. A secret that is sent back as `********` stays as it is, while host, port and user are the same. With `relay`, the linked proxy is asked for the address: what it refuses, such as a name that is taken, is not stored. If it does not answer, the settings are stored, and the tunnel reports it.
         */
        put: operations["setTunnelSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/software": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the software */
        get: operations["listSoftware"];
        put?: never;
        /**
         * Add a kind to the software folder
         * @description Only for local administrators. The text is the JSON file of a kind. Users need the role admin.
         */
        post: operations["saveKind"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/software/problems": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List invalid custom software files and their problems */
        get: operations["listSoftwareProblems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/software/{kind}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of a software, newest first */
        get: operations["listSoftwareVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/software/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the file of a kind, and convert an egg of Pterodactyl or Pelican or a template of PufferPanel
         * @description Nothing is saved or run. Read all of it before you save it: a kind decides which program runs. Users need the role admin.
         */
        post: operations["checkKind"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/software/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a kind of your own that no server uses
         * @description Users need the role admin.
         */
        delete: operations["removeKind"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runtimes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the installed Java versions and the instances that use them */
        get: operations["listRuntimes"];
        put?: never;
        post?: never;
        /**
         * Remove every Java version that no instance uses
         * @description Users need the role admin.
         */
        delete: operations["removeUnusedRuntimes"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runtimes/{javaVersion}/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Update a Java version to its newest build
         * @description Answers when it is installed. Servers use it from their next start. The previous build is removed once nothing runs on it. Users need the role admin.
         */
        post: operations["updateRuntime"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runtimes/{javaVersion}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a Java version
         * @description Users need the role admin.
         */
        delete: operations["removeRuntime"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List jobs that run, wait or ended recently */
        get: operations["listJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the progress of a job */
        get: operations["getJob"];
        put?: never;
        post?: never;
        /** Cancel a job */
        delete: operations["cancelJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream events (Server-Sent Events)
         * @description Events: `instance.phase`, `instance.removed`, `player.join`, `player.leave`, `tunnel.status`, `usage`, `job.progress`, `backup.done`, `backup.removed`, `schedule.run`, and `heartbeat` every 2 seconds. The stream begins with the present state, or resumes after `Last-Event-ID`. If that event is too old, `events.gap` comes first, then the present state. Events without an id are replaced by the next of their type. Only events of instances that you can see are sent.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/import/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin an upload for an import in pieces (tus)
         * @description For an archive on another computer. `Location` has the address for the pieces, and ends with the id for `upload` of `POST /instances/import`. An archive is removed when it is imported, or 24 hours after its last use. A user has at most 5: a sixth replaces the one that was used longest ago. Only for local administrators. Users need the role admin.
         */
        post: operations["createImportUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/import/uploads/{uploadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Cancel an upload for an import (tus)
         * @description Users need the role admin.
         */
        delete: operations["cancelImportUpload"];
        options?: never;
        head?: never;
        /**
         * Send a piece of an upload for an import (tus)
         * @description The body is the piece, with content-type `application/offset+octet-stream`. Users need the role admin.
         */
        patch: operations["continueImportUpload"];
        trace?: never;
    };
    "/instances/{id}/files/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin an upload in pieces (tus)
         * @description For large files and bad lines: what has arrived stays for 24 hours, also if Gamekeeper restarts. `Location` has the address for the pieces. The file is in its place with the last byte. Users need the role admin, or a grant with `files`: `write`.
         */
        post: operations["createUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instances/{id}/files/uploads/{uploadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Cancel an upload (tus)
         * @description Users need the role admin, or a grant with `files`: `write`.
         */
        delete: operations["cancelUpload"];
        options?: never;
        head?: never;
        /**
         * Send a piece of an upload (tus)
         * @description The body is the piece, with content-type `application/offset+octet-stream`. Users need the role admin, or a grant with `files`: `write`.
         */
        patch: operations["continueUpload"];
        trace?: never;
    };
    "/ws/instances/{id}/console": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the live console (WebSocket)
         * @description Sends redacted console text with colour codes. Each text frame from the client is one command line; sending needs `servers:write`. With `format=json` and `unfinished=1`, `{"unfinished": "> "}` is the current content of a line that has not ended yet; the next lines replace it. The server's terminal takes the size that was last set by a client that may send: with `columns` and `rows`, or later with a binary frame that holds `{"columns": 120, "rows": 30}`.
         */
        get: operations["openConsole"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in and get the session cookie */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign out */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the signed-in user */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change your password; a new session replaces all others */
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set up a second factor, in two steps
         * @description First send `password`: the answer is a new secret for an authenticator app. Then send `code`, as the app shows it: from then on signing in needs a code, your other sessions end, and the answer is ten recovery codes.
         */
        post: operations["setUpTotp"];
        /**
         * Remove your second factor
         * @description This also removes the recovery codes.
         */
        delete: operations["removeTotp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace your recovery codes with ten new ones */
        post: operations["renewRecoveryCodes"];
        /** Revoke your recovery codes */
        delete: operations["removeRecoveryCodes"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the users
         * @description Users need the role admin.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user
         * @description Without `password` one is generated. It is shown only once, and must be changed at the first sign-in. Users need the role admin.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{username}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a user
         * @description Users need the role admin.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /**
         * Delete a user with all sessions and tokens
         * @description Users need the role admin.
         */
        delete: operations["removeUser"];
        options?: never;
        head?: never;
        /**
         * Change a user
         * @description Keeps what the body does not name. Takes effect at once: new rights also apply to open connections, and a new password or `disabled` ends every session of the user. Tokens of a disabled user are not valid. Users need the role admin.
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/api/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List valid bearer tokens, without the tokens themselves
         * @description Users need the role admin.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Create a bearer token; it is shown only once
         * @description Users need the role admin.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a bearer token
         * @description Users need the role admin.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit entries, newest first
         * @description Every request that changed something or was refused, failed sign-ins, and commands typed into consoles. Bodies and queries are not kept; of a command only its first word. Entries are deleted after 400 days, or earlier if there are too many. Users need the role admin.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/host": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how busy this computer is, and how fresh the backups are
         * @description Users need the role admin.
         */
        get: operations["getHost"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the settings
         * @description Secrets are shown as `********`. Users need the role admin.
         */
        get: operations["getSettings"];
        /**
         * Change settings, without a restart
         * @description Sets the given keys and keeps the others. A secret that is sent back as `********` is kept. If a change cannot be applied (a port is taken, a certificate is not usable), nothing changes. A listener that the change turns off closes after it has answered. Users need the role admin.
         */
        put: operations["setSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sftp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get where SFTP listens, and the fingerprint of its host key
         * @description It is turned on and off by the settings (`sftp`).
         */
        get: operations["getSftp"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ssh-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your SSH keys */
        get: operations["listSshKeys"];
        put?: never;
        /**
         * Add an SSH key, to sign in by SFTP
         * @description Needs your password. The key replaces password and second factor when you connect by SFTP.
         */
        post: operations["addSshKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ssh-keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an SSH key
         * @description Sessions that began with it end at once.
         */
        delete: operations["removeSshKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stores/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a store for copies of backups
         * @description Writes, reads and removes a small object. A new folder on the same disk is put into use by this test. If an SFTP server is refused, the error names its host key. Users need the role admin.
         */
        post: operations["testStore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the link to a hosted proxy, its state, and a request that waits for approval
         * @description Users need the role admin.
         */
        get: operations["getLink"];
        put?: never;
        /**
         * Request to link this daemon to a hosted proxy
         * @description The proxy gives a code, which someone with an account there enters in a browser. Read `GET /api/link` until `request` is `null`; `lastRequest` then has the outcome. A present link is replaced once the request is approved. Only one request can wait. Users need the role admin.
         */
        post: operations["createLink"];
        /**
         * Unlink this daemon from the hosted proxy
         * @description Also cancels a request that waits. Tokens of the proxy stop working at once. The proxy is told; if it does not answer, the daemon is unlinked all the same. Users need the role admin.
         */
        delete: operations["removeLink"];
        options?: never;
        head?: never;
        /**
         * Change what tokens of the proxy can do here
         * @description Applies at once, also to consoles and event streams that are open. Users need the role admin.
         */
        patch: operations["changeLink"];
        trace?: never;
    };
    "/api/link/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Cancel the request that waits for approval
         * @description Users need the role admin.
         */
        delete: operations["cancelLinkRequest"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{id}/console-ticket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a ticket that opens the console WebSocket once */
        post: operations["createConsoleTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start an instance */
        post: operations["panelStartInstance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Save the world and stop an instance */
        post: operations["panelStopInstance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{id}/restart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Restart an instance, or start it if it is stopped */
        post: operations["panelRestartInstance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{id}/players/{name}/kick": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Kick a player */
        post: operations["panelKickPlayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{id}/players/{name}/ban": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ban a player */
        post: operations["panelBanPlayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{id}/players/{name}/op": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a player an operator */
        post: operations["panelOpPlayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{id}/players/{name}/deop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Remove a player from the operators */
        post: operations["panelDeopPlayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{id}/properties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the server properties
         * @description Secrets are shown as `********`.
         */
        get: operations["panelGetProperties"];
        /**
         * Set server properties
         * @description Sets the given keys and keeps the others. With `If-Match`, only if nothing has changed since. A running server takes some values at once; `effects` in the answer says which. `server-port`, `max-players` and `rcon.port` also change the settings of the instance. Users need the role admin.
         */
        put: operations["panelSetProperties"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{id}/properties/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the known properties with their types and ranges
         * @description Type, range, default and description of each known key of the instance's version.
         */
        get: operations["panelGetPropertiesSchema"];
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
        /**
         * @example {
         *       "success": true,
         *       "message": "\"Demo\" is starting."
         *     }
         */
        ActionResponse: {
            success: boolean;
            message: string;
        };
        /**
         * @example {
         *       "names": [
         *         "Steve",
         *         "Alex"
         *       ]
         *     }
         */
        AddPlayers: {
            names: string[];
        };
        /**
         * @example {
         *       "added": [
         *         "Steve"
         *       ],
         *       "failed": [
         *         {
         *           "name": "Alex",
         *           "detail": "Player is already whitelisted"
         *         }
         *       ]
         *     }
         */
        AddedPlayers: {
            added: string[];
            /** @description Who was not added, and why */
            failed: {
                name: string;
                detail: string;
            }[];
        };
        /**
         * @example {
         *       "name": "Steve",
         *       "uuid": "8667ba71-b85a-4004-af54-457a9734eed7"
         *     }
         */
        AllowedPlayer: {
            name: string;
            uuid?: string;
        };
        AuditEntry: {
            id: number;
            /** Format: date-time */
            at: string;
            /** @description `user`, `user (token name)`, `command line` or `unknown user` */
            who: string;
            /** @description IP address, `this machine`, or the address of a hosted proxy */
            from: string;
            /** @description HTTP method. `WS`: a command typed into a console. `CLI`: a command of the command line. `LINK`: a link was approved at a proxy */
            method: string;
            /** @description Path without the query */
            path: string;
            instance?: string;
            /** @description First word of a console command; the rest is not kept */
            command?: string;
            /** @description HTTP status: below 400 it was done, else refused */
            status: number;
            requestId: string;
        };
        /**
         * @example {
         *       "entries": [
         *         {
         *           "id": 4711,
         *           "at": "2026-11-20T08:15:00.000Z",
         *           "who": "anna (token my-bot)",
         *           "from": "192.0.2.7",
         *           "method": "POST",
         *           "path": "/instances/demo/commands",
         *           "instance": "demo",
         *           "command": "op",
         *           "status": 200,
         *           "requestId": "5f0c4b5e-1c0b-4a39-9a55-7f3b0d9e2c11"
         *         }
         *       ],
         *       "next": 4711
         *     }
         */
        AuditPage: {
            /** @description Newest first */
            entries: components["schemas"]["AuditEntry"][];
            /** @description Value of `before` for the next page; null: there are no older entries */
            next: number | null;
        };
        Backup: {
            backupId: string;
            instanceId: string;
            /** Format: date-time */
            createdAt: string;
            sizeBytes: number;
            sha256: string;
            /** @enum {string} */
            cloudStatus: "disabled" | "not_configured" | "pending" | "replicated" | "partial" | "failed";
            /** @enum {string} */
            reason: "manual" | "schedule" | "before-restore";
            software: string;
            version: string;
            durationMs: number;
            fileCount: number;
            sourceBytes: number;
            /** @description true: the server was stopped, or its world was flushed to disk and did not change during the backup */
            quiesced: boolean;
            pinned: boolean;
            /** @description Files that changed or disappeared while they were read, and files left out because their name is not UTF-8 (`caf%E9.txt`): the first 1,000 */
            changedFiles: string[];
            /** @description Files and folders that are not in the archive: what the settings exclude, and what it cannot hold */
            skippedCount: number;
            /** @description Files and folders that nobody excluded and that it does not contain: the first 100 */
            omitted: components["schemas"]["Omission"][];
            /** @description Number of all omissions */
            omittedCount: number;
            /**
             * @description State of the archive on this machine
             * @enum {string}
             */
            local: "present" | "missing" | "damaged";
            replicas: components["schemas"]["Replica"][];
            lastVerified?: {
                /** Format: date-time */
                at: string;
                ok: boolean;
            };
            lastDrill?: components["schemas"]["DrillResult"];
        };
        /**
         * @example {
         *       "cloudReplicate": false
         *     }
         */
        BackupRequest: {
            /** @default true */
            cloudReplicate: boolean;
        };
        /**
         * @example {
         *       "backupId": "20261120T081500Z-4f9c2a",
         *       "sizeBytes": 18350080,
         *       "sha256": "a591a6d40bf420404a011733cfb7b190d62c65bf0bcda32b57b277d9ad9f146e",
         *       "cloudStatus": "pending"
         *     }
         */
        BackupResponse: {
            backupId: string;
            sizeBytes: number;
            sha256: string;
            /** @enum {string} */
            cloudStatus: "disabled" | "not_configured" | "pending" | "replicated" | "partial" | "failed";
            /**
             * @description The server was running and could not be held still: files may be of different moments. Else absent
             * @constant
             */
            quiesced?: false;
            /** @description Files and folders that nobody excluded and that it does not contain: the first 100 */
            omitted?: components["schemas"]["Omission"][];
            /** @description Number of all omissions */
            omittedCount?: number;
        };
        /**
         * @description A backup is kept while any rule keeps it. Without rules all are kept.
         * @example {
         *       "count": 5,
         *       "daily": 14
         *     }
         */
        BackupRetention: {
            /** @description Number of newest backups */
            count?: number;
            /** @description All backups of this many days */
            days?: number;
            /** @description The newest backup of each of this many days that have one */
            daily?: number;
            /** @description The same for weeks */
            weekly?: number;
            /** @description The same for months */
            monthly?: number;
        };
        /**
         * @example {
         *       "name": "Herobrine",
         *       "uuid": "f84c6a79-0a4e-45e0-879b-cd49ebd4c4e2",
         *       "reason": "Be kind.",
         *       "source": "Server",
         *       "createdAt": "2026-11-20T08:15:00.000Z"
         *     }
         */
        Ban: {
            name: string;
            uuid?: string;
            reason?: string;
            /** @description Who banned the player */
            source?: string;
            /** Format: date-time */
            createdAt?: string;
            /**
             * Format: date-time
             * @description Absent: permanent
             */
            expiresAt?: string;
        };
        /**
         * @example {
         *       "scopes": [
         *         "servers:read",
         *         "logs:read"
         *       ]
         *     }
         */
        ChangeLink: {
            /** @description Scopes that tokens of the proxy can have here, whatever they say */
            scopes?: ("servers:read" | "servers:write" | "backups:create" | "logs:read" | "tunnels:manage")[];
            name?: string;
            /** @description Report the state of this machine and its servers to the proxy: names, phases, counts of players, CPU, memory, disk space, age of the last backup. No names of players, no console, no addresses */
            telemetry?: boolean;
        };
        /**
         * @example {
         *       "currentPassword": "correct horse battery",
         *       "newPassword": "staple correct horse"
         *     }
         */
        ChangePassword: {
            currentPassword: string;
            newPassword: string;
        };
        /**
         * @example {
         *       "variables": {
         *         "map": "de_aztec",
         *         "slots": null
         *       }
         *     }
         */
        ChangeVariables: {
            /** @description Values by name. null: the default again */
            variables: {
                [key: string]: string | number | boolean | null;
            };
        };
        /**
         * @example {
         *       "properties": {
         *         "server-port": "25565",
         *         "motd": "Hello",
         *         "rcon.password": "********"
         *       }
         *     }
         */
        ChangedProperties: {
            properties: {
                [key: string]: string;
            };
            /** @description Whether each changed property is in effect now, from the next start, or only in new worlds */
            effects?: {
                [key: string]: "now" | "restart" | "new-world";
            };
            /** @description Ports that another instance is set to use as well: the two cannot run at the same time */
            warnings?: string[];
        };
        /**
         * @example {
         *       "kind": "arena",
         *       "title": "Arena",
         *       "text": "{\"kind\":\"arena\",\"extends\":\"custom\",\"title\":\"Arena\"}",
         *       "notes": [
         *         "Its ready text was not taken over."
         *       ],
         *       "scripts": [
         *         {
         *           "title": "Installation script",
         *           "text": "curl -o arena https://example.org/arena"
         *         }
         *       ]
         *     }
         */
        CheckedKind: {
            kind: string;
            title: string;
            /** @description The file of the kind, in JSON, as POST /software saves it */
            text: string;
            /** @description What could not be taken over, or was assumed */
            notes: string[];
            /** @description Scripts of the original. They are never run */
            scripts: {
                title: string;
                text: string;
            }[];
            /** @description Why it cannot be saved: the key and what is wrong with it */
            problem?: string;
        };
        /**
         * @example {
         *       "name": "Demo for trying things",
         *       "port": 25570
         *     }
         */
        CloneInstance: {
            name: string;
            id?: string;
            port?: number;
        };
        /**
         * @example {
         *       "command": "list"
         *     }
         */
        CommandRequest: {
            command: string;
        };
        /**
         * @example {
         *       "output": "There are 1 of a max of 20 players online: Steve"
         *     }
         */
        CommandResponse: {
            output: string;
        };
        /**
         * @example {
         *       "instanceId": "demo",
         *       "port": 25565,
         *       "transport": "tcp",
         *       "purpose": "game"
         *     }
         */
        ConfiguredPort: {
            instanceId: string;
            port: number;
            /** @enum {string} */
            transport: "tcp" | "udp";
            /** @enum {string} */
            purpose: "game" | "game-ipv6" | "query" | "rcon" | "management" | "discovery" | "named";
            /** @description Name of a `named` port */
            label?: string;
        };
        /**
         * @description Valid once, for one console, for 30 seconds
         * @example {
         *       "ticket": "5x0ZMcXn8Vd1cGJ0m3uQ6e2yq0m5J4cXk0y1Jw8k9aE",
         *       "expiresAt": "2026-11-20T08:15:00.000Z"
         *     }
         */
        ConsoleTicket: {
            ticket: string;
            /** Format: date-time */
            expiresAt: string;
        };
        Crash: {
            /** Format: date-time */
            at: string;
            exitCode: number | null;
            signal: string | null;
            reason: string;
            restarts: number;
            /**
             * @description The setting of the instance that the reason asks to change
             * @enum {string}
             */
            setting?: "memoryMb" | "javaVersion";
            failedStart?: components["schemas"]["FailedStart"];
        };
        CrashPolicy: {
            /**
             * @default on-failure
             * @enum {string}
             */
            restart: "on-failure" | "always" | "never";
            /** @default 3 */
            maxRestarts: number;
            /** @default 600 */
            windowSeconds: number;
        };
        CrashPolicyInput: {
            /**
             * @default on-failure
             * @enum {string}
             */
            restart: "on-failure" | "always" | "never";
            /** @default 3 */
            maxRestarts: number;
            /** @default 600 */
            windowSeconds: number;
        };
        CrashReport: {
            /** Format: date-time */
            at: string;
            exitCode: number | null;
            signal: string | null;
            /** @description What happened, and what to do about it */
            reason: string;
            /** @description Restarts after earlier crashes within the window of the crash policy */
            restarts: number;
            /** @description The last lines of the console, at most 50, redacted */
            lines: string[];
        };
        /**
         * @example {
         *       "crashes": [
         *         {
         *           "at": "2026-11-20T08:15:00.000Z",
         *           "exitCode": 1,
         *           "signal": null,
         *           "reason": "Java ran out of memory: 1024 MiB are not enough. Give the instance more memory.",
         *           "restarts": 0,
         *           "lines": [
         *             "Exception in thread \"Server thread\" java.lang.OutOfMemoryError: Java heap space"
         *           ]
         *         }
         *       ]
         *     }
         */
        CrashReports: {
            crashes: components["schemas"]["CrashReport"][];
        };
        /**
         * @example {
         *       "path": "plugins",
         *       "names": [
         *         "shop",
         *         "shop.yml"
         *       ],
         *       "to": "plugins/shop.zip"
         *     }
         */
        CreateArchive: {
            /**
             * @description The folder that everything is in. Default: the folder of the server
             * @default
             */
            path: string;
            /** @description Files and folders in it. Default: everything */
            names?: string[];
            /** @description The ZIP to create. Nothing may be there */
            to: string;
        };
        /**
         * @example {
         *       "project": "fabulously-optimized",
         *       "memoryMb": 6144,
         *       "acceptEula": true,
         *       "start": true
         *     }
         */
        CreateFromModpack: {
            /** @description Id or slug of a Modrinth project */
            project: string;
            /** @description Id or number of a version of the modpack. Default: the newest */
            version?: string;
            /** @description Default: the name of the modpack */
            name?: string;
            id?: string;
            port?: number;
            /** @description Default: by the number of mods */
            memoryMb?: number;
            /** @default false */
            acceptEula: boolean;
            /** @default false */
            autoStart: boolean;
            /**
             * @description Start it once it is created
             * @default false
             */
            start: boolean;
        };
        /**
         * @example {
         *       "name": "Demo",
         *       "software": "demo",
         *       "memoryMb": 1024
         *     }
         */
        CreateInstance: {
            name: string;
            software: string;
            id?: string;
            version?: string;
            port?: number;
            /** @description Further ports of the kind, by name */
            ports?: {
                [key: string]: number;
            };
            /** @description Values for the variables of the kind */
            variables?: {
                [key: string]: string | number | boolean;
            };
            /** @enum {string} */
            javaVersion?: "8" | "11" | "17" | "21" | "25";
            /** @default 2048 */
            memoryMb: number;
            maxPlayers?: number;
            /** @default false */
            acceptEula: boolean;
            /** @default false */
            autoStart: boolean;
            /** @description Start it with Gamekeeper if it was running when Gamekeeper or the machine went down */
            autoResume?: boolean;
            /** @default {} */
            crashPolicy: components["schemas"]["CrashPolicyInput"];
            /** @description SIGTERM follows after this time, and SIGKILL after the same time again, at least 10 seconds. Default: that of the kind, usually 60 */
            stopTimeoutSeconds?: number;
            /** @description Stop it after this time without players, and start it when somebody joins */
            sleepWhenEmptyMinutes?: number;
            /** @description Treat it as crashed when it has not responded for this time. Default 180; 0: never */
            hangSeconds?: 0 | number;
            directory?: string;
            rcon?: components["schemas"]["RconSettings"];
            env?: {
                [key: string]: string;
            };
            launch?: components["schemas"]["LaunchCommand"];
            /** @description User of the machine that the server runs as. Default: that of Gamekeeper */
            runAs?: string;
            /**
             * @description Of the port for players, for software "custom". Default: tcp
             * @enum {string}
             */
            transport?: "tcp" | "udp";
            /** @description Line of the console that shows that players can join */
            readyPattern?: string;
            /** @description Instead of a pattern: ready after this time. Without either: once it listens on its port */
            readyAfterSeconds?: number;
            /** @description What is typed into the console, or `^C` for Ctrl+C */
            stopCommand?: string | "\u0003";
            saveCommands?: components["schemas"]["SaveCommands"];
        };
        /**
         * @example {
         *       "url": "https://proxy.example.net",
         *       "name": "Basement",
         *       "scopes": [
         *         "servers:read",
         *         "servers:write"
         *       ]
         *     }
         */
        CreateLink: {
            /** @description Address of the proxy, https unless it is on this machine */
            url: string;
            /** @description This daemon's name at the proxy. Default: the machine's name */
            name?: string;
            /**
             * @description Scopes that tokens of the proxy can have here, whatever they say
             * @default [
             *       "servers:read",
             *       "servers:write",
             *       "backups:create",
             *       "logs:read",
             *       "tunnels:manage"
             *     ]
             */
            scopes: ("servers:read" | "servers:write" | "backups:create" | "logs:read" | "tunnels:manage")[];
            /** @description Report the state of this machine and its servers to the proxy: names, phases, counts of players, CPU, memory, disk space, age of the last backup. No names of players, no console, no addresses */
            telemetry?: boolean;
        };
        /**
         * @example {
         *       "name": "my-bot",
         *       "scopes": [
         *         "servers:read",
         *         "servers:write"
         *       ],
         *       "ttlSeconds": 2592000
         *     }
         */
        CreateToken: {
            name: string;
            scopes?: ("servers:read" | "servers:write" | "backups:create" | "logs:read" | "tunnels:manage")[];
            /** @default 2592000 */
            ttlSeconds: number;
        };
        /**
         * @example {
         *       "username": "anna",
         *       "role": "operator",
         *       "instances": [
         *         "demo"
         *       ]
         *     }
         */
        CreateUser: {
            username: string;
            /** @enum {string} */
            role: "admin" | "operator" | "viewer";
            /** @description Default: one is generated, shown once, and must be changed at the first sign-in */
            password?: string;
            /**
             * @default [
             *       "*"
             *     ]
             */
            instances: components["schemas"]["Grants"];
            /** @description Default: true for a generated password, else false */
            mustChangePassword?: boolean;
        };
        /**
         * @example {
         *       "id": "2f0c6a52-8f1d-4d7e-9c55-0f6a1b7c9d10",
         *       "token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJqdGkiOiIyZjBjNmE1MiJ9.c2lnbmF0dXJl",
         *       "name": "my-bot",
         *       "scopes": [
         *         "servers:read",
         *         "servers:write"
         *       ],
         *       "expiresAt": "2026-12-20T08:15:00.000Z"
         *     }
         */
        CreatedToken: {
            id: string;
            token: string;
            name: string;
            scopes: ("servers:read" | "servers:write" | "backups:create" | "logs:read" | "tunnels:manage")[];
            /** Format: date-time */
            expiresAt: string;
        };
        /**
         * @example {
         *       "username": "anna",
         *       "role": "operator",
         *       "instances": [
         *         "demo"
         *       ],
         *       "disabled": false,
         *       "mustChangePassword": true,
         *       "totp": true,
         *       "createdAt": "2026-11-20T08:15:00.000Z",
         *       "password": "k7fm-2xqa-wu9c-hd4p"
         *     }
         */
        CreatedUser: {
            username: string;
            /** @enum {string} */
            role: "admin" | "operator" | "viewer";
            instances: components["schemas"]["Grants"];
            disabled: boolean;
            mustChangePassword: boolean;
            /** @description Whether the user has a second factor */
            totp: boolean;
            /** Format: date-time */
            createdAt?: string;
            /** @description The generated password, shown only once */
            password?: string;
        };
        /**
         * @example {
         *       "trashId": "mi7k2q1c-4f9c2a17b3d0"
         *     }
         */
        DeletedFile: {
            /** @description Absent if it was deleted permanently */
            trashId?: string;
        };
        DrillResult: {
            /** Format: date-time */
            at: string;
            ok: boolean;
            durationMs: number;
            /** @description Files that were unpacked, read back and compared */
            fileCount?: number;
            error?: string;
        };
        ErrorResponse: {
            /** Format: uri */
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @description One of the codes at /docs/errors; later versions may add codes */
            code: string;
            resolution?: string;
            /** @description The fields that an `invalid_request` is about, as far as they are known */
            errors?: components["schemas"]["FieldError"][];
        };
        /**
         * @example {
         *       "path": "plugins/maps.zip",
         *       "to": "plugins"
         *     }
         */
        ExtractArchive: {
            /** @description A ZIP file */
            path: string;
            /** @description The folder to unpack into, which exists. Default: the one that the ZIP is in */
            to?: string;
        };
        /** @description Set if this was no crash: the start failed before there was a process. `reason` says why */
        FailedStart: {
            /** @description As in error responses */
            code: string;
            portChange?: components["schemas"]["PortChange"];
        };
        FieldError: {
            /** @description Names of nested fields are joined by dots */
            field: string;
            /**
             * @description What is wrong with it; later versions may add rules
             * @enum {string}
             */
            rule: "required" | "too_short" | "too_long" | "too_few" | "too_many" | "too_small" | "too_big" | "not_a_number" | "not_whole" | "invalid_choice" | "invalid_format" | "taken" | "exceeds_machine" | "other";
            /** @description The least or the most that is allowed */
            limit?: number;
            /** @description To be read after the field's name */
            detail: string;
        };
        FileDifference: {
            path: string;
            /**
             * @description `added`: only the server has it today; `removed`: only the backup has it; `changed`: they differ
             * @enum {string}
             */
            change: "added" | "removed" | "changed";
            /** @description What the backup has */
            backup?: {
                /**
                 * @description Links are shown, but never followed
                 * @enum {string}
                 */
                kind: "file" | "folder" | "link" | "other";
                /** @description 0 for everything but files */
                sizeBytes: number;
                /** Format: date-time */
                modifiedAt: string;
            };
            /** @description What the server has today */
            today?: {
                /**
                 * @description Links are shown, but never followed
                 * @enum {string}
                 */
                kind: "file" | "folder" | "link" | "other";
                /** @description 0 for everything but files */
                sizeBytes: number;
                /** Format: date-time */
                modifiedAt: string;
            };
        };
        /**
         * @example {
         *       "differences": [
         *         {
         *           "path": "server.properties",
         *           "change": "changed",
         *           "backup": {
         *             "kind": "file",
         *             "sizeBytes": 1204,
         *             "modifiedAt": "2026-11-20T08:15:00.000Z"
         *           },
         *           "today": {
         *             "kind": "file",
         *             "sizeBytes": 1198,
         *             "modifiedAt": "2026-12-20T08:15:00.000Z"
         *           }
         *         }
         *       ]
         *     }
         */
        FileDifferences: {
            differences: components["schemas"]["FileDifference"][];
            /** @description The value of `cursor` for the next page; absent on the last one. A page may be empty */
            next?: string;
        };
        FileEntry: {
            /** @description Bytes that are not UTF-8 are shown as `%E9`; such files cannot be named in a request */
            name: string;
            /**
             * @description Links are shown, but never followed
             * @enum {string}
             */
            kind: "file" | "folder" | "link" | "other";
            /** @description 0 for everything but files */
            sizeBytes: number;
            /** Format: date-time */
            modifiedAt: string;
        };
        /**
         * @example {
         *       "versions": [
         *         {
         *           "version": "mfx2k1a0-5f3a9c01",
         *           "replacedAt": "2026-12-20T08:15:00.000Z",
         *           "modifiedAt": "2026-11-20T08:15:00.000Z",
         *           "sizeBytes": 1198
         *         }
         *       ]
         *     }
         */
        FileHistory: {
            versions: components["schemas"]["FileVersion"][];
        };
        /**
         * @example {
         *       "entries": [
         *         {
         *           "name": "world",
         *           "kind": "folder",
         *           "sizeBytes": 0,
         *           "modifiedAt": "2026-11-20T08:15:00.000Z"
         *         },
         *         {
         *           "name": "server.properties",
         *           "kind": "file",
         *           "sizeBytes": 1204,
         *           "modifiedAt": "2026-11-20T08:15:00.000Z"
         *         }
         *       ]
         *     }
         */
        FileList: {
            entries: components["schemas"]["FileEntry"][];
            /** @description The value of `cursor` for the next page; absent on the last one */
            next?: string;
        };
        FileMatch: {
            /**
             * @description Links are shown, but never followed
             * @enum {string}
             */
            kind: "file" | "folder" | "link" | "other";
            /** @description 0 for everything but files */
            sizeBytes: number;
            /** Format: date-time */
            modifiedAt: string;
            /** @description Path inside the server's folder, with `/` */
            path: string;
            /** @description The first 20 that contain what was searched for */
            lines?: components["schemas"]["MatchedLine"][];
        };
        /**
         * @example {
         *       "from": "server.properties",
         *       "to": "server.properties.old"
         *     }
         */
        FileMove: {
            /** @description Path inside the server's folder, with `/` */
            from: string;
            /** @description The new path. Nothing may be there */
            to: string;
        };
        /**
         * @example {
         *       "matches": [
         *         {
         *           "path": "server.properties",
         *           "kind": "file",
         *           "sizeBytes": 1204,
         *           "modifiedAt": "2026-11-20T08:15:00.000Z",
         *           "lines": [
         *             {
         *               "number": 21,
         *               "text": "motd=A Minecraft Server"
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        FileSearch: {
            matches: components["schemas"]["FileMatch"][];
            /**
             * @description Why the search ended before it had looked at everything: enough matches, too much to read, or 20 seconds
             * @enum {string}
             */
            stoppedBy?: "limit" | "size" | "time";
        };
        /**
         * @example {
         *       "sizeBytes": 91204100,
         *       "files": 412,
         *       "entries": [
         *         {
         *           "name": "world",
         *           "kind": "folder",
         *           "sizeBytes": 91202896,
         *           "files": 411
         *         },
         *         {
         *           "name": "server.properties",
         *           "kind": "file",
         *           "sizeBytes": 1204,
         *           "files": 1
         *         }
         *       ],
         *       "keptBytes": 0
         *     }
         */
        FileUsage: {
            /** @description Of all files in the folder and below */
            sizeBytes: number;
            /** @description How many there are */
            files: number;
            /** @description What is in the folder, largest first, at most 1,000 */
            entries: {
                name: string;
                /** @enum {string} */
                kind: "file" | "folder" | "link" | "other";
                /** @description Of a folder: of all files in it */
                sizeBytes: number;
                files: number;
            }[];
            /** @description For the server's folder itself: the trash, earlier versions and unfinished uploads, which are not in `sizeBytes` */
            keptBytes?: number;
            /**
             * @description Why not everything was counted
             * @enum {string}
             */
            stoppedBy?: "size" | "time";
        };
        FileVersion: {
            version: string;
            /**
             * Format: date-time
             * @description When it was replaced by the next one
             */
            replacedAt: string;
            /**
             * Format: date-time
             * @description When it was written
             */
            modifiedAt: string;
            sizeBytes: number;
        };
        FoundNumber: {
            value: number;
            /** @description File, relative to the folder */
            from: string;
            /** @enum {string} */
            sure: "certain" | "likely" | "guess";
        };
        FoundText: {
            value: string;
            /** @description File, relative to the folder */
            from: string;
            /** @enum {string} */
            sure: "certain" | "likely" | "guess";
        };
        FoundTexts: {
            value: string[];
            /** @description File, relative to the folder */
            from: string;
            /** @enum {string} */
            sure: "certain" | "likely" | "guess";
        };
        FrpTunnel: {
            /** @constant */
            provider: "frp";
            /** @description Path of frpc; default: the one on the PATH. Only a local administrator may set it */
            program?: string;
            /** @description Your frps server */
            serverAddr: string;
            /** @default 7000 */
            serverPort: number;
            /** @description Its `auth.token` */
            token?: string;
            /**
             * @description Port on that server; 0: any that it allows
             * @default 0
             */
            remotePort: number;
        };
        FrpTunnelInput: {
            /** @constant */
            provider: "frp";
            /** @description Path of frpc; default: the one on the PATH. Only a local administrator may set it */
            program?: string;
            /** @description Your frps server */
            serverAddr: string;
            /** @default 7000 */
            serverPort: number;
            /** @description Its `auth.token` */
            token?: string;
            /**
             * @description Port on that server; 0: any that it allows
             * @default 0
             */
            remotePort: number;
        };
        /**
         * @example {
         *       "name": "keepInventory",
         *       "key": "keep_inventory",
         *       "known": true,
         *       "type": "boolean",
         *       "value": false,
         *       "description": "Players keep their items and experience when they die."
         *     }
         */
        Gamerule: {
            /** @description As the running version calls it */
            name: string;
            /** @description Its name in the newest version that has it, the same for every server */
            key: string;
            /** @description Whether Gamekeeper describes it. Others are rules of mods, and those that few owners need */
            known: boolean;
            /** @enum {string} */
            type: "boolean" | "integer";
            /** @description What the running server reports */
            value: boolean | number;
            minimum?: number;
            maximum?: number;
            description?: string;
        };
        /**
         * @description The instances that a user can see: `"*"` for all, including future ones; an id; or an id with the user's role there, and with `files` if the user may read or write its files: whoever writes files can make the server run any program. Other instances do not exist for the user. Administrators always have `["*"]`.
         * @example [
         *       "*"
         *     ]
         * @example [
         *       "survival",
         *       {
         *         "id": "creative",
         *         "role": "viewer"
         *       }
         *     ]
         */
        Grants: ("*" | string | {
            id: string;
            /** @enum {string} */
            role: "operator" | "viewer";
            /**
             * @description For operators. `read`: may read its files, with secrets masked; `write`: may also change them
             * @enum {string}
             */
            files?: "read" | "write";
        })[];
        /**
         * @example {
         *       "status": "ok",
         *       "version": "1.9.9",
         *       "platform": "linux",
         *       "activeInstances": 1
         *     }
         */
        HealthResponse: {
            status: string;
            version: string;
            platform: string;
            activeInstances: number;
        };
        History: {
            /** @enum {string} */
            range: "1h" | "24h" | "7d";
            stepSeconds: number;
            /**
             * Format: date-time
             * @description End of the range: the time of this answer
             */
            until: string;
            points: {
                /**
                 * Format: date-time
                 * @description Start of the interval
                 */
                at: string;
                /** @description Mean; 100 is one core */
                cpuPercent?: number;
                /** @description Mean */
                memoryUsedMb?: number;
                /** @description Mean; absent if the server does not report it */
                tickTimeMs?: number;
                /** @description Maximum */
                playersOnline?: number;
                /** @description Minimum; of the whole disk of the server's folder. Only for callers who may read the server's files */
                diskFreeBytes?: number;
            }[];
            /** @description Oldest first; the newest 200 of the range */
            events: {
                /** Format: date-time */
                at: string;
                /**
                 * @description `start`: start of the game process. `stop`, `sleep`, `crash`: its end. `backup`: a backup was completed. `mods`: mods or plugins were changed
                 * @enum {string}
                 */
                kind: "start" | "stop" | "sleep" | "crash" | "backup" | "mods";
            }[];
        };
        /**
         * @example {
         *       "cpuPercent": 12.5,
         *       "memory": {
         *         "usedBytes": 9663676416,
         *         "totalBytes": 17179869184
         *       },
         *       "disk": {
         *         "freeBytes": 180000000000,
         *         "totalBytes": 500000000000
         *       },
         *       "backups": [
         *         {
         *           "instanceId": "survival",
         *           "createdAt": "2026-11-20T03:00:12.000Z"
         *         }
         *       ],
         *       "pausedSchedules": [
         *         "creative"
         *       ]
         *     }
         */
        HostState: {
            /** @description All cores together, since the request before */
            cpuPercent: number;
            memory: {
                usedBytes: number;
                totalBytes: number;
            };
            /** @description Of the data directory; absent if it cannot be read */
            disk?: {
                freeBytes: number;
                totalBytes: number;
            };
            /** @description The newest good backup of each instance that has one; absent if they cannot be read */
            backups?: {
                instanceId: string;
                /** Format: date-time */
                createdAt: string;
            }[];
            /** @description Instances with a schedule that does not run although it is enabled; absent if they cannot be read */
            pausedSchedules?: string[];
        };
        /**
         * @example {
         *       "directory": "/srv/survival"
         *     }
         */
        ImportInstance: {
            name?: string;
            /** @description Default: as recognised */
            software?: string;
            version?: string;
            port?: number;
            /** @description Further ports of the kind, by name */
            ports?: {
                [key: string]: number;
            };
            /** @enum {string} */
            javaVersion?: "8" | "11" | "17" | "21" | "25";
            memoryMb?: number;
            maxPlayers?: number;
            acceptEula?: boolean;
            autoStart?: boolean;
            /** @description Start it with Gamekeeper if it was running when Gamekeeper or the machine went down */
            autoResume?: boolean;
            crashPolicy?: components["schemas"]["CrashPolicyInput"];
            /** @description SIGTERM follows after this time, and SIGKILL after the same time again, at least 10 seconds. Default: that of the kind, usually 60 */
            stopTimeoutSeconds?: number;
            /** @description Stop it after this time without players, and start it when somebody joins */
            sleepWhenEmptyMinutes?: number;
            /** @description Treat it as crashed when it has not responded for this time. Default 180; 0: never */
            hangSeconds?: 0 | number;
            rcon?: components["schemas"]["RconSettings"];
            env?: {
                [key: string]: string;
            };
            launch?: components["schemas"]["LaunchCommand"];
            /** @description User of the machine that the server runs as. Default: that of Gamekeeper */
            runAs?: string;
            /**
             * @description Of the port for players, for software "custom". Default: tcp
             * @enum {string}
             */
            transport?: "tcp" | "udp";
            /** @description Line of the console that shows that players can join */
            readyPattern?: string;
            /** @description Instead of a pattern: ready after this time. Without either: once it listens on its port */
            readyAfterSeconds?: number;
            /** @description What is typed into the console, or `^C` for Ctrl+C */
            stopCommand?: string | "\u0003";
            saveCommands?: components["schemas"]["SaveCommands"];
            id?: string;
            /** @description A folder on this machine, used in place */
            directory?: string;
            /** @description A ZIP on this machine, such as an export, or a modpack for Modrinth (.mrpack); it is unpacked into a new folder */
            archive?: string;
            /** @description Such an archive that was uploaded to `/instances/import/uploads`. It is removed when it is imported */
            upload?: string;
            /**
             * @description Only return what is recognised
             * @default false
             */
            dryRun: boolean;
        };
        /**
         * @example {
         *       "id": "survival",
         *       "name": "survival",
         *       "software": "paper",
         *       "version": "1.21.8",
         *       "port": 25565,
         *       "status": "stopped",
         *       "memoryMb": 5120,
         *       "recognised": {
         *         "directory": "/srv/survival",
         *         "software": {
         *           "value": "paper",
         *           "from": "paper.jar",
         *           "sure": "certain"
         *         },
         *         "version": {
         *           "value": "1.21.8",
         *           "from": "paper.jar",
         *           "sure": "certain"
         *         },
         *         "program": {
         *           "value": "paper.jar",
         *           "from": "paper.jar",
         *           "sure": "certain"
         *         },
         *         "port": {
         *           "value": 25565,
         *           "from": "server.properties",
         *           "sure": "certain"
         *         },
         *         "memoryMb": {
         *           "value": 5120,
         *           "from": "start.sh",
         *           "sure": "likely"
         *         },
         *         "javaVersion": {
         *           "value": "21",
         *           "from": "paper.jar",
         *           "sure": "certain"
         *         },
         *         "acceptEula": {
         *           "value": true,
         *           "from": "eula.txt",
         *           "sure": "certain"
         *         },
         *         "worlds": {
         *           "value": [
         *             "world"
         *           ],
         *           "from": "world/level.dat",
         *           "sure": "certain"
         *         },
         *         "notes": [],
         *         "missing": []
         *       }
         *     }
         */
        ImportedInstance: {
            id: string;
            name: string;
            software: string;
            version: string;
            javaVersion?: string;
            port: number;
            /** @enum {string} */
            status: "running" | "stopped" | "starting";
            playersOnline?: number;
            maxPlayers?: number;
            memoryMb?: number;
            /** @enum {string} */
            phase?: "stopped" | "provisioning" | "starting" | "running" | "stopping" | "crashed" | "sleeping";
            /** @enum {string} */
            activity?: "installing" | "backing-up" | "restoring";
            /**
             * @description Limits of how Gamekeeper manages it at the moment: `taken-over` (until its next start the console is its own log file, and commands go over RCON), `leftovers` (it has ended, but processes that it may have started still run), `unresponsive` (its supervisor does not answer; values are the last known), `incompatible` (its supervisor has another version)
             * @enum {string}
             */
            degraded?: "taken-over" | "leftovers" | "unresponsive" | "incompatible";
            /** @description Processes that may be its own and still run although it has ended; at most 50 */
            leftovers?: components["schemas"]["LeftoverProcess"][];
            /** @description Of the whole process tree; 100 is one core */
            cpuPercent?: number;
            memoryUsedMb?: number;
            /** @description Mean duration of a tick, as the server reports over RCON. From 50 on the server lags */
            tickTimeMs?: number;
            /** @description Ticks per second; 20 if the server keeps up */
            tps?: number;
            uptimeSeconds?: number;
            /** @description Public address for players. Present while the tunnel works */
            publicAddress?: string;
            crash?: components["schemas"]["Crash"];
            /** @description Ports that another instance is set to use as well: the two cannot run at the same time */
            warnings?: string[];
            /** @description Changes since the start that the running server only gets at its next start; at most 100 */
            pendingRestart?: components["schemas"]["PendingChange"][];
            /** @description true: it restarts once, when nobody is online */
            restartWhenEmpty?: boolean;
            recognised: components["schemas"]["Recognition"];
        };
        /**
         * @example {
         *       "project": "lithium"
         *     }
         */
        InstallMod: {
            /** @description Id or slug of a Modrinth project */
            project: string;
            /** @description Id or number of a version. Default: the newest that fits the instance */
            version?: string;
            /**
             * @description Only return what would change
             * @default false
             */
            dryRun: boolean;
        };
        /**
         * @example {
         *       "file": "lithium-fabric-0.15.0+mc1.21.8.jar",
         *       "enabled": true,
         *       "sizeBytes": 773000,
         *       "name": "Lithium",
         *       "version": "mc1.21.8-0.15.0",
         *       "projectId": "gvQqBUqZ",
         *       "versionId": "pDfTqezk",
         *       "slug": "lithium",
         *       "fits": true
         *     }
         */
        InstalledMod: {
            /** @description File name */
            file: string;
            /** @description false: the file name ends with ".disabled", so the server does not load it */
            enabled: boolean;
            sizeBytes: number;
            /** @description Name of the project, else from the file, else the file name */
            name: string;
            version?: string;
            /** @description Modrinth project; absent: not known to be from Modrinth */
            projectId?: string;
            versionId?: string;
            slug?: string;
            /** @description Whether it fits the instance's software and version; absent: unknown */
            fits?: boolean;
            /**
             * @description The change at the next start
             * @enum {string}
             */
            waiting?: "install" | "remove";
        };
        /**
         * @example {
         *       "id": "demo",
         *       "name": "Demo",
         *       "software": "demo",
         *       "version": "1.20.4",
         *       "port": 25565,
         *       "status": "running",
         *       "playersOnline": 1,
         *       "maxPlayers": 20,
         *       "memoryMb": 1024,
         *       "phase": "running",
         *       "cpuPercent": 2.5,
         *       "memoryUsedMb": 88,
         *       "tickTimeMs": 3.2,
         *       "tps": 20,
         *       "uptimeSeconds": 3600
         *     }
         */
        Instance: {
            id: string;
            name: string;
            software: string;
            version: string;
            javaVersion?: string;
            port: number;
            /** @enum {string} */
            status: "running" | "stopped" | "starting";
            playersOnline?: number;
            maxPlayers?: number;
            memoryMb?: number;
            /** @enum {string} */
            phase?: "stopped" | "provisioning" | "starting" | "running" | "stopping" | "crashed" | "sleeping";
            /** @enum {string} */
            activity?: "installing" | "backing-up" | "restoring";
            /**
             * @description Limits of how Gamekeeper manages it at the moment: `taken-over` (until its next start the console is its own log file, and commands go over RCON), `leftovers` (it has ended, but processes that it may have started still run), `unresponsive` (its supervisor does not answer; values are the last known), `incompatible` (its supervisor has another version)
             * @enum {string}
             */
            degraded?: "taken-over" | "leftovers" | "unresponsive" | "incompatible";
            /** @description Processes that may be its own and still run although it has ended; at most 50 */
            leftovers?: components["schemas"]["LeftoverProcess"][];
            /** @description Of the whole process tree; 100 is one core */
            cpuPercent?: number;
            memoryUsedMb?: number;
            /** @description Mean duration of a tick, as the server reports over RCON. From 50 on the server lags */
            tickTimeMs?: number;
            /** @description Ticks per second; 20 if the server keeps up */
            tps?: number;
            uptimeSeconds?: number;
            /** @description Public address for players. Present while the tunnel works */
            publicAddress?: string;
            crash?: components["schemas"]["Crash"];
            /** @description Ports that another instance is set to use as well: the two cannot run at the same time */
            warnings?: string[];
            /** @description Changes since the start that the running server only gets at its next start; at most 100 */
            pendingRestart?: components["schemas"]["PendingChange"][];
            /** @description true: it restarts once, when nobody is online */
            restartWhenEmpty?: boolean;
        };
        InstanceConfiguration: {
            name: string;
            version: string;
            port: number;
            /** @description Further ports of the kind, by name */
            ports?: {
                [key: string]: number;
            };
            /**
             * @description Absent: the one that the version needs
             * @enum {string}
             */
            javaVersion?: "8" | "11" | "17" | "21" | "25";
            memoryMb: number;
            maxPlayers?: number;
            acceptEula: boolean;
            autoStart: boolean;
            autoResume?: boolean;
            crashPolicy: components["schemas"]["CrashPolicy"];
            stopTimeoutSeconds: number;
            sleepWhenEmptyMinutes?: number;
            /** @description Default 180; 0: never */
            hangSeconds?: number;
            /** @enum {string} */
            transport?: "tcp" | "udp";
            readyPattern?: string;
            readyAfterSeconds?: number;
            /** @description Only for callers with `servers:write` */
            stopCommand?: string;
            /** @description Only for callers with `servers:write` */
            saveCommands?: components["schemas"]["SaveCommands"];
            /** @description Only for callers who may set it */
            launch?: components["schemas"]["LaunchCommand"];
            /** @description Only for callers who may set it */
            env?: {
                [key: string]: string;
            };
            /** @description User that the server runs as; null: Gamekeeper's own. Present if Gamekeeper can run servers as other users and the caller may set it */
            runAs?: string | null;
        };
        /**
         * @example {
         *       "name": "map",
         *       "title": "Map",
         *       "type": "text",
         *       "secret": false,
         *       "editableBy": "operator",
         *       "rule": {
         *         "pattern": "[a-z0-9_]+",
         *         "maxLength": 32
         *       },
         *       "default": "de_dust2",
         *       "value": "de_aztec",
         *       "isSet": true
         *     }
         */
        InstanceVariable: {
            name: string;
            /** @description Label of its form field */
            title: string;
            description?: string;
            /** @enum {string} */
            type: "text" | "number" | "boolean" | "choice";
            rule?: components["schemas"]["VariableRule"];
            /** @description Absent for a secret */
            default?: string;
            secret: boolean;
            /**
             * @description `operator`: needs `servers:write`; `admin`: needs the role admin; `nobody`: always the default
             * @enum {string}
             */
            editableBy: "operator" | "admin" | "nobody";
            /** @description Absent for a secret */
            value?: string;
            /** @description Whether the instance has a value of its own */
            isSet: boolean;
            /** @description What is wrong with its value. The server cannot start until it is corrected */
            problem?: string;
        };
        /**
         * @example {
         *       "jobId": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
         *       "kind": "backup",
         *       "instanceId": "demo",
         *       "state": "running",
         *       "percent": 42.5,
         *       "bytesDone": 7798784,
         *       "bytesTotal": 18350080,
         *       "createdAt": "2026-11-20T08:15:00.000Z"
         *     }
         */
        Job: {
            jobId: string;
            /** @enum {string} */
            kind: "backup" | "restore" | "verify" | "drill" | "replicate" | "delete" | "provision" | "mods" | "clone" | "export" | "import" | "archive" | "extract" | "world";
            instanceId: string;
            /** @enum {string} */
            state: "queued" | "running" | "done" | "failed" | "cancelled";
            percent: number;
            bytesDone: number;
            bytesTotal: number;
            /** @description Smoothed, while running */
            bytesPerSecond?: number;
            /** @description At the present speed */
            remainingSeconds?: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            endedAt?: string;
            backupId?: string;
            /** @description The new instance, if you can see it. Never in events */
            newInstanceId?: string;
            /** @description Store that a copy goes to */
            store?: string;
            /** @description Files and folders that nobody excluded and that it does not contain: the first 100 */
            omitted?: components["schemas"]["Omission"][];
            /** @description Number of all omissions */
            omittedCount?: number;
            error?: {
                code: string;
                detail: string;
            };
        };
        /**
         * @example {
         *       "text": "{\"kind\":\"arena\",\"extends\":\"custom\",\"title\":\"Arena\"}"
         *     }
         */
        KindFile: {
            /** @description Content of the file */
            text: string;
        };
        /**
         * @example {
         *       "name": "map",
         *       "title": "Map",
         *       "type": "text",
         *       "secret": false,
         *       "editableBy": "operator",
         *       "rule": {
         *         "pattern": "[a-z0-9_]+",
         *         "maxLength": 32
         *       },
         *       "default": "de_dust2"
         *     }
         */
        KindVariable: {
            name: string;
            /** @description Label of its form field */
            title: string;
            description?: string;
            /** @enum {string} */
            type: "text" | "number" | "boolean" | "choice";
            rule?: components["schemas"]["VariableRule"];
            /** @description Absent for a secret */
            default?: string;
            secret: boolean;
            /**
             * @description `operator`: needs `servers:write`; `admin`: needs the role admin; `nobody`: always the default
             * @enum {string}
             */
            editableBy: "operator" | "admin" | "nobody";
        };
        /**
         * @example {
         *       "command": [
         *         "./server",
         *         "--port",
         *         "{port}"
         *       ]
         *     }
         */
        LaunchCommand: {
            command: string[];
        };
        LeftoverProcess: {
            pid: number;
            /** @description Name of its program, without arguments */
            command: string;
        };
        /**
         * @example {
         *       "proxy": {
         *         "issuer": "https://proxy.example.net",
         *         "daemonId": "7b0c1c5e-6f0e-4c51-9f0c-3a5f1f0f7d11",
         *         "resource": "urn:uuid:7b0c1c5e-6f0e-4c51-9f0c-3a5f1f0f7d11",
         *         "name": "Basement",
         *         "account": "anna",
         *         "scopes": [
         *           "servers:read",
         *           "servers:write"
         *         ],
         *         "telemetry": false,
         *         "linkedAt": "2026-11-20T08:15:00.000Z"
         *       },
         *       "status": {
         *         "state": "connected",
         *         "since": "2026-11-20T08:15:00.000Z",
         *         "latencyMs": 24
         *       },
         *       "request": null,
         *       "lastRequest": {
         *         "id": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
         *         "issuer": "https://proxy.example.net",
         *         "outcome": "approved",
         *         "at": "2026-11-20T08:15:00.000Z"
         *       }
         *     }
         */
        Link: {
            proxy: components["schemas"]["LinkedProxy"] | null;
            status: components["schemas"]["LinkStatus"];
            request: components["schemas"]["LinkRequest"] | null;
            lastRequest: components["schemas"]["LinkOutcome"] | null;
        };
        LinkOutcome: {
            /** @description Id of the request */
            id: string;
            issuer: string;
            /** @enum {string} */
            outcome: "approved" | "denied" | "expired" | "cancelled" | "failed";
            /** Format: date-time */
            at: string;
            /** @description Why it failed */
            detail?: string;
            /** @description What to do about it */
            resolution?: string;
        };
        /**
         * @example {
         *       "id": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
         *       "issuer": "https://proxy.example.net",
         *       "name": "Basement",
         *       "scopes": [
         *         "servers:read",
         *         "servers:write"
         *       ],
         *       "telemetry": false,
         *       "userCode": "WDJB-MJHT",
         *       "verificationUri": "https://proxy.example.net/device",
         *       "verificationUriComplete": "https://proxy.example.net/device?user_code=WDJB-MJHT",
         *       "expiresAt": "2026-12-20T08:15:00.000Z"
         *     }
         */
        LinkRequest: {
            id: string;
            /** @description The proxy that was asked */
            issuer: string;
            name: string;
            scopes: ("servers:read" | "servers:write" | "backups:create" | "logs:read" | "tunnels:manage")[];
            /** @description Report to the proxy once it is linked */
            telemetry: boolean;
            /** @description The code to enter at `verificationUri` */
            userCode: string;
            verificationUri: string;
            /** @description The same address with the code, for a link or a QR code */
            verificationUriComplete: string;
            /** Format: date-time */
            expiresAt: string;
        };
        LinkStatus: {
            /**
             * @description `off`: not linked. `refused`: the proxy does not accept this daemon (any more)
             * @enum {string}
             */
            state: "off" | "connecting" | "connected" | "refused";
            /** Format: date-time */
            since: string;
            /** @description Round trip to the proxy, while connected */
            latencyMs?: number;
            /** @description Why there is no connection */
            error?: string;
        };
        LinkedProxy: {
            /** @description The `iss` of its tokens */
            issuer: string;
            daemonId: string;
            /** @description The `aud` of tokens for this daemon */
            resource: string;
            /** @description This daemon's name at the proxy */
            name: string;
            /** @description The account that approved the link */
            account?: string;
            /** @description Scopes that tokens of the proxy can have here, whatever they say */
            scopes: ("servers:read" | "servers:write" | "backups:create" | "logs:read" | "tunnels:manage")[];
            /** @description This daemon reports the state of its servers to the proxy */
            telemetry: boolean;
            /** Format: date-time */
            linkedAt: string;
        };
        /**
         * @example {
         *       "username": "admin",
         *       "password": "correct horse battery"
         *     }
         */
        LoginRequest: {
            username: string;
            password: string;
            /** @description One-time code of the authenticator app, or a recovery code */
            totp?: string;
        };
        /**
         * @example {
         *       "username": "admin",
         *       "role": "admin",
         *       "expiresAt": "2026-11-20T08:15:00.000Z",
         *       "mustChangePassword": false
         *     }
         */
        LoginResponse: {
            username: string;
            /** @enum {string} */
            role: "admin" | "operator" | "viewer";
            /** Format: date-time */
            expiresAt: string;
            mustChangePassword: boolean;
        };
        /**
         * @default {}
         * @example {
         *       "everywhere": true
         *     }
         */
        LogoutRequest: {
            /**
             * @description End every session of the user
             * @default false
             */
            everywhere: boolean;
        };
        /**
         * @example {
         *       "lines": [
         *         "[08:15:00] [Server thread/INFO]: Steve joined the game",
         *         "[08:15:02] [Server thread/INFO]: <Steve> hi"
         *       ]
         *     }
         */
        LogsResponse: {
            lines: string[];
        };
        MatchedLine: {
            number: number;
            /** @description At most 300 characters around the match */
            text: string;
        };
        MissedRuns: {
            /**
             * @description `run`: run once, as soon as possible
             * @default skip
             * @enum {string}
             */
            policy: "skip" | "run";
            /**
             * @description Runs that are later than this are skipped anyway
             * @default 60
             */
            graceMinutes: number;
        };
        MissedRunsInput: {
            /**
             * @description `run`: run once, as soon as possible
             * @default skip
             * @enum {string}
             */
            policy: "skip" | "run";
            /**
             * @description Runs that are later than this are skipped anyway
             * @default 60
             */
            graceMinutes: number;
        };
        /**
         * @example {
         *       "state": "done",
         *       "changes": [
         *         {
         *           "action": "install",
         *           "name": "Lithium",
         *           "file": "lithium-fabric-0.15.0+mc1.21.8.jar",
         *           "projectId": "gvQqBUqZ",
         *           "version": "mc1.21.8-0.15.0"
         *         }
         *       ],
         *       "notes": []
         *     }
         */
        ModChanges: {
            /**
             * @description `waiting`: the server is running, and the change is made at its next start. `planned`: a dry run
             * @enum {string}
             */
            state: "done" | "waiting" | "planned";
            changes: {
                /** @enum {string} */
                action: "install" | "update" | "remove";
                name: string;
                /** @description The file that is added or removed */
                file: string;
                projectId?: string;
                /** @description New version */
                version?: string;
                /** @description Old version */
                from?: string;
                /** @description It was not requested, but these need it */
                neededBy?: string[];
            }[];
            /** @description What was not changed, and why */
            notes: string[];
        };
        /**
         * @example {
         *       "folder": "mods",
         *       "loaders": [
         *         "fabric"
         *       ],
         *       "mods": [
         *         {
         *           "file": "lithium-fabric-0.15.0+mc1.21.8.jar",
         *           "enabled": true,
         *           "sizeBytes": 773000,
         *           "name": "Lithium",
         *           "version": "mc1.21.8-0.15.0",
         *           "projectId": "gvQqBUqZ",
         *           "versionId": "pDfTqezk",
         *           "slug": "lithium",
         *           "fits": true
         *         }
         *       ]
         *     }
         */
        ModList: {
            /**
             * @description In the instance's folder
             * @enum {string}
             */
            folder: "mods" | "plugins";
            /** @description Loaders whose mods or plugins run here */
            loaders: string[];
            mods: components["schemas"]["InstalledMod"][];
        };
        /**
         * @example {
         *       "hits": [
         *         {
         *           "projectId": "gvQqBUqZ",
         *           "slug": "lithium",
         *           "title": "Lithium",
         *           "description": "No-compromises game logic optimization mod",
         *           "author": "jellysquid3",
         *           "downloads": 60000000,
         *           "installed": true
         *         }
         *       ],
         *       "offset": 0,
         *       "limit": 20,
         *       "total": 1
         *     }
         */
        ModSearch: {
            hits: {
                projectId: string;
                slug: string;
                title: string;
                description: string;
                author: string;
                downloads: number;
                iconUrl?: string;
                installed: boolean;
            }[];
            offset: number;
            limit: number;
            total: number;
        };
        /**
         * @example {
         *       "hits": [
         *         {
         *           "projectId": "1KVo5zza",
         *           "slug": "fabulously-optimized",
         *           "title": "Fabulously Optimized",
         *           "description": "Beautiful graphics, speedy performance and familiar features",
         *           "author": "robotkoer",
         *           "downloads": 9000000
         *         }
         *       ],
         *       "offset": 0,
         *       "limit": 20,
         *       "total": 1
         *     }
         */
        ModpackSearch: {
            hits: {
                projectId: string;
                slug: string;
                title: string;
                description: string;
                author: string;
                downloads: number;
            }[];
            offset: number;
            limit: number;
            total: number;
        };
        /**
         * @example {
         *       "versions": [
         *         {
         *           "versionId": "fgN0OSjF",
         *           "version": "10.2.0",
         *           "channel": "release",
         *           "publishedAt": "2026-11-20T08:15:00.000Z",
         *           "gameVersions": [
         *             "1.21.8"
         *           ],
         *           "loaders": [
         *             "fabric"
         *           ],
         *           "suggestedMemoryMb": 6144
         *         }
         *       ]
         *     }
         */
        ModpackVersions: {
            /** @description Newest first, at most 100 */
            versions: {
                versionId: string;
                /** @description Its number */
                version: string;
                /** @enum {string} */
                channel: "release" | "beta" | "alpha";
                publishedAt: string;
                /** @description Versions of Minecraft */
                gameVersions: string[];
                loaders: string[];
                /** @description By the number of mods, at most half of the memory of this machine. MiB */
                suggestedMemoryMb: number;
            }[];
        };
        /**
         * @example {
         *       "path": "plugins/maps"
         *     }
         */
        NewFolder: {
            /** @description Path inside the server's folder, with `/` */
            path: string;
        };
        NewSchedule: {
            id?: string;
            name: string;
            /** @default true */
            enabled: boolean;
            /** @description Minute, hour, day of the month, month, day of the week */
            cron: string;
            /** @description IANA name. Default: the time zone of the machine */
            timeZone?: string;
            action: components["schemas"]["ScheduleActionInput"];
            /**
             * @description A run is skipped if this is not met
             * @default always
             * @enum {string}
             */
            condition: "always" | "running" | "players" | "empty";
            /** @default {} */
            missed: components["schemas"]["MissedRunsInput"];
            /** @description Whose rights it uses: `user`, or `user (token name)` */
            savedBy?: string;
            /** Format: date-time */
            savedAt?: string;
            /** @description Why it does not run although it is enabled, in words */
            paused?: string;
            /**
             * @description The same for programs
             * @enum {string}
             */
            pauseReason?: "token-ended" | "proxy-unlinked" | "access-ended" | "user-removed" | "user-disabled" | "not-allowed";
            /** @description The next five runs, as far as they come within ten years */
            nextRuns?: string[];
            lastRun?: components["schemas"]["ScheduleRun"];
            /** @description `true`: run with your rights from now on, even if nothing else is changed. Resumes a paused schedule */
            resume?: boolean;
        };
        /**
         * @example {
         *       "publicKey": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBkYzVyOGpKbm1vcHFyc3R1dnd4eXoxMjM0NTY3ODkw anna@laptop",
         *       "label": "Laptop",
         *       "password": "correct horse battery"
         *     }
         */
        NewSshKey: {
            /** @description A line of an OpenSSH `.pub` file: Ed25519, ECDSA, or RSA of at least 2,048 bits */
            publicKey: string;
            /** @description Default: the comment of the key */
            label?: string;
            /** @description Your current password */
            password?: string;
            /** @description Another user; on the command line only */
            username?: string;
        };
        NoTunnel: {
            provider: null;
        };
        Omission: {
            /** @description Relative path. Bytes that are not printable text are written as in a URL (`caf%E9.txt`) */
            path: string;
            /**
             * @description `outside-link`: what the link leads to is outside of the server folder. `link`: an export contains no links. `unsupported-name`: a ZIP cannot hold the name. `path-too-long`: more than 4,095 bytes. `replaced`: something else took its place while it was read
             * @enum {string}
             */
            reason: "outside-link" | "link" | "unsupported-name" | "path-too-long" | "replaced";
        };
        /**
         * @example {
         *       "name": "Steve",
         *       "uuid": "8667ba71-b85a-4004-af54-457a9734eed7",
         *       "level": 4
         *     }
         */
        Operator: {
            name: string;
            uuid?: string;
            level?: number;
            bypassesPlayerLimit?: boolean;
        };
        /**
         * @example {
         *       "reachable": true,
         *       "address": "demo.example.net",
         *       "from": "https://proxy.example.net",
         *       "pingMs": 31,
         *       "version": "1.21.4",
         *       "playersOnline": 2,
         *       "maxPlayers": 20
         *     }
         */
        OutsideTest: {
            reachable: boolean;
            /** @description What was tested */
            address: string;
            /**
             * Format: uri
             * @description The hosted proxy that tested it
             */
            from: string;
            /** @description Milliseconds between the proxy and the server */
            pingMs?: number;
            /** @description What the server there says it is */
            version?: string;
            playersOnline?: number;
            maxPlayers?: number;
            /** @description Why friends cannot connect, and what to do about it */
            error?: string;
        };
        PendingChange: {
            /** @description Such as `port`, `memoryMb`, `version`, `variables.MAP` and, of server.properties, `properties.view-distance` */
            setting: string;
            /** @description Value as text, empty if there is none; absent if it is secret or long */
            running?: string;
            /** @description Likewise, from the next start */
            configured?: string;
        };
        /**
         * @example {
         *       "pinned": true
         *     }
         */
        PinBackup: {
            pinned: boolean;
        };
        /**
         * @example {
         *       "name": "Steve",
         *       "uuid": "8667ba71-b85a-4004-af54-457a9734eed7",
         *       "op": false,
         *       "since": "2026-11-20T08:15:00.000Z"
         *     }
         */
        Player: {
            name: string;
            uuid?: string;
            op?: boolean;
            /** Format: date-time */
            since?: string;
        };
        /**
         * @default {}
         * @example {
         *       "reason": "Be kind."
         *     }
         */
        PlayerActionRequest: {
            reason?: string;
            /** @description Of a ban, which ends by itself after this time. Absent: permanent */
            durationSeconds?: number;
            /** @description Of an operator. While the server runs, only over the management protocol. Absent: its default */
            level?: number;
        };
        /**
         * @description The skins that Gamekeeper has of the players whom a server knows.
         * @example {
         *       "enabled": true,
         *       "players": [
         *         {
         *           "name": "Steve",
         *           "texture": "31f477eb1a7beee631c2ca64d06f8f68fa93a3386d04452ab27f43acdf1b60cb"
         *         }
         *       ],
         *       "pending": false
         *     }
         */
        PlayerSkins: {
            /** @description The setting `players.skins` */
            enabled: boolean;
            players: {
                name: string;
                texture: string;
            }[];
            /** @description Whether further skins are being fetched: ask again in some seconds */
            pending: boolean;
        };
        PlayitTunnel: {
            /** @constant */
            provider: "playit";
            /** @description Path of playitd; default: the one on the PATH. Only a local administrator may set it */
            program?: string;
            /** @description Key of an agent of your playit.gg account. If absent, `claimUrl` is where you allow a new one */
            secret?: string;
        };
        /** @description Of `port_in_use`: a change that lets it start */
        PortChange: {
            /**
             * @description Where the port is set: `port` or `ports` of the instance, or `server.properties`
             * @enum {string}
             */
            setting: "port" | "ports" | "properties";
            /** @description `port`, or the name in there */
            key: string;
            /** @description A number that no server is set to use and no program listens on */
            port: number;
        };
        /**
         * @example {
         *       "properties": {
         *         "server-port": "25565",
         *         "motd": "Hello",
         *         "rcon.password": "********"
         *       }
         *     }
         */
        Properties: {
            properties: {
                [key: string]: string;
            };
        };
        /**
         * @example {
         *       "file": "server.properties",
         *       "properties": [
         *         {
         *           "key": "view-distance",
         *           "type": "integer",
         *           "minimum": 2,
         *           "maximum": 32,
         *           "default": "10",
         *           "description": "Chunks that players see in each direction. Costs memory and CPU.",
         *           "secret": false,
         *           "takesEffect": "restart",
         *           "live": "management"
         *         }
         *       ]
         *     }
         */
        PropertiesSchema: {
            /** @description The settings file in the folder of the instance */
            file: string;
            properties: components["schemas"]["Property"][];
        };
        Property: {
            key: string;
            /** @enum {string} */
            type: "boolean" | "integer" | "decimal" | "choice" | "text";
            minimum?: number;
            maximum?: number;
            choices?: string[];
            /** @description Regular expression for the whole value */
            pattern?: string;
            /** @description Value if the file does not set it */
            default: string | null;
            description: string;
            /** @description First version of Minecraft that has it */
            since?: string;
            /** @description First version of Minecraft without it */
            until?: string;
            /** @description Shown as `********` */
            secret: boolean;
            /** @enum {string} */
            takesEffect: "restart" | "new-world";
            /**
             * @description A running server takes it at once: always, or only over the management protocol, if its owner has turned that on
             * @enum {string}
             */
            live?: "command" | "management";
            /**
             * @description Setting of the instance with the same value
             * @enum {string}
             */
            setting?: "port" | "maxPlayers" | "rcon.port";
        };
        RconSettings: {
            port: number;
            password: string;
        };
        /**
         * @example {
         *       "directory": "/srv/survival",
         *       "software": {
         *         "value": "paper",
         *         "from": "paper.jar",
         *         "sure": "certain"
         *       },
         *       "version": {
         *         "value": "1.21.8",
         *         "from": "paper.jar",
         *         "sure": "certain"
         *       },
         *       "program": {
         *         "value": "paper.jar",
         *         "from": "paper.jar",
         *         "sure": "certain"
         *       },
         *       "port": {
         *         "value": 25565,
         *         "from": "server.properties",
         *         "sure": "certain"
         *       },
         *       "memoryMb": {
         *         "value": 5120,
         *         "from": "start.sh",
         *         "sure": "likely"
         *       },
         *       "javaVersion": {
         *         "value": "21",
         *         "from": "paper.jar",
         *         "sure": "certain"
         *       },
         *       "acceptEula": {
         *         "value": true,
         *         "from": "eula.txt",
         *         "sure": "certain"
         *       },
         *       "worlds": {
         *         "value": [
         *           "world"
         *         ],
         *         "from": "world/level.dat",
         *         "sure": "certain"
         *       },
         *       "notes": [],
         *       "missing": []
         *     }
         */
        Recognition: {
            /** @description The folder or the archive */
            directory: string;
            software?: components["schemas"]["FoundText"];
            version?: components["schemas"]["FoundText"];
            /** @description Version of the mod loader */
            build?: components["schemas"]["FoundText"];
            /** @description The program to start: a JAR, an arguments file or an executable */
            program?: components["schemas"]["FoundText"];
            /** @description For software `custom`: the command to run */
            launch?: components["schemas"]["FoundTexts"];
            port?: components["schemas"]["FoundNumber"];
            /** @description Present if RCON is on; its password is kept */
            rconPort?: components["schemas"]["FoundNumber"];
            memoryMb?: components["schemas"]["FoundNumber"];
            javaVersion?: {
                /** @enum {string} */
                value: "8" | "11" | "17" | "21" | "25";
                /** @description File, relative to the folder */
                from: string;
                /** @enum {string} */
                sure: "certain" | "likely" | "guess";
            };
            acceptEula?: {
                value: boolean;
                /** @description File, relative to the folder */
                from: string;
                /** @enum {string} */
                sure: "certain" | "likely" | "guess";
            };
            worlds?: components["schemas"]["FoundTexts"];
            /** @description What is not imported, or should be checked */
            notes: string[];
            /** @description What could not be recognised and must be in the request */
            missing: {
                /** @enum {string} */
                field: "software" | "version";
                reason: string;
            }[];
        };
        /**
         * @description Each replaces a one-time code once. Shown only once.
         * @example {
         *       "recoveryCodes": [
         *         "k7fm-2xqa-wu9c-hd4p",
         *         "9bqe-rt5m-zc3v-n6ya"
         *       ]
         *     }
         */
        RecoveryCodes: {
            recoveryCodes: string[];
        };
        /**
         * @example {
         *       "password": "correct horse battery"
         *     }
         */
        RecoveryCodesRequest: {
            /** @description Your current password */
            password: string;
        };
        RelayTunnel: {
            /** @constant */
            provider: "relay";
            /** @description Name of the server at the proxy: `friends` gives friends.play.example.net. Default: one of its id */
            hostname?: string;
            /**
             * @description Tell the server each player's own address, by the PROXY protocol (version 2), which it must expect
             * @default false
             */
            proxyProtocol: boolean;
        };
        RelayTunnelInput: {
            /** @constant */
            provider: "relay";
            /** @description Name of the server at the proxy: `friends` gives friends.play.example.net. Default: one of its id */
            hostname?: string;
            /**
             * @description Tell the server each player's own address, by the PROXY protocol (version 2), which it must expect
             * @default false
             */
            proxyProtocol: boolean;
        };
        /**
         * @example {
         *       "code": "492039"
         *     }
         */
        RemoveTotpRequest: {
            /** @description Your current password */
            password?: string;
            /** @description A one-time code or a recovery code */
            code?: string;
        };
        Replica: {
            /** @description Name of the store in the settings */
            store: string;
            /** @enum {string} */
            state: "pending" | "copying" | "replicated" | "failed" | "missing" | "damaged";
            encrypted: boolean;
            /** @description Stored size */
            sizeBytes?: number;
            /** @description Progress of the copy */
            percent?: number;
            /** @description Job of the copy, to watch or cancel */
            jobId?: string;
            /** @description Attempts since the copy was requested */
            attempts: number;
            /** @description Why the copy is missing or damaged */
            error?: string;
            /** Format: date-time */
            nextAttemptAt?: string;
            /** Format: date-time */
            replicatedAt?: string;
            /**
             * Format: date-time
             * @description Time of the last verification
             */
            checkedAt?: string;
        };
        /**
         * @example {
         *       "paths": [
         *         "server.properties",
         *         "plugins"
         *       ]
         *     }
         */
        RestoreFiles: {
            paths: string[];
        };
        RestoreRequest: {
            /**
             * @description Stop a running server first, and start it again afterwards. Also needs the scope servers:write
             * @default false
             */
            restart: boolean;
        };
        RestoredFile: {
            /** @description Where it is again */
            path: string;
        };
        Runtime: {
            /** @enum {string} */
            javaVersion: "8" | "11" | "17" | "21" | "25";
            /** @description Such as 21.0.9; null: unknown */
            release: string | null;
            sizeBytes: number;
            /** @description Ids of the instances that you can see */
            usedBy: string[];
        };
        RuntimeRemoval: {
            removed: ("8" | "11" | "17" | "21" | "25")[];
        };
        /**
         * @example {
         *       "javaVersion": "21",
         *       "release": "jdk-21.0.9+10",
         *       "updated": true
         *     }
         */
        RuntimeUpdate: {
            /** @enum {string} */
            javaVersion: "8" | "11" | "17" | "21" | "25";
            /** @description The build that servers use from their next start, such as jdk-21.0.9+10 */
            release: string;
            /** @description false: it already was the newest */
            updated: boolean;
        };
        SaveCommands: {
            off?: string;
            flush?: string;
            on?: string;
            savedPattern?: string;
        };
        Schedule: {
            id: string;
            name: string;
            /** @default true */
            enabled: boolean;
            /** @description Minute, hour, day of the month, month, day of the week */
            cron: string;
            timeZone: string;
            action: components["schemas"]["ScheduleAction"];
            /**
             * @description A run is skipped if this is not met
             * @default always
             * @enum {string}
             */
            condition: "always" | "running" | "players" | "empty";
            missed: components["schemas"]["MissedRuns"];
            /** @description Whose rights it uses: `user`, or `user (token name)` */
            savedBy?: string;
            /** Format: date-time */
            savedAt?: string;
            /** @description Why it does not run although it is enabled, in words */
            paused?: string;
            /**
             * @description The same for programs
             * @enum {string}
             */
            pauseReason?: "token-ended" | "proxy-unlinked" | "access-ended" | "user-removed" | "user-disabled" | "not-allowed";
            /** @description The next five runs, as far as they come within ten years */
            nextRuns?: string[];
            lastRun?: components["schemas"]["ScheduleRun"];
        };
        ScheduleAction: components["schemas"]["ScheduledStart"] | components["schemas"]["ScheduledStop"] | components["schemas"]["ScheduledRestart"] | components["schemas"]["ScheduledBackup"] | components["schemas"]["ScheduledCommand"] | components["schemas"]["ScheduledDrill"];
        ScheduleActionInput: components["schemas"]["ScheduledStart"] | components["schemas"]["ScheduledStopInput"] | components["schemas"]["ScheduledRestartInput"] | components["schemas"]["ScheduledBackupInput"] | components["schemas"]["ScheduledCommand"] | components["schemas"]["ScheduledDrill"];
        ScheduleAnnouncement: {
            /**
             * @description Seconds before the action at which players are warned. The run begins with the first warning. Empty: no warning
             * @default [
             *       300,
             *       60,
             *       10
             *     ]
             */
            secondsBefore: number[];
            /** @description The warning; {time} is replaced by the time left */
            message?: string;
        };
        ScheduleAnnouncementInput: {
            /**
             * @description Seconds before the action at which players are warned. The run begins with the first warning. Empty: no warning
             * @default [
             *       300,
             *       60,
             *       10
             *     ]
             */
            secondsBefore: number[];
            /** @description The warning; {time} is replaced by the time left */
            message?: string;
        };
        /**
         * @example {
         *       "runs": [
         *         {
         *           "scheduleId": "restart",
         *           "name": "Restart at night",
         *           "action": "restart",
         *           "plannedAt": "2026-11-20T08:15:00.000Z",
         *           "startedAt": "2026-11-20T08:15:00.000Z",
         *           "endedAt": "2026-11-20T08:15:00.000Z",
         *           "result": "done"
         *         }
         *       ]
         *     }
         */
        ScheduleHistory: {
            runs: components["schemas"]["ScheduleRun"][];
        };
        ScheduleRun: {
            scheduleId: string;
            name: string;
            /** @enum {string} */
            action: "start" | "stop" | "restart" | "backup" | "command" | "drill";
            /** Format: date-time */
            plannedAt: string;
            /** Format: date-time */
            startedAt: string;
            /** Format: date-time */
            endedAt?: string;
            /** @enum {string} */
            result: "running" | "done" | "failed" | "skipped" | "missed" | "refused" | "cancelled" | "paused";
            reason?: string;
            backupId?: string;
        };
        ScheduledBackup: {
            /** @constant */
            type: "backup";
            /** @default true */
            cloudReplicate: boolean;
        };
        ScheduledBackupInput: {
            /** @constant */
            type: "backup";
            /** @default true */
            cloudReplicate: boolean;
        };
        ScheduledCommand: {
            /** @constant */
            type: "command";
            command: string;
        };
        ScheduledDrill: {
            /** @constant */
            type: "drill";
        };
        ScheduledRestart: {
            /** @constant */
            type: "restart";
            announce: components["schemas"]["ScheduleAnnouncement"];
        };
        ScheduledRestartInput: {
            /** @constant */
            type: "restart";
            /** @default {} */
            announce: components["schemas"]["ScheduleAnnouncementInput"];
        };
        ScheduledStart: {
            /** @constant */
            type: "start";
        };
        ScheduledStop: {
            /** @constant */
            type: "stop";
            announce: components["schemas"]["ScheduleAnnouncement"];
        };
        ScheduledStopInput: {
            /** @constant */
            type: "stop";
            /** @default {} */
            announce: components["schemas"]["ScheduleAnnouncementInput"];
        };
        /**
         * @example {
         *       "schedules": [
         *         {
         *           "id": "restart",
         *           "name": "Restart at night",
         *           "enabled": true,
         *           "cron": "30 4 * * *",
         *           "timeZone": "Europe/Berlin",
         *           "action": {
         *             "type": "restart",
         *             "announce": {
         *               "secondsBefore": [
         *                 300,
         *                 60,
         *                 10
         *               ],
         *               "message": "The server restarts in {time}."
         *             }
         *           },
         *           "condition": "running",
         *           "missed": {
         *             "policy": "skip",
         *             "graceMinutes": 60
         *           },
         *           "savedBy": "anna",
         *           "savedAt": "2026-11-20T08:15:00.000Z",
         *           "nextRuns": [
         *             "2026-12-20T08:15:00.000Z"
         *           ],
         *           "lastRun": {
         *             "scheduleId": "restart",
         *             "name": "Restart at night",
         *             "action": "restart",
         *             "plannedAt": "2026-11-20T08:15:00.000Z",
         *             "startedAt": "2026-11-20T08:15:00.000Z",
         *             "endedAt": "2026-11-20T08:15:00.000Z",
         *             "result": "done"
         *           }
         *         }
         *       ]
         *     }
         */
        Schedules: {
            schedules: components["schemas"]["Schedule"][];
        };
        /**
         * @example {
         *       "name": "Steve",
         *       "lastSeen": "2026-11-20T08:15:00.000Z",
         *       "playSeconds": 5400,
         *       "online": false
         *     }
         */
        SeenPlayer: {
            name: string;
            /** Format: date-time */
            lastSeen: string;
            /** @description On this server, as far as Gamekeeper observed it */
            playSeconds: number;
            online: boolean;
        };
        /**
         * @example {
         *       "username": "anna",
         *       "role": "operator",
         *       "expiresAt": "2026-11-20T08:15:00.000Z",
         *       "mustChangePassword": false,
         *       "instances": [
         *         "demo"
         *       ],
         *       "totp": true,
         *       "recoveryCodes": 10,
         *       "lanAddresses": [
         *         "192.168.178.20"
         *       ]
         *     }
         */
        Session: {
            username: string;
            /** @enum {string} */
            role: "admin" | "operator" | "viewer";
            /** Format: date-time */
            expiresAt: string;
            mustChangePassword: boolean;
            instances: components["schemas"]["Grants"];
            /** @description Whether sign-in needs a one-time code */
            totp: boolean;
            /** @description Recovery codes left */
            recoveryCodes: number;
            /** @description IPv4 addresses of this computer, where players on its networks join */
            lanAddresses: string[];
            /** @description Address of the hosted proxy that the panel is used through. Operations for signed-in users are not there */
            proxy?: string;
        };
        /**
         * @example {
         *       "rules": {
         *         "keepInventory": true,
         *         "randomTickSpeed": 3
         *       }
         *     }
         */
        SetGamerules: {
            /** @description Values by the names of the running version */
            rules: {
                [key: string]: boolean | number;
            };
        };
        /**
         * @example {
         *       "schedules": [
         *         {
         *           "name": "Restart at night",
         *           "enabled": true,
         *           "cron": "30 4 * * *",
         *           "timeZone": "Europe/Berlin",
         *           "action": {
         *             "type": "restart",
         *             "announce": {
         *               "secondsBefore": [
         *                 300,
         *                 60,
         *                 10
         *               ],
         *               "message": "The server restarts in {time}."
         *             }
         *           },
         *           "condition": "running",
         *           "missed": {
         *             "policy": "skip",
         *             "graceMinutes": 60
         *           }
         *         }
         *       ]
         *     }
         */
        SetSchedules: {
            schedules: components["schemas"]["NewSchedule"][];
        };
        /**
         * @description settings.json with the defaults filled in.
         * @example {
         *       "remoteControl": {
         *         "enabled": true,
         *         "host": "127.0.0.1",
         *         "panelPort": 25580,
         *         "port": 25585,
         *         "insecure": false,
         *         "allowedHosts": [
         *           "games.example.net"
         *         ],
         *         "allowedOrigins": []
         *       },
         *       "sftp": {
         *         "enabled": false,
         *         "host": "127.0.0.1",
         *         "port": 25582
         *       },
         *       "lan": {
         *         "announce": false
         *       },
         *       "players": {
         *         "skins": false
         *       },
         *       "limits": {
         *         "requestsPerSecond": 100,
         *         "burst": 500,
         *         "connections": 2048,
         *         "socketsPerCredential": 64,
         *         "socketsPerUser": 128,
         *         "socketsPerInstance": 256
         *       },
         *       "backups": {
         *         "concurrency": 1,
         *         "exclude": []
         *       },
         *       "redaction": {
         *         "patterns": [],
         *         "exceptions": []
         *       },
         *       "vendors": {},
         *       "runtimes": {},
         *       "telemetry": {},
         *       "log": {
         *         "level": "info"
         *       },
         *       "overridden": [
         *         {
         *           "key": "remoteControl.panelPort",
         *           "variable": "GAMEKEEPER_PORT"
         *         }
         *       ]
         *     }
         */
        Settings: {
            remoteControl: {
                enabled: boolean;
                host: string;
                /** @description 0: any free port */
                panelPort: number;
                /** @description 0: any free port */
                port: number;
                tls?: {
                    cert: string;
                    key: string;
                };
                insecure: boolean;
                allowedHosts: string[];
                allowedOrigins: string[];
            };
            sftp: {
                enabled: boolean;
                host: string;
                /** @description 0: any free port */
                port: number;
            };
            lan: {
                announce: boolean;
            };
            players: {
                skins: boolean;
            };
            limits: {
                requestsPerSecond: number;
                burst: number;
                connections: number;
                socketsPerCredential: number;
                socketsPerUser: number;
                socketsPerInstance: number;
            };
            backups: {
                directory?: string;
                concurrency: number;
                exclude: string[];
                retention?: {
                    count?: number;
                    days?: number;
                    daily?: number;
                    weekly?: number;
                    monthly?: number;
                };
                bandwidth?: {
                    uploadBytesPerSecond?: number;
                    downloadBytesPerSecond?: number;
                };
                stores?: ({
                    /** @description Name of the store in answers, logs and POST /api/stores/{name}/test */
                    name: string;
                    /** @constant */
                    kind: "folder";
                    /** @description A folder on another disk or a mounted share. It must exist: a folder that Gamekeeper creates could be on the wrong disk */
                    directory: string;
                } | {
                    /** @description Name of the store in answers, logs and POST /api/stores/{name}/test */
                    name: string;
                    /** @constant */
                    kind: "s3";
                    /** Format: uri */
                    endpoint?: string;
                    region: string;
                    /** @description The bucket must exist */
                    bucket: string;
                    prefix?: string;
                    accessKeyId: string;
                    /** @example ******** */
                    secretAccessKey: string;
                    pathStyle?: boolean;
                    insecure: boolean;
                } | {
                    /** @description Name of the store in answers, logs and POST /api/stores/{name}/test */
                    name: string;
                    /** @constant */
                    kind: "webdav";
                    /**
                     * Format: uri
                     * @description URL of the folder, such as https://cloud.example.org/remote.php/dav/files/alex/gamekeeper
                     */
                    url: string;
                    username?: string;
                    /** @example ******** */
                    password?: string;
                    insecure: boolean;
                } | {
                    /** @description Name of the store in answers, logs and POST /api/stores/{name}/test */
                    name: string;
                    /** @constant */
                    kind: "sftp";
                    host: string;
                    port: number;
                    username: string;
                    /** @example ******** */
                    password?: string;
                    /** @example ******** */
                    privateKey?: string;
                    /** @example ******** */
                    passphrase?: string;
                    /** @description Absolute, or relative to the user's home folder. Created if missing */
                    directory: string;
                    /** @description Host key of the server: a fingerprint (ssh-keygen -lf) or a line of known_hosts. With "unknown" the store is never used, but its test shows the fingerprint */
                    hostKey: string;
                } | {
                    /** @description Name of the store in answers, logs and POST /api/stores/{name}/test */
                    name: string;
                    /** @constant */
                    kind: "rclone";
                    /** @description name:path of a remote that was set up with "rclone config" */
                    remote: string;
                    config?: string;
                    program?: string;
                })[];
                encryption?: {
                    recipients?: string[];
                    /** @example ******** */
                    identity?: string;
                    /** @example ******** */
                    passphrase?: string;
                };
            };
            redaction: {
                patterns: string[];
                exceptions: string[];
            };
            vendors: {
                /** Format: uri */
                mojang?: string;
                /** Format: uri */
                mojangSessions?: string;
                /** Format: uri */
                mojangTextures?: string;
                /** Format: uri */
                adoptium?: string;
                /** Format: uri */
                paper?: string;
                /** Format: uri */
                purpur?: string;
                /** Format: uri */
                fabric?: string;
                /** Format: uri */
                quilt?: string;
                /** Format: uri */
                forge?: string;
                /** Format: uri */
                forgeFiles?: string;
                /** Format: uri */
                neoforge?: string;
                /** Format: uri */
                bedrock?: string;
                /** Format: uri */
                modrinth?: string;
                contact?: string;
            };
            /** @description Java; no settings yet */
            runtimes: Record<string, never>;
            /** @description No settings yet */
            telemetry: Record<string, never>;
            log: {
                /** @enum {string} */
                level: "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent";
            };
            /** @description Settings that an environment variable overrides while it is set */
            readonly overridden: {
                key: string;
                variable: string;
            }[];
        };
        /**
         * @description Objects are merged, null returns to the default, anything else replaces (RFC 7396).
         * @example {
         *       "remoteControl": {
         *         "enabled": false
         *       }
         *     }
         */
        SettingsChange: {
            remoteControl?: {
                enabled?: boolean | null;
                host?: string | null;
                panelPort?: number | null;
                port?: number | null;
                tls?: {
                    cert?: string | null;
                    key?: string | null;
                } | null;
                insecure?: boolean | null;
                allowedHosts?: string[] | null;
                allowedOrigins?: string[] | null;
            } | null;
            sftp?: {
                enabled?: boolean | null;
                host?: string | null;
                port?: number | null;
            } | null;
            lan?: {
                announce?: boolean | null;
            } | null;
            players?: {
                skins?: boolean | null;
            } | null;
            limits?: {
                requestsPerSecond?: number | null;
                burst?: number | null;
                connections?: number | null;
                socketsPerCredential?: number | null;
                socketsPerUser?: number | null;
                socketsPerInstance?: number | null;
            } | null;
            backups?: {
                directory?: string | null;
                concurrency?: number | null;
                exclude?: string[] | null;
                retention?: {
                    count?: number | null;
                    days?: number | null;
                    daily?: number | null;
                    weekly?: number | null;
                    monthly?: number | null;
                } | null;
                bandwidth?: {
                    uploadBytesPerSecond?: number | null;
                    downloadBytesPerSecond?: number | null;
                } | null;
                stores?: ({
                    /** @description Name of the store in answers, logs and POST /api/stores/{name}/test */
                    name: string;
                    /** @constant */
                    kind: "folder";
                    /** @description A folder on another disk or a mounted share. It must exist: a folder that Gamekeeper creates could be on the wrong disk */
                    directory: string;
                } | {
                    /** @description Name of the store in answers, logs and POST /api/stores/{name}/test */
                    name: string;
                    /** @constant */
                    kind: "s3";
                    /** Format: uri */
                    endpoint?: string;
                    region?: string;
                    /** @description The bucket must exist */
                    bucket: string;
                    prefix?: string;
                    accessKeyId: string;
                    /** @example ******** */
                    secretAccessKey: string;
                    pathStyle?: boolean;
                    insecure?: boolean;
                } | {
                    /** @description Name of the store in answers, logs and POST /api/stores/{name}/test */
                    name: string;
                    /** @constant */
                    kind: "webdav";
                    /**
                     * Format: uri
                     * @description URL of the folder, such as https://cloud.example.org/remote.php/dav/files/alex/gamekeeper
                     */
                    url: string;
                    username?: string;
                    /** @example ******** */
                    password?: string;
                    insecure?: boolean;
                } | {
                    /** @description Name of the store in answers, logs and POST /api/stores/{name}/test */
                    name: string;
                    /** @constant */
                    kind: "sftp";
                    host: string;
                    port?: number;
                    username: string;
                    /** @example ******** */
                    password?: string;
                    /** @example ******** */
                    privateKey?: string;
                    /** @example ******** */
                    passphrase?: string;
                    /** @description Absolute, or relative to the user's home folder. Created if missing */
                    directory: string;
                    /** @description Host key of the server: a fingerprint (ssh-keygen -lf) or a line of known_hosts. With "unknown" the store is never used, but its test shows the fingerprint */
                    hostKey: string;
                } | {
                    /** @description Name of the store in answers, logs and POST /api/stores/{name}/test */
                    name: string;
                    /** @constant */
                    kind: "rclone";
                    /** @description name:path of a remote that was set up with "rclone config" */
                    remote: string;
                    config?: string;
                    program?: string;
                })[] | null;
                encryption?: {
                    recipients?: string[] | null;
                    identity?: string | null;
                    passphrase?: string | null;
                } | null;
            } | null;
            redaction?: {
                patterns?: string[] | null;
                exceptions?: string[] | null;
            } | null;
            vendors?: {
                mojang?: string | null;
                mojangSessions?: string | null;
                mojangTextures?: string | null;
                adoptium?: string | null;
                paper?: string | null;
                purpur?: string | null;
                fabric?: string | null;
                quilt?: string | null;
                forge?: string | null;
                forgeFiles?: string | null;
                neoforge?: string | null;
                bedrock?: string | null;
                modrinth?: string | null;
                contact?: string | null;
            } | null;
            runtimes?: Record<string, never> | null;
            telemetry?: Record<string, never> | null;
            log?: {
                level?: ("trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent") | null;
            } | null;
            /** @description Ignored */
            overridden?: unknown;
        };
        /**
         * @example {
         *       "enabled": true,
         *       "listening": {
         *         "host": "127.0.0.1",
         *         "port": 25582,
         *         "fingerprint": "SHA256:NoF7mDYQ2cFxDPCYXr5KXUZJqFu4iDVJ7DUGqT5wgJs"
         *       }
         *     }
         */
        SftpState: {
            enabled: boolean;
            /** @description `null` while it does not run */
            listening: {
                host: string;
                port: number;
                /** @description Of the host key, which clients show when they connect for the first time */
                fingerprint: string;
            } | null;
        };
        Software: {
            /** @description The value for `software` of an instance */
            kind: string;
            title: string;
            /**
             * @description Of Minecraft; without meaning for other games
             * @enum {string}
             */
            edition: "java" | "bedrock";
            /** @description Whether it is Minecraft, whose servers answer the server list ping */
            listPing: boolean;
            /**
             * @description Of the port that players use
             * @enum {string}
             */
            transport: "tcp" | "udp";
            /** @description The EULA must be accepted before the first start */
            eula: boolean;
            /** @description null: the newest stable version of the vendor */
            defaultVersion: string | null;
            /** @description Whether each of its servers has a command of its own that starts it: `launch` */
            command: boolean;
            /**
             * @description Where its program comes from: Gamekeeper installs it, it is a part of Gamekeeper, a package of the operating system, the folder of the server, or `launch` names it
             * @enum {string}
             */
            program: "installed" | "included" | "system" | "folder" | "command";
            /** @description How to get a program of the operating system */
            missing?: string;
            /**
             * @description A stopped instance can change its software to another one of the same family. Absent: it cannot
             * @enum {string}
             */
            family?: "minecraft-java" | "program";
            /** @description Whether GET /software/{kind}/versions lists versions */
            versions: boolean;
            /** @description True if it has only been tested with stand-ins for the real game */
            untested: boolean;
            /** @description Whether it has server.properties: GET /instances/{id}/properties */
            properties: boolean;
            /** @description Whether it has game rules: GET /instances/{id}/gamerules */
            gamerules: boolean;
            /**
             * @description Whether it runs mods or plugins: GET /instances/{id}/mods. Absent: neither
             * @enum {string}
             */
            mods?: "mods" | "plugins";
            /** @description The player lists that it keeps: GET /instances/{id}/players/bans */
            playerLists: ("bans" | "operators" | "allowlist")[];
            /** @description What its servers can have each in their own way */
            variables: components["schemas"]["KindVariable"][];
            /** @description Its further ports */
            ports: {
                name: string;
                /** @enum {string} */
                transport: "tcp" | "udp";
            }[];
            /** @description Custom software: a file in the software folder of the data directory */
            own: boolean;
        };
        SoftwareProblem: {
            /** @description File in the software folder of the data directory */
            file: string;
            /** @description The key and what is wrong with it */
            problem: string;
        };
        SoftwareVersions: {
            kind: string;
            /** Format: date-time */
            fetchedAt: string;
            /** @description Since the vendor was asked */
            ageSeconds: number;
            /** @description The vendor could not be reached: this is its last known answer */
            stale: boolean;
            /** @description Newest first */
            versions: {
                version: string;
                /** @description false for snapshots, betas and the like */
                stable: boolean;
            }[];
        };
        /**
         * @example {
         *       "id": "0d1f3c52-6f0e-4c1c-9f1e-2f6f0a0f7b51",
         *       "label": "Laptop",
         *       "type": "ssh-ed25519",
         *       "fingerprint": "SHA256:NoF7mDYQ2cFxDPCYXr5KXUZJqFu4iDVJ7DUGqT5wgJs",
         *       "createdAt": "2026-11-20T08:15:00.000Z"
         *     }
         */
        SshKey: {
            id: string;
            label: string;
            /** @description Such as `ssh-ed25519` */
            type: string;
            /** @description As of `ssh-keygen -l` */
            fingerprint: string;
            /** Format: date-time */
            createdAt: string;
        };
        SshTunnel: {
            /** @constant */
            provider: "ssh";
            /** @description Your machine with a public address, which runs an SSH server */
            host: string;
            /** @default 22 */
            port: number;
            username: string;
            password?: string;
            /** @description Text of an OpenSSH or PEM private key */
            privateKey?: string;
            /** @description Passphrase of the private key */
            passphrase?: string;
            /** @description Fingerprint of the host key. If absent, the key of the first connection is accepted, and kept */
            hostKey?: string;
            /**
             * @description Address on that machine to listen on; empty: all, if its `GatewayPorts` allows that
             * @default
             */
            bindAddress: string;
            /**
             * @description Port on that machine; 0: any free one
             * @default 0
             */
            remotePort: number;
        };
        SshTunnelInput: {
            /** @constant */
            provider: "ssh";
            /** @description Your machine with a public address, which runs an SSH server */
            host: string;
            /** @default 22 */
            port: number;
            username: string;
            password?: string;
            /** @description Text of an OpenSSH or PEM private key */
            privateKey?: string;
            /** @description Passphrase of the private key */
            passphrase?: string;
            /** @description Fingerprint of the host key. If absent, the key of the first connection is accepted, and kept */
            hostKey?: string;
            /**
             * @description Address on that machine to listen on; empty: all, if its `GatewayPorts` allows that
             * @default
             */
            bindAddress: string;
            /**
             * @description Port on that machine; 0: any free one
             * @default 0
             */
            remotePort: number;
        };
        StaticTunnel: {
            /** @constant */
            provider: "static";
            /** @description What players type. With the mapping `auto`, it may be absent: then it is the address of the router */
            address?: string;
            /**
             * @description `none`: you forward the port to this computer yourself. `auto`: the router is asked to, by PCP, NAT-PMP or UPnP, while the server is up
             * @default none
             * @enum {string}
             */
            mapping: "none" | "auto";
        };
        StaticTunnelInput: {
            /** @constant */
            provider: "static";
            /** @description What players type. With the mapping `auto`, it may be absent: then it is the address of the router */
            address?: string;
            /**
             * @description `none`: you forward the port to this computer yourself. `auto`: the router is asked to, by PCP, NAT-PMP or UPnP, while the server is up
             * @default none
             * @enum {string}
             */
            mapping: "none" | "auto";
        };
        /**
         * @example {
         *       "id": "2f0c6a52-8f1d-4d7e-9c55-0f6a1b7c9d10",
         *       "name": "my-bot",
         *       "scopes": [
         *         "servers:read",
         *         "servers:write"
         *       ],
         *       "createdAt": "2026-11-20T08:15:00.000Z",
         *       "expiresAt": "2026-12-20T08:15:00.000Z",
         *       "createdBy": "admin",
         *       "unrestricted": false
         *     }
         */
        Token: {
            id: string;
            name: string;
            scopes: ("servers:read" | "servers:write" | "backups:create" | "logs:read" | "tunnels:manage")[];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            createdBy: string;
            /** @description true: created without naming scopes. It may also do what no scope covers, such as set which programs run */
            unrestricted: boolean;
        };
        /**
         * @description Shown only once. It takes effect once it is confirmed with a code.
         * @example {
         *       "secret": "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
         *       "uri": "otpauth://totp/Gamekeeper:anna?issuer=Gamekeeper&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
         *     }
         */
        TotpBegun: {
            /** @description Base32, to type into an app */
            secret: string;
            /** @description otpauth://totp/... URI, for a QR code */
            uri: string;
        };
        /**
         * @example {
         *       "password": "correct horse battery"
         *     }
         */
        TotpRequest: {
            /** @description Your current password */
            password?: string;
            /** @description Code from the app with the new secret */
            code?: string;
        };
        TrashEntry: {
            trashId: string;
            /** @description Where it was */
            path: string;
            /** @enum {string} */
            kind: "file" | "folder" | "link" | "other";
            sizeBytes: number;
            /** Format: date-time */
            deletedAt: string;
            /**
             * Format: date-time
             * @description When it is deleted for good
             */
            expiresAt: string;
            /** @description Shown to those who may write */
            deletedBy?: string;
        };
        TrashList: {
            entries: components["schemas"]["TrashEntry"][];
        };
        /**
         * @example {
         *       "enabled": true,
         *       "tunnelAddress": "demo.example.net",
         *       "numericAddress": "203.0.113.7:25565",
         *       "pingMs": 23,
         *       "provider": "static",
         *       "state": "up",
         *       "lastCheckedAt": "2026-11-20T18:03:11.000Z"
         *     }
         */
        TunnelResponse: {
            /** @description Whether players can connect through it now */
            enabled: boolean;
            /** @description What players type; empty: unknown or no tunnel */
            tunnelAddress: string;
            /** @description `<ip>:<port>` that the address leads to; empty: unknown */
            numericAddress: string;
            /** @description Milliseconds; -1: no tunnel, or the last probe failed */
            pingMs: number;
            provider?: string;
            /**
             * @description `off`: no tunnel, or the server is stopped. `failed`: see `error`; it is tried again
             * @enum {string}
             */
            state?: "off" | "connecting" | "up" | "failed";
            /** @description Fingerprint of the SSH server that it uses */
            hostKey?: string;
            /**
             * Format: uri
             * @description Open it to let this server use your account at the provider
             */
            claimUrl?: string;
            /** Format: date-time */
            lastCheckedAt?: string;
            /** @description Why players cannot connect, and what to do about it */
            error?: string;
        };
        /**
         * @example {
         *       "provider": "static",
         *       "address": "demo.example.net:25565",
         *       "mapping": "none"
         *     }
         */
        TunnelSettings: components["schemas"]["StaticTunnel"] | components["schemas"]["SshTunnel"] | components["schemas"]["FrpTunnel"] | components["schemas"]["PlayitTunnel"] | components["schemas"]["RelayTunnel"] | components["schemas"]["NoTunnel"];
        /**
         * @example {
         *       "provider": "static",
         *       "address": "demo.example.net:25565",
         *       "mapping": "none"
         *     }
         */
        TunnelSettingsInput: components["schemas"]["StaticTunnelInput"] | components["schemas"]["SshTunnelInput"] | components["schemas"]["FrpTunnelInput"] | components["schemas"]["PlayitTunnel"] | components["schemas"]["RelayTunnelInput"] | components["schemas"]["NoTunnel"];
        /**
         * @example {
         *       "proxyTold": true
         *     }
         */
        Unlinked: {
            /** @description False if the proxy did not answer: it still lists this daemon */
            proxyTold: boolean;
        };
        /**
         * @example {
         *       "name": "Demo of mine",
         *       "autoStart": true
         *     }
         */
        UpdateInstance: {
            name?: string;
            /** @description Of a stopped instance: another kind of the same `family`. The version is kept if the new kind has it, else name one */
            software?: string;
            version?: string;
            port?: number;
            /** @description Further ports of the kind, by name */
            ports?: {
                [key: string]: number;
            };
            /** @description null: the one that the version needs */
            javaVersion?: ("8" | "11" | "17" | "21" | "25") | null;
            /** @description null: 2048 */
            memoryMb?: number | null;
            /** @description null: that of the game */
            maxPlayers?: number | null;
            acceptEula?: boolean;
            /** @description null: false */
            autoStart?: boolean | null;
            /** @description null: false */
            autoResume?: boolean | null;
            /** @description null: the default */
            crashPolicy?: components["schemas"]["CrashPolicyInput"] | null;
            /** @description null: that of the software */
            stopTimeoutSeconds?: number | null;
            /** @description null: never sleep */
            sleepWhenEmptyMinutes?: number | null;
            /** @description null: 180 */
            hangSeconds?: (0 | number) | null;
            rcon?: components["schemas"]["RconSettings"];
            /** @description null: none */
            env?: {
                [key: string]: string;
            } | null;
            launch?: components["schemas"]["LaunchCommand"];
            /** @description null: the user of Gamekeeper */
            runAs?: string | null;
            /** @description null: that of the software */
            transport?: ("tcp" | "udp") | null;
            /** @description null: that of the software */
            readyPattern?: string | null;
            /** @description null: that of the software */
            readyAfterSeconds?: number | null;
            /** @description null: that of the software */
            stopCommand?: (string | "\u0003") | null;
            /** @description null: those of the software */
            saveCommands?: components["schemas"]["SaveCommands"] | null;
        };
        /**
         * @example {
         *       "dryRun": true
         *     }
         */
        UpdateMods: {
            /** @description Id or slug. Default: everything from Modrinth */
            project?: string;
            /**
             * @description Only return what would change
             * @default false
             */
            dryRun: boolean;
        };
        /**
         * @example {
         *       "role": "viewer"
         *     }
         */
        UpdateUser: {
            /** @enum {string} */
            role?: "admin" | "operator" | "viewer";
            password?: string;
            mustChangePassword?: boolean;
            instances?: components["schemas"]["Grants"];
            disabled?: boolean;
            /**
             * @description Removes the second factor and the recovery codes
             * @constant
             */
            totp?: false;
        };
        /**
         * @example {
         *       "username": "anna",
         *       "role": "operator",
         *       "instances": [
         *         "demo"
         *       ],
         *       "disabled": false,
         *       "mustChangePassword": false,
         *       "totp": true,
         *       "createdAt": "2026-11-20T08:15:00.000Z"
         *     }
         */
        User: {
            username: string;
            /** @enum {string} */
            role: "admin" | "operator" | "viewer";
            instances: components["schemas"]["Grants"];
            disabled: boolean;
            mustChangePassword: boolean;
            /** @description Whether the user has a second factor */
            totp: boolean;
            /** Format: date-time */
            createdAt?: string;
        };
        /**
         * @example {
         *       "pattern": "[a-z0-9_]+",
         *       "maxLength": 32
         *     }
         */
        VariableRule: {
            required?: boolean;
            pattern?: string;
            maxLength?: number;
            min?: number;
            max?: number;
            decimals?: number;
            choices?: string[];
            written?: {
                true: string;
                false: string;
            };
        };
        VerifyResponse: {
            ok: boolean;
            sha256: string;
            /**
             * @description State of the archive on this machine, if it is missing or damaged
             * @enum {string}
             */
            local?: "present" | "missing" | "damaged";
            replicas: {
                store: string;
                ok: boolean;
                error?: string;
            }[];
            /** @description Files and folders that nobody excluded and that it does not contain: the first 100 */
            omitted?: components["schemas"]["Omission"][];
            /** @description Number of all omissions */
            omittedCount?: number;
        };
        /**
         * @example {
         *       "path": "server.properties",
         *       "version": "mfx2k1a0-5f3a9c01"
         *     }
         */
        VersionRestore: {
            /** @description Path inside the server's folder, with `/` */
            path: string;
            /** @description As listed */
            version: string;
        };
        /**
         * @example {
         *       "folder": "world",
         *       "name": "Castle",
         *       "isCurrent": true,
         *       "version": "1.21.8",
         *       "seed": "-4172144997902289642",
         *       "lastPlayedAt": "2026-11-20T08:15:00.000Z",
         *       "sizeBytes": 48234496,
         *       "folders": [
         *         "world",
         *         "world_nether",
         *         "world_the_end"
         *       ],
         *       "dataPacks": [
         *         "terralith.zip"
         *       ]
         *     }
         */
        World: {
            /** @description Name of the world's folder, such as `world` */
            folder: string;
            /** @description As the game shows it */
            name?: string;
            /** @description True: the server loads this one (`level-name`) */
            isCurrent: boolean;
            /** @description Of the game that saved it last */
            version?: string;
            /** @description A 64-bit number, so a string */
            seed?: string;
            /** Format: date-time */
            lastPlayedAt?: string;
            /** @description With the Nether and the End, also if they have folders of their own. Absent if counting takes too long */
            sizeBytes?: number;
            /** @description The folder and, on Paper and its relatives, those of the Nether and the End */
            folders: string[];
            /** @description File names, at most 100 */
            dataPacks: string[];
            /** @description Why `level.dat` could not be read */
            problem?: string;
        };
        /**
         * @example {
         *       "worlds": [
         *         {
         *           "folder": "world",
         *           "name": "Castle",
         *           "isCurrent": true,
         *           "version": "1.21.8",
         *           "seed": "-4172144997902289642",
         *           "lastPlayedAt": "2026-11-20T08:15:00.000Z",
         *           "sizeBytes": 48234496,
         *           "folders": [
         *             "world",
         *             "world_nether",
         *             "world_the_end"
         *           ],
         *           "dataPacks": [
         *             "terralith.zip"
         *           ]
         *         }
         *       ]
         *     }
         */
        WorldList: {
            worlds: components["schemas"]["World"][];
        };
        /**
         * @example {
         *       "folder": "world",
         *       "archive": "castle.zip"
         *     }
         */
        WorldReplacement: {
            /** @description Name of the world's folder, such as `world` */
            folder: string;
            /** @description Path of a ZIP in the server's folder, which was uploaded before */
            archive: string;
        };
        /**
         * @example {
         *       "folder": "world",
         *       "seed": "42"
         *     }
         */
        WorldReset: {
            /** @description Name of the world's folder, such as `world` */
            folder: string;
            /** @description Number or text; empty: a random one. Absent: as `level-seed` is now */
            seed?: string;
        };
        /**
         * @example {
         *       "path": "plugins/shop.yml",
         *       "sizeBytes": 1041,
         *       "modifiedAt": "2026-11-20T08:15:00.000Z",
         *       "etag": "\"1s-8x2k-sx-1gq0f2-1gq0f3\""
         *     }
         */
        WrittenFile: {
            /** @description Path inside the server's folder, with `/` */
            path: string;
            sizeBytes: number;
            /** Format: date-time */
            modifiedAt: string;
            etag: string;
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
            /** @description The OpenAPI document of this listener. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.0",
                     *       "info": {
                     *         "title": "Gamekeeper",
                     *         "version": "1.9.9"
                     *       },
                     *       "paths": {}
                     *     }
                     */
                    "application/json": unknown;
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
                    /**
                     * @example # HELP gamekeeper_instance_up 1 while the game server is running and players can join, else 0.
                     *     # TYPE gamekeeper_instance_up gauge
                     *     gamekeeper_instance_up{instance="demo",software="demo"} 1
                     */
                    "text/plain": unknown;
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
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "version": "1.9.9",
                     *       "platform": "linux",
                     *       "activeInstances": 1
                     *     }
                     */
                    "application/json": components["schemas"]["HealthResponse"];
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
            /** @description List the instances that you can see, with live stats */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "demo",
                     *         "name": "Demo",
                     *         "software": "demo",
                     *         "version": "1.20.4",
                     *         "port": 25565,
                     *         "status": "running",
                     *         "playersOnline": 1,
                     *         "maxPlayers": 20,
                     *         "memoryMb": 1024,
                     *         "phase": "running",
                     *         "cpuPercent": 2.5,
                     *         "memoryUsedMb": 88,
                     *         "tickTimeMs": 3.2,
                     *         "tps": 20,
                     *         "uptimeSeconds": 3600
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Instance"][];
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
                /**
                 * @example {
                 *       "name": "Demo",
                 *       "software": "demo",
                 *       "memoryMb": 1024
                 *     }
                 */
                "application/json": components["schemas"]["CreateInstance"];
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
                    /**
                     * @example {
                     *       "id": "demo",
                     *       "name": "Demo",
                     *       "software": "demo",
                     *       "version": "1.20.4",
                     *       "port": 25565,
                     *       "status": "running",
                     *       "playersOnline": 1,
                     *       "maxPlayers": 20,
                     *       "memoryMb": 1024,
                     *       "phase": "running",
                     *       "cpuPercent": 2.5,
                     *       "memoryUsedMb": 88,
                     *       "tickTimeMs": 3.2,
                     *       "tps": 20,
                     *       "uptimeSeconds": 3600
                     *     }
                     */
                    "application/json": components["schemas"]["Instance"];
                };
            };
        };
    };
    getInstance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get an instance */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "demo",
                     *       "name": "Demo",
                     *       "software": "demo",
                     *       "version": "1.20.4",
                     *       "port": 25565,
                     *       "status": "running",
                     *       "playersOnline": 1,
                     *       "maxPlayers": 20,
                     *       "memoryMb": 1024,
                     *       "phase": "running",
                     *       "cpuPercent": 2.5,
                     *       "memoryUsedMb": 88,
                     *       "tickTimeMs": 3.2,
                     *       "tps": 20,
                     *       "uptimeSeconds": 3600
                     *     }
                     */
                    "application/json": components["schemas"]["Instance"];
                };
            };
        };
    };
    deleteInstance: {
        parameters: {
            query?: {
                /**
                 * @description The server folder
                 * @example keep
                 */
                files?: "keep" | "delete";
                /** @example keep */
                backups?: "keep" | "delete";
            };
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
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
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Demo of mine",
                 *       "autoStart": true
                 *     }
                 */
                "application/json": components["schemas"]["UpdateInstance"];
            };
        };
        responses: {
            /** @description Change the configuration of an instance */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "demo",
                     *       "name": "Demo",
                     *       "software": "demo",
                     *       "version": "1.20.4",
                     *       "port": 25565,
                     *       "status": "running",
                     *       "playersOnline": 1,
                     *       "maxPlayers": 20,
                     *       "memoryMb": 1024,
                     *       "phase": "running",
                     *       "cpuPercent": 2.5,
                     *       "memoryUsedMb": 88,
                     *       "tickTimeMs": 3.2,
                     *       "tps": 20,
                     *       "uptimeSeconds": 3600
                     *     }
                     */
                    "application/json": components["schemas"]["Instance"];
                };
            };
        };
    };
    getConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the configuration of an instance: the fields that PATCH changes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Steve",
                     *       "version": "1.20.4",
                     *       "port": 1,
                     *       "javaVersion": "8",
                     *       "memoryMb": 1,
                     *       "maxPlayers": 1,
                     *       "acceptEula": true,
                     *       "autoStart": true,
                     *       "autoResume": true,
                     *       "crashPolicy": {
                     *         "restart": "on-failure",
                     *         "maxRestarts": 3,
                     *         "windowSeconds": 600
                     *       },
                     *       "stopTimeoutSeconds": 1,
                     *       "sleepWhenEmptyMinutes": 1,
                     *       "hangSeconds": 1,
                     *       "transport": "tcp",
                     *       "readyAfterSeconds": 1,
                     *       "saveCommands": {},
                     *       "launch": {
                     *         "command": [
                     *           "./server",
                     *           "--port",
                     *           "{port}"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["InstanceConfiguration"];
                };
            };
        };
    };
    getVariables: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the variables of an instance with their values */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "name": "map",
                     *         "title": "Map",
                     *         "type": "text",
                     *         "secret": false,
                     *         "editableBy": "operator",
                     *         "rule": {
                     *           "pattern": "[a-z0-9_]+",
                     *           "maxLength": 32
                     *         },
                     *         "default": "de_dust2",
                     *         "value": "de_aztec",
                     *         "isSet": true
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["InstanceVariable"][];
                };
            };
        };
    };
    changeVariables: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "variables": {
                 *         "map": "de_aztec",
                 *         "slots": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ChangeVariables"];
            };
        };
        responses: {
            /** @description Set variables of an instance */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "name": "map",
                     *         "title": "Map",
                     *         "type": "text",
                     *         "secret": false,
                     *         "editableBy": "operator",
                     *         "rule": {
                     *           "pattern": "[a-z0-9_]+",
                     *           "maxLength": 32
                     *         },
                     *         "default": "de_dust2",
                     *         "value": "de_aztec",
                     *         "isSet": true
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["InstanceVariable"][];
                };
            };
        };
    };
    importInstance: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `respond-async`: return 202 with the job at once instead of waiting
                 * @example respond-async
                 */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "directory": "/srv/survival"
                 *     }
                 */
                "application/json": components["schemas"]["ImportInstance"];
            };
        };
        responses: {
            /** @description With `dryRun`: what was recognised. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "directory": "/srv/survival",
                     *       "software": {
                     *         "value": "paper",
                     *         "from": "paper.jar",
                     *         "sure": "certain"
                     *       },
                     *       "version": {
                     *         "value": "1.21.8",
                     *         "from": "paper.jar",
                     *         "sure": "certain"
                     *       },
                     *       "program": {
                     *         "value": "paper.jar",
                     *         "from": "paper.jar",
                     *         "sure": "certain"
                     *       },
                     *       "port": {
                     *         "value": 25565,
                     *         "from": "server.properties",
                     *         "sure": "certain"
                     *       },
                     *       "memoryMb": {
                     *         "value": 5120,
                     *         "from": "start.sh",
                     *         "sure": "likely"
                     *       },
                     *       "javaVersion": {
                     *         "value": "21",
                     *         "from": "paper.jar",
                     *         "sure": "certain"
                     *       },
                     *       "acceptEula": {
                     *         "value": true,
                     *         "from": "eula.txt",
                     *         "sure": "certain"
                     *       },
                     *       "worlds": {
                     *         "value": [
                     *           "world"
                     *         ],
                     *         "from": "world/level.dat",
                     *         "sure": "certain"
                     *       },
                     *       "notes": [],
                     *       "missing": []
                     *     }
                     */
                    "application/json": components["schemas"]["Recognition"];
                };
            };
            /** @description Imported. */
            201: {
                headers: {
                    /** @description Address of the instance */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "survival",
                     *       "name": "survival",
                     *       "software": "paper",
                     *       "version": "1.21.8",
                     *       "port": 25565,
                     *       "status": "stopped",
                     *       "memoryMb": 5120,
                     *       "recognised": {
                     *         "directory": "/srv/survival",
                     *         "software": {
                     *           "value": "paper",
                     *           "from": "paper.jar",
                     *           "sure": "certain"
                     *         },
                     *         "version": {
                     *           "value": "1.21.8",
                     *           "from": "paper.jar",
                     *           "sure": "certain"
                     *         },
                     *         "program": {
                     *           "value": "paper.jar",
                     *           "from": "paper.jar",
                     *           "sure": "certain"
                     *         },
                     *         "port": {
                     *           "value": 25565,
                     *           "from": "server.properties",
                     *           "sure": "certain"
                     *         },
                     *         "memoryMb": {
                     *           "value": 5120,
                     *           "from": "start.sh",
                     *           "sure": "likely"
                     *         },
                     *         "javaVersion": {
                     *           "value": "21",
                     *           "from": "paper.jar",
                     *           "sure": "certain"
                     *         },
                     *         "acceptEula": {
                     *           "value": true,
                     *           "from": "eula.txt",
                     *           "sure": "certain"
                     *         },
                     *         "worlds": {
                     *           "value": [
                     *             "world"
                     *           ],
                     *           "from": "world/level.dat",
                     *           "sure": "certain"
                     *         },
                     *         "notes": [],
                     *         "missing": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ImportedInstance"];
                };
            };
            /** @description Accepted (with `Prefer: respond-async`): the job to watch. */
            202: {
                headers: {
                    /** @description Address of the job */
                    Location?: string;
                    /** @description respond-async */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *       "kind": "backup",
                     *       "instanceId": "demo",
                     *       "state": "running",
                     *       "percent": 42.5,
                     *       "bytesDone": 7798784,
                     *       "bytesTotal": 18350080,
                     *       "createdAt": "2026-11-20T08:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    cloneInstance: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `respond-async`: return 202 with the job at once instead of waiting
                 * @example respond-async
                 */
                Prefer?: string;
            };
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Demo for trying things",
                 *       "port": 25570
                 *     }
                 */
                "application/json": components["schemas"]["CloneInstance"];
            };
        };
        responses: {
            /** @description Copied. */
            201: {
                headers: {
                    /** @description Address of the copy */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "demo",
                     *       "name": "Demo",
                     *       "software": "demo",
                     *       "version": "1.20.4",
                     *       "port": 25565,
                     *       "status": "running",
                     *       "playersOnline": 1,
                     *       "maxPlayers": 20,
                     *       "memoryMb": 1024,
                     *       "phase": "running",
                     *       "cpuPercent": 2.5,
                     *       "memoryUsedMb": 88,
                     *       "tickTimeMs": 3.2,
                     *       "tps": 20,
                     *       "uptimeSeconds": 3600
                     *     }
                     */
                    "application/json": components["schemas"]["Instance"];
                };
            };
            /** @description Accepted (with `Prefer: respond-async`): the job to watch. */
            202: {
                headers: {
                    /** @description Address of the job */
                    Location?: string;
                    /** @description respond-async */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *       "kind": "backup",
                     *       "instanceId": "demo",
                     *       "state": "running",
                     *       "percent": 42.5,
                     *       "bytesDone": 7798784,
                     *       "bytesTotal": 18350080,
                     *       "createdAt": "2026-11-20T08:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    exportInstance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ZIP. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": unknown;
                };
            };
        };
    };
    listFiles: {
        parameters: {
            query?: {
                /**
                 * @description Path inside the server's folder, with `/`; empty: the folder itself
                 * @example
                 */
                path?: string;
                /** @example name */
                sort?: "name" | "size" | "modified";
                /**
                 * @description Folders come first in both
                 * @example asc
                 */
                order?: "asc" | "desc";
                /** @example 200 */
                limit?: number;
                /**
                 * @description `next` of the page before
                 * @example WyJ3b3JsZCIsdHJ1ZSwid29ybGQiXQ
                 */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List a folder */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entries": [
                     *         {
                     *           "name": "world",
                     *           "kind": "folder",
                     *           "sizeBytes": 0,
                     *           "modifiedAt": "2026-11-20T08:15:00.000Z"
                     *         },
                     *         {
                     *           "name": "server.properties",
                     *           "kind": "file",
                     *           "sizeBytes": 1204,
                     *           "modifiedAt": "2026-11-20T08:15:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FileList"];
                };
            };
        };
    };
    deleteFile: {
        parameters: {
            query?: {
                /**
                 * @description Path inside the server's folder, with `/`
                 * @example server.properties
                 */
                path?: string;
                /**
                 * @description `true` deletes for good. Otherwise it is kept in the trash for 7 days
                 * @example false
                 */
                permanently?: "true" | "false";
            };
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a file or folder */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "trashId": "mi7k2q1c-4f9c2a17b3d0"
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedFile"];
                };
            };
        };
    };
    createFolder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "path": "plugins/maps"
                 *     }
                 */
                "application/json": components["schemas"]["NewFolder"];
            };
        };
        responses: {
            /** @description The folder is there. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    moveFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "from": "server.properties",
                 *       "to": "server.properties.old"
                 *     }
                 */
                "application/json": components["schemas"]["FileMove"];
            };
        };
        responses: {
            /** @description It was moved. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    copyFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "from": "server.properties",
                 *       "to": "server.properties.old"
                 *     }
                 */
                "application/json": components["schemas"]["FileMove"];
            };
        };
        responses: {
            /** @description It was copied. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readFile: {
        parameters: {
            query?: {
                /**
                 * @description Path inside the server's folder, with `/`
                 * @example server.properties
                 */
                path?: string;
            };
            header?: {
                /**
                 * @description A single range of bytes
                 * @example bytes=0-1023
                 */
                Range?: string;
                /**
                 * @description ETag of the file that the range is for
                 * @example "a591a6d4"
                 */
                "If-Range"?: string;
                /**
                 * @description ETag of the version that you have
                 * @example "a591a6d4"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    /** @description Version of the file, for `If-Match` */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    /** @description The range that is sent */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description Not changed since the version in `If-None-Match`. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    writeFile: {
        parameters: {
            query?: {
                /**
                 * @description Path inside the server's folder, with `/`
                 * @example server.properties
                 */
                path?: string;
            };
            header?: {
                /**
                 * @description ETag of the version that you have read
                 * @example "a591a6d4"
                 */
                "If-Match"?: string;
                /**
                 * @description `*`: only if nothing is there yet
                 * @example *
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": unknown;
            };
        };
        responses: {
            /** @description The file was replaced. */
            200: {
                headers: {
                    /** @description Version of the file */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "path": "plugins/shop.yml",
                     *       "sizeBytes": 1041,
                     *       "modifiedAt": "2026-11-20T08:15:00.000Z",
                     *       "etag": "\"1s-8x2k-sx-1gq0f2-1gq0f3\""
                     *     }
                     */
                    "application/json": components["schemas"]["WrittenFile"];
                };
            };
            /** @description The file is new. */
            201: {
                headers: {
                    /** @description Version of the file */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "path": "plugins/shop.yml",
                     *       "sizeBytes": 1041,
                     *       "modifiedAt": "2026-11-20T08:15:00.000Z",
                     *       "etag": "\"1s-8x2k-sx-1gq0f2-1gq0f3\""
                     *     }
                     */
                    "application/json": components["schemas"]["WrittenFile"];
                };
            };
        };
    };
    downloadFolder: {
        parameters: {
            query?: {
                /**
                 * @description Path inside the server's folder, with `/`; empty: the folder itself
                 * @example
                 */
                path?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ZIP. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": unknown;
                };
            };
        };
    };
    createArchive: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `respond-async`: return 202 with the job at once instead of waiting
                 * @example respond-async
                 */
                Prefer?: string;
            };
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "path": "plugins",
                 *       "names": [
                 *         "shop",
                 *         "shop.yml"
                 *       ],
                 *       "to": "plugins/shop.zip"
                 *     }
                 */
                "application/json": components["schemas"]["CreateArchive"];
            };
        };
        responses: {
            /** @description Created. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "\"Demo\" is starting."
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
            /** @description Accepted (with `Prefer: respond-async`): the job to watch. */
            202: {
                headers: {
                    /** @description Address of the job */
                    Location?: string;
                    /** @description respond-async */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *       "kind": "backup",
                     *       "instanceId": "demo",
                     *       "state": "running",
                     *       "percent": 42.5,
                     *       "bytesDone": 7798784,
                     *       "bytesTotal": 18350080,
                     *       "createdAt": "2026-11-20T08:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    extractArchive: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `respond-async`: return 202 with the job at once instead of waiting
                 * @example respond-async
                 */
                Prefer?: string;
            };
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "path": "plugins/maps.zip",
                 *       "to": "plugins"
                 *     }
                 */
                "application/json": components["schemas"]["ExtractArchive"];
            };
        };
        responses: {
            /** @description Unpacked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "\"Demo\" is starting."
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
            /** @description Accepted (with `Prefer: respond-async`): the job to watch. */
            202: {
                headers: {
                    /** @description Address of the job */
                    Location?: string;
                    /** @description respond-async */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *       "kind": "backup",
                     *       "instanceId": "demo",
                     *       "state": "running",
                     *       "percent": 42.5,
                     *       "bytesDone": 7798784,
                     *       "bytesTotal": 18350080,
                     *       "createdAt": "2026-11-20T08:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    listFileVersions: {
        parameters: {
            query?: {
                /**
                 * @description Path inside the server's folder, with `/`
                 * @example server.properties
                 */
                path?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the earlier versions of a file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "versions": [
                     *         {
                     *           "version": "mfx2k1a0-5f3a9c01",
                     *           "replacedAt": "2026-12-20T08:15:00.000Z",
                     *           "modifiedAt": "2026-11-20T08:15:00.000Z",
                     *           "sizeBytes": 1198
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FileHistory"];
                };
            };
        };
    };
    readFileVersion: {
        parameters: {
            query: {
                /**
                 * @description Path inside the server's folder, with `/`
                 * @example server.properties
                 */
                path?: string;
                /**
                 * @description As listed
                 * @example mfx2k1a0-5f3a9c01
                 */
                version: string;
            };
            header?: {
                /**
                 * @description A single range of bytes
                 * @example bytes=0-1023
                 */
                Range?: string;
                /**
                 * @description ETag of the file that the range is for
                 * @example "a591a6d4"
                 */
                "If-Range"?: string;
                /**
                 * @description ETag of the version that you have
                 * @example "a591a6d4"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    /** @description Version of the file, for `If-Match` */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    /** @description The range that is sent */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description Not changed since the version in `If-None-Match`. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    restoreFileVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "path": "server.properties",
                 *       "version": "mfx2k1a0-5f3a9c01"
                 *     }
                 */
                "application/json": components["schemas"]["VersionRestore"];
            };
        };
        responses: {
            /** @description Put an earlier version of a file back */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "path": "plugins/shop.yml",
                     *       "sizeBytes": 1041,
                     *       "modifiedAt": "2026-11-20T08:15:00.000Z",
                     *       "etag": "\"1s-8x2k-sx-1gq0f2-1gq0f3\""
                     *     }
                     */
                    "application/json": components["schemas"]["WrittenFile"];
                };
            };
        };
    };
    searchFiles: {
        parameters: {
            query?: {
                /**
                 * @description Path inside the server's folder, with `/`; empty: the folder itself
                 * @example
                 */
                path?: string;
                /**
                 * @description Part of the name; with `*` and `?`, all of it. With a slash, of the path inside the server. Case does not matter
                 * @example *.yml
                 */
                name?: string;
                /**
                 * @description Part of a line in a text file. Case does not matter
                 * @example motd
                 */
                contains?: string;
                /** @example 200 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Search for files */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "matches": [
                     *         {
                     *           "path": "server.properties",
                     *           "kind": "file",
                     *           "sizeBytes": 1204,
                     *           "modifiedAt": "2026-11-20T08:15:00.000Z",
                     *           "lines": [
                     *             {
                     *               "number": 21,
                     *               "text": "motd=A Minecraft Server"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FileSearch"];
                };
            };
        };
    };
    getFileUsage: {
        parameters: {
            query?: {
                /**
                 * @description Path inside the server's folder, with `/`; empty: the folder itself
                 * @example
                 */
                path?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description See what fills a folder */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sizeBytes": 91204100,
                     *       "files": 412,
                     *       "entries": [
                     *         {
                     *           "name": "world",
                     *           "kind": "folder",
                     *           "sizeBytes": 91202896,
                     *           "files": 411
                     *         },
                     *         {
                     *           "name": "server.properties",
                     *           "kind": "file",
                     *           "sizeBytes": 1204,
                     *           "files": 1
                     *         }
                     *       ],
                     *       "keptBytes": 0
                     *     }
                     */
                    "application/json": components["schemas"]["FileUsage"];
                };
            };
        };
    };
    listTrash: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the trash */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entries": [
                     *         {
                     *           "trashId": "mi7k2q1c-4f9c2a17b3d0",
                     *           "path": "plugins/shop.yml",
                     *           "kind": "file",
                     *           "sizeBytes": 0,
                     *           "deletedAt": "2026-11-20T08:15:00.000Z",
                     *           "expiresAt": "2026-11-20T08:15:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TrashList"];
                };
            };
        };
    };
    emptyTrash: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The trash is empty. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    restoreFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Id in the trash
                 * @example mi7k2q1c-4f9c2a17b3d0
                 */
                trashId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Put something back from the trash */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "path": "plugins/shop.yml"
                     *     }
                     */
                    "application/json": components["schemas"]["RestoredFile"];
                };
            };
        };
    };
    deleteFromTrash: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Id in the trash
                 * @example mi7k2q1c-4f9c2a17b3d0
                 */
                trashId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listWorlds: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the worlds */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "worlds": [
                     *         {
                     *           "folder": "world",
                     *           "name": "Castle",
                     *           "isCurrent": true,
                     *           "version": "1.21.8",
                     *           "seed": "-4172144997902289642",
                     *           "lastPlayedAt": "2026-11-20T08:15:00.000Z",
                     *           "sizeBytes": 48234496,
                     *           "folders": [
                     *             "world",
                     *             "world_nether",
                     *             "world_the_end"
                     *           ],
                     *           "dataPacks": [
                     *             "terralith.zip"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WorldList"];
                };
            };
        };
    };
    replaceWorld: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `respond-async`: return 202 with the job at once instead of waiting
                 * @example respond-async
                 */
                Prefer?: string;
            };
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "folder": "world",
                 *       "archive": "castle.zip"
                 *     }
                 */
                "application/json": components["schemas"]["WorldReplacement"];
            };
        };
        responses: {
            /** @description Replaced. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "\"Demo\" is starting."
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
            /** @description Accepted (with `Prefer: respond-async`): the job to watch. */
            202: {
                headers: {
                    /** @description Address of the job */
                    Location?: string;
                    /** @description respond-async */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *       "kind": "backup",
                     *       "instanceId": "demo",
                     *       "state": "running",
                     *       "percent": 42.5,
                     *       "bytesDone": 7798784,
                     *       "bytesTotal": 18350080,
                     *       "createdAt": "2026-11-20T08:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    resetWorld: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `respond-async`: return 202 with the job at once instead of waiting
                 * @example respond-async
                 */
                Prefer?: string;
            };
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "folder": "world",
                 *       "seed": "42"
                 *     }
                 */
                "application/json": components["schemas"]["WorldReset"];
            };
        };
        responses: {
            /** @description Emptied. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "\"Demo\" is starting."
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
            /** @description Accepted (with `Prefer: respond-async`): the job to watch. */
            202: {
                headers: {
                    /** @description Address of the job */
                    Location?: string;
                    /** @description respond-async */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *       "kind": "backup",
                     *       "instanceId": "demo",
                     *       "state": "running",
                     *       "percent": 42.5,
                     *       "bytesDone": 7798784,
                     *       "bytesTotal": 18350080,
                     *       "createdAt": "2026-11-20T08:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    getHistory: {
        parameters: {
            query?: {
                /** @example 1h */
                range?: "1h" | "24h" | "7d";
            };
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get CPU, memory, tick time, players, free disk space and events over the last hour, day or week */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "range": "1h",
                     *       "stepSeconds": 1,
                     *       "until": "2026-11-20T08:15:00.000Z",
                     *       "points": [
                     *         {
                     *           "at": "2026-11-20T08:15:00.000Z",
                     *           "cpuPercent": 1,
                     *           "memoryUsedMb": 1,
                     *           "tickTimeMs": 1,
                     *           "playersOnline": 1,
                     *           "diskFreeBytes": 1
                     *         }
                     *       ],
                     *       "events": [
                     *         {
                     *           "at": "2026-11-20T08:15:00.000Z",
                     *           "kind": "start"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["History"];
                };
            };
        };
    };
    startInstance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The action has begun. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "\"Demo\" is starting."
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
        };
    };
    stopInstance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The action has begun. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "\"Demo\" is stopping."
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
        };
    };
    restartInstance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The action has begun. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "\"Demo\" is restarting."
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
        };
    };
    killInstance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The action has begun. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "\"Demo\" is being killed."
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
        };
    };
    restartWhenEmpty: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The action has begun. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "\"Demo\" restarts when nobody is online."
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
        };
    };
    cancelRestart: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The action has begun. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "\"Demo\" keeps running."
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
        };
    };
    getLogs: {
        parameters: {
            query?: {
                /**
                 * @description Number of lines
                 * @example 100
                 */
                lines?: number;
                /**
                 * @description Search the whole log for lines that contain this text
                 * @example joined
                 */
                contains?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the newest lines of the redacted console log, oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "lines": [
                     *         "[08:15:00] [Server thread/INFO]: Steve joined the game",
                     *         "[08:15:02] [Server thread/INFO]: <Steve> hi"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["LogsResponse"];
                };
            };
        };
    };
    runCommand: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "command": "list"
                 *     }
                 */
                "application/json": components["schemas"]["CommandRequest"];
            };
        };
        responses: {
            /** @description Run a console command and get its output */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "output": "There are 1 of a max of 20 players online: Steve"
                     *     }
                     */
                    "application/json": components["schemas"]["CommandResponse"];
                };
            };
        };
    };
    listCrashes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the last crashes with their cause and last 50 lines, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "crashes": [
                     *         {
                     *           "at": "2026-11-20T08:15:00.000Z",
                     *           "exitCode": 1,
                     *           "signal": null,
                     *           "reason": "Java ran out of memory: 1024 MiB are not enough. Give the instance more memory.",
                     *           "restarts": 0,
                     *           "lines": [
                     *             "Exception in thread \"Server thread\" java.lang.OutOfMemoryError: Java heap space"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CrashReports"];
                };
            };
        };
    };
    listPlayers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the players online */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "name": "Steve",
                     *         "uuid": "8667ba71-b85a-4004-af54-457a9734eed7",
                     *         "op": false,
                     *         "since": "2026-11-20T08:15:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Player"][];
                };
            };
        };
    };
    listSeenPlayers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List players seen before */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "name": "Steve",
                     *         "lastSeen": "2026-11-20T08:15:00.000Z",
                     *         "playSeconds": 5400,
                     *         "online": false
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["SeenPlayer"][];
                };
            };
        };
    };
    listAllowedPlayers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List players on the allowlist */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "name": "Steve",
                     *         "uuid": "8667ba71-b85a-4004-af54-457a9734eed7"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["AllowedPlayer"][];
                };
            };
        };
    };
    allowPlayers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "names": [
                 *         "Steve",
                 *         "Alex"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["AddPlayers"];
            };
        };
        responses: {
            /** @description Add several players to the allowlist */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "added": [
                     *         "Steve"
                     *       ],
                     *       "failed": [
                     *         {
                     *           "name": "Alex",
                     *           "detail": "Player is already whitelisted"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AddedPlayers"];
                };
            };
        };
    };
    listPlayerSkins: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the skins of players */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "players": [
                     *         {
                     *           "name": "Steve",
                     *           "texture": "31f477eb1a7beee631c2ca64d06f8f68fa93a3386d04452ab27f43acdf1b60cb"
                     *         }
                     *       ],
                     *       "pending": false
                     *     }
                     */
                    "application/json": components["schemas"]["PlayerSkins"];
                };
            };
        };
    };
    getPlayerSkin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description `texture` in the list of skins
                 * @example 31f477eb1a7beee631c2ca64d06f8f68fa93a3386d04452ab27f43acdf1b60cb
                 */
                texture: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": unknown;
                };
            };
        };
    };
    listBans: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List banned players */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "name": "Herobrine",
                     *         "uuid": "f84c6a79-0a4e-45e0-879b-cd49ebd4c4e2",
                     *         "reason": "Be kind.",
                     *         "source": "Server",
                     *         "createdAt": "2026-11-20T08:15:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Ban"][];
                };
            };
        };
    };
    listOperators: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List operators */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "name": "Steve",
                     *         "uuid": "8667ba71-b85a-4004-af54-457a9734eed7",
                     *         "level": 4
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Operator"][];
                };
            };
        };
    };
    kickPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Player name
                 * @example Steve
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Be kind."
                 *     }
                 */
                "application/json": components["schemas"]["PlayerActionRequest"];
            };
        };
        responses: {
            /** @description The game server's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Kicked Steve: Be kind."
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
        };
    };
    banPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Player name
                 * @example Steve
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Be kind."
                 *     }
                 */
                "application/json": components["schemas"]["PlayerActionRequest"];
            };
        };
        responses: {
            /** @description The game server's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Banned Steve: Be kind."
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
        };
    };
    pardonPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Player name
                 * @example Steve
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Be kind."
                 *     }
                 */
                "application/json": components["schemas"]["PlayerActionRequest"];
            };
        };
        responses: {
            /** @description The game server's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Unbanned Steve"
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
        };
    };
    opPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Player name
                 * @example Steve
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Be kind."
                 *     }
                 */
                "application/json": components["schemas"]["PlayerActionRequest"];
            };
        };
        responses: {
            /** @description The game server's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Made Steve a server operator"
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
        };
    };
    deopPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Player name
                 * @example Steve
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Be kind."
                 *     }
                 */
                "application/json": components["schemas"]["PlayerActionRequest"];
            };
        };
        responses: {
            /** @description The game server's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Made Steve no longer a server operator"
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
        };
    };
    whitelistPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Player name
                 * @example Steve
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Be kind."
                 *     }
                 */
                "application/json": components["schemas"]["PlayerActionRequest"];
            };
        };
        responses: {
            /** @description The game server's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Added Steve to the whitelist"
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
        };
    };
    unwhitelistPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Player name
                 * @example Steve
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Be kind."
                 *     }
                 */
                "application/json": components["schemas"]["PlayerActionRequest"];
            };
        };
        responses: {
            /** @description The game server's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Removed Steve from the whitelist"
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
        };
    };
    listPorts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the ports that the instances you can see are set to use */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "instanceId": "demo",
                     *         "port": 25565,
                     *         "transport": "tcp",
                     *         "purpose": "game"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ConfiguredPort"][];
                };
            };
        };
    };
    getProperties: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The properties. */
            200: {
                headers: {
                    /** @description Version of the properties, for `If-Match` */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "properties": {
                     *         "server-port": "25565",
                     *         "motd": "Hello",
                     *         "rcon.password": "********"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Properties"];
                };
            };
        };
    };
    setProperties: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the version that you have read
                 * @example "3f1c5a"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "properties": {
                 *         "server-port": "25565",
                 *         "motd": "Hello",
                 *         "rcon.password": "********"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Properties"];
            };
        };
        responses: {
            /** @description The properties. */
            200: {
                headers: {
                    /** @description Version of the properties, for `If-Match` */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "properties": {
                     *         "server-port": "25565",
                     *         "motd": "Hello",
                     *         "rcon.password": "********"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ChangedProperties"];
                };
            };
        };
    };
    getPropertiesSchema: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the known properties with their types and ranges */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "file": "server.properties",
                     *       "properties": [
                     *         {
                     *           "key": "view-distance",
                     *           "type": "integer",
                     *           "minimum": 2,
                     *           "maximum": 32,
                     *           "default": "10",
                     *           "description": "Chunks that players see in each direction. Costs memory and CPU.",
                     *           "secret": false,
                     *           "takesEffect": "restart",
                     *           "live": "management"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PropertiesSchema"];
                };
            };
        };
    };
    getGamerules: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the game rules of a running server */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "name": "keepInventory",
                     *         "key": "keep_inventory",
                     *         "known": true,
                     *         "type": "boolean",
                     *         "value": false,
                     *         "description": "Players keep their items and experience when they die."
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Gamerule"][];
                };
            };
        };
    };
    setGamerules: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "rules": {
                 *         "keepInventory": true,
                 *         "randomTickSpeed": 3
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SetGamerules"];
            };
        };
        responses: {
            /** @description Set game rules of a running server */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "name": "keepInventory",
                     *         "key": "keep_inventory",
                     *         "known": true,
                     *         "type": "boolean",
                     *         "value": false,
                     *         "description": "Players keep their items and experience when they die."
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Gamerule"][];
                };
            };
        };
    };
    createBackup: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `respond-async`: return 202 with the job at once instead of waiting
                 * @example respond-async
                 */
                Prefer?: string;
            };
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "cloudReplicate": false
                 *     }
                 */
                "application/json": components["schemas"]["BackupRequest"];
            };
        };
        responses: {
            /** @description The archive is complete. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "backupId": "20261120T081500Z-4f9c2a",
                     *       "sizeBytes": 18350080,
                     *       "sha256": "a591a6d40bf420404a011733cfb7b190d62c65bf0bcda32b57b277d9ad9f146e",
                     *       "cloudStatus": "pending"
                     *     }
                     */
                    "application/json": components["schemas"]["BackupResponse"];
                };
            };
            /** @description Accepted (with `Prefer: respond-async`): the job to watch. */
            202: {
                headers: {
                    /** @description Address of the job */
                    Location?: string;
                    /** @description respond-async */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *       "kind": "backup",
                     *       "instanceId": "demo",
                     *       "state": "running",
                     *       "percent": 42.5,
                     *       "bytesDone": 7798784,
                     *       "bytesTotal": 18350080,
                     *       "createdAt": "2026-11-20T08:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    restoreBackup: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `respond-async`: return 202 with the job at once instead of waiting
                 * @example respond-async
                 */
                Prefer?: string;
            };
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Backup id
                 * @example 20261120T081500Z-4f9c2a
                 */
                backupId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "restart": false
                 *     }
                 */
                "application/json": components["schemas"]["RestoreRequest"];
            };
        };
        responses: {
            /** @description Restored. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "\"Demo\" was restored from 20261120T081500Z-4f9c2a."
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
            /** @description Accepted (with `Prefer: respond-async`): the job to watch. */
            202: {
                headers: {
                    /** @description Address of the job */
                    Location?: string;
                    /** @description respond-async */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *       "kind": "backup",
                     *       "instanceId": "demo",
                     *       "state": "running",
                     *       "percent": 42.5,
                     *       "bytesDone": 7798784,
                     *       "bytesTotal": 18350080,
                     *       "createdAt": "2026-11-20T08:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    verifyBackup: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `respond-async`: return 202 with the job at once instead of waiting
                 * @example respond-async
                 */
                Prefer?: string;
            };
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Backup id
                 * @example 20261120T081500Z-4f9c2a
                 */
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
                    /**
                     * @example {
                     *       "ok": true,
                     *       "sha256": "a591a6d40bf420404a011733cfb7b190d62c65bf0bcda32b57b277d9ad9f146e",
                     *       "local": "present",
                     *       "replicas": [
                     *         {
                     *           "store": "offsite",
                     *           "ok": true,
                     *           "error": "The store did not answer."
                     *         }
                     *       ],
                     *       "omitted": [
                     *         {
                     *           "path": "plugins/shop.yml",
                     *           "reason": "outside-link"
                     *         }
                     *       ],
                     *       "omittedCount": 1
                     *     }
                     */
                    "application/json": components["schemas"]["VerifyResponse"];
                };
            };
            /** @description Accepted (with `Prefer: respond-async`): the job to watch. */
            202: {
                headers: {
                    /** @description Address of the job */
                    Location?: string;
                    /** @description respond-async */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *       "kind": "backup",
                     *       "instanceId": "demo",
                     *       "state": "running",
                     *       "percent": 42.5,
                     *       "bytesDone": 7798784,
                     *       "bytesTotal": 18350080,
                     *       "createdAt": "2026-11-20T08:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    drillBackup: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `respond-async`: return 202 with the job at once instead of waiting
                 * @example respond-async
                 */
                Prefer?: string;
            };
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Backup id
                 * @example 20261120T081500Z-4f9c2a
                 */
                backupId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The backup can be restored. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "at": "2026-11-20T08:15:00.000Z",
                     *       "ok": true,
                     *       "durationMs": 1,
                     *       "fileCount": 1,
                     *       "error": "The store did not answer."
                     *     }
                     */
                    "application/json": components["schemas"]["DrillResult"];
                };
            };
            /** @description Accepted (with `Prefer: respond-async`): the job to watch. */
            202: {
                headers: {
                    /** @description Address of the job */
                    Location?: string;
                    /** @description respond-async */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *       "kind": "backup",
                     *       "instanceId": "demo",
                     *       "state": "running",
                     *       "percent": 42.5,
                     *       "bytesDone": 7798784,
                     *       "bytesTotal": 18350080,
                     *       "createdAt": "2026-11-20T08:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    listBackups: {
        parameters: {
            query?: {
                /**
                 * @description Only backups older than the one with this id: the last of the previous answer
                 * @example 20261120T081500Z-4f9c2a
                 */
                before?: string;
                /** @example 1000 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The backups. */
            200: {
                headers: {
                    /** @description Address of the next page, with `rel="next"`, if there are older backups */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "backupId": "20261120T081500Z-4f9c2a",
                     *         "instanceId": "demo",
                     *         "createdAt": "2026-11-20T08:15:00.000Z",
                     *         "sizeBytes": 1,
                     *         "sha256": "a591a6d40bf420404a011733cfb7b190d62c65bf0bcda32b57b277d9ad9f146e",
                     *         "cloudStatus": "disabled",
                     *         "reason": "manual",
                     *         "software": "demo",
                     *         "version": "1.20.4",
                     *         "durationMs": 1,
                     *         "fileCount": 1,
                     *         "sourceBytes": 1,
                     *         "quiesced": true,
                     *         "pinned": true,
                     *         "changedFiles": [],
                     *         "skippedCount": 1,
                     *         "omitted": [
                     *           {
                     *             "path": "plugins/shop.yml",
                     *             "reason": "outside-link"
                     *           }
                     *         ],
                     *         "omittedCount": 1,
                     *         "local": "present",
                     *         "replicas": [
                     *           {
                     *             "store": "offsite",
                     *             "state": "pending",
                     *             "encrypted": true,
                     *             "sizeBytes": 1,
                     *             "percent": 1,
                     *             "jobId": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *             "attempts": 1,
                     *             "error": "The store did not answer.",
                     *             "nextAttemptAt": "2026-11-20T08:15:00.000Z",
                     *             "replicatedAt": "2026-11-20T08:15:00.000Z",
                     *             "checkedAt": "2026-11-20T08:15:00.000Z"
                     *           }
                     *         ],
                     *         "lastVerified": {
                     *           "at": "2026-11-20T08:15:00.000Z",
                     *           "ok": true
                     *         },
                     *         "lastDrill": {
                     *           "at": "2026-11-20T08:15:00.000Z",
                     *           "ok": true,
                     *           "durationMs": 1,
                     *           "fileCount": 1,
                     *           "error": "The store did not answer."
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Backup"][];
                };
            };
        };
    };
    getBackupRetention: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the retention rules */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 5,
                     *       "daily": 14
                     *     }
                     */
                    "application/json": components["schemas"]["BackupRetention"];
                };
            };
        };
    };
    getBackup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Backup id
                 * @example 20261120T081500Z-4f9c2a
                 */
                backupId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a backup */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "backupId": "20261120T081500Z-4f9c2a",
                     *       "instanceId": "demo",
                     *       "createdAt": "2026-11-20T08:15:00.000Z",
                     *       "sizeBytes": 1,
                     *       "sha256": "a591a6d40bf420404a011733cfb7b190d62c65bf0bcda32b57b277d9ad9f146e",
                     *       "cloudStatus": "disabled",
                     *       "reason": "manual",
                     *       "software": "demo",
                     *       "version": "1.20.4",
                     *       "durationMs": 1,
                     *       "fileCount": 1,
                     *       "sourceBytes": 1,
                     *       "quiesced": true,
                     *       "pinned": true,
                     *       "changedFiles": [],
                     *       "skippedCount": 1,
                     *       "omitted": [
                     *         {
                     *           "path": "plugins/shop.yml",
                     *           "reason": "outside-link"
                     *         }
                     *       ],
                     *       "omittedCount": 1,
                     *       "local": "present",
                     *       "replicas": [
                     *         {
                     *           "store": "offsite",
                     *           "state": "pending",
                     *           "encrypted": true,
                     *           "sizeBytes": 1,
                     *           "percent": 1,
                     *           "jobId": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *           "attempts": 1,
                     *           "error": "The store did not answer.",
                     *           "nextAttemptAt": "2026-11-20T08:15:00.000Z",
                     *           "replicatedAt": "2026-11-20T08:15:00.000Z",
                     *           "checkedAt": "2026-11-20T08:15:00.000Z"
                     *         }
                     *       ],
                     *       "lastVerified": {
                     *         "at": "2026-11-20T08:15:00.000Z",
                     *         "ok": true
                     *       },
                     *       "lastDrill": {
                     *         "at": "2026-11-20T08:15:00.000Z",
                     *         "ok": true,
                     *         "durationMs": 1,
                     *         "fileCount": 1,
                     *         "error": "The store did not answer."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Backup"];
                };
            };
        };
    };
    deleteBackup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Backup id
                 * @example 20261120T081500Z-4f9c2a
                 */
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
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Backup id
                 * @example 20261120T081500Z-4f9c2a
                 */
                backupId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "pinned": true
                 *     }
                 */
                "application/json": components["schemas"]["PinBackup"];
            };
        };
        responses: {
            /** @description Pin a backup, so that retention keeps it, or unpin it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "backupId": "20261120T081500Z-4f9c2a",
                     *       "instanceId": "demo",
                     *       "createdAt": "2026-11-20T08:15:00.000Z",
                     *       "sizeBytes": 1,
                     *       "sha256": "a591a6d40bf420404a011733cfb7b190d62c65bf0bcda32b57b277d9ad9f146e",
                     *       "cloudStatus": "disabled",
                     *       "reason": "manual",
                     *       "software": "demo",
                     *       "version": "1.20.4",
                     *       "durationMs": 1,
                     *       "fileCount": 1,
                     *       "sourceBytes": 1,
                     *       "quiesced": true,
                     *       "pinned": true,
                     *       "changedFiles": [],
                     *       "skippedCount": 1,
                     *       "omitted": [
                     *         {
                     *           "path": "plugins/shop.yml",
                     *           "reason": "outside-link"
                     *         }
                     *       ],
                     *       "omittedCount": 1,
                     *       "local": "present",
                     *       "replicas": [
                     *         {
                     *           "store": "offsite",
                     *           "state": "pending",
                     *           "encrypted": true,
                     *           "sizeBytes": 1,
                     *           "percent": 1,
                     *           "jobId": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *           "attempts": 1,
                     *           "error": "The store did not answer.",
                     *           "nextAttemptAt": "2026-11-20T08:15:00.000Z",
                     *           "replicatedAt": "2026-11-20T08:15:00.000Z",
                     *           "checkedAt": "2026-11-20T08:15:00.000Z"
                     *         }
                     *       ],
                     *       "lastVerified": {
                     *         "at": "2026-11-20T08:15:00.000Z",
                     *         "ok": true
                     *       },
                     *       "lastDrill": {
                     *         "at": "2026-11-20T08:15:00.000Z",
                     *         "ok": true,
                     *         "durationMs": 1,
                     *         "fileCount": 1,
                     *         "error": "The store did not answer."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Backup"];
                };
            };
        };
    };
    replicateBackup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Backup id
                 * @example 20261120T081500Z-4f9c2a
                 */
                backupId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Copy a backup to every store that lacks it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "backupId": "20261120T081500Z-4f9c2a",
                     *       "instanceId": "demo",
                     *       "createdAt": "2026-11-20T08:15:00.000Z",
                     *       "sizeBytes": 1,
                     *       "sha256": "a591a6d40bf420404a011733cfb7b190d62c65bf0bcda32b57b277d9ad9f146e",
                     *       "cloudStatus": "disabled",
                     *       "reason": "manual",
                     *       "software": "demo",
                     *       "version": "1.20.4",
                     *       "durationMs": 1,
                     *       "fileCount": 1,
                     *       "sourceBytes": 1,
                     *       "quiesced": true,
                     *       "pinned": true,
                     *       "changedFiles": [],
                     *       "skippedCount": 1,
                     *       "omitted": [
                     *         {
                     *           "path": "plugins/shop.yml",
                     *           "reason": "outside-link"
                     *         }
                     *       ],
                     *       "omittedCount": 1,
                     *       "local": "present",
                     *       "replicas": [
                     *         {
                     *           "store": "offsite",
                     *           "state": "pending",
                     *           "encrypted": true,
                     *           "sizeBytes": 1,
                     *           "percent": 1,
                     *           "jobId": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *           "attempts": 1,
                     *           "error": "The store did not answer.",
                     *           "nextAttemptAt": "2026-11-20T08:15:00.000Z",
                     *           "replicatedAt": "2026-11-20T08:15:00.000Z",
                     *           "checkedAt": "2026-11-20T08:15:00.000Z"
                     *         }
                     *       ],
                     *       "lastVerified": {
                     *         "at": "2026-11-20T08:15:00.000Z",
                     *         "ok": true
                     *       },
                     *       "lastDrill": {
                     *         "at": "2026-11-20T08:15:00.000Z",
                     *         "ok": true,
                     *         "durationMs": 1,
                     *         "fileCount": 1,
                     *         "error": "The store did not answer."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Backup"];
                };
            };
        };
    };
    downloadBackup: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A single range of bytes
                 * @example bytes=0-1023
                 */
                Range?: string;
                /**
                 * @description ETag of the archive that the range is for. If it has changed, the whole archive is sent
                 * @example "a591a6d4"
                 */
                "If-Range"?: string;
            };
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Backup id
                 * @example 20261120T081500Z-4f9c2a
                 */
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
                    "Repr-Digest"?: string;
                    /** @description Version of the archive */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": unknown;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    /** @description The range that is sent */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": unknown;
                };
            };
        };
    };
    listBackupFiles: {
        parameters: {
            query?: {
                /**
                 * @description Folder in the backup, relative to the server's folder; without it, that folder itself
                 * @example
                 */
                path?: string;
                /**
                 * @description `next` of the previous page
                 * @example 1000
                 */
                cursor?: number;
                /** @example 1000 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Backup id
                 * @example 20261120T081500Z-4f9c2a
                 */
                backupId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the folder. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entries": [
                     *         {
                     *           "name": "world",
                     *           "kind": "folder",
                     *           "sizeBytes": 0,
                     *           "modifiedAt": "2026-11-20T08:15:00.000Z"
                     *         },
                     *         {
                     *           "name": "server.properties",
                     *           "kind": "file",
                     *           "sizeBytes": 1204,
                     *           "modifiedAt": "2026-11-20T08:15:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FileList"];
                };
            };
        };
    };
    readBackupFile: {
        parameters: {
            query?: {
                /**
                 * @description Path in the backup, relative to the server's folder, with `/`
                 * @example server.properties
                 */
                path?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Backup id
                 * @example 20261120T081500Z-4f9c2a
                 */
                backupId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the file. */
            200: {
                headers: {
                    /** @description Time of the file in the backup */
                    "Last-Modified"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /** @example motd=A Minecraft Server */
                    "application/octet-stream": unknown;
                };
            };
        };
    };
    compareBackupFiles: {
        parameters: {
            query?: {
                /**
                 * @description File or folder; without it, the server's whole folder
                 * @example
                 */
                path?: string;
                /**
                 * @description `next` of the previous page
                 * @example cGx1Z2lucw
                 */
                cursor?: string;
                /** @example 1000 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Backup id
                 * @example 20261120T081500Z-4f9c2a
                 */
                backupId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What differs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "differences": [
                     *         {
                     *           "path": "server.properties",
                     *           "change": "changed",
                     *           "backup": {
                     *             "kind": "file",
                     *             "sizeBytes": 1204,
                     *             "modifiedAt": "2026-11-20T08:15:00.000Z"
                     *           },
                     *           "today": {
                     *             "kind": "file",
                     *             "sizeBytes": 1198,
                     *             "modifiedAt": "2026-12-20T08:15:00.000Z"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FileDifferences"];
                };
            };
        };
    };
    restoreBackupFiles: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `respond-async`: return 202 with the job at once instead of waiting
                 * @example respond-async
                 */
                Prefer?: string;
            };
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Backup id
                 * @example 20261120T081500Z-4f9c2a
                 */
                backupId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "paths": [
                 *         "server.properties",
                 *         "plugins"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RestoreFiles"];
            };
        };
        responses: {
            /** @description Restored. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "\"plugins\" of \"Demo\" came back from 20261120T081500Z-4f9c2a."
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
            /** @description Accepted (with `Prefer: respond-async`): the job to watch. */
            202: {
                headers: {
                    /** @description Address of the job */
                    Location?: string;
                    /** @description respond-async */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *       "kind": "backup",
                     *       "instanceId": "demo",
                     *       "state": "running",
                     *       "percent": 42.5,
                     *       "bytesDone": 7798784,
                     *       "bytesTotal": 18350080,
                     *       "createdAt": "2026-11-20T08:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    getSchedules: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedules. */
            200: {
                headers: {
                    /** @description Version of the schedules, for `If-Match` */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schedules": [
                     *         {
                     *           "id": "restart",
                     *           "name": "Restart at night",
                     *           "enabled": true,
                     *           "cron": "30 4 * * *",
                     *           "timeZone": "Europe/Berlin",
                     *           "action": {
                     *             "type": "restart",
                     *             "announce": {
                     *               "secondsBefore": [
                     *                 300,
                     *                 60,
                     *                 10
                     *               ],
                     *               "message": "The server restarts in {time}."
                     *             }
                     *           },
                     *           "condition": "running",
                     *           "missed": {
                     *             "policy": "skip",
                     *             "graceMinutes": 60
                     *           },
                     *           "savedBy": "anna",
                     *           "savedAt": "2026-11-20T08:15:00.000Z",
                     *           "nextRuns": [
                     *             "2026-12-20T08:15:00.000Z"
                     *           ],
                     *           "lastRun": {
                     *             "scheduleId": "restart",
                     *             "name": "Restart at night",
                     *             "action": "restart",
                     *             "plannedAt": "2026-11-20T08:15:00.000Z",
                     *             "startedAt": "2026-11-20T08:15:00.000Z",
                     *             "endedAt": "2026-11-20T08:15:00.000Z",
                     *             "result": "done"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Schedules"];
                };
            };
        };
    };
    setSchedules: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the version that you have read
                 * @example "3f1c5a"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "schedules": [
                 *         {
                 *           "name": "Restart at night",
                 *           "enabled": true,
                 *           "cron": "30 4 * * *",
                 *           "timeZone": "Europe/Berlin",
                 *           "action": {
                 *             "type": "restart",
                 *             "announce": {
                 *               "secondsBefore": [
                 *                 300,
                 *                 60,
                 *                 10
                 *               ],
                 *               "message": "The server restarts in {time}."
                 *             }
                 *           },
                 *           "condition": "running",
                 *           "missed": {
                 *             "policy": "skip",
                 *             "graceMinutes": 60
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SetSchedules"];
            };
        };
        responses: {
            /** @description The schedules. */
            200: {
                headers: {
                    /** @description Version of the schedules, for `If-Match` */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schedules": [
                     *         {
                     *           "id": "restart",
                     *           "name": "Restart at night",
                     *           "enabled": true,
                     *           "cron": "30 4 * * *",
                     *           "timeZone": "Europe/Berlin",
                     *           "action": {
                     *             "type": "restart",
                     *             "announce": {
                     *               "secondsBefore": [
                     *                 300,
                     *                 60,
                     *                 10
                     *               ],
                     *               "message": "The server restarts in {time}."
                     *             }
                     *           },
                     *           "condition": "running",
                     *           "missed": {
                     *             "policy": "skip",
                     *             "graceMinutes": 60
                     *           },
                     *           "savedBy": "anna",
                     *           "savedAt": "2026-11-20T08:15:00.000Z",
                     *           "nextRuns": [
                     *             "2026-12-20T08:15:00.000Z"
                     *           ],
                     *           "lastRun": {
                     *             "scheduleId": "restart",
                     *             "name": "Restart at night",
                     *             "action": "restart",
                     *             "plannedAt": "2026-11-20T08:15:00.000Z",
                     *             "startedAt": "2026-11-20T08:15:00.000Z",
                     *             "endedAt": "2026-11-20T08:15:00.000Z",
                     *             "result": "done"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Schedules"];
                };
            };
        };
    };
    getScheduleHistory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the runs of schedules, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "runs": [
                     *         {
                     *           "scheduleId": "restart",
                     *           "name": "Restart at night",
                     *           "action": "restart",
                     *           "plannedAt": "2026-11-20T08:15:00.000Z",
                     *           "startedAt": "2026-11-20T08:15:00.000Z",
                     *           "endedAt": "2026-11-20T08:15:00.000Z",
                     *           "result": "done"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ScheduleHistory"];
                };
            };
        };
    };
    searchModpacks: {
        parameters: {
            query?: {
                /**
                 * @description Search words. Default: everything that fits
                 * @example
                 */
                query?: string;
                /** @example 0 */
                offset?: number;
                /** @example 20 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Search Modrinth for modpacks that servers can use */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "hits": [
                     *         {
                     *           "projectId": "1KVo5zza",
                     *           "slug": "fabulously-optimized",
                     *           "title": "Fabulously Optimized",
                     *           "description": "Beautiful graphics, speedy performance and familiar features",
                     *           "author": "robotkoer",
                     *           "downloads": 9000000
                     *         }
                     *       ],
                     *       "offset": 0,
                     *       "limit": 20,
                     *       "total": 1
                     *     }
                     */
                    "application/json": components["schemas"]["ModpackSearch"];
                };
            };
        };
    };
    listModpackVersions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id or slug of the Modrinth project
                 * @example lithium
                 */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the versions of a modpack */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "versions": [
                     *         {
                     *           "versionId": "fgN0OSjF",
                     *           "version": "10.2.0",
                     *           "channel": "release",
                     *           "publishedAt": "2026-11-20T08:15:00.000Z",
                     *           "gameVersions": [
                     *             "1.21.8"
                     *           ],
                     *           "loaders": [
                     *             "fabric"
                     *           ],
                     *           "suggestedMemoryMb": 6144
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ModpackVersions"];
                };
            };
        };
    };
    createFromModpack: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `respond-async`: return 202 with the job at once instead of waiting
                 * @example respond-async
                 */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "project": "fabulously-optimized",
                 *       "memoryMb": 6144,
                 *       "acceptEula": true,
                 *       "start": true
                 *     }
                 */
                "application/json": components["schemas"]["CreateFromModpack"];
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
                    /**
                     * @example {
                     *       "id": "demo",
                     *       "name": "Demo",
                     *       "software": "demo",
                     *       "version": "1.20.4",
                     *       "port": 25565,
                     *       "status": "running",
                     *       "playersOnline": 1,
                     *       "maxPlayers": 20,
                     *       "memoryMb": 1024,
                     *       "phase": "running",
                     *       "cpuPercent": 2.5,
                     *       "memoryUsedMb": 88,
                     *       "tickTimeMs": 3.2,
                     *       "tps": 20,
                     *       "uptimeSeconds": 3600
                     *     }
                     */
                    "application/json": components["schemas"]["Instance"];
                };
            };
            /** @description Accepted (with `Prefer: respond-async`): the job to watch. */
            202: {
                headers: {
                    /** @description Address of the job */
                    Location?: string;
                    /** @description respond-async */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *       "kind": "backup",
                     *       "instanceId": "demo",
                     *       "state": "running",
                     *       "percent": 42.5,
                     *       "bytesDone": 7798784,
                     *       "bytesTotal": 18350080,
                     *       "createdAt": "2026-11-20T08:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    listMods: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the mods or plugins of an instance */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "folder": "mods",
                     *       "loaders": [
                     *         "fabric"
                     *       ],
                     *       "mods": [
                     *         {
                     *           "file": "lithium-fabric-0.15.0+mc1.21.8.jar",
                     *           "enabled": true,
                     *           "sizeBytes": 773000,
                     *           "name": "Lithium",
                     *           "version": "mc1.21.8-0.15.0",
                     *           "projectId": "gvQqBUqZ",
                     *           "versionId": "pDfTqezk",
                     *           "slug": "lithium",
                     *           "fits": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ModList"];
                };
            };
        };
    };
    installMod: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `respond-async`: return 202 with the job at once instead of waiting
                 * @example respond-async
                 */
                Prefer?: string;
            };
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "project": "lithium"
                 *     }
                 */
                "application/json": components["schemas"]["InstallMod"];
            };
        };
        responses: {
            /** @description The changes. With state `waiting` they are made at the next start. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "done",
                     *       "changes": [
                     *         {
                     *           "action": "install",
                     *           "name": "Lithium",
                     *           "file": "lithium-fabric-0.15.0+mc1.21.8.jar",
                     *           "projectId": "gvQqBUqZ",
                     *           "version": "mc1.21.8-0.15.0"
                     *         }
                     *       ],
                     *       "notes": []
                     *     }
                     */
                    "application/json": components["schemas"]["ModChanges"];
                };
            };
            /** @description Accepted (with `Prefer: respond-async`): the job to watch. */
            202: {
                headers: {
                    /** @description Address of the job */
                    Location?: string;
                    /** @description respond-async */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *       "kind": "backup",
                     *       "instanceId": "demo",
                     *       "state": "running",
                     *       "percent": 42.5,
                     *       "bytesDone": 7798784,
                     *       "bytesTotal": 18350080,
                     *       "createdAt": "2026-11-20T08:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    searchMods: {
        parameters: {
            query?: {
                /**
                 * @description Search words. Default: everything that fits
                 * @example
                 */
                query?: string;
                /** @example 0 */
                offset?: number;
                /** @example 20 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Search Modrinth for mods or plugins that fit an instance */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "hits": [
                     *         {
                     *           "projectId": "gvQqBUqZ",
                     *           "slug": "lithium",
                     *           "title": "Lithium",
                     *           "description": "No-compromises game logic optimization mod",
                     *           "author": "jellysquid3",
                     *           "downloads": 60000000,
                     *           "installed": true
                     *         }
                     *       ],
                     *       "offset": 0,
                     *       "limit": 20,
                     *       "total": 1
                     *     }
                     */
                    "application/json": components["schemas"]["ModSearch"];
                };
            };
        };
    };
    updateMods: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `respond-async`: return 202 with the job at once instead of waiting
                 * @example respond-async
                 */
                Prefer?: string;
            };
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "dryRun": true
                 *     }
                 */
                "application/json": components["schemas"]["UpdateMods"];
            };
        };
        responses: {
            /** @description The changes. With state `waiting` they are made at the next start. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "done",
                     *       "changes": [
                     *         {
                     *           "action": "install",
                     *           "name": "Lithium",
                     *           "file": "lithium-fabric-0.15.0+mc1.21.8.jar",
                     *           "projectId": "gvQqBUqZ",
                     *           "version": "mc1.21.8-0.15.0"
                     *         }
                     *       ],
                     *       "notes": []
                     *     }
                     */
                    "application/json": components["schemas"]["ModChanges"];
                };
            };
            /** @description Accepted (with `Prefer: respond-async`): the job to watch. */
            202: {
                headers: {
                    /** @description Address of the job */
                    Location?: string;
                    /** @description respond-async */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *       "kind": "backup",
                     *       "instanceId": "demo",
                     *       "state": "running",
                     *       "percent": 42.5,
                     *       "bytesDone": 7798784,
                     *       "bytesTotal": 18350080,
                     *       "createdAt": "2026-11-20T08:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    removeMod: {
        parameters: {
            query?: {
                /**
                 * @description `true`: even if another mod needs it
                 * @example false
                 */
                force?: "true" | "false";
            };
            header?: {
                /**
                 * @description `respond-async`: return 202 with the job at once instead of waiting
                 * @example respond-async
                 */
                Prefer?: string;
            };
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Id or slug of the Modrinth project, or the file name
                 * @example lithium
                 */
                mod: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changes. With state `waiting` they are made at the next start. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "done",
                     *       "changes": [
                     *         {
                     *           "action": "install",
                     *           "name": "Lithium",
                     *           "file": "lithium-fabric-0.15.0+mc1.21.8.jar",
                     *           "projectId": "gvQqBUqZ",
                     *           "version": "mc1.21.8-0.15.0"
                     *         }
                     *       ],
                     *       "notes": []
                     *     }
                     */
                    "application/json": components["schemas"]["ModChanges"];
                };
            };
            /** @description Accepted (with `Prefer: respond-async`): the job to watch. */
            202: {
                headers: {
                    /** @description Address of the job */
                    Location?: string;
                    /** @description respond-async */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *       "kind": "backup",
                     *       "instanceId": "demo",
                     *       "state": "running",
                     *       "percent": 42.5,
                     *       "bytesDone": 7798784,
                     *       "bytesTotal": 18350080,
                     *       "createdAt": "2026-11-20T08:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    getTunnel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the public address of an instance */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "tunnelAddress": "demo.example.net",
                     *       "numericAddress": "203.0.113.7:25565",
                     *       "pingMs": 23,
                     *       "provider": "static",
                     *       "state": "up",
                     *       "lastCheckedAt": "2026-11-20T18:03:11.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TunnelResponse"];
                };
            };
        };
    };
    testTunnel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Probe the public address of an instance now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "tunnelAddress": "demo.example.net",
                     *       "numericAddress": "203.0.113.7:25565",
                     *       "pingMs": 23,
                     *       "provider": "static",
                     *       "state": "up",
                     *       "lastCheckedAt": "2026-11-20T18:03:11.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TunnelResponse"];
                };
            };
        };
    };
    testTunnelFromOutside: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Have the hosted proxy connect to the public address of an instance */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "reachable": true,
                     *       "address": "demo.example.net",
                     *       "from": "https://proxy.example.net",
                     *       "pingMs": 31,
                     *       "version": "1.21.4",
                     *       "playersOnline": 2,
                     *       "maxPlayers": 20
                     *     }
                     */
                    "application/json": components["schemas"]["OutsideTest"];
                };
            };
        };
    };
    getTunnelSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get how players on the internet reach an instance */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "provider": "static",
                     *       "address": "demo.example.net:25565",
                     *       "mapping": "none"
                     *     }
                     */
                    "application/json": components["schemas"]["TunnelSettings"];
                };
            };
        };
    };
    setTunnelSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "provider": "static",
                 *       "address": "demo.example.net:25565",
                 *       "mapping": "none"
                 *     }
                 */
                "application/json": components["schemas"]["TunnelSettingsInput"];
            };
        };
        responses: {
            /** @description Set how players on the internet reach an instance */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "provider": "static",
                     *       "address": "demo.example.net:25565",
                     *       "mapping": "none"
                     *     }
                     */
                    "application/json": components["schemas"]["TunnelSettings"];
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
            /** @description List the software */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "kind": "demo",
                     *         "title": "Demo server",
                     *         "edition": "java",
                     *         "listPing": true,
                     *         "transport": "tcp",
                     *         "eula": true,
                     *         "defaultVersion": "1.20.4",
                     *         "command": true,
                     *         "program": "installed",
                     *         "family": "minecraft-java",
                     *         "versions": true,
                     *         "untested": true,
                     *         "properties": true,
                     *         "gamerules": true,
                     *         "mods": "mods",
                     *         "playerLists": [
                     *           "bans"
                     *         ],
                     *         "variables": [
                     *           {
                     *             "name": "map",
                     *             "title": "Map",
                     *             "type": "text",
                     *             "secret": false,
                     *             "editableBy": "operator",
                     *             "rule": {
                     *               "pattern": "[a-z0-9_]+",
                     *               "maxLength": 32
                     *             },
                     *             "default": "de_dust2"
                     *           }
                     *         ],
                     *         "ports": [
                     *           {
                     *             "name": "Steve",
                     *             "transport": "tcp"
                     *           }
                     *         ],
                     *         "own": true
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Software"][];
                };
            };
        };
    };
    saveKind: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "{\"kind\":\"arena\",\"extends\":\"custom\",\"title\":\"Arena\"}"
                 *     }
                 */
                "application/json": components["schemas"]["KindFile"];
            };
        };
        responses: {
            /** @description Saved. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "demo",
                     *       "title": "Demo server",
                     *       "edition": "java",
                     *       "listPing": true,
                     *       "transport": "tcp",
                     *       "eula": true,
                     *       "defaultVersion": "1.20.4",
                     *       "command": true,
                     *       "program": "installed",
                     *       "family": "minecraft-java",
                     *       "versions": true,
                     *       "untested": true,
                     *       "properties": true,
                     *       "gamerules": true,
                     *       "mods": "mods",
                     *       "playerLists": [
                     *         "bans"
                     *       ],
                     *       "variables": [
                     *         {
                     *           "name": "map",
                     *           "title": "Map",
                     *           "type": "text",
                     *           "secret": false,
                     *           "editableBy": "operator",
                     *           "rule": {
                     *             "pattern": "[a-z0-9_]+",
                     *             "maxLength": 32
                     *           },
                     *           "default": "de_dust2"
                     *         }
                     *       ],
                     *       "ports": [
                     *         {
                     *           "name": "Steve",
                     *           "transport": "tcp"
                     *         }
                     *       ],
                     *       "own": true
                     *     }
                     */
                    "application/json": components["schemas"]["Software"];
                };
            };
        };
    };
    listSoftwareProblems: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List invalid custom software files and their problems */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example [] */
                    "application/json": components["schemas"]["SoftwareProblem"][];
                };
            };
        };
    };
    listSoftwareVersions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Software, such as `paper`
                 * @example demo
                 */
                kind: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the versions of a software, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "demo",
                     *       "fetchedAt": "2026-11-20T08:15:00.000Z",
                     *       "ageSeconds": 1,
                     *       "stale": true,
                     *       "versions": [
                     *         {
                     *           "version": "1.20.4",
                     *           "stable": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SoftwareVersions"];
                };
            };
        };
    };
    checkKind: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "{\"kind\":\"arena\",\"extends\":\"custom\",\"title\":\"Arena\"}"
                 *     }
                 */
                "application/json": components["schemas"]["KindFile"];
            };
        };
        responses: {
            /** @description Check the file of a kind, and convert an egg of Pterodactyl or Pelican or a template of PufferPanel */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "arena",
                     *       "title": "Arena",
                     *       "text": "{\"kind\":\"arena\",\"extends\":\"custom\",\"title\":\"Arena\"}",
                     *       "notes": [
                     *         "Its ready text was not taken over."
                     *       ],
                     *       "scripts": [
                     *         {
                     *           "title": "Installation script",
                     *           "text": "curl -o arena https://example.org/arena"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CheckedKind"];
                };
            };
        };
    };
    removeKind: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Software, such as `paper`
                 * @example demo
                 */
                kind: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listRuntimes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the installed Java versions and the instances that use them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example [] */
                    "application/json": components["schemas"]["Runtime"][];
                };
            };
        };
    };
    removeUnusedRuntimes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Remove every Java version that no instance uses */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "removed": [
                     *         "8"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RuntimeRemoval"];
                };
            };
        };
    };
    updateRuntime: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 8 */
                javaVersion: "8" | "11" | "17" | "21" | "25";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Update a Java version to its newest build */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "javaVersion": "21",
                     *       "release": "jdk-21.0.9+10",
                     *       "updated": true
                     *     }
                     */
                    "application/json": components["schemas"]["RuntimeUpdate"];
                };
            };
        };
    };
    removeRuntime: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 8 */
                javaVersion: "8" | "11" | "17" | "21" | "25";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Remove a Java version */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "removed": [
                     *         "8"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RuntimeRemoval"];
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
            /** @description List jobs that run, wait or ended recently */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "jobId": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *         "kind": "backup",
                     *         "instanceId": "demo",
                     *         "state": "running",
                     *         "percent": 42.5,
                     *         "bytesDone": 7798784,
                     *         "bytesTotal": 18350080,
                     *         "createdAt": "2026-11-20T08:15:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Job"][];
                };
            };
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Job id
                 * @example b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11
                 */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the progress of a job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *       "kind": "backup",
                     *       "instanceId": "demo",
                     *       "state": "running",
                     *       "percent": 42.5,
                     *       "bytesDone": 7798784,
                     *       "bytesTotal": 18350080,
                     *       "createdAt": "2026-11-20T08:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Job id
                 * @example b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11
                 */
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
            header?: {
                /**
                 * @description Id of the last event received
                 * @example 5f0c2a9d-41
                 */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event stream. It ends when one side closes it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example retry: 1000
                     *
                     *     event: instance.phase
                     *     data: {"instanceId":"demo","status":"running","phase":"running"}
                     *
                     *     id: 5f0c2a9d-42
                     *     event: usage
                     *     data: {"instanceId":"demo","cpuPercent":2.5,"memoryUsedMb":88,"tickTimeMs":3.2,"tps":20,"playersOnline":1}
                     */
                    "text/event-stream": unknown;
                };
            };
        };
    };
    createImportUpload: {
        parameters: {
            query: {
                /**
                 * @description Name of the file
                 * @example survival.zip
                 */
                name: string;
            };
            header?: {
                /**
                 * @description Version of the protocol
                 * @example 1.0.0
                 */
                "Tus-Resumable"?: string;
                /**
                 * @description Size of the file in bytes
                 * @example 1041
                 */
                "Upload-Length"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Begun. */
            201: {
                headers: {
                    /** @description Address of the upload */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    cancelImportUpload: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Version of the protocol
                 * @example 1.0.0
                 */
                "Tus-Resumable"?: string;
            };
            path: {
                /**
                 * @description Id of the upload
                 * @example 3a5f1f0f7d113a5f1f0f7d113a5f1f0f
                 */
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What had arrived is removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    continueImportUpload: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Version of the protocol
                 * @example 1.0.0
                 */
                "Tus-Resumable"?: string;
                /**
                 * @description How many bytes have arrived before
                 * @example 0
                 */
                "Upload-Offset"?: string;
            };
            path: {
                /**
                 * @description Id of the upload
                 * @example 3a5f1f0f7d113a5f1f0f7d113a5f1f0f
                 */
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": unknown;
            };
        };
        responses: {
            /** @description Arrived. */
            204: {
                headers: {
                    /** @description How many bytes have arrived */
                    "Upload-Offset"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createUpload: {
        parameters: {
            query?: {
                /**
                 * @description Path inside the server's folder, with `/`; empty: the folder itself
                 * @example
                 */
                path?: string;
            };
            header?: {
                /**
                 * @description Version of the protocol
                 * @example 1.0.0
                 */
                "Tus-Resumable"?: string;
                /**
                 * @description Size of the file in bytes
                 * @example 1041
                 */
                "Upload-Length"?: string;
                /**
                 * @description ETag of the version to replace
                 * @example "a591a6d4"
                 */
                "If-Match"?: string;
                /**
                 * @description `*`: only if nothing is there yet
                 * @example *
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Begun. */
            201: {
                headers: {
                    /** @description Address of the upload */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    cancelUpload: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Version of the protocol
                 * @example 1.0.0
                 */
                "Tus-Resumable"?: string;
            };
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Id of the upload
                 * @example 3a5f1f0f7d113a5f1f0f7d113a5f1f0f
                 */
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What had arrived is removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    continueUpload: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Version of the protocol
                 * @example 1.0.0
                 */
                "Tus-Resumable"?: string;
                /**
                 * @description How many bytes have arrived before
                 * @example 0
                 */
                "Upload-Offset"?: string;
            };
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Id of the upload
                 * @example 3a5f1f0f7d113a5f1f0f7d113a5f1f0f
                 */
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": unknown;
            };
        };
        responses: {
            /** @description Arrived. */
            204: {
                headers: {
                    /** @description How many bytes have arrived */
                    "Upload-Offset"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    openConsole: {
        parameters: {
            query?: {
                /**
                 * @description `json`: lines with sequence numbers, for clients that resume
                 * @example text
                 */
                format?: "text" | "json";
                /**
                 * @description Resume after the line with this sequence number
                 * @example 1041
                 */
                after?: number;
                /**
                 * @description `1`, with `format=json`: also send a line that has not ended yet (a prompt, a progress bar)
                 * @example 0
                 */
                unfinished?: "0" | "1";
                /**
                 * @description Width of the client's terminal, 20 to 500; requires rows
                 * @example 120
                 */
                columns?: number;
                /**
                 * @description Height of the client's terminal, 5 to 200; requires columns
                 * @example 30
                 */
                rows?: number;
                /**
                 * @description A console ticket, instead of other credentials
                 * @example 5x0ZMcXn8Vd1cGJ0m3uQ6e2yq0m5J4cXk0y1Jw8k9aE
                 */
                ticket?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The console stream begins. */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
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
                /**
                 * @example {
                 *       "username": "admin",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            /** @description Signed in. */
            200: {
                headers: {
                    /** @description RemoteCookies */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "username": "admin",
                     *       "role": "admin",
                     *       "expiresAt": "2026-11-20T08:15:00.000Z",
                     *       "mustChangePassword": false
                     *     }
                     */
                    "application/json": components["schemas"]["LoginResponse"];
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
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "everywhere": true
                 *     }
                 */
                "application/json": components["schemas"]["LogoutRequest"];
            };
        };
        responses: {
            /** @description Signed out, or there was no session. */
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
            /** @description Get the signed-in user */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "username": "anna",
                     *       "role": "operator",
                     *       "expiresAt": "2026-11-20T08:15:00.000Z",
                     *       "mustChangePassword": false,
                     *       "instances": [
                     *         "demo"
                     *       ],
                     *       "totp": true,
                     *       "recoveryCodes": 10,
                     *       "lanAddresses": [
                     *         "192.168.178.20"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Session"];
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
                /**
                 * @example {
                 *       "currentPassword": "correct horse battery",
                 *       "newPassword": "staple correct horse"
                 *     }
                 */
                "application/json": components["schemas"]["ChangePassword"];
            };
        };
        responses: {
            /** @description Changed. */
            200: {
                headers: {
                    /** @description RemoteCookies */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Your password was changed."
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
        };
    };
    setUpTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["TotpRequest"];
            };
        };
        responses: {
            /** @description Confirmed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recoveryCodes": [
                     *         "k7fm-2xqa-wu9c-hd4p",
                     *         "9bqe-rt5m-zc3v-n6ya"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            /** @description The secret was created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "secret": "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
                     *       "uri": "otpauth://totp/Gamekeeper:anna?issuer=Gamekeeper&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
                     *     }
                     */
                    "application/json": components["schemas"]["TotpBegun"];
                };
            };
        };
    };
    removeTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "492039"
                 *     }
                 */
                "application/json": components["schemas"]["RemoveTotpRequest"];
            };
        };
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    renewRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["RecoveryCodesRequest"];
            };
        };
        responses: {
            /** @description Replace your recovery codes with ten new ones */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recoveryCodes": [
                     *         "k7fm-2xqa-wu9c-hd4p",
                     *         "9bqe-rt5m-zc3v-n6ya"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
        };
    };
    removeRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
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
    listUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the users */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "username": "anna",
                     *         "role": "operator",
                     *         "instances": [
                     *           "demo"
                     *         ],
                     *         "disabled": false,
                     *         "mustChangePassword": false,
                     *         "totp": true,
                     *         "createdAt": "2026-11-20T08:15:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["User"][];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "username": "anna",
                 *       "role": "operator",
                 *       "instances": [
                 *         "demo"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateUser"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    /** @description Address of the user */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "username": "anna",
                     *       "role": "operator",
                     *       "instances": [
                     *         "demo"
                     *       ],
                     *       "disabled": false,
                     *       "mustChangePassword": true,
                     *       "totp": true,
                     *       "createdAt": "2026-11-20T08:15:00.000Z",
                     *       "password": "k7fm-2xqa-wu9c-hd4p"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedUser"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description User name; upper and lower case do not matter
                 * @example anna
                 */
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a user */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "username": "anna",
                     *       "role": "operator",
                     *       "instances": [
                     *         "demo"
                     *       ],
                     *       "disabled": false,
                     *       "mustChangePassword": false,
                     *       "totp": true,
                     *       "createdAt": "2026-11-20T08:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    removeUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description User name; upper and lower case do not matter
                 * @example anna
                 */
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description User name; upper and lower case do not matter
                 * @example anna
                 */
                username: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "viewer"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateUser"];
            };
        };
        responses: {
            /** @description Change a user */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "username": "anna",
                     *       "role": "operator",
                     *       "instances": [
                     *         "demo"
                     *       ],
                     *       "disabled": false,
                     *       "mustChangePassword": false,
                     *       "totp": true,
                     *       "createdAt": "2026-11-20T08:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
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
            /** @description List valid bearer tokens, without the tokens themselves */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "2f0c6a52-8f1d-4d7e-9c55-0f6a1b7c9d10",
                     *         "name": "my-bot",
                     *         "scopes": [
                     *           "servers:read",
                     *           "servers:write"
                     *         ],
                     *         "createdAt": "2026-11-20T08:15:00.000Z",
                     *         "expiresAt": "2026-12-20T08:15:00.000Z",
                     *         "createdBy": "admin",
                     *         "unrestricted": false
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Token"][];
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
                /**
                 * @example {
                 *       "name": "my-bot",
                 *       "scopes": [
                 *         "servers:read",
                 *         "servers:write"
                 *       ],
                 *       "ttlSeconds": 2592000
                 *     }
                 */
                "application/json": components["schemas"]["CreateToken"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "2f0c6a52-8f1d-4d7e-9c55-0f6a1b7c9d10",
                     *       "token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJqdGkiOiIyZjBjNmE1MiJ9.c2lnbmF0dXJl",
                     *       "name": "my-bot",
                     *       "scopes": [
                     *         "servers:read",
                     *         "servers:write"
                     *       ],
                     *       "expiresAt": "2026-12-20T08:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedToken"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Token id (jti)
                 * @example 2f0c6a52-8f1d-4d7e-9c55-0f6a1b7c9d10
                 */
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
    listAudit: {
        parameters: {
            query?: {
                /**
                 * @description Only entries older than this one: `next` of the previous answer
                 * @example 4711
                 */
                before?: number;
                /** @example 100 */
                limit?: number;
                /**
                 * @description Only what this user did, also with tokens; upper and lower case do not matter
                 * @example anna
                 */
                who?: string;
                /**
                 * @description Only entries about this instance
                 * @example demo
                 */
                instance?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List audit entries, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entries": [
                     *         {
                     *           "id": 4711,
                     *           "at": "2026-11-20T08:15:00.000Z",
                     *           "who": "anna (token my-bot)",
                     *           "from": "192.0.2.7",
                     *           "method": "POST",
                     *           "path": "/instances/demo/commands",
                     *           "instance": "demo",
                     *           "command": "op",
                     *           "status": 200,
                     *           "requestId": "5f0c4b5e-1c0b-4a39-9a55-7f3b0d9e2c11"
                     *         }
                     *       ],
                     *       "next": 4711
                     *     }
                     */
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
        };
    };
    getHost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get how busy this computer is, and how fresh the backups are */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "cpuPercent": 12.5,
                     *       "memory": {
                     *         "usedBytes": 9663676416,
                     *         "totalBytes": 17179869184
                     *       },
                     *       "disk": {
                     *         "freeBytes": 180000000000,
                     *         "totalBytes": 500000000000
                     *       },
                     *       "backups": [
                     *         {
                     *           "instanceId": "survival",
                     *           "createdAt": "2026-11-20T03:00:12.000Z"
                     *         }
                     *       ],
                     *       "pausedSchedules": [
                     *         "creative"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["HostState"];
                };
            };
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    /** @description Version of the settings, for `If-Match` */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "remoteControl": {
                     *         "enabled": true,
                     *         "host": "127.0.0.1",
                     *         "panelPort": 25580,
                     *         "port": 25585,
                     *         "insecure": false,
                     *         "allowedHosts": [
                     *           "games.example.net"
                     *         ],
                     *         "allowedOrigins": []
                     *       },
                     *       "sftp": {
                     *         "enabled": false,
                     *         "host": "127.0.0.1",
                     *         "port": 25582
                     *       },
                     *       "lan": {
                     *         "announce": false
                     *       },
                     *       "players": {
                     *         "skins": false
                     *       },
                     *       "limits": {
                     *         "requestsPerSecond": 100,
                     *         "burst": 500,
                     *         "connections": 2048,
                     *         "socketsPerCredential": 64,
                     *         "socketsPerUser": 128,
                     *         "socketsPerInstance": 256
                     *       },
                     *       "backups": {
                     *         "concurrency": 1,
                     *         "exclude": []
                     *       },
                     *       "redaction": {
                     *         "patterns": [],
                     *         "exceptions": []
                     *       },
                     *       "vendors": {},
                     *       "runtimes": {},
                     *       "telemetry": {},
                     *       "log": {
                     *         "level": "info"
                     *       },
                     *       "overridden": [
                     *         {
                     *           "key": "remoteControl.panelPort",
                     *           "variable": "GAMEKEEPER_PORT"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Settings"];
                };
            };
        };
    };
    setSettings: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the version that you have read
                 * @example "Rk1vzZ"
                 */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "remoteControl": {
                 *         "enabled": false
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SettingsChange"];
            };
        };
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    /** @description Version of the settings, for `If-Match` */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "remoteControl": {
                     *         "enabled": true,
                     *         "host": "127.0.0.1",
                     *         "panelPort": 25580,
                     *         "port": 25585,
                     *         "insecure": false,
                     *         "allowedHosts": [
                     *           "games.example.net"
                     *         ],
                     *         "allowedOrigins": []
                     *       },
                     *       "sftp": {
                     *         "enabled": false,
                     *         "host": "127.0.0.1",
                     *         "port": 25582
                     *       },
                     *       "lan": {
                     *         "announce": false
                     *       },
                     *       "players": {
                     *         "skins": false
                     *       },
                     *       "limits": {
                     *         "requestsPerSecond": 100,
                     *         "burst": 500,
                     *         "connections": 2048,
                     *         "socketsPerCredential": 64,
                     *         "socketsPerUser": 128,
                     *         "socketsPerInstance": 256
                     *       },
                     *       "backups": {
                     *         "concurrency": 1,
                     *         "exclude": []
                     *       },
                     *       "redaction": {
                     *         "patterns": [],
                     *         "exceptions": []
                     *       },
                     *       "vendors": {},
                     *       "runtimes": {},
                     *       "telemetry": {},
                     *       "log": {
                     *         "level": "info"
                     *       },
                     *       "overridden": [
                     *         {
                     *           "key": "remoteControl.panelPort",
                     *           "variable": "GAMEKEEPER_PORT"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Settings"];
                };
            };
        };
    };
    getSftp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get where SFTP listens, and the fingerprint of its host key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "listening": {
                     *         "host": "127.0.0.1",
                     *         "port": 25582,
                     *         "fingerprint": "SHA256:NoF7mDYQ2cFxDPCYXr5KXUZJqFu4iDVJ7DUGqT5wgJs"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SftpState"];
                };
            };
        };
    };
    listSshKeys: {
        parameters: {
            query?: {
                /**
                 * @description Another user; for administrators
                 * @example anna
                 */
                username?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List your SSH keys */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0d1f3c52-6f0e-4c1c-9f1e-2f6f0a0f7b51",
                     *         "label": "Laptop",
                     *         "type": "ssh-ed25519",
                     *         "fingerprint": "SHA256:NoF7mDYQ2cFxDPCYXr5KXUZJqFu4iDVJ7DUGqT5wgJs",
                     *         "createdAt": "2026-11-20T08:15:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["SshKey"][];
                };
            };
        };
    };
    addSshKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "publicKey": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBkYzVyOGpKbm1vcHFyc3R1dnd4eXoxMjM0NTY3ODkw anna@laptop",
                 *       "label": "Laptop",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["NewSshKey"];
            };
        };
        responses: {
            /** @description Added. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0d1f3c52-6f0e-4c1c-9f1e-2f6f0a0f7b51",
                     *       "label": "Laptop",
                     *       "type": "ssh-ed25519",
                     *       "fingerprint": "SHA256:NoF7mDYQ2cFxDPCYXr5KXUZJqFu4iDVJ7DUGqT5wgJs",
                     *       "createdAt": "2026-11-20T08:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SshKey"];
                };
            };
        };
    };
    removeSshKey: {
        parameters: {
            query?: {
                /**
                 * @description Another user; for administrators
                 * @example anna
                 */
                username?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the key
                 * @example 0d1f3c52-6f0e-4c1c-9f1e-2f6f0a0f7b51
                 */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    testStore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name in `backups.stores` of the settings
                 * @example Steve
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Test a store for copies of backups */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "\"Demo\" is starting."
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
        };
    };
    getLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the link to a hosted proxy, its state, and a request that waits for approval */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "proxy": {
                     *         "issuer": "https://proxy.example.net",
                     *         "daemonId": "7b0c1c5e-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *         "resource": "urn:uuid:7b0c1c5e-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *         "name": "Basement",
                     *         "account": "anna",
                     *         "scopes": [
                     *           "servers:read",
                     *           "servers:write"
                     *         ],
                     *         "telemetry": false,
                     *         "linkedAt": "2026-11-20T08:15:00.000Z"
                     *       },
                     *       "status": {
                     *         "state": "connected",
                     *         "since": "2026-11-20T08:15:00.000Z",
                     *         "latencyMs": 24
                     *       },
                     *       "request": null,
                     *       "lastRequest": {
                     *         "id": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *         "issuer": "https://proxy.example.net",
                     *         "outcome": "approved",
                     *         "at": "2026-11-20T08:15:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Link"];
                };
            };
        };
    };
    createLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://proxy.example.net",
                 *       "name": "Basement",
                 *       "scopes": [
                 *         "servers:read",
                 *         "servers:write"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateLink"];
            };
        };
        responses: {
            /** @description Waiting for approval. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *       "issuer": "https://proxy.example.net",
                     *       "name": "Basement",
                     *       "scopes": [
                     *         "servers:read",
                     *         "servers:write"
                     *       ],
                     *       "telemetry": false,
                     *       "userCode": "WDJB-MJHT",
                     *       "verificationUri": "https://proxy.example.net/device",
                     *       "verificationUriComplete": "https://proxy.example.net/device?user_code=WDJB-MJHT",
                     *       "expiresAt": "2026-12-20T08:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["LinkRequest"];
                };
            };
        };
    };
    removeLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Unlink this daemon from the hosted proxy */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "proxyTold": true
                     *     }
                     */
                    "application/json": components["schemas"]["Unlinked"];
                };
            };
        };
    };
    changeLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "scopes": [
                 *         "servers:read",
                 *         "logs:read"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ChangeLink"];
            };
        };
        responses: {
            /** @description Change what tokens of the proxy can do here */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "proxy": {
                     *         "issuer": "https://proxy.example.net",
                     *         "daemonId": "7b0c1c5e-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *         "resource": "urn:uuid:7b0c1c5e-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *         "name": "Basement",
                     *         "account": "anna",
                     *         "scopes": [
                     *           "servers:read",
                     *           "servers:write"
                     *         ],
                     *         "telemetry": false,
                     *         "linkedAt": "2026-11-20T08:15:00.000Z"
                     *       },
                     *       "status": {
                     *         "state": "connected",
                     *         "since": "2026-11-20T08:15:00.000Z",
                     *         "latencyMs": 24
                     *       },
                     *       "request": null,
                     *       "lastRequest": {
                     *         "id": "b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11",
                     *         "issuer": "https://proxy.example.net",
                     *         "outcome": "approved",
                     *         "at": "2026-11-20T08:15:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Link"];
                };
            };
        };
    };
    cancelLinkRequest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Cancelled. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createConsoleTicket: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Connect to /ws/instances/{id}/console?ticket=... within 30 seconds. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ticket": "5x0ZMcXn8Vd1cGJ0m3uQ6e2yq0m5J4cXk0y1Jw8k9aE",
                     *       "expiresAt": "2026-11-20T08:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ConsoleTicket"];
                };
            };
        };
    };
    panelStartInstance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The action has begun. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "\"Demo\" is starting."
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
        };
    };
    panelStopInstance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The action has begun. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "\"Demo\" is stopping."
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
        };
    };
    panelRestartInstance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The action has begun. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "\"Demo\" is restarting."
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
        };
    };
    panelKickPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Player name
                 * @example Steve
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Be kind."
                 *     }
                 */
                "application/json": components["schemas"]["PlayerActionRequest"];
            };
        };
        responses: {
            /** @description The game server's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Kicked Steve: Be kind."
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
        };
    };
    panelBanPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Player name
                 * @example Steve
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Be kind."
                 *     }
                 */
                "application/json": components["schemas"]["PlayerActionRequest"];
            };
        };
        responses: {
            /** @description The game server's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Banned Steve: Be kind."
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
        };
    };
    panelOpPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Player name
                 * @example Steve
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Be kind."
                 *     }
                 */
                "application/json": components["schemas"]["PlayerActionRequest"];
            };
        };
        responses: {
            /** @description The game server's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Made Steve a server operator"
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
        };
    };
    panelDeopPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
                /**
                 * @description Player name
                 * @example Steve
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Be kind."
                 *     }
                 */
                "application/json": components["schemas"]["PlayerActionRequest"];
            };
        };
        responses: {
            /** @description The game server's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Made Steve no longer a server operator"
                     *     }
                     */
                    "application/json": components["schemas"]["ActionResponse"];
                };
            };
        };
    };
    panelGetProperties: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The properties. */
            200: {
                headers: {
                    /** @description Version of the properties, for `If-Match` */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "properties": {
                     *         "server-port": "25565",
                     *         "motd": "Hello",
                     *         "rcon.password": "********"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Properties"];
                };
            };
        };
    };
    panelSetProperties: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the version that you have read
                 * @example "3f1c5a"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "properties": {
                 *         "server-port": "25565",
                 *         "motd": "Hello",
                 *         "rcon.password": "********"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Properties"];
            };
        };
        responses: {
            /** @description The properties. */
            200: {
                headers: {
                    /** @description Version of the properties, for `If-Match` */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "properties": {
                     *         "server-port": "25565",
                     *         "motd": "Hello",
                     *         "rcon.password": "********"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ChangedProperties"];
                };
            };
        };
    };
    panelGetPropertiesSchema: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Instance id
                 * @example demo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the known properties with their types and ranges */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "file": "server.properties",
                     *       "properties": [
                     *         {
                     *           "key": "view-distance",
                     *           "type": "integer",
                     *           "minimum": 2,
                     *           "maximum": 32,
                     *           "default": "10",
                     *           "description": "Chunks that players see in each direction. Costs memory and CPU.",
                     *           "secret": false,
                     *           "takesEffect": "restart",
                     *           "live": "management"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PropertiesSchema"];
                };
            };
        };
    };
}
