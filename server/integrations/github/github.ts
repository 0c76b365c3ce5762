import { z } from 'zod'
import { ApiError } from '../../../shared/errors.js'
import { type Integration, UnsupportedEvent } from '../integration.js'
import type { Says } from '../says.js'
import { hasHmac } from '../signatures.js'
import { issueEvents, issues } from './issues.js'
import { others } from './others.js'
import { pullEvents, pulls } from './pulls.js'
import { pushEvents, pushes } from './pushes.js'

const header = 'X-GitHub-Event'

const events: Readonly<Record<string, Says>> = { ...issues, ...others, ...pulls, ...pushes }
const ignored: ReadonlySet<string> = new Set([
  'check_suite',
  'label',
  'meta',
  'milestone',
  'organization',
  'project_card',
  'repository_vulnerability_alert',
])

const kept = z.object({
  action: z.string().optional(),
  repository: z.object({ private: z.boolean().default(false) }).optional(),
})

export const github: Integration = {
  name: 'github',
  displayName: 'GitHub',
  eventTypes: [...issueEvents, ...Object.keys(others), ...pullEvents, ...pushEvents].toSorted(),
  setUp:
    '*Settings*, *Webhooks*, *Add webhook*: the address as *Payload URL*, and *application/json* as *Content type*. With the key of the bot as *Secret*, the address has `bot=<user id of the bot>` in place of `api_key`. `branches=main,release` leaves out pushes to other branches, `ignore_private_repositories=true` all about private repositories.',
  isSigned: (delivery, key) =>
    hasHmac(delivery.header('x-hub-signature-256').replace(/^sha256=/, ''), delivery.body, key),
  read(delivery) {
    const event = delivery.header(header.toLowerCase())
    if (event === '') throw new ApiError('MISSING_HTTP_EVENT_HEADER', `The header ${header} is missing.`, { header })
    const body = kept.safeParse(delivery.json())
    if (ignored.has(event)) return []
    if (body.data?.repository?.private && delivery.params.get('ignore_private_repositories') === 'true') return []
    const say = Object.hasOwn(events, event) ? events[event] : undefined
    if (!say) throw new UnsupportedEvent(`${event}:${body.data?.action ?? '???'}`)
    const said = say(delivery)
    return said ? [said] : []
  },
}
