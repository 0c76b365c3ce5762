import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'

const documented = new URL('../../../docs/deployment/nginx.conf', import.meta.url)
const program = ['nginx', '/usr/sbin/nginx'].find(name => spawnSync(name, ['-v']).status === 0)
const hasOpenssl = spawnSync('openssl', ['version']).status === 0

/** Why nginx cannot be used here, or false. */
export const missing = program === undefined ? 'needs nginx' : !hasOpenssl && 'needs openssl'

export interface RunningNginx {
  readonly process: ChildProcess
  readonly http: string
  readonly https: string
  /** The CA to verify the proxy's certificate. */
  readonly ca: string
}

/** A test, or a measurement, that starts the proxy. */
interface ProxyOwner {
  teardown(work: () => unknown): unknown
  comment(text: string): unknown
  /** Fails if the text matches. */
  notMatch(text: string, pattern: RegExp, message: string): unknown
}

/**
 * nginx with the documented configuration in front of these servers. Only ports, certificate and addresses are
 * replaced; a line that is not found is an error. `directory`: for its own files; `files`: it sends the files of this directory, with the
 * commented location.
 */
export async function startNginx(
  owner: ProxyOwner,
  directory: string,
  servers: readonly [string, string?],
  files?: string,
): Promise<RunningNginx> {
  const ca = makeCertificate(directory)
  const [plain, secure] = [await freePort(), await freePort()]
  let site = readFileSync(documented, 'utf8')
  const replace = (from: string, to: string) => {
    if (!site.includes(from)) throw new Error(`nginx.conf does not say "${from}"`)
    site = site.replaceAll(from, to)
  }
  replace('listen 80;', `listen 127.0.0.1:${plain};`)
  replace('listen 443 ssl http2;', `listen 127.0.0.1:${secure} ssl http2;`)
  // Some machines have no IPv6.
  replace('  listen [::]:80;\n', '')
  replace('  listen [::]:443 ssl http2;\n', '')
  replace('/etc/letsencrypt/live/chat.example/fullchain.pem', join(directory, 'certificate.pem'))
  replace('/etc/letsencrypt/live/chat.example/privkey.pem', join(directory, 'key.pem'))
  replace('server 127.0.0.1:9991 ', `server ${new URL(servers[0]).host} `)
  if (servers[1] !== undefined) replace('#server 127.0.0.1:9992 ', `server ${new URL(servers[1]).host} `)
  if (files !== undefined) {
    // Its lines have no space or two spaces after the `#`, other comments one.
    site = site.replace(/^ {2}#(?=\S| {2})/gm, '  ')
    replace('alias /var/lib/parley/files/;', `alias ${files}/;`)
  }
  const http = `http://127.0.0.1:${plain}`
  return { process: await runNginx(owner, directory, site, http), http, https: `https://127.0.0.1:${secure}`, ca }
}

/** nginx with the text of a site, which answers at `url`. */
export async function runNginx(owner: ProxyOwner, directory: string, site: string, url: string): Promise<ChildProcess> {
  writeFileSync(join(directory, 'site.conf'), site)
  mkdirSync(join(directory, 'temp'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const whole = `
    daemon off;
    pid ${directory}/nginx.pid;
    error_log stderr warn;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    events { worker_connections 8192; }
    http {
      access_log off;
      ${temporary.map(name => `${name}_temp_path ${directory}/temp/${name};`).join('\n')}
      include ${directory}/site.conf;
    }`
  const file = join(directory, 'nginx.conf')
  writeFileSync(file, whole)
  // -e: before reading its configuration nginx would write to a file that only root may write.
  const args = ['-e', 'stderr', '-p', directory, '-c', file]
  const checked = spawnSync(program ?? '', [...args, '-t'], { encoding: 'utf8' })
  if (checked.status !== 0) throw new Error(checked.stderr)
  owner.notMatch(checked.stderr, /\[(warn|emerg)\]/, 'nginx has no objections')
  const child = spawn(program ?? '', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  child.stderr.on('data', text => owner.comment(String(text)))
  owner.teardown(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGQUIT')
    setTimeout(() => child.kill('SIGTERM'), 1000).unref()
    await once(child, 'exit')
  })
  await untilListening(url)
  return child
}

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Creates a self-signed certificate for this address; returns it for verification. */
function makeCertificate(directory: string): string {
  const [key, certificate] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const name = ['-subj', '/CN=chat.example', '-addext', 'subjectAltName=IP:127.0.0.1']
  execFileSync('openssl', ['req', ...kind, ...name, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  return readFileSync(certificate, 'utf8')
}

async function untilListening(url: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await fetch(url, { redirect: 'manual' })
      return
    } catch (error) {
      if (tries > 100) throw error
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
}
