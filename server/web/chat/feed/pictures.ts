import type { Message } from '../../state/chat-state.js'
import type { Chat } from '../chat.js'
import { markupOf, readerOf } from '../markup.js'
import type { PictureAt } from '../view.js'

/** An uploaded picture of a message. */
export interface Picture extends PictureAt {
  readonly name: string
  readonly message: Message
  /** What the viewer shows: the upload, a copy of full size if browsers do not show its type, or the thumbnail of a huge one. */
  readonly shown: string
  /** The upload itself. */
  readonly original: string
  readonly isHuge: boolean
}

// Decoded, more pixels than these take more memory than a phone gives to a page.
const mostPixels = 40_000_000

/** Which picture of its message a click was on; undefined: on none. */
export function pictureAt(messageId: number, target: Element): PictureAt | undefined {
  const link = target.closest('a.picture')
  const index = link ? linksIn(link.closest('.content') ?? link).indexOf(link) : -1
  return index < 0 ? undefined : { messageId, index }
}

/** All pictures of these messages. */
export function picturesOf(chat: Chat, messages: readonly Message[]): Picture[] {
  return messages.flatMap(message => {
    // Cheaper than the elements of each message.
    if (!message.content.includes('data-original-dimensions')) return []
    return linksIn(markupOf(message.content, readerOf(chat))).map((link, index) => pictureOf(message, link, index))
  })
}

const linksIn = (content: ParentNode): Element[] => [...content.querySelectorAll('a.picture')]

function pictureOf(message: Message, link: Element, index: number): Picture {
  const original = link.getAttribute('href') ?? ''
  const image = link.querySelector('img')
  const copy = image?.getAttribute('data-transcoded-image')
  const [width = 0, height = 0] = (image?.getAttribute('data-original-dimensions') ?? '').split('x').map(Number)
  const isHuge = width * height > mostPixels
  const whole = copy ? `${original.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${copy}` : original
  return {
    messageId: message.id,
    index,
    message,
    name: image?.alt || decodeURIComponent(original.split('/').at(-1) ?? ''),
    shown: (isHuge && image?.getAttribute('src')) || whole,
    original,
    isHuge,
  }
}
