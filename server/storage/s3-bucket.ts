import { setTimeout as sleep } from 'node:timers/promises'
import { S3Client } from '@aws-sdk/client-s3'
import type { Config } from '../config.js'
import type { Log } from '../log.js'
import { awayMessage, StorageFailure } from './storage-failure.js'

type S3Settings = NonNullable<Config['s3']>

const connectMs = 3000
const mostConnections = 64
const mostAttempts = 3
const waitMs = 200
/** A request that fails later than this is not repeated: its caller has waited enough. */
const patienceMs = 5000

/** Sends requests to one bucket of an S3-compatible store: with a time limit, and again after failures that may pass. */
export class S3Bucket {
  readonly name: string
  private readonly client: S3Client

  constructor(
    { bucket, endpoint, region, pathStyle, credentials }: S3Settings,
    private readonly log: Log,
  ) {
    this.name = bucket
    const agent = { keepAlive: true, maxSockets: mostConnections }
    const logger = quietLogger(log)
    this.client = new S3Client({
      region,
      forcePathStyle: pathStyle,
      ...(endpoint !== undefined && { endpoint }),
      // Without them the SDK asks the environment, for example for the role of the machine.
      ...(credentials && { credentials }),
      maxAttempts: 1,
      logger,
      requestHandler: { connectionTimeout: connectMs, httpAgent: agent, httpsAgent: agent, logger },
      // Many compatible stores do not know the checksums that AWS introduced in 2025.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    })
  }

  /**
   * Runs `request`, which sends one request with the signal. It runs again after a failure that may pass, so it makes a new body each time.
   * @param limitMs time for one attempt
   * @throws {StorageFailure}
   */
  async ask<T>(limitMs: number, request: (client: S3Client, abortSignal: AbortSignal) => Promise<T>): Promise<T> {
    const since = performance.now()
    for (let attempt = 1; ; attempt++) {
      try {
        return await request(this.client, AbortSignal.timeout(limitMs))
      } catch (error) {
        const isLast = attempt === mostAttempts || performance.now() - since > patienceMs
        if (isLast || !mayPass(error)) throw new StorageFailure(awayMessage, shortened(error))
        this.log.debug({ error: String(error), attempt }, 'the store of files is asked again')
      }
      await sleep(waitMs * attempt)
    }
  }

  close(): void {
    this.client.destroy()
  }
}

/** Without one, the SDK writes to the console. Failures reach the log with their request. */
function quietLogger(log: Log) {
  const pass = (...words: unknown[]) => log.debug({ words: words.map(String) }, 'the SDK of the store says')
  return { trace() {}, debug() {}, info() {}, warn: pass, error: pass }
}

/** The HTTP status of the store's refusal; undefined: it did not answer. */
export const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode

const busy = 429

function mayPass(error: unknown): boolean {
  const status = statusOf(error)
  return status === undefined || status === busy || status >= 500
}

/** The errors of the SDK contain what was signed; the log needs only this. */
function shortened(error: unknown): Error {
  const { name, message, code } = error as { name?: string; message?: string; code?: string }
  return new Error([name, code, statusOf(error), message].filter(part => part !== undefined && part !== '').join(' '))
}
