import { z } from 'zod'
import { quotedByTildes } from '../../text/quote.js'
import { type Integration, UnsupportedEvent } from '../integration.js'
import { says } from '../says.js'

const most = 100
const named = z.object({ summary: z.string(), html_url: z.string().nullish() })
const payload = z.object({
  event: z.object({
    event_type: z.string(),
    agent: named.nullish(),
    data: z
      .object({
        number: z.number(),
        title: z.string(),
        html_url: z.string(),
        service: named.nullish(),
        assignees: z.array(named).max(most).default([]),
      })
      .or(z.object({ number: z.undefined() })),
  }),
})

/** What each event says of an incident. */
const verbs: ReadonlyMap<string, string> = new Map([
  ['incident.triggered', 'was triggered'],
  ['incident.acknowledged', 'was acknowledged'],
  ['incident.unacknowledged', 'is no longer acknowledged'],
  ['incident.resolved', 'was resolved'],
  ['incident.reopened', 'was reopened'],
  ['incident.reassigned', 'was reassigned'],
  ['incident.escalated', 'was escalated'],
  ['incident.delegated', 'was delegated'],
  ['incident.priority_updated', 'got another priority'],
])

/** Version 3 of the webhooks. PagerDuty chooses the secret of its signatures, so it cannot be the key of a bot. */
export const pagerduty: Integration = {
  name: 'pagerduty',
  displayName: 'PagerDuty',
  eventTypes: [...verbs.keys()],
  setUp:
    '*Integrations*, *Generic Webhooks (v3)*, *New Webhook*: the address as *Webhook URL*, and the events of incidents.',
  read(delivery) {
    const said = messageOf(delivery)
    return said ? [said] : []
  },
}

const linked = ({ summary, html_url }: z.output<typeof named>): string =>
  html_url ? `[${summary}](${html_url})` : summary

const messageOf = says(payload, ({ event: { event_type: event, agent, data } }) => {
  const verb = verbs.get(event)
  if (verb === undefined || data.number === undefined) throw new UnsupportedEvent(event)
  const { number, title, html_url, service, assignees } = data
  const isOpen = event !== 'incident.resolved'
  const sentence = [
    isOpen ? ':alert:' : ':checkbox:',
    ` Incident [#${number}](${html_url}) ${verb}`,
    agent && event !== 'incident.triggered' ? ` by ${linked(agent)}` : '',
    service ? ` in ${linked(service)}` : '',
    isOpen && assignees.length > 0 ? ` (assigned to ${assignees.map(linked).join(', ')})` : '',
  ].join('')
  return { topic: `Incident #${number}`, content: `${sentence}:\n\n${quotedByTildes(title)}`, event }
})
