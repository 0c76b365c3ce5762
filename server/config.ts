import { join, resolve } from 'node:path'
import { z } from 'zod'
import type { SignInMethod } from '../shared/resources/sign-in-methods.js'
import { databaseUrl, embedded, forgottenAddress, redisUrl } from './config/database-addresses.js'
import { incomingMailOf, incomingMailSettings } from './config/incoming-mail-settings.js'
import { protectionOf, protectionSettings } from './config/protection-settings.js'
import { signInSettings } from './config/sign-in-settings.js'

/** An invalid setting; `message` is one sentence for the operator. */
export class ConfigError extends Error {}

const optionalText = z
  .string()
  .optional()
  .transform(text => text || undefined)
const integer = (min: number, max: number, byDefault: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .default(String(byDefault))
    .transform(Number)
    .refine(n => n >= min && n <= max, `must be from ${min} to ${max}`)
const optionalInteger = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .optional()
    .transform(text => (text === undefined ? undefined : Number(text)))
    .refine(n => n === undefined || (n >= min && n <= max), `must be from ${min} to ${max}`)
const flag = (byDefault: '0' | '1') =>
  z
    .enum(['0', '1', 'false', 'true'])
    .default(byDefault)
    .transform(text => text === '1' || text === 'true')
const list = z
  .string()
  .default('')
  .transform(text =>
    text
      .split(',')
      .map(item => item.trim())
      .filter(Boolean),
  )

const isOrigins = (texts: readonly string[]): boolean =>
  texts.every(text => URL.canParse(text) && new URL(text).origin === text)

const webAddress = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' })

const environment = z.object({
  PORT: integer(0, 65535, 9991),
  HOST: z.string().default('127.0.0.1'),
  SHARE_PORT: flag('0'),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: databaseUrl,
  REDIS_URL: redisUrl,
  DATABASE_SOCKET: optionalText,
  REDIS_SOCKET: optionalText,
  START_WAIT_SECONDS: integer(0, 86_400, 60),
  WORKERS: optionalInteger(1, 256),
  WORKER_MEMORY: optionalInteger(192, 1_048_576),
  WORKER_HANG_SECONDS: integer(5, 3600, 15),
  FEED_RETENTION: integer(60, 31_536_000, 43_200),
  FEED_MAX_BYTES: integer(1_000_000, 1_000_000_000_000, 1_000_000_000),
  WIRE_BRAND: z
    .string()
    .regex(/^[a-z][a-z0-9]{0,19}$/, 'must be a lower-case word')
    .default('service'),
  PUBLIC_URL: webAddress.optional().transform(url => url?.replace(/\/+$/, '')),
  ALLOWED_ORIGINS: list,
  JWT_SECRETS: optionalText,
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp(s) address' }).optional(),
  MAIL_FROM: z.string().default('Parley <noreply@localhost>'),
  SLOW_REQUEST_MS: integer(0, 3_600_000, 1000),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  DEMO: flag('1'),
  WEB_PUBLIC_CHANNELS: flag('1'),
  KEY_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_-]*$/, 'may hold letters, digits, - and _ only')
    .default('parley'),
  DATABASE_SCHEMA: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,40}$/, 'must be a plain lower-case identifier')
    .default('parley'),
  DATABASE_CONNECTIONS: integer(1, 500, 8),
  HEARTBEAT_SECONDS: integer(1, 55, 50),
  QUEUE_IDLE_SECONDS: integer(1, 604_800, 600),
  QUEUE_MAX_EVENTS: integer(100, 10_000_000, 50_000),
  SOCKET_BUFFER_BYTES: integer(1024, 1_000_000_000, 1_048_576),
  SOCKET_STALL_SECONDS: integer(1, 3600, 30),
  // The range that uWebSockets.js accepts. It pings a socket after 16 s less of silence; at the default a client that acknowledges
  // heartbeats is never silent so long, which saves the pings. Proxies close connections that are silent for 60 s.
  SOCKET_SILENCE_SECONDS: integer(8, 960, 72),
  SOCKET_AUTH_SECONDS: integer(1, 600, 10),
  MAX_FRAME_BYTES: integer(1024, 1_000_000_000, 1_048_576),
  MAX_BODY_BYTES: integer(1024, 1_000_000_000, 2_097_152),
  BODY_SECONDS: integer(1, 3600, 30),
  LINGER_SECONDS: integer(0, 12, 0),
  BOT_STORAGE_CHARACTERS: integer(0, 1_000_000_000, 10_000_000),
  MAX_FILE_UPLOAD_MIB: integer(0, 1_048_576, 100),
  FILES_ACCEL_PREFIX: z
    .string()
    .regex(/^\/[\w./-]+$/, 'must be a path that begins with /')
    .optional(),
  FILES_DIR: optionalText,
  EXTERNAL_CONTENT: flag('1'),
  WEB_PUSH: flag('1'),
  PUSH_PRIVATE_ORIGINS: list.refine(isOrigins, 'must be origins such as https://ntfy.example:8443'),
  WEBHOOK_PRIVATE_ORIGINS: list.refine(isOrigins, 'must be origins such as http://bots.office:8080'),
  UPLOAD_QUOTA_USER_MIB: integer(0, 1_000_000_000, 0),
  EXPORT_MAX_MESSAGES: integer(0, 1_000_000_000, 5_000_000),
  EXPORT_MAX_FILES_MIB: integer(0, 1_000_000_000, 20_480),
  S3_BUCKET: optionalText,
  S3_ENDPOINT: webAddress.optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: optionalText,
  S3_SECRET_ACCESS_KEY: optionalText,
  S3_PATH_STYLE: flag('0'),
  DELETE_TOPIC_SECONDS: integer(0, 3600, 50),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  ...incomingMailSettings,
  ...signInSettings,
  ...protectionSettings,
})

