import { escaped } from '../escapes.js'

/** How a text refers to others: each as Markdown; undefined: the archive has none. */
export interface MattermostNames {
  person(name: string): string | undefined
  channel(name: string): string | undefined
  /** How an emoji is written here; undefined: there is none of this name. */
  emoji(name: string): string | undefined
}

const fence = /^ {0,3}(`{3,}|~{3,})/
const wordJoiner = '\u2060'
const command = /^\/(?=(?:me|poll|todo)\b)/

/** The Markdown of a text in Mattermost's Markdown, which has escapes, underscores for emphasis and names without brackets. Code stays as it is. */
export function mattermostMarkdown(text: string, names: MattermostNames): string {
  let open = ''
  return text
    .split('\n')
    .map(line => {
      const [, mark = ''] = fence.exec(line) ?? []
      if (open !== '') {
        if (mark.startsWith(open) && line.trim() === mark) open = ''
        return line
      }
      open = mark
      return mark === '' ? new Line(line, names).markdown() : line
    })
    .join('\n')
}

const wordCharacter = /[\p{L}\p{N}]/u
const mention = /@([a-z0-9._-]{1,64})/iy
const channelName = /~([a-z0-9_-]{1,64})/iy
const emojiName = /:([a-z0-9_+-]{1,64}):/iy
const punctuation = /[!-/:-@[-`{-~]/

/** One scan from left to right: each kind of mark looks for its end only once in vain. */
class Line {
  private at = 0
  private out = ''
  private readonly hopeless = new Set<string>()
  /** Underscores that end emphasis. */
  private readonly ends = new Set<number>()

  constructor(
    private readonly text: string,
    private readonly names: MattermostNames,
  ) {}

  markdown(): string {
    if (command.test(this.text)) this.out = wordJoiner
    while (this.at < this.text.length) {
      const character = this.text[this.at] as string
      if (!this.taken(character)) {
        this.out += character
        this.at++
      }
    }
    return this.out
  }

  private taken(character: string): boolean {
    switch (character) {
      case '`':
        return this.code()
      case '\\':
        return this.escape()
      case '!':
        return this.text[this.at + 1] === '[' && this.put('', 1)
      case '_':
        return this.emphasis()
      case '@':
        return this.parted(/^@_?\*/) || this.mention()
      case '~':
        return this.channel()
      case ':':
        return this.emoji()
      case '#':
        return this.parted(/^#\*/)
      case '$':
        return this.parted(/^\$\$/)
    }
    return false
  }

  private put(markdown: string, length: number): true {
    this.out += markdown
    this.at += length
    return true
  }

  /** What means markup here, and nothing there. */
  private parted(pattern: RegExp): boolean {
    return pattern.test(this.text.slice(this.at, this.at + 4)) && this.put(this.text[this.at] + wordJoiner, 1)
  }

  private code(): boolean {
    let length = 1
    while (this.text[this.at + length] === '`') length++
    const marks = '`'.repeat(length)
    if (!this.hopeless.has(marks)) {
      for (let end = this.text.indexOf(marks, this.at + length); end >= 0; ) {
        let over = end + length
        while (this.text[over] === '`') over++
        if (over - end === length) return this.put(this.text.slice(this.at, over), over - this.at)
        end = this.text.indexOf(marks, over)
      }
      this.hopeless.add(marks)
    }
    return this.put(marks, length)
  }

  private escape(): boolean {
    const next = this.text[this.at + 1] ?? ''
    return punctuation.test(next) && this.put(escaped[next] ?? next, 2)
  }

  private emphasis(): boolean {
    const marks = this.text[this.at + 1] === '_' ? '__' : '_'
    const star = marks === '__' ? '**' : '*'
    if (this.ends.delete(this.at)) return this.put(star, marks.length)
    const isOpen = !this.isWord(this.at - 1) && /\S/.test(this.text[this.at + marks.length] ?? ' ')
    if (!isOpen || this.hopeless.has(marks)) return this.put(marks, marks.length)
    for (
      let end = this.text.indexOf(marks, this.at + marks.length + 1);
      end > 0;
      end = this.text.indexOf(marks, end + marks.length)
    ) {
      if (
        /\s/.test(this.text[end - 1] ?? ' ') ||
        this.isWord(end + marks.length) ||
        this.text[end + marks.length] === '_'
      )
        continue
      this.ends.add(end)
      return this.put(star, marks.length)
    }
    this.hopeless.add(marks)
    return this.put(marks, marks.length)
  }

  private isWord(at: number): boolean {
    return wordCharacter.test(this.text[at] ?? ' ')
  }

  private named(pattern: RegExp): string | undefined {
    if (this.isWord(this.at - 1)) return undefined
    pattern.lastIndex = this.at
    return pattern.exec(this.text)?.[1]
  }

  /** A full stop behind a name may belong to the sentence. */
  private mention(): boolean {
    const found = this.named(mention)
    if (found === undefined) return false
    for (let name = found; name !== ''; name = name.slice(0, -1)) {
      const known = this.names.person(name.toLowerCase())
      if (known !== undefined) return this.put(known, name.length + 1)
      if (name === 'all' || name === 'channel') return this.put('@_**all**', name.length + 1)
      if (!/[._-]$/.test(name)) break
    }
    return this.put(`@${found}`, found.length + 1)
  }

  private channel(): boolean {
    const found = this.text[this.at - 1] === '~' ? undefined : this.named(channelName)
    const known = found === undefined ? undefined : this.names.channel(found.toLowerCase())
    return found !== undefined && known !== undefined && this.put(known, found.length + 1)
  }

  private emoji(): boolean {
    emojiName.lastIndex = this.at
    const name = emojiName.exec(this.text)?.[1]
    const shown = name === undefined ? undefined : this.names.emoji(name)
    return name !== undefined && shown !== undefined && this.put(shown, name.length + 2)
  }
}
