import { z } from 'zod'
import { limits } from '../../../shared/limits.js'
import { reportTypeKeys } from '../../../shared/resources/report-types.js'
import { reportMessage } from '../../actions/messages/report.js'
import { pathId, text, word } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const reportMessageRoute = route({
  operation: 'report_message',
  method: 'POST',
  path: '/messages/{message_id}/report',
  doc: "Reports a message to the organization's moderators, in the channel that is set for reports.",
  allow: anyAccount,
  params: z.object({
    message_id: pathId().describe('The message.'),
    report_type: word(...reportTypeKeys).describe('The reason: a key of `server_report_message_types`.'),
    description: text(limits.report_description_length, `Longer than ${limits.report_description_length} characters.`)
      .transform(description => description.trim())
      .default('')
      .describe('An explanation.'),
  }),
  requires: [
    {
      when: { report_type: ['other'] },
      anyOf: ['description'],
      refusal: 'An explanation is required for reports of this type.',
    },
  ],
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  creates: true,
  async handle({ creating, actor, params: { message_id, report_type, description } }) {
    return creating(
      (ctx, key) => reportMessage(ctx, actor, message_id, { type: report_type, description, key }),
      () => ({}),
    )
  },
})
