import { ApiError } from '../../../shared/errors.js'
import { namesFor } from '../../actions/messages/names.js'
import { renderWith } from '../../actions/messages/render.js'
import type { Ctx } from '../../ctx.js'
import { wordStems } from '../../lookups/word-stems.js'
import type { ImportedMessage } from '../../store/imports/imported-messages.js'
import { asTyped, type Rendered as Markup, RENDERER_VERSION } from '../../text/markdown.js'
import type { Names } from '../../text/names.js'
import { searchVector } from '../../text/search/vector.js'
import type { Here } from './here.js'

interface Text {
  readonly content: string
  readonly topic: string
  readonly authorId: number
  /** The key of the channel or conversation. */
  readonly place: string
  /** Ids of those who read it. */
  readonly members: ReadonlySet<number>
}

type Rendered = Pick<
  ImportedMessage,
  'rendered_content' | 'renderer_version' | 'is_me_message' | 'has_link' | 'has_image' | 'search'
> & {
  /** Users that the text mentions. */
  readonly mentioned: readonly number[]
}

/** Renders a text as if its author had sent it now. */
export async function rendered(ctx: Ctx, text: Text, here: Here): Promise<Rendered> {
  const { html, mentions, isMeMessage, hasLink, hasImage } = await withMarkup(
    ctx,
    text.content,
    namesOf(ctx, text, here),
  )
  return {
    rendered_content: html,
    renderer_version: RENDERER_VERSION,
    is_me_message: isMeMessage,
    has_link: hasLink,
    has_image: hasImage,
    mentioned: mentions.userIds.filter(id => text.members.has(id)),
    search: searchVector(html, text.topic, wordStems(ctx)),
  }
}

/** A text for which no thread has time is shown as it was typed: no message ends an import. */
async function withMarkup(ctx: Ctx, content: string, names: Names): Promise<Markup> {
  try {
    return await renderWith(ctx, content, names)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return asTyped(content)
  }
}

/** Channels of the archive are not in the directory until they are complete. An author refers to those that it could read. */
function namesOf(ctx: Ctx, { authorId, place }: Text, here: Here): Names {
  const author = ctx.directory.users.get(authorId) ?? null
  const own = here.channels.get(place)
  const noOthers = { isReadable: () => false, newestInTopic: () => undefined }
  return {
    ...namesFor(ctx, author, { channels: noOthers, files: new Map(), known: null }),
    channelByName(name) {
      const channel = here.channelsByName.get(name.toLowerCase())
      const isReadable = channel && (!channel.isPrivate || channel === own || channel.memberIds.has(authorId))
      return isReadable ? { stream_id: channel.id, name: channel.name } : undefined
    },
  }
}
