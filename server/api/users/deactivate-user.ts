import { z } from 'zod'
import { limits } from '../../../shared/limits.js'
import { deactivateUser as deactivate } from '../../actions/users/deactivate.js'
import { json, pathId, storableText } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

const actions = z.object({
  delete_profile: z.boolean().default(false),
  delete_public_channel_messages: z.boolean().default(false),
  delete_private_channel_messages: z.boolean().default(false),
  delete_direct_messages: z.boolean().default(false),
})

export const deactivateUser = route({
  operation: 'deactivate_user',
  method: 'DELETE',
  path: '/users/{user_id}',
  doc: 'Deactivates a person and its bots. For administrators; only owners may deactivate owners, and the last owner stays.',
  allow: anyAccount,
  params: z.object({
    user_id: pathId().describe('The person.'),
    actions: json(actions)
      .optional()
      .describe(
        'The data to delete with the account: delete_profile (name, address, profile), delete_public_channel_messages, delete_private_channel_messages, delete_direct_messages.',
      ),
    deactivation_notification_comment: storableText(limits.deactivation_comment_length, 'too long')
      .optional()
      .describe('Sends the person an email with this text, also if the text is empty.'),
  }),
  returns: z.object({}),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  isAdministrative: true,
  async handle({ ctx, actor, params }) {
    const comment = params.deactivation_notification_comment
    await deactivate(ctx, actor, params.user_id, { actions: actions.parse(params.actions ?? {}), comment })
    return {}
  },
})
