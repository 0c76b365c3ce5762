import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AddressPolicy } from '../../server/external/address-policy.js'
import { type External, type ExternalLimits, externalLimits } from '../../server/external/external.js'
import { ExternalHosts, type Fetch } from '../../server/external/external-hosts.js'
import type { ResolveHost } from '../../server/external/resolve-host.js'
import { knownVideoProviders, type VideoProvider } from '../../server/external/video-providers.js'
import type { Teardown } from './services.js'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** An HTTP server of somebody else, at an address of this machine and under any name. */
interface OtherHost {
  /** The address of a path, under a name that `toOtherHosts` resolves. */
  at(path: string, name?: string): string
  /** Requests so far, as method and path. */
  readonly asked: string[]
}

/** `address`: 0.0.0.0 for a host that has all loopback addresses. */
export async function otherHost(t: Teardown, handle: Handler, address = '127.0.0.1'): Promise<OtherHost> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.on('error', () => {})
    handle(request, response)
  })
  server.listen(0, address)
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { at: (path, name = 'pictures.example') => `http://${name}:${port}${path}`, asked }
}

/** Every name is this machine, which the policy of these tests allows; its other addresses stay refused. */
export const thisMachine: ResolveHost = async host => [/^[\d.]+$|:/.test(host) ? host : '127.0.0.1']
export const onlyThisMachine: AddressPolicy = address => address === '127.0.0.1'

/** Other hosts for a server under test. */
export const toOtherHosts = (
  limits: Partial<ExternalLimits> = {},
  resolve: ResolveHost = thisMachine,
  mayConnect: AddressPolicy = onlyThisMachine,
  videoProviders: readonly VideoProvider[] = knownVideoProviders,
): External => ({
  hosts: new ExternalHosts(mayConnect, resolve, { ...externalLimits, ...limits }),
  limits: { ...externalLimits, ...limits },
  videoProviders,
})

/** A fetch for a reader that may have as many as the worker. */
export const fetchOf = ({ owner = 'reader', signal = new AbortController().signal, headers = {} } = {}): Fetch => ({
  headers,
  owner: { key: owner, most: 1_000 },
  signal,
})