type Settings = z.infer<typeof environment>

export type Config = ReturnType<typeof readConfig>

// Settings whose values open something, or contain a password.
const secretSettings: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'REDIS_URL',
  'JWT_SECRETS',
  'OIDC_PROVIDERS',
  'LDAP_DIRECTORY',
  'SMTP_URL',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'METRICS_TOKEN',
])

/** The settings that an environment sets: those that may be shown, and the names of those that hold secrets. */
export function shownSettings(env: Record<string, string | undefined>): {
  settings: Record<string, string>
  secrets: string[]
} {
  const set = Object.keys(environment.shape).filter(name => env[name])
  const settings = set.filter(name => !secretSettings.has(name)).map(name => [name, env[name] as string])
  return { settings: Object.fromEntries(settings), secrets: set.filter(name => secretSettings.has(name)) }
}

/** The URL of this server for a client on the same machine. */
export function ownUrl({ tls, host, port }: Pick<Config, 'tls' | 'host' | 'port'>): string {
  return `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/**
 * Reads and validates all settings once.
 * @throws {ConfigError} with one sentence that names the setting and the problem.
 */
export function readConfig(env: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new ConfigError(`The setting ${String(issue?.path[0])} ${issue?.message ?? 'is wrong'}.`)
  }
  const settings = parsed.data
  const forgotten = forgottenAddress(settings, given)
  if (forgotten !== undefined) throw new ConfigError(forgotten)
  if (!settings.TLS_CERT !== !settings.TLS_KEY) {
    throw new ConfigError('The settings TLS_CERT and TLS_KEY go together: one of them is missing.')
  }
  if (settings.S3_BUCKET !== undefined && settings.FILES_ACCEL_PREFIX !== undefined) {
    throw new ConfigError('The setting FILES_ACCEL_PREFIX is for local files: with S3_BUCKET there are none.')
  }
  if (settings.S3_BUCKET !== undefined && settings.FILES_DIR !== undefined) {
    throw new ConfigError('The setting FILES_DIR is for local files: with S3_BUCKET there are none.')
  }
  return {
    ...protectionOf(settings.HOST, settings),
    port: settings.PORT,
    host: settings.HOST,
    /** Whether this server may listen on a port on which another server of this program listens. */
    sharePort: settings.SHARE_PORT,
    dataDir: resolve(settings.DATA_DIR),
    /** Undefined: run the embedded PostgreSQL. */
    databaseUrl: own(settings.DATABASE_URL),
    /** Undefined: run the embedded Redis. A comma-separated list is a cluster. */
    redisUrl: own(settings.REDIS_URL),
    /** Unix sockets of PostgreSQL and Redis, used instead of the host and port of their addresses. */
    databaseSocket: settings.DATABASE_SOCKET,
    redisSocket: settings.REDIS_SOCKET,
    /** How long a start waits for a database of DATABASE_URL or REDIS_URL that does not answer yet. */
    startWaitMs: settings.START_WAIT_SECONDS * 1000,
    /** Undefined: one worker per core. */
    workers: settings.WORKERS,
    /** Memory limit of a worker process in MiB; undefined: the supervisor divides half of the machine's memory among the workers. */
    workerMemory: settings.WORKER_MEMORY,
    /** Seconds for which the event loop of a worker may hang before the supervisor kills the worker. */
    workerHangSeconds: settings.WORKER_HANG_SECONDS,
    /** Seconds that the feed keeps entries; a queue with an older unacknowledged entry is evicted. */
    feedRetention: settings.FEED_RETENTION,
    feedMaxBytes: settings.FEED_MAX_BYTES,
    /** The word for the brand in names of the protocol. */
    wireBrand: settings.WIRE_BRAND,
    /** Undefined: derived from host and port. */
    publicUrl: settings.PUBLIC_URL,
    allowedOrigins: settings.ALLOWED_ORIGINS,
    jwtSecrets: settings.JWT_SECRETS,
    /** Identity providers by OpenID Connect, in the order in which clients show them. */
    oidcProviders: settings.OIDC_PROVIDERS ?? [],
    /** Undefined: users cannot sign in by LDAP. */
    ldap: settings.LDAP_DIRECTORY,
    /** Whether the names with which users sign in are addresses only: a directory may have others. */
    namesAreAddresses: settings.LDAP_DIRECTORY?.user_attribute === settings.LDAP_DIRECTORY?.email_attribute,
    /** The ways to sign in that the server can offer; the organization may switch them off (`signInMethods`). */
    signInMethods: methodsOf(settings),
    /** Undefined: the server writes mails to files in the data directory. */
    smtpUrl: settings.SMTP_URL,
    mailFrom: settings.MAIL_FROM,
    /** Undefined: the server receives no mail. */
    incomingMail: incomingMailOf(settings, settings.HOST),
    logLevel: settings.LOG_LEVEL,
    /** Requests that take longer are logged with their parts; 0: none. */
    slowRequestMs: settings.SLOW_REQUEST_MS,
    demo: settings.DEMO,
    /** Whether organizations may open channels to spectators at all (docs/protocol/conventions.md#spectators). */
    webPublicChannels: settings.WEB_PUBLIC_CHANNELS,
    /** Prefix of every Redis key, so that several servers can share one Redis. */
    keyPrefix: settings.KEY_PREFIX,
    databaseSchema: settings.DATABASE_SCHEMA,
    /** Size of each worker's pool for requests. */
    databaseConnections: settings.DATABASE_CONNECTIONS,
    /** Longest time in seconds until a queue with a waiting consumer gets a heartbeat (docs/protocol/events.md#heartbeats). */
    heartbeatSeconds: settings.HEARTBEAT_SECONDS,
    queueIdleSeconds: settings.QUEUE_IDLE_SECONDS,
    queueMaxEvents: settings.QUEUE_MAX_EVENTS,
    socketBufferBytes: settings.SOCKET_BUFFER_BYTES,
    /** Seconds without progress after which a socket with unsent bytes is closed with 4008. */
    socketStallSeconds: settings.SOCKET_STALL_SECONDS,
    /** Seconds after which a socket is closed whose peer sends nothing and answers no pings. */
    socketSilenceSeconds: settings.SOCKET_SILENCE_SECONDS,
    socketAuthSeconds: settings.SOCKET_AUTH_SECONDS,
    maxFrameBytes: settings.MAX_FRAME_BYTES,
    maxBodyBytes: settings.MAX_BODY_BYTES,
    /** Seconds that a request body may take to arrive. */
    bodySeconds: settings.BODY_SECONDS,
    /**
     * Seconds for which a stopping server still answers on keep-alive connections and announces in each answer that it closes the
     * connection, so that clients behind a load balancer change to another server.
     */
    lingerSeconds: settings.LINGER_SECONDS,
    /** Limit of one bot's storage: characters of its keys and values. */
    botStorageCharacters: settings.BOT_STORAGE_CHARACTERS,
    /** Largest file that a user may upload, in MiB; 0: none. */
    maxFileUploadMib: settings.MAX_FILE_UPLOAD_MIB,
    /**
     * Path under which a proxy in front of the server reads the local files, for `X-Accel-Redirect`; undefined: the server sends them.
     */
    filesAccelPrefix: settings.FILES_ACCEL_PREFIX?.replace(/\/*$/, '/'),
    /** Whether the server fetches content of other hosts to which messages link (docs/protocol/files.md#content-of-other-hosts). */
    externalContent: settings.EXTERNAL_CONTENT,
    /** Whether the server sends notifications by Web Push (docs/push.md). */
    webPush: settings.WEB_PUSH,
    /** Origins of push services that need be neither public nor https. */
    pushPrivateOrigins: settings.PUSH_PRIVATE_ORIGINS,
    /** Origins of bots' servers that need not be public. */
    webhookPrivateOrigins: settings.WEBHOOK_PRIVATE_ORIGINS,
    /** MiB that the files of one user may have together; 0: no limit. */
    uploadQuotaUserMib: settings.UPLOAD_QUOTA_USER_MIB,
    /** An administrator cannot request exports of an organization that has more messages, or MiB of files. */
    exportMaxMessages: settings.EXPORT_MAX_MESSAGES,
    exportMaxFilesMib: settings.EXPORT_MAX_FILES_MIB,
    /** Directory of the files of the organization, which several servers may share. Unused with `s3`. */
    filesDir: resolve(settings.FILES_DIR ?? join(settings.DATA_DIR, 'files')),
    /** Undefined: files are in `filesDir`. */
    s3: s3Of(settings),
    /** Seconds after which the deletion of a topic stops at the end of a batch; 0: it stops after the first batch. */
    deleteTopicSeconds: settings.DELETE_TOPIC_SECONDS,
    /** Undefined: only administrators can read the metrics. */
    metricsToken: settings.METRICS_TOKEN,
  }
}

const own = (address: string | undefined): string | undefined => (address === embedded ? undefined : address)

const methodsOf = ({ OIDC_PROVIDERS, LDAP_DIRECTORY }: Settings): readonly SignInMethod[] => [
  'Email',
  ...(OIDC_PROVIDERS ? (['OpenID Connect'] as const) : []),
  ...(LDAP_DIRECTORY ? (['LDAP'] as const) : []),
]

/** The S3-compatible store of files that the settings name. */
function s3Of(settings: Settings) {
  const { S3_BUCKET, S3_ENDPOINT, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings
  if (!accessKeyId !== !secretAccessKey) {
    throw new ConfigError('The settings S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together: one of them is missing.')
  }
  if (S3_BUCKET === undefined) {
    if (S3_ENDPOINT !== undefined || accessKeyId) throw new ConfigError('The setting S3_BUCKET is missing.')
    return undefined
  }
  return {
    bucket: S3_BUCKET,
    /** Undefined: AWS. */
    endpoint: S3_ENDPOINT,
    region: settings.S3_REGION,
    pathStyle: settings.S3_PATH_STYLE,
    /** Undefined: the SDK looks for them where AWS provides them. */
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
  }
}
