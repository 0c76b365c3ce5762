import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import type { IncomingMessage, Integration } from '../integration.js'

const most = 1_000
const text = z.string().nullish()
const values = z.record(z.string(), z.union([z.string(), z.number()])).nullish()

const present = z.object({
  alerts: z
    .array(
      z.object({
        status: z.literal(['firing', 'resolved']),
        labels: values,
        annotations: values,
        values,
        valueString: text,
        startsAt: z.string(),
        endsAt: text,
        fingerprint: text,
        generatorURL: text,
        silenceURL: text,
        imageURL: text,
      }),
    )
    .max(most),
})
type Alert = z.output<typeof present>['alerts'][number]

const older = z.object({
  title: z.string(),
  state: z.literal(['ok', 'pending', 'alerting', 'paused', 'no_data']),
  ruleName: z.string(),
  ruleUrl: z.string(),
  message: text,
  evalMatches: z
    .array(z.object({ metric: z.string(), value: z.number().nullable() }))
    .max(most)
    .nullish(),
})

const headings = { firing: ':alert: **FIRING**', resolved: ':checkbox: **RESOLVED**' } as const

/** Alerts of Grafana, in the present form and that of versions before 9. */
export const grafana: Integration = {
  name: 'grafana',
  displayName: 'Grafana',
  eventTypes: ['ok', 'pending', 'alerting', 'paused', 'firing', 'resolved'],
  setUp: 'Alerting, *Contact points*: a contact point of the kind *Webhook*.',
  read(delivery) {
    const body = delivery.json()
    const alerts = present.safeParse(body)
    if (alerts.success) return alerts.data.alerts.map(messageOf)
    const rule = older.safeParse(body)
    if (!rule.success) throw badRequest('The body is none of Grafana.')
    return [messageOfRule(rule.data)]
  },
}

function messageOf(alert: Alert): IncomingMessage {
  const name = alert.labels?.alertname
  const isOver = alert.endsAt && !alert.endsAt.startsWith('0001')
  const content = [
    headings[alert.status],
    name === undefined ? '' : `**${name}**`,
    `This alert was fired at <time:${alert.startsAt}>.`,
    isOver ? `This alert was resolved at <time:${alert.endsAt}>.` : '',
    listOf('Labels', alert.labels),
    alert.values ? listOf('Values', alert.values) : (alert.valueString ?? ''),
    listOf('Annotations', alert.annotations),
    [linkTo('Generator', alert.generatorURL), linkTo('Silence', alert.silenceURL), linkTo('Image', alert.imageURL)]
      .filter(link => link !== '')
      .join('\n'),
  ]
  return { topic: `[${name ?? alert.fingerprint ?? ''}]`, content: paragraphs(content), event: alert.status }
}

function messageOfRule({
  title,
  state,
  ruleName,
  ruleUrl,
  message,
  evalMatches,
}: z.output<typeof older>): IncomingMessage {
  const content = [
    state === 'ok' ? ':checkbox: **OK**' : `:alert: **${state.toUpperCase()}**`,
    `[${ruleName}](${ruleUrl})`,
    message ?? '',
    (evalMatches ?? []).map(({ metric, value }) => `**${metric}:** ${value}`).join('\n'),
  ]
  return { topic: title, content: paragraphs(content), event: state }
}

const paragraphs = (parts: readonly string[]): string => parts.filter(part => part !== '').join('\n\n')

function listOf(title: string, given: Alert['labels']): string {
  const entries = Object.entries(given ?? {})
  return entries.length === 0 ? '' : [`${title}:`, ...entries.map(([key, value]) => `- ${key}: ${value}`)].join('\n')
}

const linkTo = (title: string, address: string | null | undefined): string => (address ? `[${title}](${address})` : '')
