import type { References, SourceFile } from '../source.js'
import { codeIn } from './code.js'

/** What an archive says beside a text: how it names people and channels, and its files. */
export interface ZulipNames {
  /** The key of the person that a mention means; undefined: the archive has none. `id`: in the mention, or null. */
  personKey(name: string, id: string | null): string | undefined
  channelKey(name: string): string | undefined
  groupKey(name: string): string | undefined
  /** The key of a thing with this id. */
  key(id: string): string
  /** The file at this path below `/user_uploads/`. */
  file(path: string, label: string): SourceFile
}

interface Text {
  readonly content: string
  /** As the source has rendered it: it knows who was meant by a name, and which addresses are its own. */
  readonly html: string
  readonly names: ZulipNames
}

const wildcards = ['all', 'everyone', 'channel', 'topic', 'stream']

// A mention, a group, a channel, a link to a file, a place.
const referring =
  /(?<at>@_?)\*\*(?<person>[^*\n]{1,200})\*\*|(?<groupAt>@_?)\*(?<group>[^*\n]{1,200})\*(?!\*)|#\*\*(?<channel>[^*\n]{1,300})\*\*|\[(?<label>[^[\]\n]{0,500})\]\((?:https?:\/\/[^\s()/]{1,300})?\/user_uploads\/(?<path>[^\s()]{1,900})\)|(?<link>\]\()?(?<place>(?:https?:\/\/[^\s()#]{1,300})?\/?#narrow\/[^\s)<>"]{1,900})/g

/** The Markdown of a text, which means here what it meant there. The code in it stays as it is. */
export function zulipMarkdown({ content, html, names }: Text, references: References): string {
  const meaning = new Meaning({ content, html, names }, references)
  let markdown = ''
  let from = 0
  for (const { 0: whole, index, groups } of referringIn(content)) {
    const meant = meaning.of(groups ?? {})
    if (meant === undefined) continue
    markdown += content.slice(from, index) + meant
    from = index + whole.length
  }
  return markdown + content.slice(from)
}

/** The files to which a text links, in its order. */
export const filesOf = (content: string, names: Pick<ZulipNames, 'file'>): SourceFile[] =>
  referringIn(content).flatMap(({ groups: { label, path } = {} }) =>
    label === undefined || path === undefined ? [] : names.file(path, label),
  )

/** The ids of messages to which a text leads. */
export function messagesIn(content: string): string[] {
  const ids = [...content.matchAll(/\/(?:near|with)\/(\d{1,15})\b|#\*\*[^*\n]{1,300}@(\d{1,15})\*\*/g)]
  return [...new Set(ids.flatMap(([, near, at]) => near ?? at ?? []))]
}

/** What refers to something, outside of code. */
function referringIn(content: string): RegExpExecArray[] {
  const found = [...content.matchAll(referring)]
  if (found.length === 0) return found
  const code = codeIn(content)
  let i = 0
  return found.filter(({ index }) => {
    while (i < code.length && (code[i]?.[1] ?? 0) <= index) i++
    const range = code[i]
    return range === undefined || range[0] > index
  })
}

type Found = Readonly<Record<string, string | undefined>>

/** What a text refers to, as the text of here; undefined: it stays as it is. */
class Meaning {
  private readonly shown: Shown

  constructor(
    private readonly text: Text,
    private readonly references: References,
  ) {
    this.shown = new Shown(text.html)
  }

  of({ at, person, groupAt, group, channel, label = '', path, link, place }: Found): string | undefined {
    const { names } = this.text
    if (person !== undefined) return this.mention(at, person)
    if (group !== undefined) {
      const known = this.references.group(names.groupKey(group) ?? '')
      return known && `${groupAt}${known.slice(1)}`
    }
    if (channel !== undefined) return this.channel(channel)
    if (path !== undefined) return this.references.file(names.file(path, label))
    const address = this.address(place ?? '')
    if (address === undefined) return undefined
    return link === undefined ? `[${address}](${address})` : `](${address}`
  }

  private mention(at: string | undefined, person: string): string | undefined {
    const [, name = '', id = null] = /^(.*?)(?:\|(\d{1,15}))?$/.exec(person) ?? []
    if (id === null && wildcards.includes(name)) return undefined
    const key = this.text.names.personKey(name, id ?? this.shown.personId(name) ?? null)
    const known = this.references.person(key ?? '')
    return at === '@_' ? known?.replace(/^@/, '@_') : known
  }

  /** `name`, `name>topic` or `name>topic@message`. */
  private channel(text: string): string | undefined {
    const { names } = this.text
    const [, name = '', topic, message] = /^([^>]*)(?:>(.*?)(?:@(\d{1,15}))?)?$/.exec(text) ?? []
    const id = this.shown.channelId(name)
    const link = this.references.channel((id === undefined ? names.channelKey(name) : names.key(id)) ?? '', topic)
    const address = message === undefined ? undefined : this.references.message(names.key(message))
    if (address === undefined || link === undefined) return link
    return `[${link.replaceAll('**', '').replace(/[[\]]/g, ' ')}](${address})`
  }

  /** Where a place of the source is here; undefined: it is of another server, or not in the archive. */
  private address(place: string): string | undefined {
    const [beginning = '', rest = ''] = place.split('#narrow/')
    // Its own addresses the source has shortened; those of others may look the same.
    const isOwn = ['', '/'].includes(beginning) || this.text.html.includes(`#narrow/${rest.replaceAll('&', '&amp;')}"`)
    if (!isOwn) return undefined
    let isKnown = true
    const idOf = (kind: 'person' | 'channel' | 'message', id: string): string => {
      const known = this.references.id(kind, this.text.names.key(id))
      if (known === undefined) isKnown = false
      return String(known)
    }
    const own = rest
      .replace(/^(?:stream|channel)\/(\d{1,15})/, (_, id) => `channel/${idOf('channel', id)}`)
      .replace(
        /^(?:pm-with|dm)\/(\d[\d,]{0,2000})/,
        (_, ids) => `dm/${ids.replace(/\d+/g, (id: string) => idOf('person', id))}`,
      )
      .replace(/\/(near|with)\/(\d{1,15})/, (_, word, id) => `/${word}/${idOf('message', id)}`)
    return isKnown && own !== rest ? `/#narrow/${own}` : undefined
  }
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" }
const plain = (html: string): string => html.replace(/&(lt|gt|amp|quot|#39);/g, (_, name) => entities[name] ?? '')

/** Names in a rendered text, and the ids that they meant then. */
class Shown {
  private people: ReadonlyMap<string, string> | undefined
  private channels: ReadonlyMap<string, string> | undefined

  constructor(private readonly html: string) {}

  personId(name: string): string | undefined {
    this.people ??= new Map(
      [...this.html.matchAll(/<span class="user-mention[^"]{0,100}" data-user-id="(\d{1,15})">@?([^<]{1,300})</g)].map(
        ([, id = '', name = '']) => [plain(name), id],
      ),
    )
    return this.people.get(name)
  }

  channelId(name: string): string | undefined {
    this.channels ??= new Map(
      [
        ...this.html.matchAll(/<a class="stream[^"]{0,50}" data-stream-id="(\d{1,15})"[^>]{0,2000}>#([^<]{1,400})</g),
      ].map(([, id = '', name = '']) => [plain(name).split(' > ')[0] ?? '', id]),
    )
    return this.channels.get(name)
  }
}
