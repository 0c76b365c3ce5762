/** An element of a JSON list, or what is wrong with it. `number` counts from 1. */
export type Listed =
  | { readonly number: number; readonly value: unknown; readonly fault?: undefined }
  | { readonly number: number; readonly fault: string }

// Characters. No message of a chat is nearly as long; bounds the memory for an element that does not end.
const mostCharacters = 8 * 1024 * 1024

/**
 * The elements of a JSON list, one after the other: a list can be larger than memory. An element that is no JSON is a fault of its own, and a list
 * that is cut off yields its whole elements and one fault.
 */
export async function* elementsOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<Listed> {
  const splitter = new Splitter()
  // Skips a byte order mark; bytes that are no UTF-8 become U+FFFD.
  const decoder = new TextDecoder()
  for await (const piece of pieces) yield* splitter.add(decoder.decode(piece, { stream: true }))
  yield* splitter.add(decoder.decode())
  yield* splitter.end()
}

/**
 * A list that is a field of an object, in a file that can be larger than memory. The first value is what stands before the list; undefined: the
 * object has no such list.
 */
export async function* listWithin(
  pieces: AsyncIterable<Buffer>,
  field: string,
): AsyncGenerator<{ readonly head: unknown } | Listed> {
  const splitter = new Splitter()
  const head = new Head(field)
  const decoder = new TextDecoder()
  let isInside = false
  for await (const piece of pieces) {
    const text = decoder.decode(piece, { stream: true })
    const rest = isInside ? text : head.add(text)
    if (rest === undefined) continue
    if (!isInside) yield { head: head.value() }
    isInside = true
    yield* splitter.add(rest)
  }
  if (isInside) yield* splitter.end()
  else yield { head: undefined }
}

/**
 * The elements of the lists that are fields of an object, in a file that can be larger than memory. `reads`: the fields of use; others are passed
 * over.
 */
export async function* tablesOf(
  pieces: AsyncIterable<Buffer>,
  reads: readonly string[],
): AsyncGenerator<{ readonly table: string } & Listed> {
  const fields = new Fields(reads)
  const decoder = new TextDecoder()
  let list: Splitter | undefined
  for await (const piece of pieces) {
    let text = decoder.decode(piece, { stream: true })
    while (text !== '') {
      if (!list) {
        text = fields.skip(text)
        if (text === '') break
        list = new Splitter()
      }
      for (const listed of list.add(text)) yield { table: fields.name, ...listed }
      text = list.rest
      if (text !== '') list = undefined
    }
  }
  if (list) for (const listed of list.end()) yield { table: fields.name, ...listed }
  else if (!fields.isOver) yield { table: '', number: 1, fault: 'the file ends here, in the middle of an object' }
}

/** Walks through an object, from one list of use to the next. */
class Fields {
  /** Of the field to which the list belongs. */
  name = ''
  private depth = 0
  private inString = false
  private isEscaped = false

  constructor(private readonly reads: readonly string[]) {}

  get isOver(): boolean {
    return this.depth === 0
  }

  /** What stands from the next list on, with its bracket; '': it has not come yet. */
  skip(text: string): string {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (this.inString) this.addToString(code)
      else if (code === quote) {
        this.inString = true
        if (this.depth === 1) this.name = ''
      } else if (code === openList && this.depth === 1 && this.reads.includes(this.name)) return text.slice(i)
      else if (code === openObject || code === openList) this.depth++
      else if (code === closeObject || code === closeList) this.depth--
    }
    return ''
  }

  private addToString(code: number): void {
    if (this.isEscaped) this.isEscaped = false
    else if (code === backslash) this.isEscaped = true
    else if (code === quote) this.inString = false
    // Names of lists have none of these characters.
    else if (this.depth === 1 && this.name.length < mostNameCharacters) this.name += String.fromCharCode(code)
  }
}

const mostNameCharacters = 200

/** Reads the beginning of an object, until the field. */
class Head {
  private text = ''
  private at = 0
  private depth = 0
  private readonly mark: string

  constructor(field: string) {
    this.mark = JSON.stringify(field)
  }

