import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Prints what every server based on Mojang's prints, and ends at any stop command. */
const SERVER = `
import java.io.BufferedReader;
import java.io.InputStreamReader;

public class Server {
  public static void main(String[] args) throws Exception {
    say("Java " + Runtime.version().feature() + ", " + Runtime.getRuntime().maxMemory() / 1048576 + " MB, " + String.join(" ", args));
    say("Done (0.123s)! For help, type \\"help\\"");
    BufferedReader console = new BufferedReader(new InputStreamReader(System.in));
    for (String line = console.readLine(); line != null; line = console.readLine()) {
      if (line.equals("save-all")) say("Saved the game");
      else if (line.equals("stop") || line.equals("shutdown")) break;
    }
    say("Stopping server");
  }

  static void say(String text) {
    System.out.println("[12:00:00] [Server thread/INFO]: " + text);
  }
}
`;

/** Like a real installer: unpacks its content into the working folder, and reports that. */
const INSTALLER = `
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

public class Installer {
  public static void main(String[] args) throws Exception {
    System.out.println("Arguments: " + String.join(" ", args));
    if (args.length == 0) { System.err.println("There is no display."); System.exit(1); }
    Path self = Path.of(Installer.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(self))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (entry.isDirectory() || !entry.getName().startsWith("out/")) continue;
        Path file = Path.of(entry.getName().substring(4));
        if (file.getParent() != null) Files.createDirectories(file.getParent());
        Files.copy(zip, file, StandardCopyOption.REPLACE_EXISTING);
      }
    }
    System.out.println("The server installed successfully");
  }
}
`;

export interface JavaPrograms {
  server: Buffer;
  /** An installer that creates these files; `server` stands for the server's jar. */
  installer(files: Record<string, string | 'server'>): Buffer;
}

let made: JavaPrograms | undefined;

/** Small Java programs, compiled once. */
export function javaPrograms(): JavaPrograms {
  if (made) return made;
  const folder = mkdtempSync(path.join(tmpdir(), 'gk-java-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const [name, source] of Object.entries({ Server: SERVER, Installer: INSTALLER })) {
    writeFileSync(path.join(folder, `${name}.java`), source);
    execFileSync('javac', ['--release', '17', '-d', path.join(folder, name), path.join(folder, `${name}.java`)]);
  }
  let count = 0;
  const pack = (main: string, classes: string) => {
    const file = path.join(folder, `${main}-${count++}.jar`);
    execFileSync('jar', ['--create', '--file', file, '--main-class', main, '-C', classes, '.']);
    return readFileSync(file);
  };
  const server = pack('Server', path.join(folder, 'Server'));
  made = {
    server,
    installer(files) {
      const classes = path.join(folder, `installer-${count++}`);
      cpSync(path.join(folder, 'Installer'), classes, { recursive: true });
      for (const [name, content] of Object.entries(files)) {
        const file = path.join(classes, 'out', name);
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, content === 'server' ? server : content);
      }
      return pack('Installer', classes);
    },
  };
  return made;
}
