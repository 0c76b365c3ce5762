import type { Log } from '../log.js'
import { Backoff } from './backoff.js'
import type { EmbeddedServer } from './embedded-server.js'

/** A database server that is restarted whenever it dies; clients reconnect to the same address. */
interface KeptServer {
  readonly url: string
  readonly socket?: string
  stop(): Promise<void>
}

/** @param start called again after each death, then with the port that the clients know. */
export async function keepRunning(
  name: string,
  start: (port?: number) => Promise<EmbeddedServer>,
  log: Log,
): Promise<KeptServer> {
  const stopping = new AbortController()
  let server = await start()
  const { url, socket } = server
  const port = Number(new URL(url).port)

  const watch = async () => {
    const backoff = new Backoff()
    while (!stopping.signal.aborted) {
      const how = await server.exited
      if (stopping.signal.aborted) return
      log.error(`${name} ${how}: starting it again`)
      server = await startAgain(backoff)
    }
  }
  const startAgain = async (backoff: Backoff): Promise<EmbeddedServer> => {
    await backoff.wait(stopping.signal)
    if (stopping.signal.aborted) return server
    try {
      return await start(port)
    } catch (error) {
      log.error(error, `${name} could not be started again`)
      return startAgain(backoff)
    }
  }
  const watching = watch()

  return {
    url,
    socket,
    async stop() {
      stopping.abort()
      await server.stop()
      // A restart may have been running: wait for it, then stop the new server.
      await watching
      await server.stop()
    },
  }
}
