import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { StartError } from '../failures/start-error.js'
import type { Log } from '../log.js'
import { Outage } from './outage.js'

export type Argument = string | number | Uint8Array

/** One connection; for a cluster, one connection to each node. */
interface Connection {
  /** Sends one command; strings in the reply are Buffers. Rejects at once while there is no connection. */
  command(name: string, ...args: readonly Argument[]): Promise<unknown>
  /** Calls the listener now, if connected, and after each reconnect: the data in Redis may have changed meanwhile. */
  onReady(listener: () => void): void
  close(): void
}

/** A Redis server or cluster. Higher layers use Redis only through this interface. */
export interface RedisClient extends Connection {
  readonly isCluster: boolean
  readonly outage: Outage
  /**
   * Subscribes to channels over a connection of its own. Messages that are published while that connection is interrupted are lost:
   * `onSubscribed` is called whenever the subscription is complete, and every few seconds while it stays complete.
   */
  subscribe(channels: Readonly<Record<string, (message: Buffer) => void>>, onSubscribed?: () => void): () => void
  /** Runs a command on every master, because Functions have to be loaded on each; returns the answers of those that answer. */
  onEachMaster(name: string, ...args: readonly Argument[]): Promise<unknown[]>
  close(): Promise<void>
}

// How long a starting server waits for Redis, which may be starting as well.
const connectMs = 10_000
// Time limit of a command, to detect a Redis that hangs; a Function over a batch of queues takes about 1 ms.
const commandMs = 10_000
// After a failover: how long until the client drops a connection that hangs at the former master.
const slotsMs = 2000
// A silent subscription may be dead, so it is repeated at this interval: Redis has to answer it.
const resubscribeMs = 5000

// The client neither queues commands while Redis is unavailable nor resends them by itself: the caller of a command gets the error
// and decides (the publisher keeps its order, a poll is rejected, a lease is taken again).
const common: RedisOptions = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  // The client would ignore a failure of its own resubscription; a connection that breaks at that moment would end the process.
  autoResubscribe: false,
  maxRetriesPerRequest: 0,
  retryStrategy: times => Math.min(50 * times, 1000),
  keepAlive: 10_000,
  protocol: 2,
}

/**
 * Connects; a comma-separated list of addresses is a cluster. `socket`: a Unix socket to use instead of the host and port of a
 * single address.
 * @throws {StartError} if Redis does not answer within 10 s.
 */
export async function connectRedis(url: string, log: Log, socket?: string): Promise<RedisClient> {
  const urls = url.split(',').map(part => part.trim())
  const isCluster = urls.length > 1
  const open: Opened[] = []
  const outage = new Outage(log)

  const connect = (options: RedisOptions): Opened => {
    const opened = isCluster ? openCluster(urls, options) : new Redis(url, { ...common, ...options, path: socket })
    opened.on('error', (error: Error) => outage.began(opened, error))
    opened.on('ready', () => outage.ended(opened))
    open.push(opened)
    return opened
  }

  // The socket has a time limit as well: a network may have dropped the connection, and the kernel would retry for 15 minutes.
  const main = connect({ commandTimeout: commandMs, socketTimeout: commandMs })
  try {
    await ready(main)
  } catch (error) {
    main.disconnect()
    throw error
  }
  return {
    ...connection(main),
    isCluster,
    outage,
    subscribe: (channels, onSubscribed) =>
      subscribe(connect({ commandTimeout: commandMs, socketTimeout: commandMs }), channels, onSubscribed),
    async onEachMaster(name, ...args) {
      const masters = main instanceof Cluster ? main.nodes('master') : [main]
      const answers = await Promise.allSettled(masters.map(node => node.call(name, ...args.map(plain))))
      // One of several masters may be unavailable; `loadFunctions` loads the code into its successor at first use.
      const failed = answers.find(answer => answer.status === 'rejected')
      const given = answers.filter(answer => answer.status === 'fulfilled')
      if (failed && given.length === 0) throw failed.reason
      return given.map(answer => answer.value)
    },
    async close() {
      // Disconnecting a closed connection would start a timer that keeps the process alive for 2 s.
      for (const opened of open) if (opened.status !== 'end') opened.disconnect()
    },
  }
}

type Opened = Redis | Cluster

function openCluster(urls: readonly string[], options: RedisOptions): Cluster {
  const first = new URL(urls[0] as string)
  const nodes = urls.map(url => ({ host: new URL(url).hostname, port: Number(new URL(url).port || 6379) }))
  return new Cluster(nodes, {
    enableOfflineQueue: false,
    // Commands for an unavailable master are sent again, for 1.5 s. A repeated command is harmless: publishing knows the outbox ids
    // that are in the feed, a takeover has its epoch, a queue log its last entry.
    retryDelayOnFailover: 100,
    maxRedirections: 16,
    scaleReads: 'master',
    slotsRefreshInterval: slotsMs,
    slotsRefreshTimeout: slotsMs,
    redisOptions: {
      ...common,
      ...options,
      username: first.username || undefined,
      password: first.password ? decodeURIComponent(first.password) : undefined,
      tls: first.protocol === 'rediss:' ? {} : undefined,
    },
    clusterRetryStrategy: times => Math.min(50 * times, 1000),
  })
}

function ready(opened: Opened): Promise<void> {
  if (opened.status === 'ready') return Promise.resolve()
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new StartError('REDIS_URL: Redis does not answer.')), connectMs)
    opened.once('ready', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

function connection(opened: Opened): Connection {
  return {
    command: (name, ...args) => opened.callBuffer(name, ...args.map(plain)),
    onReady: listener => {
      opened.on('ready', listener)
      if (opened.status === 'ready') listener()
    },
    close: () => opened.disconnect(),
  }
}

function subscribe(
  opened: Opened,
  channels: Readonly<Record<string, (message: Buffer) => void>>,
  onSubscribed: (() => void) | undefined,
): () => void {
  let isAsking = false
  let isEnded = false
  const ask = async () => {
    if (isAsking || opened.status !== 'ready') return
    isAsking = true
    try {
      await answered(opened.subscribe(...Object.keys(channels)))
      if (!isEnded) onSubscribed?.()
    } catch {
      // The cluster client has no time limit for a subscription and keeps a failed one, so reconnect completely.
      if (opened instanceof Cluster && opened.status === 'ready') opened.disconnect(true)
    } finally {
      isAsking = false
    }
  }
  opened.on('ready', ask)
  void ask()
  const timer = setInterval(ask, resubscribeMs)
  opened.on('messageBuffer', (channel: Buffer, message: Buffer) => channels[channel.toString()]?.(message))
  return () => {
    isEnded = true
    clearInterval(timer)
    opened.disconnect()
  }
}

/** @throws if `work` takes longer than the time limit of a command. */
async function answered(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), commandMs)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function plain(argument: Argument): string | number | Buffer {
  if (!(argument instanceof Uint8Array)) return argument
  return Buffer.isBuffer(argument) ? argument : Buffer.from(argument.buffer, argument.byteOffset, argument.byteLength)
}
