import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { limits } from '../../../shared/limits.js'
import { renderFor } from '../../actions/messages/render.js'
import { text } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { wellFormed } from '../../text/content.js'
import { route } from '../route.js'

export const renderMessage = route({
  operation: 'render_message',
  method: 'POST',
  path: '/messages/render',
  doc: 'Renders a preview: the HTML that a message of yours with this content would have, without previews of linked websites. The server sends nothing.',
  allow: anyAccount,
  params: z.object({
    content: text(limits.max_message_length, 'Content too long.').describe('Markdown source.'),
  }),
  returns: z.object({ rendered: z.string().describe('HTML.') }),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params: { content } }) {
    if (content.includes('\0')) throw badRequest('Message must not contain null bytes')
    await ctx.directory.fresh()
    const { html } = await renderFor(ctx, ctx.sql, {
      authorId: actor.user.id,
      content: wellFormed(content),
      channelId: null,
      isStored: false,
    })
    return { rendered: html }
  },
})
