import { plain } from './plain-text.js'
import { codeBlock } from './rich-text.js'
import { broadcastText, linkText, type SlackNames } from './slack-names.js'

/**
 * The Markdown of a text in Slack's own markup, which messages have that were sent by programs, or before 2019. One scan from left to right:
 * each mark looks for its end within its line, and only once, so runs of marks take no longer than their length.
 */
export function mrkdwn(text: string, names: SlackNames): string {
  return new Scan(text, names).markdown()
}

const marks: Readonly<Record<string, string>> = { '*': '**', _: '*', '~': '~~' }
const bullet = /^([•◦▪]) +/
const bulletDepth: Readonly<Record<string, string>> = { '•': '* ', '◦': '  * ', '▪': '    * ' }
const wordCharacter = /[\p{L}\p{N}]/u

class Scan {
  private at = 0
  private out = ''
  private run = ''
  /** Marks that were sought in this line without an end. */
  private hopeless = new Set<string>()
  private isQuotedToEnd = false

  constructor(
    private readonly text: string,
    private readonly names: SlackNames,
  ) {}

  /** Text within marks: it begins no line. */
  inline(): string {
    this.characters()
    return this.out
  }

  markdown(): string {
    let wasQuote = false
    while (this.at < this.text.length) {
      const isQuote = this.beginLine()
      // Without an empty line the text would belong to the quote.
      if (wasQuote && !isQuote) this.out += '\n'
      if (isQuote) this.out += '> '
      this.line()
      wasQuote = isQuote
    }
    return this.out
  }

  private beginLine(): boolean {
    this.hopeless = new Set()
    if (this.isQuotedToEnd) return true
    if (this.text.startsWith('&gt;&gt;&gt;', this.at)) {
      this.isQuotedToEnd = true
      this.at += 12
    } else if (this.text.startsWith('&gt;', this.at)) this.at += 4
    else return false
    if (this.text[this.at] === ' ') this.at++
    return true
  }

  private line(): void {
    const [found, mark = ''] = bullet.exec(this.text.slice(this.at, this.at + 100)) ?? []
    if (found !== undefined) {
      this.out += bulletDepth[mark] ?? ''
      this.at += found.length
    }
    this.characters()
  }

  private characters(): void {
    while (this.at < this.text.length) {
      const character = this.text[this.at] as string
      if (character === '\n') {
        this.at++
        this.flush()
        this.out += '\n'
        return
      }
      if (!this.taken(character)) this.take(character)
    }
    this.flush()
  }

  private taken(character: string): boolean {
    if (character === '`') return this.fence() || this.code()
    if (character === '<') return this.reference()
    if (character === '&') return this.entity()
    if (character === ':') return this.emoji()
    return character in marks && this.mark(character)
  }

  private take(text: string): void {
    this.run += text
    this.at += text.length
  }

  /** Plain text collects until markup begins, so that its own marks are seen. */
  private flush(): void {
    this.out += plain(this.run)
    this.run = ''
  }

  private put(markdown: string, end: number): true {
    this.flush()
    this.out += markdown
    this.at = end
    return true
  }

  private fence(): boolean {
    if (!this.text.startsWith('```', this.at) || this.hopeless.has('```')) return false
    const end = this.text.indexOf('```', this.at + 3)
    if (end < 0) {
      this.hopeless.add('```')
      return false
    }
    const code = entities(this.text.slice(this.at + 3, end)).replace(/^\n/, '')
    const [before, after] = [
      this.run !== '' || !/(^|\n)$/.test(this.out) ? '\n' : '',
      this.text[end + 3] === '\n' ? '' : '\n',
    ]
    return this.put(`${before}${codeBlock(code)}${after}`, end + 3)
  }

  private code(): boolean {
    const end = this.endOf('`')
    return end > 0 && this.put(`\`${entities(this.text.slice(this.at + 1, end))}\``, end + 1)
  }

  /** `*bold*`: the marks stand at the borders of words. */
  private mark(character: string): boolean {
    const before = this.text[this.at - 1] ?? ' '
    const next = this.text[this.at + 1] ?? ' '
    if (wordCharacter.test(before) || /\s/.test(next) || next === character) return false
    const end = this.endOf(character)
    if (end < 0) return false
    const inner = this.text.slice(this.at + 1, end)
    if (/\s$/.test(inner) || wordCharacter.test(this.text[end + 1] ?? ' ')) return false
    const mark = marks[character] as string
    return this.put(`${mark}${new Scan(inner, this.names).inline()}${mark}`, end + 1)
  }

  private reference(): boolean {
    const end = this.endOf('>')
    if (end < 0) return false
    const [target = '', ...labels] = this.text.slice(this.at + 1, end).split('|')
    const label = entities(labels.join('|'))
    return this.put(referenceText(entities(target), label, this.names), end + 1)
  }

  private entity(): boolean {
    const found = Object.keys(characters).find(name => this.text.startsWith(name, this.at))
    if (found === undefined) return false
    this.run += characters[found] ?? ''
    this.at += found.length
    return true
  }

  private emoji(): boolean {
    const [found, name = ''] =
      /^:([\w+'-]{1,100})(?:::skin-tone-[2-6])?:/.exec(this.text.slice(this.at, this.at + 120)) ?? []
    return found !== undefined && this.put(this.names.emoji(name), this.at + found.length)
  }

  /** The place of the next mark in this line; -1: none. */
  private endOf(mark: string): number {
    if (this.hopeless.has(mark)) return -1
    const end = this.text.indexOf(mark, this.at + 1)
    const line = this.text.indexOf('\n', this.at)
    if (end > 0 && (line < 0 || end < line)) return end
    this.hopeless.add(mark)
    return -1
  }
}

const characters: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' }
const entities = (text: string): string => text.replace(/&(?:amp|lt|gt);/g, name => characters[name] as string)

function referenceText(target: string, label: string, names: SlackNames): string {
  const [kind, id] = [target[0], target.slice(1)]
  if (kind === '@') return names.user(id, label)
  if (kind === '#') return names.channel(id, label)
  if (kind === '!') return commandText(id, label, names)
  return linkText(names, target, label)
}

function commandText(command: string, label: string, names: SlackNames): string {
  const [name = '', ...rest] = command.split('^')
  if (name === 'subteam') return names.group(rest[0] ?? '', label)
  if (name === 'date') return label === '' ? command : plain(label)
  return broadcastText(name, names)
}
