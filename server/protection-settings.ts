import { z } from 'zod'
import { isLoopback, readNetworks } from './text/addresses.js'

const count = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number below a billion')
  .optional()
  .transform(text => (text === undefined ? undefined : Number(text)))
const path = z
  .string()
  .optional()
  .transform(text => text || undefined)

/** What limits callers, and where they come from: settings of their own, because their defaults depend on others. */
export const protectionSettings = {
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform(text =>
      text
        .split(',')
        .map(item => item.trim())
        .filter(Boolean),
    )
    .superRefine((texts, context) => {
      try {
        readNetworks(texts)
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message })
      }
    }),
  TLS_CERT: path,
  TLS_KEY: path,
  RATE_LIMIT_USER: count,
  RATE_LIMIT_ADDRESS: count,
  SIGN_IN_LIMIT_ADDRESS: count,
  MAX_CONNECTIONS: count,
  MAX_SOCKETS_USER: count,
  MAX_SOCKETS_ADDRESS: count,
  MAX_UNKNOWN_SOCKETS_ADDRESS: count,
  MAX_QUEUES_USER: count,
  AUDIT_RETENTION_DAYS: count,
}

const environment = z.object(protectionSettings)

// On this machine alone: measurements and tests must never meet a limit, but a program gone wild still finds one.
const amongOurselves = {
  RATE_LIMIT_USER: 1_000_000,
  RATE_LIMIT_ADDRESS: 0,
  SIGN_IN_LIMIT_ADDRESS: 0,
  MAX_CONNECTIONS: 0,
  MAX_SOCKETS_USER: 0,
  MAX_SOCKETS_ADDRESS: 0,
  MAX_UNKNOWN_SOCKETS_ADDRESS: 0,
  MAX_QUEUES_USER: 0,
}
// A web client that is used busily makes some 100 requests a minute, a bot with 64 requests under way some thousand; an office
// behind one address has hundreds of people, who are counted by their accounts.
const inTheOpen = {
  RATE_LIMIT_USER: 1_200,
  RATE_LIMIT_ADDRESS: 300,
  SIGN_IN_LIMIT_ADDRESS: 50,
  MAX_CONNECTIONS: 50_000,
  MAX_SOCKETS_USER: 200,
  MAX_SOCKETS_ADDRESS: 2_000,
  MAX_UNKNOWN_SOCKETS_ADDRESS: 100,
  MAX_QUEUES_USER: 500,
}

/**
 * The limits. Where others than this machine can come (HOST is no loopback address, or there are proxies) the defaults protect;
 * otherwise nobody is to meet them.
 */
export function protectionOf(host: string, settings: z.output<typeof environment>) {
  const isOpen = !isLoopback(host) || settings.TRUSTED_PROXIES.length > 0
  const given = { ...(isOpen ? inTheOpen : amongOurselves), ...defined(settings) }
  return {
    /** Addresses and networks whose X-Forwarded-For is believed. */
    trustedProxies: settings.TRUSTED_PROXIES,
    /** Files (PEM) of certificate chain and key; both or neither. */
    tls: settings.TLS_CERT && settings.TLS_KEY ? { cert: settings.TLS_CERT, key: settings.TLS_KEY } : undefined,
    /** Requests of an account in a minute, over all workers; 0 here and below: no limit. */
    rateLimitUser: given.RATE_LIMIT_USER,
    /** Requests without credentials, or with wrong ones, from an address in a minute, over all workers. */
    rateLimitAddress: given.RATE_LIMIT_ADDRESS,
    /** Wrong passwords from an address in half an hour, over all names and all workers. */
    signInLimitAddress: given.SIGN_IN_LIMIT_ADDRESS,
    /** Connections of a worker, sockets among them. */
    maxConnections: given.MAX_CONNECTIONS,
    /** Sockets of an account at one worker. */
    maxSocketsUser: given.MAX_SOCKETS_USER,
    /** Sockets from an address at one worker. */
    maxSocketsAddress: given.MAX_SOCKETS_ADDRESS,
    /** Sockets from an address at one worker that have not said who they are. */
    maxUnknownSocketsAddress: given.MAX_UNKNOWN_SOCKETS_ADDRESS,
    /** Event queues of an account at one worker. A queue has one waiting poll at the most. */
    maxQueuesUser: given.MAX_QUEUES_USER,
    /** Days that the audit log is kept; 0: for ever. */
    auditRetentionDays: settings.AUDIT_RETENTION_DAYS ?? 365,
  }
}

function defined<T extends object>(settings: T): { [Name in keyof T]: NonNullable<T[Name]> } {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as never
}
