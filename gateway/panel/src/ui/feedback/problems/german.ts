import type { ProblemTexts } from './problem-texts.ts';

export const GERMAN = {
  invalid_request: {
    title: 'Ungültige Angaben',
    about: 'Eine Angabe fehlt oder ist nicht erlaubt.',
    resolution: 'Korrigieren Sie das Feld, das unten genannt ist.',
  },
  invalid_path: {
    title: 'Ungültiger Pfad',
    about: 'Der Pfad ist keine Datei und kein Ordner des Servers oder führt über eine Verknüpfung.',
    resolution: 'Wählen Sie einen Pfad im Ordner des Servers.',
  },
  unauthenticated: {
    title: 'Nicht angemeldet',
    about: 'Benutzername oder Passwort ist falsch, oder die Sitzung ist abgelaufen.',
    resolution: 'Melden Sie sich noch einmal an.',
  },
  totp_required: {
    title: 'Zweiter Faktor nötig',
    about: 'Dieses Konto braucht bei der Anmeldung einen Einmalcode.',
    resolution: 'Geben Sie den Code aus Ihrer Authenticator-App ein.',
  },
  totp_invalid: {
    title: 'Zweiter Faktor falsch',
    about: 'Der Einmalcode ist falsch oder wurde schon verwendet.',
    resolution: 'Warten Sie auf den nächsten Code in Ihrer Authenticator-App und versuchen Sie es noch einmal.',
  },
  daemon_unknown: {
    title: 'Rechner nicht verknüpft',
    about: 'Dieser Rechner ist mit keinem Konto des Proxys verknüpft oder wurde dort entfernt.',
    resolution: 'Verknüpfen Sie diesen Rechner noch einmal.',
  },
  insufficient_scope: {
    title: 'Nicht erlaubt',
    about: 'Ihr Konto hat dafür nicht die nötigen Rechte.',
    resolution: 'Bitten Sie einen Administrator um diese Rechte.',
  },
  origin_not_allowed: {
    title: 'Adresse nicht erlaubt',
    about: 'Die Adresse, unter der Sie diese Seite geöffnet haben, ist nicht zugelassen.',
    resolution:
      'Verwenden Sie die Adresse dieses Rechners, oder erlauben Sie die andere auf der Seite „Netzwerkzugriff“.',
  },
  password_change_required: {
    title: 'Wählen Sie zuerst ein Passwort',
    about: 'Sie haben sich mit einem erzeugten Passwort angemeldet.',
    resolution: 'Laden Sie die Seite neu und wählen Sie ein eigenes Passwort.',
  },
  instance_not_found: {
    title: 'Server nicht gefunden',
    about: 'Diesen Server gibt es nicht, oder er wurde gelöscht.',
    resolution: 'Wählen Sie einen Server aus der Liste.',
  },
  backup_not_found: {
    title: 'Sicherung nicht gefunden',
    about: 'Diese Sicherung gibt es nicht, oder sie wurde gelöscht.',
    resolution: 'Wählen Sie eine Sicherung aus der Liste.',
  },
  file_not_found: {
    title: 'Datei nicht gefunden',
    about: 'An diesem Pfad gibt es weder Datei noch Ordner.',
    resolution: 'Wählen Sie eine Datei aus der Liste.',
  },
  store_not_found: {
    title: 'Ziel nicht gefunden',
    about: 'Ein Ziel für Kopien von Sicherungen mit diesem Namen gibt es nicht.',
    resolution: 'Wählen Sie eines von der Seite „Speicher“.',
  },
  player_not_found: {
    title: 'Spieler nicht gefunden',
    about: 'Auf dem Server ist kein Spieler mit diesem Namen.',
    resolution: 'Wählen Sie einen Spieler aus der Liste.',
  },
  ssh_key_not_found: {
    title: 'SSH-Schlüssel nicht gefunden',
    about: 'Diesen SSH-Schlüssel gibt es nicht, oder er wurde gelöscht.',
    resolution: 'Wählen Sie einen Schlüssel aus der Liste.',
  },
  token_not_found: {
    title: 'Token nicht gefunden',
    about: 'Dieses Token gibt es nicht, oder es wurde widerrufen.',
    resolution: 'Wählen Sie ein Token aus der Liste.',
  },
  not_linked: {
    title: 'Nicht verknüpft',
    about: 'Dieser Rechner ist mit keinem Proxy verknüpft, und keine Anfrage dafür wartet.',
    resolution: 'Verknüpfen Sie ihn zuerst mit einem Proxy.',
  },
  user_not_found: {
    title: 'Benutzer nicht gefunden',
    about: 'Einen Benutzer mit diesem Namen gibt es nicht.',
    resolution: 'Wählen Sie einen Benutzer aus der Liste.',
  },
  job_not_found: {
    title: 'Aufgabe nicht gefunden',
    about: 'Diese Aufgabe gibt es nicht, oder sie ist schon zu lange beendet.',
    resolution: 'Laden Sie die Seite neu.',
  },
  route_not_found: {
    title: 'Adresse nicht gefunden',
    about: 'Gamekeeper kennt diese Adresse nicht.',
    resolution: 'Laden Sie die Seite neu. Vielleicht wurde Gamekeeper aktualisiert.',
  },
  method_not_allowed: {
    title: 'Nicht möglich',
    about: 'Diese Adresse unterstützt das nicht.',
    resolution: 'Laden Sie die Seite neu. Vielleicht wurde Gamekeeper aktualisiert.',
  },
  request_timeout: {
    title: 'Zu langsam übertragen',
    about: 'Die Anfrage kam nicht rechtzeitig vollständig an.',
    resolution: 'Versuchen Sie es noch einmal, am besten mit einer schnelleren Verbindung.',
  },
  version_not_found: {
    title: 'Version nicht gefunden',
    about: 'Der Anbieter hat diese Version nicht oder keinen Server für sie.',
    resolution: 'Wählen Sie eine Version aus der Liste.',
  },
  software_not_found: {
    title: 'Software nicht gefunden',
    about: 'Diese Software gibt es nicht, oder kein Anbieter führt eine Liste ihrer Versionen.',
    resolution: 'Wählen Sie eine Software aus der Liste.',
  },
  runtime_not_found: {
    title: 'Java nicht gefunden',
    about: 'Diese Version von Java ist nicht installiert.',
    resolution: 'Wählen Sie eine von der Seite „Java“.',
  },
  mod_not_found: {
    title: 'Mod nicht gefunden',
    about: 'Modrinth oder dieser Server hat diese Mod oder dieses Plugin nicht.',
    resolution: 'Suchen Sie noch einmal, oder wählen Sie eines aus der Liste.',
  },
  mods_unsupported: {
    title: 'Keine Mods möglich',
    about: 'Die Software dieses Servers unterstützt weder Mods noch Plugins.',
    resolution: 'Verwenden Sie dafür einen Server mit Paper, Fabric oder ähnlicher Software.',
  },
  mod_conflict: {
    title: 'Mods passen nicht zusammen',
    about:
      'Eine Mod oder ein Plugin verträgt sich nicht mit einem anderen, braucht ein nicht verfügbares oder wird selbst gebraucht. Nichts wurde geändert.',
    resolution: 'Entfernen oder aktualisieren Sie die unten genannten Mods.',
  },
  software_exists: {
    title: 'Diese Art gibt es schon',
    about: 'Eine andere Art hat diesen Namen, oder ihre Datei ist im Weg.',
    resolution: 'Ändern Sie „kind“ in der Datei, oder entfernen Sie zuerst die andere Art.',
  },
  software_in_use: {
    title: 'Art wird verwendet',
    about: 'Server oder andere Arten brauchen diese Art.',
    resolution: 'Löschen Sie zuerst diese Server, oder geben Sie ihnen andere Software.',
  },
  runtime_in_use: {
    title: 'Java wird verwendet',
    about: 'Ein Server verwendet diese Version von Java oder wird gerade mit ihr installiert.',
    resolution: 'Geben Sie diesen Servern eine andere Version von Java und starten Sie sie neu.',
  },
  invalid_state: {
    title: 'Gerade nicht möglich',
    about: 'Im jetzigen Zustand des Servers geht das nicht.',
    resolution: 'Sehen Sie nach dem Zustand des Servers und versuchen Sie es dann noch einmal.',
  },
  backup_in_progress: {
    title: 'Eine Sicherung läuft',
    about: 'Der Server wird gerade gesichert.',
    resolution: 'Warten Sie, bis die Sicherung fertig ist.',
  },
  port_in_use: {
    title: 'Port belegt',
    about: 'Ein anderes Programm oder ein anderer Server verwendet diesen Port.',
    resolution: 'Beenden Sie das andere Programm, oder geben Sie dem Server einen anderen Port.',
  },
  eula_not_accepted: {
    title: 'EULA nicht akzeptiert',
    about: 'Die Lizenz der Software wurde noch nicht akzeptiert.',
    resolution: 'Lesen Sie die EULA und akzeptieren Sie sie in den Einstellungen des Servers.',
  },
  instance_exists: {
    title: 'Server existiert schon',
    about: 'Ein anderer Server hat schon diese Kennung oder diesen Ordner.',
    resolution: 'Wählen Sie eine andere Kennung oder einen anderen Ordner.',
  },
  file_exists: {
    title: 'Datei existiert schon',
    about: 'An diesem Pfad gibt es schon eine Datei oder einen Ordner.',
    resolution: 'Wählen Sie einen anderen Pfad, oder löschen Sie zuerst, was dort ist.',
  },
  daemon_taken: {
    title: 'Mit anderem Konto verknüpft',
    about: 'Dieser Rechner ist mit einem anderen Konto des Proxys verknüpft.',
    resolution: 'Entfernen Sie ihn im anderen Konto, und verknüpfen Sie ihn dann noch einmal.',
  },
  user_exists: {
    title: 'Benutzer existiert schon',
    about: 'Ein anderer Benutzer hat diesen Namen. Groß- und Kleinschreibung zählt nicht.',
    resolution: 'Wählen Sie einen anderen Namen.',
  },
  last_administrator: {
    title: 'Der letzte Administrator',
    about: 'Danach gäbe es keinen Administrator mehr.',
    resolution: 'Machen Sie zuerst einen anderen Benutzer zum Administrator.',
  },
  own_account: {
    title: 'Ihr eigenes Konto',
    about: 'Das Konto, mit dem Sie angemeldet sind, können Sie nicht entfernen, sperren oder herabstufen.',
    resolution: 'Bitten Sie einen anderen Administrator darum.',
  },
  already_in_progress: {
    title: 'Läuft schon',
    about: 'Dieselbe Aufgabe läuft bereits.',
    resolution: 'Warten Sie, bis sie fertig ist.',
  },
  precondition_failed: {
    title: 'Inzwischen geändert',
    about: 'Jemand anderes hat das inzwischen geändert.',
    resolution: 'Laden Sie es noch einmal und wiederholen Sie Ihre Änderung.',
  },
  body_too_large: {
    title: 'Zu groß',
    about: 'Die gesendeten Daten sind größer als erlaubt.',
    resolution: 'Senden Sie weniger auf einmal.',
  },
  unsupported_media_type: {
    title: 'Format nicht unterstützt',
    about: 'Die gesendeten Daten haben ein Format, das hier nicht erwartet wird.',
    resolution: 'Laden Sie die Seite neu und versuchen Sie es noch einmal.',
  },
  range_not_satisfiable: {
    title: 'Bereich nicht vorhanden',
    about: 'Der angeforderte Teil liegt hinter dem Ende der Datei.',
    resolution: 'Laden Sie die ganze Datei noch einmal.',
  },
  command_rejected: {
    title: 'Befehl abgelehnt',
    about: 'Der Spielserver meldet, dass der Befehl fehlgeschlagen ist.',
    resolution: 'Lesen Sie unten die Antwort des Servers.',
  },
  backup_damaged: {
    title: 'Sicherung beschädigt',
    about: 'Prüfsumme oder Aufbau des Archivs stimmt nicht. Die Dateien des Servers wurden nicht angerührt.',
    resolution: 'Verwenden Sie eine andere Sicherung.',
  },
  decryption_failed: {
    title: 'Entschlüsseln nicht möglich',
    about: 'Die Kopie wurde mit einem anderen Schlüssel verschlüsselt als dem eingestellten.',
    resolution: 'Stellen Sie den Schlüssel oder die Passphrase ein, mit der die Kopie angelegt wurde.',
  },
  launch_failed: {
    title: 'Start fehlgeschlagen',
    about: 'Das Programm des Servers konnte nicht gestartet werden.',
    resolution: 'Prüfen Sie den Startbefehl, und ob das Programm existiert und ausführbar ist.',
  },
  installation_failed: {
    title: 'Installation fehlgeschlagen',
    about: 'Das Installationsprogramm ist gescheitert oder läuft auf diesem Rechner nicht.',
    resolution:
      'Seine Ausgabe steht in der Konsole. Versuchen Sie es noch einmal, oder wählen Sie eine andere Version.',
  },
  store_refused: {
    title: 'Ziel lehnt ab',
    about: 'Am Ziel für Kopien stimmen Zugangsdaten, Hostschlüssel, Bucket, Ordner oder Rechte nicht.',
    resolution: 'Korrigieren Sie das Ziel auf der Seite „Speicher“ und testen Sie es dort.',
  },
  proxy_refused: {
    title: 'Proxy lehnt ab',
    about: 'Unter der Adresse ist kein Proxy für Gamekeeper, oder er nimmt diesen Rechner nicht an.',
    resolution: 'Prüfen Sie die Adresse, oder fragen Sie den Betreiber des Proxys.',
  },
  rate_limited: {
    title: 'Zu viele Versuche',
    about: 'Zu viele Anfragen oder zu viele fehlgeschlagene Anmeldungen.',
    resolution: 'Warten Sie etwas und versuchen Sie es dann noch einmal.',
  },
  headers_too_large: {
    title: 'Anfrage zu groß',
    about: 'Adresse und Kopfzeilen der Anfrage sind zusammen zu lang.',
    resolution: 'Löschen Sie die Cookies dieser Seite und melden Sie sich noch einmal an.',
  },
  internal_error: {
    title: 'Interner Fehler',
    about: 'Gamekeeper konnte die Anfrage nicht bearbeiten.',
    resolution: 'Versuchen Sie es noch einmal. Bleibt der Fehler, suchen Sie die Anfrage-ID in den Logdateien.',
  },
  rcon_unavailable: {
    title: 'Spielserver antwortet nicht',
    about: 'Der Spielserver hat nicht rechtzeitig geantwortet.',
    resolution: 'Prüfen Sie, ob der Server läuft und seine RCON-Einstellungen stimmen.',
  },
  store_unavailable: {
    title: 'Ziel nicht erreichbar',
    about: 'Das Ziel für Kopien antwortet nicht, hat die Verbindung beendet oder die Daten nicht behalten.',
    resolution: 'Prüfen Sie, ob dieser Rechner das Ziel erreicht. Kopien werden von selbst wiederholt.',
  },
  vendor_unavailable: {
    title: 'Anbieter nicht erreichbar',
    about: 'Der Anbieter der Software oder von Java antwortet nicht oder sendet etwas anderes als angekündigt.',
    resolution: 'Prüfen Sie die Internetverbindung dieses Rechners und versuchen Sie es noch einmal.',
  },
  worker_unavailable: {
    title: 'Prozess antwortet nicht',
    about: 'Ein Prozess von Gamekeeper, der das erledigt, antwortet nicht.',
    resolution: 'Versuchen Sie es gleich noch einmal.',
  },
  daemon_unavailable: {
    title: 'Gamekeeper antwortet nicht',
    about: 'Der Dienst von Gamekeeper antwortet nicht.',
    resolution: 'Versuchen Sie es gleich noch einmal. Bleibt der Fehler, starten Sie Gamekeeper neu.',
  },
  proxy_unavailable: {
    title: 'Proxy nicht erreichbar',
    about: 'Der Proxy oder seine Datenbank antwortet nicht.',
    resolution: 'Versuchen Sie es gleich noch einmal. Bleibt der Fehler, prüfen Sie, ob dieser Rechner ihn erreicht.',
  },
  shutting_down: {
    title: 'Gamekeeper wird beendet',
    about: 'Gamekeeper nimmt gerade keine Anfragen mehr an.',
    resolution: 'Versuchen Sie es noch einmal, sobald Gamekeeper wieder läuft.',
  },
  insufficient_storage: {
    title: 'Speicherplatz voll',
    about: 'Es ist nicht genug Speicherplatz frei.',
    resolution: 'Geben Sie Speicherplatz frei, oder wählen Sie einen anderen Ordner für Sicherungen.',
  },
} satisfies ProblemTexts;
