import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How the addresses of the attackers' hosts begin; the server's processes reach them on this machine (other-hosts.ts). */
export const slowHosts = '8.9.'
const dripMs = 1000

export type SlowHosts = Awaited<ReturnType<typeof startSlowHosts>>

/** Hosts that answer at once, and then send one byte a second; `address` returns that of the `host`th of some hundred hosts. */
export async function startSlowHosts() {
  const server = createServer((request, response) => {
    const type = request.url?.endsWith('.html') ? 'text/html' : 'image/png'
    response.writeHead(200, { 'Content-Type': type })
    response.flushHeaders()
    const timer = setInterval(() => response.write('<'), dripMs)
    response.on('close', () => clearInterval(timer))
    response.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: (host: number, path: string) =>
      `http://${slowHosts}${(host >> 6) & 255}.${1 + (host & 63)}:${port}${path}`,
  }
}
