import { z } from 'zod'
import { commitLink } from '../git-texts.js'
import type { Integration } from '../integration.js'
import { says } from '../says.js'

const headings = {
  success: ':check: %s **succeeded**',
  failure: ':cross_mark: %s **failed**',
  canceled: ':prohibited: %s was canceled',
  running: ':hourglass: %s has started',
} as const
type Status = keyof typeof headings
const statuses = Object.keys(headings) as Status[]

const text = z.string().nullish()
const payload = z.object({
  project: z.string().min(1),
  status: z.enum(statuses),
  name: text,
  url: text,
  branch: text,
  author: text,
  seconds: z.number().nonnegative().nullish(),
  commit: z.object({ sha: z.string().min(1), message: text, url: text }).nullish(),
})
type Payload = z.output<typeof payload>

const example = `curl -H 'Content-Type: application/json' "$ADDRESS" -d '
  {"project": "lighthouse", "status": "failure", "name": "build 12", "url": "https://ci.example/12", "branch": "main",
   "author": "mira", "seconds": 125, "commit": {"sha": "1a2b3c", "message": "Turn the lamp on at dusk", "url": "https://git.example/1a2b3c"}}'`

/** For systems of continuous integration without an integration of their own: their scripts send what they know. */
export const ci: Integration = {
  name: 'ci',
  displayName: 'CI',
  eventTypes: statuses,
  setUp: `Any system that runs builds: a step that always runs sends this. Only \`project\` and \`status\` (${statuses.map(status => `\`${status}\``).join(', ')}) must be there.\n\n\`\`\`sh\n${example}\n\`\`\``,
  read(delivery) {
    const said = messageOf(delivery)
    return said ? [said] : []
  },
}

const messageOf = says(payload, run => ({
  topic: run.branch ? `${run.project} / ${run.branch}` : run.project,
  content: [sentence(run), commitLine(run)].filter(line => line !== '').join('\n\n'),
  event: run.status,
}))

function sentence({ status, name, url, author, seconds }: Payload): string {
  const label = name || 'The build'
  const heading = headings[status].replace('%s', () => (url ? `[${label}](${url})` : label))
  return `${heading}${author ? `, by ${author}` : ''}${seconds == null ? '' : `, after ${duration(seconds)}`}.`
}

function commitLine({ commit }: Payload): string {
  if (!commit) return ''
  const { sha, message, url } = commit
  const subject = message?.split('\n', 1)[0]
  const shown = url ? commitLink(sha, url) : sha.slice(0, 11)
  return subject ? `* ${subject} (${shown})` : `* ${shown}`
}

function duration(seconds: number): string {
  const whole = Math.round(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
