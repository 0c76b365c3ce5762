import { createServer } from 'node:net'

/**
 * Claims a port for this process, from before it listens until `release` is called or the process ends. Workers listen with
 * SO_REUSEPORT, so that the kernel would let a server that starts at the same moment listen beside them.
 *
 * The claim is a socket in Linux' abstract namespace: like the port it belongs to the network namespace, and it ends with its
 * process. Other systems have no such namespace; there the claim always succeeds.
 * @returns a function that releases the claim; undefined if another process holds it.
 */
export function claimPort(host: string, port: number): Promise<(() => void) | undefined> {
  if (process.platform !== 'linux') return Promise.resolve(() => undefined)
  return new Promise((resolve, reject) => {
    // The socket serves only as a claim, so it closes each connection at once.
    const claim = createServer(socket => socket.destroy())
    claim.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined)
      else reject(error)
    })
    claim.listen(`\0parley ${host} ${port}`, () => resolve(() => claim.close()))
  })
}
