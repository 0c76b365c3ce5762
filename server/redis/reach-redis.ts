import { Redis } from 'ioredis'
import { NotYetError, StartError } from '../failures/start-error.js'
import { type Patience, waitUntilReached } from '../failures/wait-until-reached.js'
import type { Log } from '../log.js'
import { connectRedis, type RedisClient } from './client.js'
import { loadFunctions } from './functions.js'
import { infoField } from './info-field.js'
import { isRedisAway } from './redis-away.js'
import { settingComplaints } from './setting-complaints.js'

// A server that accepts the connection and says nothing would hold an attempt without end.
const attemptMs = 5_000
const oldestVersion = 7

/** `url`: a comma-separated list is a cluster. `socket`: a Unix socket to use instead of the host and port of the address. */
interface RedisAddress {
  readonly url: string
  readonly socket?: string
}

/**
 * Waits until the Redis of REDIS_URL answers, and checks its version and that it accepts the password.
 * @throws {StartError} which names the setting and what is wrong
 */
export async function reachRedis({ url, socket }: RedisAddress, patience: Patience): Promise<void> {
  const urls = url.split(',').map(part => part.trim())
  await waitUntilReached('Redis', () => checkOne(urls, socket), patience)
}

/**
 * Checks that the server can use a Redis that has been reached, and logs each of its settings that endangers event queues.
 * @throws {StartError} which names the setting and what is wrong
 */
export async function requireUsableRedis({ url, socket }: RedisAddress, log: Log): Promise<void> {
  const redis = await connectRedis(url, log, socket)
  try {
    await requireFunctions(redis)
    for (const complaint of await settingComplaints(redis)) log.warn(complaint)
  } finally {
    await redis.close()
  }
}

/** Checks the first node that answers. */
async function checkOne(urls: readonly string[], socket: string | undefined): Promise<void> {
  let reason: unknown
  for (const url of urls) {
    const place = socket ?? new URL(url).host
    try {
      return check(await readInfo(url, socket), place, urls.length > 1)
    } catch (error) {
      reason = error instanceof StartError ? error : reasonOf(error as Error, place)
    }
  }
  throw reason
}

/** The answer to INFO over a connection of its own. @throws the first error of the connection */
async function readInfo(url: string, socket: string | undefined): Promise<string> {
  const redis = new Redis(url, {
    path: socket,
    lazyConnect: true,
    enableReadyCheck: false,
    retryStrategy: null,
    connectTimeout: attemptMs,
    socketTimeout: attemptMs,
    protocol: 2,
  })
  // The client rejects commands with "Connection is closed"; the reason is in its error events.
  const errors: Error[] = []
  redis.on('error', (error: Error) => errors.push(error))
  try {
    await redis.connect()
    const info = String(await redis.call('INFO'))
    if (errors[0]) throw errors[0]
    return info
  } catch (error) {
    throw errors[0] ?? error
  } finally {
    redis.disconnect()
  }
}

function check(info: string, place: string, isCluster: boolean): void {
  const fact = (name: string) => infoField(info, name)
  if (fact('loading') === '1') throw new NotYetError(`REDIS_URL: Redis at ${place} is loading its data.`)
  const version = fact('redis_version') ?? ''
  if (Number.parseInt(version, 10) < oldestVersion)
    throw new StartError(
      `REDIS_URL: Redis at ${place} is version ${version}: Redis or Valkey ${oldestVersion} or newer is needed.`,
    )
  const hasCluster = fact('cluster_enabled') === '1'
  if (isCluster && !hasCluster)
    throw new StartError(`REDIS_URL: several addresses are a cluster, and Redis at ${place} is in none.`)
  if (!isCluster && hasCluster)
    throw new StartError(
      `REDIS_URL: Redis at ${place} is in a cluster: give the addresses of several of its nodes, separated by commas.`,
    )
  if (!isCluster && fact('role') === 'slave')
    throw new NotYetError(`REDIS_URL: Redis at ${place} is a replica, which accepts no changes.`)
}

async function requireFunctions(redis: RedisClient): Promise<void> {
  try {
    await loadFunctions(redis)
  } catch (error) {
    const { message } = error as Error
    if (/unknown command/i.test(message))
      throw new StartError(
        `REDIS_URL: Redis has no Functions (the command FUNCTION): Redis or Valkey ${oldestVersion} or newer is needed.`,
      )
    throw new StartError(`REDIS_URL: Redis does not take the Functions of the server: ${message}.`)
  }
}

function reasonOf(error: Error, place: string): StartError {
  const { message, code } = error as NodeJS.ErrnoException
  if (/^(WRONGPASS|NOAUTH)/.test(message) || /invalid password|without any password/.test(message))
    return new StartError(`REDIS_URL: Redis at ${place} rejects the password: ${message}`)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new NotYetError(`REDIS_URL: the host of ${place} is not known (${code}).`)
  if (isRedisAway(error)) return new NotYetError(`REDIS_URL: Redis at ${place} does not answer: ${message}.`)
  return new StartError(`REDIS_URL: Redis cannot be used at ${place}: ${message}`)
}
