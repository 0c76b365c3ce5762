import { limits } from '../../../shared/limits.js'
import { topicKey } from '../../../shared/resources/topic.js'
import type { NamedThread } from '../../store/imports/import-order.js'
import { checkTopic, truncate } from '../../text/content.js'
import { renderAtOnce } from '../../text/markdown.js'
import { noNames } from '../../text/names.js'
import { textOfHtml } from '../../text/search/html-text.js'
import type { References, SourceMessage } from '../source.js'

// Of the content: names are much shorter.
const readCharacters = 1000
const cut = '…'

/** What a thread is called that begins with this message: its first words without markup, or its first file. */
export function titleOf(message: SourceMessage, names: References): string {
  const { text } = textOfHtml(renderAtOnce(message.content(names).slice(0, readCharacters), noNames).html)
  const line = text.split('\n').find(one => one.trim() !== '')
  return asTopic(line ?? message.files[0]?.name ?? '')
}

/** '' for a text that no topic can have as its name. */
function asTopic(text: string): string {
  const checked = checkTopic(truncate(text.trim(), limits.max_topic_length, cut), '')
  return checked.ok ? checked.text : ''
}

/** Gives the threads of one channel distinct names; they come in the order of their first messages. */
export class TopicNames {
  private readonly taken = new Set<string>()
  private place = ''

  name({ place, title, sent }: Pick<NamedThread, 'place' | 'title' | 'sent'>): string {
    if (place !== this.place) this.taken.clear()
    this.place = place
    const day = sent.toISOString().slice(0, 10)
    const plain = title === '' ? `Thread of ${day}` : title
    for (let n = 0; ; n++) {
      const name = n === 0 ? plain : suffixed(plain, n === 1 && title !== '' ? ` (${day})` : ` (${n})`)
      if (this.taken.has(topicKey(name))) continue
      this.taken.add(topicKey(name))
      return name
    }
  }
}

/** The name with a suffix, within the length of a topic. */
function suffixed(name: string, suffix: string): string {
  const points = [...name]
  const room = limits.max_topic_length - suffix.length
  return `${points.length <= room ? name : points.slice(0, room).join('').trimEnd()}${suffix}`
}
