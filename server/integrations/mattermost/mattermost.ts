import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import type { Integration } from '../integration.js'
import { joined, linked, sentPayload } from '../slack-form.js'

const most = 200
const text = z.string().nullish()
const attachment = z.object({
  pretext: text,
  author_name: text,
  author_link: text,
  title: text,
  title_link: text,
  text,
  fields: z
    .array(z.object({ title: text, value: z.union([z.string(), z.number(), z.boolean()]).nullish() }))
    .max(most)
    .nullish(),
  image_url: text,
  footer: text,
})
const payload = z.object({ channel: text, text, attachments: z.array(attachment).max(most).nullish() })
type Attachment = z.output<typeof attachment>

/** What sends to Mattermost's incoming webhooks sends here with another address alone: the form is Slack's, the text is Markdown. */
export const mattermost: Integration = {
  name: 'mattermost',
  displayName: 'Mattermost',
  eventTypes: null,
  setUp: 'Where a service asks for the address of an incoming webhook of Mattermost.',
  read(delivery) {
    const { success, data, error } = payload.safeParse(sentPayload(delivery))
    if (!success) throw badRequest(`${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`)
    const content = linked(joined([data.text ?? undefined, ...(data.attachments ?? []).map(renderAttachment)]))
    return content === '' ? [] : [{ topic: data.channel?.replace(/^[#@]/, '') || 'Mattermost', content }]
  },
}

const renderAttachment = (one: Attachment): string =>
  joined([
    one.pretext ?? undefined,
    link(one.author_name, one.author_link),
    one.title ? `**${link(one.title, one.title_link)}**` : '',
    one.text ?? undefined,
    (one.fields ?? []).map(fieldLine).join('\n'),
    one.image_url ? `[](${one.image_url})` : '',
    one.footer ?? undefined,
  ])

const link = (label: string | null | undefined, url: string | null | undefined): string =>
  label && url ? `[${label}](${url})` : (label ?? '')

const fieldLine = ({ title, value }: NonNullable<Attachment['fields']>[number]): string =>
  [title && `**${title}**`, value == null ? '' : String(value)].filter(Boolean).join(': ')
