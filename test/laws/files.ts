import { basename } from 'node:path'
import { codeOnly } from './code-only.js'
import { lineOf, type Source } from './sources.js'

interface Law {
  readonly says: string
  /** Searched only in code, without comments and strings, unless `inAll`. */
  readonly pattern: RegExp
  readonly inAll?: boolean
  readonly where?: RegExp
}

// What repeats in these files lasts as long as something of this process that they watch: a body, an upload, a connection, a child, its figures,
// the age of its memory. All other repeated work is a job with a schedule.
const watching = [
  'actions/files/reserve-space',
  'actions/files/resumable-upload',
  'http/body',
  'http/body-stream',
  'http/listen',
  'images/decoder',
  'metrics/process-figures',
  'redis/client',
  'store/driver/watched-sockets',
  'memory/directory-refresh',
].join('|')

// In pieces, so that this file does not break its own law.
const marks = ['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX', 'HA' + 'CK'].join('|')

const laws: readonly Law[] = [
  { says: 'has an unfinished mark', pattern: new RegExp(`\\b(?:${marks})\\b`, 'g'), inAll: true },
  { says: 'switches the checks of types off', pattern: /@ts-(?:ignore|nocheck|expect-error)/g, inAll: true },
  {
    says: 'uses the type any',
    pattern: /(?<=[:<|&,]\s*|\bas\s+|(?<!=)=\s*)\bany\b(?=\s*(?:[,>)\]|&;}\n]|\[\]|=(?!=)|$))/g,
  },
  {
    says: 'writes a private member as #x: here it is `private x`',
    pattern: /(?<=[\s.!])#[a-z]\w*(?=\s*[:=(.;,)\]?!<\s])/g,
    where: /\.tsx?$/,
  },
  { says: 'has a default export', pattern: /^export default\b/gm },
  {
    says: 'waits in a policy, which is a function of the directory',
    pattern: /\b(?:async|await|Promise)\b/g,
    where: /^server\/policies\//,
  },
  {
    says: 'writes SQL outside of the store',
    pattern: /\b(?:sql|tx)(?:<[^`]*>)?`\s*(?:select|insert|update|delete|with|lock|create|alter)\b/g,
    inAll: true,
    where: /^server\/(?!store\/)/,
  },
  {
    says: 'runs SQL that is a text: server/store/driver/statement-text.ts does',
    pattern: /\.unsafe\(/g,
    // The other two wrap the driver's function for transactions and for counts.
    where: /^server\/(?!store\/driver\/(?:statement-text|transactions|statement-tally)\.ts$)/,
  },
  {
    says: 'repeats work by a timer of its own: it is a job with a schedule (server/jobs)',
    pattern: /\bsetInterval\(/g,
    where: new RegExp(`^server/(?!(?:bin|jobs|realtime|monitor|supervisor|web)/|(?:${watching})\\.ts$)`),
  },
  {
    says: 'ends an answer beside http/write-answer.ts, which knows what each status may have',
    pattern: /\.(?:endWithoutBody|tryEnd)\(|\bres\.end\(/g,
    where: /^server\/(?!http\/(?:write-answer|write-chunks|files\/send-chunks)\.ts$)/,
  },
]

// File names that do not tell what the file contains.
const vague = /(^|-)(utils?|helpers?|manager|misc|common)(-|\.|$)/

/** One sentence for each line or file name that breaks a law. */
export function brokenFiles(sources: readonly Source[]): string[] {
  return sources.flatMap(source => [...nameComplaints(source), ...lineComplaints(source)])
}

function nameComplaints({ path }: Source): string[] {
  const name = basename(path)
  if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.d)?\.\w+$/.test(name)) return [`${path}: names of files are kebab-case`]
  return vague.test(name) ? [`${path}: name it by the thing that is in it`] : []
}

function lineComplaints({ path, text }: Source): string[] {
  const code = codeOnly(text)
  return laws
    .filter(({ where }) => !where || where.test(path))
    .flatMap(({ says, pattern, inAll }) =>
      [...(inAll ? text : code).matchAll(pattern)]
        .map(({ index }) => lineOf(text, index))
        .filter(line => !isExcused(text, line))
        .map(line => `${path}:${line} ${says}`),
    )
}

/** The linter's comment for a justified exception. */
function isExcused(text: string, line: number): boolean {
  return /biome-ignore lint\/suspicious\/noExplicitAny: \w/.test(text.split('\n')[line - 2] ?? '')
}
