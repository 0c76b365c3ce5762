import { badRequest } from '../../shared/errors.js'
import { budgets } from '../config/budgets.js'

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const mostLevels = budgets.jsonDepth.most
const mostItems = budgets.jsonItems.most

/** The most items of a list by its depth, the outermost at 0; an object is a depth, too. Absent: no bound but the budgets. */
export type ListBounds = readonly (number | undefined)[]

/** A list has more items than its bound. */
export class ListTooLong extends Error {
  override readonly name = 'ListTooLong'

  /** `path`: where the list is in the text. */
  constructor(
    readonly path: readonly (string | number)[],
    readonly most: number,
  ) {
    super(`Too many: at most ${most} items.`)
  }
}

/**
 * Parses JSON from a caller. Levels, values and the items of lists are counted before any value is built, and counting stops at the first
 * bound that is passed; an object counts its values, not its keys.
 * @throws {ApiError} BAD_REQUEST beyond budgets.jsonDepth or budgets.jsonItems
 * @throws {ListTooLong} for a list beyond its bound
 * @throws {SyntaxError} when the text is not JSON
 */
export function parseJson(text: string, lists: ListBounds = []): unknown {
  // A text of n characters has at most n levels and n values.
  if (text.length > mostLevels && /^\s*[[{]/.test(text) && !isSmall(text, lists)) new Count(text, lists).run()
  return JSON.parse(text)
}

/** @throws {ApiError} BAD_REQUEST with the message that MessagePack frames get, too. */
export function requireDepth(levels: number): void {
  if (levels > mostLevels) throw badRequest(`The value nests arrays and objects more than ${mostLevels} levels deep.`)
}

/** @throws {ApiError} BAD_REQUEST with the message that MessagePack frames get, too. */
export function requireItems(items: number): void {
  if (items > mostItems) throw badRequest(`The value holds more than ${mostItems} values.`)
}

/** The position of the quote that closes the string before `start`; the length of the text if there is none. */
export function closingQuote(text: string, start: number): number {
  let at = start
  for (;;) {
    at = text.indexOf('"', at)
    if (at < 0) return text.length
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return at
    at++
  }
}

/**
 * Whether the text is certainly within all bounds: each value takes a character and a comma. This check is cheaper than counting and holds
 * for nearly every text.
 */
function isSmall(text: string, lists: ListBounds): boolean {
  return (
    text.length < 2 * mostItems &&
    lists.every(most => most === undefined || text.length < 2 * most) &&
    countUpTo(mostLevels + 1, '[', text) + countUpTo(mostLevels + 1, '{', text) <= mostLevels
  )
}

function countUpTo(most: number, letter: string, text: string): number {
  let count = 0
  for (let at = text.indexOf(letter); at >= 0 && count < most; at = text.indexOf(letter, at + 1)) count++
  return count
}

/** An array or object whose end has not been reached. */
interface Open {
  readonly start: number
  readonly isList: boolean
  /** Infinity for an object. */
  readonly most: number
  commas: number
  /** Of an object, the place of the key of the present value; undefined before it. */
  key: readonly [start: number, end: number] | undefined
}

/** Jumps from mark to mark by a pattern: in code that is not optimized yet, this is ten times as fast as a look at each character. */
class Count {
  private readonly open: Open[] = []
  // The outermost value; each comma and each opening bracket adds one, except for an empty array or object.
  private items = 1

  constructor(
    private readonly text: string,
    private readonly lists: ListBounds,
  ) {}

  run(): void {
    const marks = /["[\]{},]/g
    while (marks.test(this.text)) {
      const at = marks.lastIndex - 1
      const code = this.text.charCodeAt(at)
      if (code === quote) marks.lastIndex = this.passString(at)
      else if (code === comma) this.next()
      else if (isOpening(code)) this.enter(at)
      else this.leave(at)
    }
    requireItems(this.items)
  }

  private passString(start: number): number {
    const end = closingQuote(this.text, start + 1)
    const inner = this.open.at(-1)
    if (inner) inner.key ??= [start + 1, end]
    return end + 1
  }

  private next(): void {
    const inner = this.open.at(-1)
    if (inner) {
      inner.commas++
      if (inner.commas >= inner.most) throw new ListTooLong(this.path(), inner.most)
      inner.key = undefined
    }
    requireItems(++this.items)
  }

  private enter(start: number): void {
    const isList = this.text[start] === '['
    const most = (isList ? this.lists[this.open.length] : undefined) ?? Number.POSITIVE_INFINITY
    requireDepth(this.open.push({ start, isList, most, commas: 0, key: undefined }))
    this.items++
  }

  private leave(end: number): void {
    const inner = this.open.pop()
    if (inner?.commas === 0 && this.text.slice(inner.start + 1, end).trim() === '') this.items--
  }

  /** The place of the innermost list. */
  private path(): (string | number)[] {
    return this.open.slice(0, -1).map(({ isList, commas, key = [0, 0] }) => (isList ? commas : this.text.slice(...key)))
  }
}

/** Whether a character opens an array or object. */
const isOpening = (code: number): boolean => code === 0x5b || code === 0x7b
