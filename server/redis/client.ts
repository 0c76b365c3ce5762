import { Cluster, Redis, type RedisOptions } from 'ioredis'
import type { Log } from '../log.js'
import { Outage } from './outage.js'

export type Argument = string | number | Uint8Array

/** One connection (to a cluster: one to each of its nodes). */
export interface Connection {
  /** One command; text in the reply comes as Buffers. Fails at once while there is no connection. */
  command(name: string, ...args: readonly Argument[]): Promise<unknown>
  /** Now and whenever the connection has been made anew: what Redis holds may have changed. */
  onReady(listener: () => void): void
  close(): void
}

/** A server or a cluster. The floors above see Redis through this alone. */
export interface RedisClient extends Connection {
  readonly isCluster: boolean
  readonly outage: Outage
  /**
   * Hears what is published on these channels, over a connection of its own. What is published while that is away is not
   * heard: `onSubscribed` tells each time that everything is heard from now on, and every few seconds that it still is.
   */
  subscribe(channels: Readonly<Record<string, (message: Buffer) => void>>, onSubscribed?: () => void): () => void
  /** Runs a command on every master: functions are loaded everywhere. */
  onEachMaster(name: string, ...args: readonly Argument[]): Promise<void>
  close(): Promise<void>
}

// Whoever starts the server waits this long for a Redis that is just starting, too.
const connectMilliseconds = 10_000
// A Redis that hangs is found by this; a function over a chunk of queues takes a millisecond.
const commandMilliseconds = 10_000
// After a failover: how long until a connection that hangs at the former master is given up.
const slotsMilliseconds = 2000
// A subscription that is silent may be dead: it is made again, which the peer has to answer.
const resubscribeMilliseconds = 5000

// Nothing waits in the client while Redis is away and nothing is sent twice behind our back: who sent a command hears of the
// failure and decides (the publisher keeps its order, a poll is refused, a lease is taken anew).
const common: RedisOptions = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  // The client would subscribe again without looking whether it worked: a connection that breaks just then ends the process.
  autoResubscribe: false,
  maxRetriesPerRequest: 0,
  retryStrategy: times => Math.min(50 * times, 1000),
  keepAlive: 10_000,
  protocol: 2,
}

/**
 * Connects; a comma-separated list of addresses is a cluster. `socket`: a Unix socket that is taken in place of the host and
 * port of the one address.
 * @throws when Redis does not answer in time.
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

  // The connection is given up, too: a network may have forgotten it, and the kernel would try for a quarter of an hour.
  const main = connect({ commandTimeout: commandMilliseconds, socketTimeout: commandMilliseconds })
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
      subscribe(
        connect({ commandTimeout: commandMilliseconds, socketTimeout: commandMilliseconds }),
        channels,
        onSubscribed,
      ),
    async onEachMaster(name, ...args) {
      const masters = main instanceof Cluster ? main.nodes('master') : [main]
      const answers = await Promise.allSettled(masters.map(node => node.call(name, ...args.map(plain))))
      // One of several may be away just now: its successor is told when it is needed.
      const failed = answers.find(answer => answer.status === 'rejected')
      if (failed && !answers.some(answer => answer.status === 'fulfilled')) throw failed.reason
    },
    async close() {
      // To disconnect one that is gone already would start a timer that keeps the process for two seconds.
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
    // Commands for a master that is away are sent again, for a second and a half. Twice does no harm: publishing knows what it
    // has seen, a takeover its epoch, a log its last entry.
    retryDelayOnFailover: 100,
    maxRedirections: 16,
    scaleReads: 'master',
    slotsRefreshInterval: slotsMilliseconds,
    slotsRefreshTimeout: slotsMilliseconds,
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
    const timer = setTimeout(() => reject(new Error('Redis does not answer.')), connectMilliseconds)
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
      // A cluster's client gives its subscription no time limit, and keeps one that failed: all of it anew.
      if (opened instanceof Cluster && opened.status === 'ready') opened.disconnect(true)
    } finally {
      isAsking = false
    }
  }
  opened.on('ready', ask)
  void ask()
  const timer = setInterval(ask, resubscribeMilliseconds)
  opened.on('messageBuffer', (channel: Buffer, message: Buffer) => channels[channel.toString()]?.(message))
  return () => {
    isEnded = true
    clearInterval(timer)
    opened.disconnect()
  }
}

/** @throws when it takes longer than a command may. */
async function answered(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), commandMilliseconds)
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
