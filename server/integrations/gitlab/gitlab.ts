import { z } from 'zod'
import { ApiError } from '../../../shared/errors.js'
import { type Integration, UnsupportedEvent } from '../integration.js'
import type { Says } from '../says.js'
import { isSecret } from '../signatures.js'
import { otherEvents, others } from './others.js'
import { pushes } from './pushes.js'
import { tracker, trackerEvents } from './tracker.js'

const header = 'X-Gitlab-Event'

const events: Readonly<Record<string, Says>> = { ...others, ...pushes, ...tracker }

const named = z.object({ project: z.object({ name: z.string(), web_url: z.string() }) })

export const gitlab: Integration = {
  name: 'gitlab',
  displayName: 'GitLab',
  eventTypes: [...Object.keys(pushes), ...otherEvents, ...trackerEvents].toSorted(),
  setUp:
    '*Settings*, *Webhooks*, *Add new webhook*: the address as *URL*. With the key of the bot as *Secret token*, the address has `bot=<user id of the bot>` in place of `api_key`. `branches=main,release` leaves out pushes to other branches.',
  isSigned: (delivery, key) => isSecret(delivery.header('x-gitlab-token'), key),
  read(delivery) {
    const event = delivery.header(header.toLowerCase())
    if (event === '') throw new ApiError('MISSING_HTTP_EVENT_HEADER', `The header ${header} is missing.`, { header })
    const say = Object.hasOwn(events, event) ? events[event] : undefined
    if (!say) throw new UnsupportedEvent(event)
    const said = say(delivery)
    if (!said) return []
    // The topic of the address does not name the project.
    const project = delivery.params.has('topic') ? named.safeParse(delivery.json()).data?.project : undefined
    return [project ? { ...said, content: `[[${project.name}](${project.web_url})] ${said.content}` } : said]
  },
}
