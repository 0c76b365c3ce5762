import { badRequest } from '../../../shared/errors.js'
import type { Integration } from '../integration.js'
import { joined, sentPayload } from '../slack-form.js'
import { slackMarkup } from './markup.js'
import { payload } from './payload.js'
import { renderAttachment, renderBlock } from './render.js'

/** What sends to Slack's incoming webhooks sends here with another address alone. */
export const slackIncoming: Integration = {
  name: 'slack_incoming',
  displayName: 'Slack',
  eventTypes: null,
  setUp: 'Where a service asks for the address of an incoming webhook of Slack.',
  success: { ok: true },
  refusal: error => ({ ok: false, error }),
  read(delivery) {
    const { success, data, error } = payload.safeParse(sentPayload(delivery))
    if (!success) throw badRequest(`${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`)
    const shown = joined([...(data.blocks ?? []).map(renderBlock), ...(data.attachments ?? []).map(renderAttachment)])
    const plain = `${data.icon_emoji ? `${data.icon_emoji} ` : ''}${data.text ?? ''}`.trim()
    const content = slackMarkup(shown || plain)
    return content === '' ? [] : [{ topic: data.channel?.replace(/^[#@]/, '') ?? '', content }]
  },
}
