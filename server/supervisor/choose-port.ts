import { get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'
import { type Config, ownUrl } from '../config.js'
import { claimPort } from '../embedded/port-claim.js'
import { freePort, refusalToListen } from '../embedded/ports.js'
import { StartError } from '../failures/start-error.js'

// A server that does not hang answers within about 1 ms.
const probeTimeoutMs = 2500

interface ChosenPort {
  readonly port: number
  /** Releases the claim on the port. */
  release(): void
}

type Settings = Pick<Config, 'port' | 'host' | 'tls' | 'sharePort'>

/**
 * Chooses the port before databases and workers start. Workers share it with SO_REUSEPORT, so a second server on the same port would
 * get a part of the first server's connections without an error.
 * @throws {StartError} if the port is in use, unless SHARE_PORT allows it and another server of this program answers there.
 */
export async function choosePort(settings: Settings): Promise<ChosenPort> {
  const { port, host, sharePort } = settings
  const chosen = port || (await freePort(undefined, host))
  const refusal = await refusalToListen(chosen, host)
  if (refusal === 'EADDRINUSE') await requireSharing(settings)
  else if (refusal)
    throw new StartError(`The server may not listen on port ${chosen} of ${host} (${refusal}): see PORT and HOST.`)
  const release = await claimPort(host, chosen)
  if (release || sharePort) return { port: chosen, release: release ?? (() => undefined) }
  // Two servers that start at the same time can find the same free port.
  if (port === 0) return choosePort(settings)
  throw new StartError(
    `Another server of this program is starting on port ${chosen} of ${host}: stop it, choose another PORT, or set SHARE_PORT=1.`,
  )
}

async function requireSharing(settings: Settings): Promise<void> {
  const { port, host, sharePort } = settings
  if (!(await isAnsweredByUs(settings)))
    throw new StartError(`Port ${port} of ${host} is in use: stop what listens there, or choose another PORT.`)
  if (!sharePort)
    throw new StartError(
      `Another server of this program answers on port ${port} of ${host}: stop it, choose another PORT, or set SHARE_PORT=1 to share the port with it.`,
    )
}

/** Whether the server on the port answers like a worker of this program. */
function isAnsweredByUs(settings: Settings): Promise<boolean> {
  const get = settings.tls ? getHttps : getHttp
  return new Promise(resolve => {
    // The certificate names the host that clients use, not this address, so it is not checked.
    const options = { agent: false, rejectUnauthorized: false, timeout: probeTimeoutMs }
    const request = get(`${ownUrl(settings)}/health/live`, options, response => {
      response.setEncoding('utf8').once('data', body => {
        resolve(response.statusCode === 200 && body === JSON.stringify({ status: 'live' }))
        request.destroy()
      })
      response.once('end', () => resolve(false))
    })
    request.once('timeout', () => request.destroy())
    request.once('close', () => resolve(false))
    request.on('error', () => resolve(false))
  })
}
