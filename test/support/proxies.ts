/** Starts nginx and HAProxy before a simulator, on free ports, with what they need in a folder of the test's own. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../src/cli/process/free-port.ts';
import { folderWith } from './folders.ts';

export interface Proxies {
  /** Lists the URLs of those that run, by name: one that passes everything on, and one that repeats by itself. */
  readonly urls: Readonly<Record<string, string>>;
  readonly stop: () => void;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Limits how long they wait for the service, in seconds: longer than any response takes on a busy machine. */
const patience = 8;

const nginxConfig = (folder: string, service: number, [plain, retrying]: readonly number[]): string => `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  upstream service { server 127.0.0.1:${service}; keepalive 8; }
  upstream pair { server 127.0.0.1:${service} max_fails=0; server localhost:${service} max_fails=0; keepalive 8; }
  proxy_http_version 1.1;
  proxy_set_header Connection "";
  proxy_set_header Host $http_host;
  proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
  proxy_read_timeout ${patience}s;
  server { listen 127.0.0.1:${plain}; location / { proxy_pass http://service; } }
  server {
    listen 127.0.0.1:${retrying};
    location / { proxy_pass http://pair; proxy_next_upstream error timeout non_idempotent; proxy_next_upstream_tries 2; }
  }
}
`;

const haproxyConfig = (service: number, [plain, retrying]: readonly number[]): string => `
defaults
  mode http
  timeout connect 5s
  timeout client 90s
  timeout server ${patience}s
  http-reuse always
  option forwardfor
frontend plain
  bind 127.0.0.1:${plain}
  default_backend plain
frontend retrying
  bind 127.0.0.1:${retrying}
  default_backend retrying
backend plain
  server service 127.0.0.1:${service}
backend retrying
  retries 2
  retry-on conn-failure empty-response
  server service 127.0.0.1:${service}
`;

/** Starts those of the two that the machine has. */
export async function startProxies(service: number, has: (command: string) => boolean): Promise<Proxies> {
  const folder = folderWith();
  const children: ChildProcess[] = [];
  const urls: Record<string, string> = {};
  const start = async (
    name: string,
    config: (ports: readonly number[]) => string,
    args: (file: string) => string[],
  ) => {
    const ports = [await freePort(), await freePort()];
    const file = join(folderWith({ [`${name}.conf`]: config(ports) }), `${name}.conf`);
    const path = `${process.env['PATH'] ?? ''}:/usr/sbin`;
    children.push(spawn(name, args(file), { stdio: 'ignore', env: { ...process.env, PATH: path } }));
    for (let i = 0; i < 200 && !(await isListening(ports[1] ?? 0)); i++)
      await new Promise((done) => setTimeout(done, 100));
    Object.assign(urls, {
      [name]: `http://127.0.0.1:${ports[0]}`,
      [`${name}-retrying`]: `http://127.0.0.1:${ports[1]}`,
    });
  };
  if (has('nginx'))
    await start(
      'nginx',
      (ports) => nginxConfig(folder, service, ports),
      (file) => ['-c', file, '-p', folder],
    );
  if (has('haproxy'))
    await start(
      'haproxy',
      (ports) => haproxyConfig(service, ports),
      (file) => ['-f', file],
    );
  return { urls, stop: () => children.forEach((child) => child.kill('SIGTERM')) };
}
