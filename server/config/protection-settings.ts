import { z } from 'zod'
import { isLoopback, readNetworks } from './addresses.js'

const count = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number below a billion')
  .optional()
  .transform(text => (text === undefined ? undefined : Number(text)))
const path = z
  .string()
  .optional()
  .transform(text => text || undefined)

/** Settings that limit callers or identify their addresses; in a separate file because their defaults depend on other settings. */
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
  ACCOUNT_MAIL_LIMIT_ADDRESS: count,
  MAX_CONNECTIONS: count,
  MAX_SOCKETS_USER: count,
  MAX_SOCKETS_ADDRESS: count,
  MAX_UNKNOWN_SOCKETS_ADDRESS: count,
  MAX_QUEUES_USER: count,
  AUDIT_RETENTION_DAYS: count,
}

const environment = z.object(protectionSettings)

// Defaults of a server that only this machine can reach: benchmarks and tests must not hit a limit, a runaway program should.
const amongOurselves = {
  RATE_LIMIT_USER: 1_000_000,
  RATE_LIMIT_ADDRESS: 0,
  SIGN_IN_LIMIT_ADDRESS: 0,
  ACCOUNT_MAIL_LIMIT_ADDRESS: 0,
  MAX_CONNECTIONS: 0,
  MAX_SOCKETS_USER: 0,
  MAX_SOCKETS_ADDRESS: 0,
  MAX_UNKNOWN_SOCKETS_ADDRESS: 0,
  MAX_QUEUES_USER: 0,
}
// Defaults of a server that other machines can reach. A busy web client makes about 100 requests per minute, a bot with 64 concurrent
// requests about 1,000. Hundreds of users can share one address, but each counts by account.
const inTheOpen = {
  RATE_LIMIT_USER: 1_200,
  RATE_LIMIT_ADDRESS: 300,
  SIGN_IN_LIMIT_ADDRESS: 50,
  ACCOUNT_MAIL_LIMIT_ADDRESS: 5,
  MAX_CONNECTIONS: 50_000,
  MAX_SOCKETS_USER: 200,
  MAX_SOCKETS_ADDRESS: 2_000,
  MAX_UNKNOWN_SOCKETS_ADDRESS: 100,
  MAX_QUEUES_USER: 500,
}

/**
 * The limits. The defaults protect the server if other machines can reach it (HOST is not a loopback address, or proxies are
 * configured); otherwise they are so high that callers do not reach them.
 */
export function protectionOf(host: string, settings: z.output<typeof environment>) {
  const isOpen = !isLoopback(host) || settings.TRUSTED_PROXIES.length > 0
  const given = { ...(isOpen ? inTheOpen : amongOurselves), ...defined(settings) }
  return {
    /** Addresses and networks whose X-Forwarded-For header the server trusts. */
    trustedProxies: settings.TRUSTED_PROXIES,
    /** PEM files of the certificate chain and the key; either both are set or none. */
    tls: settings.TLS_CERT && settings.TLS_KEY ? { cert: settings.TLS_CERT, key: settings.TLS_KEY } : undefined,
    /** Requests per minute and account, over all workers; 0 here and below: no limit. */
    rateLimitUser: given.RATE_LIMIT_USER,
    /** Requests without credentials, or with wrong ones, per minute and network (an IPv4 address, an IPv6 /64), over all workers. */
    rateLimitAddress: given.RATE_LIMIT_ADDRESS,
    /** Wrong passwords per half hour and address, over all user names and all workers. */
    signInLimitAddress: given.SIGN_IN_LIMIT_ADDRESS,
    /** Requests of strangers that send mails (sign-up, password reset, finding an account), per day and network, over all workers. */
    accountMailLimitAddress: given.ACCOUNT_MAIL_LIMIT_ADDRESS,
    /** Connections per worker, including sockets. */
    maxConnections: given.MAX_CONNECTIONS,
    /** Sockets per account on one worker. */
    maxSocketsUser: given.MAX_SOCKETS_USER,
    /** Sockets per address on one worker. */
    maxSocketsAddress: given.MAX_SOCKETS_ADDRESS,
    /** Sockets per address on one worker that have not authenticated. */
    maxUnknownSocketsAddress: given.MAX_UNKNOWN_SOCKETS_ADDRESS,
    /** Event queues per account on one worker. A queue has at most one waiting poll, so this bounds waiting polls, too. */
    maxQueuesUser: given.MAX_QUEUES_USER,
    /** Days for which the audit log keeps entries; 0: forever. */
    auditRetentionDays: settings.AUDIT_RETENTION_DAYS ?? 365,
  }
}

function defined<T extends object>(settings: T): { [Name in keyof T]: NonNullable<T[Name]> } {
  // The cast: `Object.fromEntries` loses which key has which value.
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as never
}
