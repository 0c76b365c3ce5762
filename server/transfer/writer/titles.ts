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

// A topic shows the character, which its HTML names.
const emoji = /<span [^>]*class="emoji emoji-([0-9a-f-]+)"[^>]*>[^<]*<\/span>/g
const characterOf = (code: string): string =>
  String.fromCodePoint(...code.split('-').map(part => Number.parseInt(part, 16)))

/** What a thread is called that begins with this message: its name at the source, its first words without markup, or its first file. */
export function titleOf(message: SourceMessage, names: References): string {
  if (message.threadName !== '') return asTopic(message.threadName)
  const { html } = renderAtOnce(message.content(names).slice(0, readCharacters), noNames)
  const { text } = textOfHtml(html.replace(emoji, (_, code: string) => characterOf(code)))
  const line = text.split('\n').find(one => one.trim() !== '')
  return asTopic(line ?? message.files[0]?.name ?? '')
}

/** '' for a text that no topic can have as its name. */
export function asTopic(text: string): string {
  const checked = checkTopic(truncate(text.trim(), limits.max_topic_length, cut), '')
  return checked.ok ? checked.text : ''
}

/** Gives the threads of one channel distinct names; they come in the order of their first messages. */
export class TopicNames {
  private readonly taken = new Set<string>()
  /** How often each name was wanted: thousands of threads can begin with the same words. */
  private readonly wanted = new Map<string, number>()
  private place = ''

  name({ place, title, sent }: Pick<NamedThread, 'place' | 'title' | 'sent'>): string {
    if (place !== this.place) {
      this.taken.clear()
      this.wanted.clear()
    }
    this.place = place
    const day = sent.toISOString().slice(0, 10)
    const plain = title === '' ? `Thread of ${day}` : title
    for (let n = this.wanted.get(plain) ?? 0; ; n++) {
      const name = n === 0 ? plain : suffixed(plain, n === 1 && title !== '' ? ` (${day})` : ` (${n})`)
      if (this.taken.has(topicKey(name))) continue
      this.taken.add(topicKey(name))
      this.wanted.set(plain, n + 1)
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