  /** What stands behind the field; undefined: it has not come yet. */
  add(text: string): string | undefined {
    if (this.text.length > mostCharacters) return undefined
    this.text += text
    for (;;) {
      const code = this.text.charCodeAt(this.at)
      if (Number.isNaN(code)) return undefined
      if (code === openObject || code === openList) this.depth++
      else if (code === closeObject || code === closeList) this.depth--
      else if (code === quote) {
        const end = this.endOfString()
        // The rest of the string, and the colon behind it, come with the next piece.
        if (end === undefined) return undefined
        const colon = /^\s*:/.exec(this.text.slice(end, end + 100))
        if (this.depth === 1 && colon && this.text.slice(this.at, end) === this.mark) {
          const rest = this.text.slice(end + colon[0].length)
          this.text = this.text.slice(0, this.at)
          return rest
        }
        this.at = end
        continue
      }
      this.at++
    }
  }

  /** Behind its quote; undefined: it has not ended, or nothing follows yet. */
  private endOfString(): number | undefined {
    for (let i = this.at + 1; i < this.text.length - 1; i++) {
      const code = this.text.charCodeAt(i)
      if (code === backslash) i++
      else if (code === quote) return /^\s*$/.test(this.text.slice(i + 1)) ? undefined : i + 1
    }
    return undefined
  }

  /** The fields before; undefined: they are no JSON. */
  value(): unknown {
    try {
      return JSON.parse(`${this.text.trimEnd().replace(/,$/, '')}}`) as unknown
    } catch {
      return undefined
    }
  }
}

/** Finds the commas and brackets of the list itself: those outside of strings and of inner brackets. */
class Splitter {
  private depth = 0
  private inString = false
  private isEscaped = false
  private isList = false
  private isOver = false
  private number = 0
  private element = ''
  private isTooLong = false
  /** What stood behind the list in the text of the last `add`; '' until the list is over. */
  rest = ''

  private begin(code: number): void {
    if (spaces.includes(code)) return
    this.isList = code === openList
    this.isOver = !this.isList
    this.depth = 1
  }

  *add(text: string): Generator<Listed> {
    let from = 0
    let i = 0
    for (; i < text.length && !this.isOver; i++) {
      const isInside = this.depth > 0
      const ends = this.step(text.charCodeAt(i))
      if (!isInside) from = i + 1
      if (!ends) continue
      this.keep(text.slice(from, i))
      from = i + 1
      yield* this.taken()
    }
    if (this.depth > 0 && !this.isOver) this.keep(text.slice(from))
    this.rest = this.isOver ? text.slice(i) : ''
  }

  *end(): Generator<Listed> {
    if (this.isOver && this.isList) return
    this.number++
    yield {
      number: this.number,
      fault: this.isList ? 'the file ends here, in the middle of the list' : 'it is no list',
    }
  }

  /** Whether an element ends before this character. */
  private step(code: number): boolean {
    if (this.depth === 0) {
      this.begin(code)
      return false
    }
    if (this.inString) {
      if (this.isEscaped) this.isEscaped = false
      else if (code === backslash) this.isEscaped = true
      else if (code === quote) this.inString = false
      return false
    }
    switch (code) {
      case quote:
        this.inString = true
        break
      case openList:
      case openObject:
        this.depth++
        break
      case closeList:
      case closeObject:
        this.depth--
        this.isOver = this.depth <= 0
        return this.isOver
      case comma:
        return this.depth === 1
    }
    return false
  }

  private keep(text: string): void {
    if (this.element.length + text.length > mostCharacters) this.isTooLong = true
    this.element = this.isTooLong ? '' : this.element + text
  }

  private *taken(): Generator<Listed> {
    const { element, isTooLong } = this
    this.element = ''
    this.isTooLong = false
    // An empty list, or a comma behind the last element.
    if (element.trim() === '' && !isTooLong && this.isOver) return
    this.number++
    yield isTooLong ? { number: this.number, fault: 'it is longer than 8 MB' } : parsed(this.number, element)
  }
}

const spaces: readonly number[] = [0x20, 0x09, 0x0a, 0x0d]
const quote = 0x22
const comma = 0x2c
const openList = 0x5b
const backslash = 0x5c
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d

function parsed(number: number, element: string): Listed {
  try {
    return { number, value: JSON.parse(element) as unknown }
  } catch {
    return { number, fault: 'it is no JSON' }
  }
}
