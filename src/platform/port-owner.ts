/** Finds the process that listens on a port, on Linux; other systems do not show it. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

interface PortOwner {
  readonly pid: number;
  readonly command: string;
}

const listening = '0A';

/** Returns the process that listens on a port; undefined when it is not known. */
export function findPortOwner(port: number): PortOwner | undefined {
  const sockets = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => socketsOn(port, table)));
  const pid = processes().find((candidate) => openFiles(candidate).some((file) => sockets.has(file)));
  return pid === undefined ? undefined : { pid: Number(pid), command: commandOf(pid) };
}

/** Returns the sockets of a table that listen on a port, named as open files are: `socket:[12345]`. */
function socketsOn(port: number, table: string): string[] {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  return read(table)
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(`:${hexPort}`) && state === listening)
    .map((columns) => `socket:[${columns[9]}]`);
}

const processes = (): string[] => list('/proc').filter((name) => /^\d+$/.test(name));

const openFiles = (pid: string): string[] =>
  list(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return [];
    }
  });

function commandOf(pid: string): string {
  const command = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() || read(`/proc/${pid}/comm`).trim();
  return command.length > 80 ? `${command.slice(0, 79)}…` : command;
}

/** Reads a file, or returns an empty text: processes end, and those of others may not be read. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
