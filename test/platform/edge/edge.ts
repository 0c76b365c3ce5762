import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { Test } from 'tap'
import { projectRoot } from '../../../server/config/paths.js'
import type { Endpoint } from '../../http/raw.js'
import { passOn, type TestOrganization } from '../../support/server.js'
import { missing, startProxy } from '../deployment/nginx.js'
import { dataDirectory } from '../places.js'

/** Where clients reach the server. */
interface Edge {
  readonly url: string
  /** `directly`, and `behind nginx` where it is installed. */
  readonly endpoints: Readonly<Record<string, Endpoint>>
}

const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  scripts: { start: string }
}

/** What `npm start` starts, with two workers, and the documented nginx in front of it. */
export async function startEdge(
  t: Test,
  organization: TestOrganization,
  settings: Record<string, string> = {},
): Promise<Edge> {
  // The Node of this process is the one under which the command runs by itself.
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const own = { WORKERS: '2', TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_USER: '0', RATE_LIMIT_ADDRESS: '0' }
  const child = spawn('sh', ['-c', scripts.start], {
    cwd: projectRoot,
    env: { PATH, ...organization.env({ DATA_DIR: dataDirectory(t), ...own, ...settings }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  passOn(child)
  t.teardown(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk
      const [, found] = /^ready (http\S+)$/m.exec(output) ?? []
      if (found) resolve(found)
    })
    child.once('exit', code => reject(new Error(`the server ended with ${code} before it was ready`)))
  })
  const endpoints: Record<string, Endpoint> = { directly: { port: portOf(url) } }
  if (missing) t.comment(`not behind nginx: ${missing}`)
  else {
    const proxy = await startProxy(t, [url, url])
    endpoints['behind nginx'] = { port: portOf(proxy.https), ca: proxy.ca }
  }
  return { url, endpoints }
}

const portOf = (url: string): number => Number(new URL(url).port)
