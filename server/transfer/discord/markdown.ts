import { emojiNameOf } from '../emoji-name.js'
import { escaped } from '../escapes.js'

/** How a text refers to others: each as Markdown; undefined: the archive has none. */
export interface DiscordNames {
  person(id: string): string | undefined
  channel(id: string): string | undefined
  /** The name of a role. */
  role(id: string): string | undefined
}

const wordJoiner = '\u2060'
const wordCharacter = /[\p{L}\p{N}]/u
const reference =
  /<(?:@!?(?<person>\d{1,20})|@&(?<role>\d{1,20})|#(?<channel>\d{1,20})|a?:(?<emoji>\w{1,100}):\d{1,20}|t:(?<time>-?\d{1,12})(?::[a-zA-Z])?|(?<address>https?:\/\/[^\s<>]{1,2000}))>/y
const punctuation = /[!-/:-@[-`{-~]/
const command = /^\/(?=(?:me|poll|todo)\b)/
// Blocks in blocks: deeper ones stay as they are.
const mostLevels = 3
const language = /^([\w+#.-]{1,30})\n/

/** The Markdown of a text in Discord's. Code stays as it is. */
export const discordMarkdown = (text: string, names: DiscordNames): string => new Scan(text, names, 0).markdown()

/** A block whose fence is longer than those inside. */
export function fenced(name: string, inside: string): string {
  let longest = 2
  for (const [run] of inside.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${name}\n${inside.replace(/\n$/, '')}\n${fence}`
}

/** One scan from left to right: each kind of mark looks for its end only once in vain. */
class Scan {
  private at = 0
  private out = ''
  private readonly hopeless = new Set<string>()
  /** Ends of marks whose beginnings were found, and what they become. */
  private readonly ends = new Map<number, string>()

  constructor(
    private readonly text: string,
    private readonly names: DiscordNames,
    private readonly level: number,
  ) {}

  markdown(): string {
    if (command.test(this.text)) this.out = wordJoiner
    while (this.at < this.text.length) {
      if (this.taken()) continue
      this.out += this.text[this.at]
      this.at++
    }
    return this.out
  }

  private taken(): boolean {
    switch (this.text[this.at]) {
      case '`':
        return this.code()
      case '\\':
        return this.escape()
      case '<':
        return this.reference()
      case '|':
        return this.spoiler()
      case '_':
        return this.underscore()
      case '>':
        return this.quote()
      case '-':
        return this.startsLine() && this.text.startsWith('-# ', this.at) && this.put('', 3)
      case '@':
        if (this.text.startsWith('everyone', this.at + 1)) return this.put('@_**all**', 9)
        return this.text.startsWith('@**', this.at) && this.put(`@${wordJoiner}`, 1)
      case '#':
        return this.text.startsWith('#**', this.at) && this.put(`#${wordJoiner}`, 1)
      case '$':
        return this.text[this.at + 1] === '$' && this.put(`$${wordJoiner}`, 1)
    }
    return false
  }

  private put(text: string, characters: number): true {
    this.out += text
    this.at += characters
    return true
  }

  private startsLine(): boolean {
    return this.at === 0 || this.text[this.at - 1] === '\n'
  }

  private code(): boolean {
    let marks = 1
    while (this.text[this.at + marks] === '`') marks++
    const run = '`'.repeat(marks)
    const end = this.endOf(run, this.at + marks)
    if (end === undefined) return this.put(run, marks)
    const inside = this.text.slice(this.at + marks, end)
    if (marks < 3) return this.put(run + inside + run, inside.length + 2 * marks)
    const [first = '', name = ''] = language.exec(inside) ?? []
    this.at = end + marks
    return this.block(name, inside.slice(first.length).replace(/^\n/, ''))
  }

  private escape(): boolean {
    const character = this.text[this.at + 1] ?? ''
    return punctuation.test(character) && this.put(escaped[character] ?? character, 2)
  }

  private reference(): boolean {
    reference.lastIndex = this.at
    const found = reference.exec(this.text)
    if (!found) return false
    const { person, role, channel, emoji, time, address } = found.groups ?? {}
    if (person !== undefined) this.out += this.names.person(person) ?? '@unknown'
    if (role !== undefined) this.out += `@${this.names.role(role) ?? 'role'}`
    if (channel !== undefined) this.out += this.names.channel(channel) ?? '#unknown'
    if (emoji !== undefined) this.out += `:${emojiNameOf(emoji)}:`
    if (time !== undefined) this.out += timeText(Number(time))
    if (address !== undefined) this.out += address
    this.at += found[0].length
    return true
  }

  /** A spoiler is a block here. */
  private spoiler(): boolean {
    if (this.level >= mostLevels || !this.text.startsWith('||', this.at)) return false
    const end = this.endOf('||', this.at + 2)
    if (end === undefined || end === this.at + 2) return false
    const inside = this.text.slice(this.at + 2, end)
    this.at = end + 2
    return this.block('spoiler', this.inner(inside))
  }

  /** `>>>` quotes all that follows. */
  private quote(): boolean {
    if (this.level >= mostLevels || !this.startsLine() || !this.text.startsWith('>>> ', this.at)) return false
    const inside = this.text.slice(this.at + 4)
    this.at = this.text.length
    return this.block('quote', this.inner(inside))
  }

  private inner(text: string): string {
    return new Scan(text, this.names, this.level + 1).markdown()
  }

  /** On lines of its own. */
  private block(name: string, inside: string): true {
    if (this.out !== '' && !this.out.endsWith('\n')) this.out += '\n'
    this.out += fenced(name, inside)
    while (this.text[this.at] === ' ') this.at++
    if (this.at < this.text.length && this.text[this.at] !== '\n') this.out += '\n'
    return true
  }

  /** Two underline a text, which is plain here; one is emphasis. */
  private underscore(): boolean {
    const known = this.ends.get(this.at)
    const marks = this.text[this.at + 1] === '_' ? 2 : 1
    if (known !== undefined) return this.put(known, known === '' ? 2 : 1)
    const run = '_'.repeat(marks)
    if (marks === 1 && (this.isWord(this.at - 1) || this.isBlank(this.at + 1))) return false
    const end = this.endOf(run, this.at + marks)
    if (
      end === undefined ||
      end === this.at + marks ||
      (marks === 1 && (this.isWord(end + 1) || this.isBlank(end - 1)))
    ) {
      return this.put(run, marks)
    }
    this.ends.set(end, marks === 2 ? '' : '*')
    return this.put(marks === 2 ? '' : '*', marks)
  }

  private isBlank(at: number): boolean {
    return /\s/.test(this.text[at] ?? ' ')
  }

  private isWord(at: number): boolean {
    return wordCharacter.test(this.text[at] ?? '')
  }

  private endOf(mark: string, from: number): number | undefined {
    if (this.hopeless.has(mark)) return undefined
    const end = this.text.indexOf(mark, from)
    if (end >= 0) return end
    this.hopeless.add(mark)
    return undefined
  }
}

function timeText(seconds: number): string {
  const time = new Date(seconds * 1000)
  return Number.isNaN(time.getTime()) ? String(seconds) : `<time:${time.toISOString().replace('.000', '')}>`
}
